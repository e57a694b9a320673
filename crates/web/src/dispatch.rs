//! From a request to its route and back: the checks that every request passes, in order,
//! and the thread that the route runs on.

use crate::answer::Answer;
use crate::app::App;
use crate::entry::Presented;
use crate::events::{Subscription, stream, watcher};
use crate::failure::{Failure, wrong_method};
use crate::guard::Refusal;
use crate::holding_body::HoldingBody;
use crate::limits::BODY_BYTES;
use crate::request::Call;
use crate::routes::{ROUTES, Route, Run, actions};
use crate::work::Weight;
use crate::{Notice, cookie, guard, reading, routes};
use axum::Router;
use axum::body::{Body, HttpBody as _};
use axum::extract::{FromRequestParts as _, Query, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::OwnedSemaphorePermit;

/// The page below the base path that takes a one-time code.
pub(crate) const ENTRY: &str = "enter";

/// All routes, behind all checks.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let base = app.base().clone();
    let mut router = Router::new();
    for route in ROUTES {
        let app = Arc::clone(app);
        let handler = move |request: Request| {
            let app = Arc::clone(&app);
            async move { answer(app, route, request).await }
        };
        router = router.route(&format!("{base}{}", route.path), axum::routing::any(handler));
    }
    let below = base.clone();
    let fallback = move |request: Request| async move {
        let is_below = request.uri().path().starts_with(below.as_str());
        nothing_here(is_below).respond(request.headers())
    };
    let app = Arc::clone(app);
    let guarded = move |request: Request, next: axum::middleware::Next| {
        let app = Arc::clone(&app);
        async move {
            match check(&app, &request) {
                Ok(()) => next.run(request).await,
                Err(answer) => answer.respond(request.headers()),
            }
        }
    };
    router.fallback(fallback).layer(axum::middleware::from_fn(guarded))
}

/// The checks before a route is looked up, assets and event streams included.
fn check(app: &App, request: &Request) -> Result<(), Answer> {
    let (path, headers) = (request.uri().path(), request.headers());
    let inside = path.strip_prefix(app.base().as_str());
    let is_entry = inside == Some(ENTRY);
    let source = guard::check_source(request.method(), request.uri(), headers, is_entry);
    source.map_err(|refusal| refused(refusal, inside.map(|_| path)))?;
    let Some(inside) = inside else { return Err(nothing_here(false)) };
    if is_entry || app.client(headers).is_some() {
        return Ok(());
    }
    let failure = Failure::new(StatusCode::UNAUTHORIZED, "This browser is not logged in to annals")
        .with_hint("Run `annals web` in a terminal: it opens a new one-time address.");
    let is_data = ["api/", "fragment/", "image/", "export/", "assets/"];
    let is_page = !is_data.iter().any(|data| inside.starts_with(data));
    Err(if is_page { failure.page(None) } else { failure.document() })
}

/// The answer to a request that comes from somewhere else. It contains no data.
fn refused(refusal: Refusal, path: Option<&str>) -> Answer {
    match refusal {
        Refusal::WrongHost => Failure::new(
            StatusCode::MISDIRECTED_REQUEST,
            "annals answers at 127.0.0.1, localhost and [::1] only",
        )
        .document(),
        Refusal::OtherSite => {
            Failure::new(StatusCode::FORBIDDEN, "annals does not answer other sites").document()
        }
        // Following the link from this page makes the request one of our own.
        Refusal::Navigation => {
            Failure::new(StatusCode::FORBIDDEN, "Another site has sent you to annals")
                .with_hint("If you want that, go on. The other site cannot see anything.")
                .page(path)
        }
    }
}

/// The answer for a path that does not exist.
fn nothing_here(is_below: bool) -> Answer {
    if is_below {
        return Failure::not_found("nothing has this address").document();
    }
    Failure::not_found("annals is running here")
        .with_hint("Open the address that `annals web` prints.")
        .page(None)
}

/// Answers a request that has passed the checks.
async fn answer(app: Arc<App>, route: &'static Route, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let method = if route.is_post() { Method::POST } else { Method::GET };
    // A HEAD request is a GET whose body is not sent; hyper leaves it out.
    let is_head = parts.method == Method::HEAD && method == Method::GET && !route.is_stream();
    if parts.method != method && !is_head {
        return wrong_method(&method).respond(&parts.headers);
    }
    let answered = answer_method(&app, route, &mut parts, body).await;
    match answered.map_err(|failure| failure.masked(app.settings.redactor.as_ref())) {
        Ok(response) => response,
        Err(failure) if matches!(route.run, Run::Page(_) | Run::Enter) => {
            let link = Some(app.base().as_str());
            failure.page(link.filter(|_| !matches!(route.run, Run::Enter))).respond(&parts.headers)
        }
        Err(failure) => failure.document().respond(&parts.headers),
    }
}

async fn answer_method(
    app: &Arc<App>,
    route: &'static Route,
    parts: &mut Parts,
    body: Body,
) -> Result<Response, Failure> {
    let query = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri)
        .map_err(|_| Failure::bad_request("the query is not valid"))?;
    let query = query.0;
    check_parameters(route, &query)?;
    let path = RawPathParams::from_request_parts(parts, &())
        .await
        .map_err(|_| Failure::bad_request("the path is not valid"))?;
    let path: Vec<(String, String)> =
        path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    match route.run {
        Run::Enter => {
            enter(app, &query, &parts.headers).map(|answer| answer.respond(&parts.headers))
        }
        Run::Asset => {
            let name = path.first().map_or("", |(_, value)| value.as_str());
            let asset = app.assets.find(name);
            let asset = asset.ok_or_else(|| Failure::not_found("no such file"))?;
            holding(app, asset.respond(&parts.headers), None)
        }
        Run::Code(run) => {
            if !app.has_bearer(&parts.headers) {
                let text = "only programs with the bearer token get codes";
                return Err(Failure::new(StatusCode::FORBIDDEN, text));
            }
            let body = read_body(app, &parts.headers, body).await?;
            run(app, &body).map(|answer| answer.respond(&parts.headers))
        }
        Run::Events => {
            let client = app.client(&parts.headers);
            let client = client.ok_or_else(|| Failure::internal("a request of nobody"))?;
            let response = stream::open(app, client, subscription(&query), &parts.headers)?;
            if app.must_start_watcher() {
                watcher::start(Arc::clone(app)).map_err(|error| {
                    Failure::internal(format!("cannot start a thread: {error}"))
                })?;
            }
            Ok(response)
        }
        Run::Action(_, run) => {
            let place = app.work.place(route.weight())?;
            let body = actions::check(app, &parts.headers, body).await?;
            let (shared, headers) = (Arc::clone(app), parts.headers.clone());
            let work = move |limits: &library::progress::Limits| {
                let call = Call::new(&shared, route.path, path, query, limits);
                run(&call, &body).map(|answer| answer.respond(&headers))
            };
            holding(app, app.work.run(route.weight(), work).await??, place)
        }
        Run::Page(_) | Run::Read(..) => {
            let request = Arc::new((path, query, parts.headers.clone()));
            let mut weight = route.weight();
            loop {
                let place = app.work.place(weight)?;
                let (shared, request) = (Arc::clone(app), Arc::clone(&request));
                let work = move |limits: &library::progress::Limits| {
                    read(&shared, route, &request, weight, limits)
                };
                match app.work.run(weight, work).await?? {
                    Some(response) => return holding(app, response, place),
                    None => weight = Weight::LargeSession,
                }
            }
        }
    }
}

/// The variable parts of a path, the parameters, and the headers.
type ReadRequest = (Vec<(String, String)>, Vec<(String, String)>, HeaderMap);

/// Answers a request for data; `None` if that means to read a large session, and the work is light.
/// What is counted decides it, not the route: the size of the session that a request names.
fn read(
    app: &App,
    route: &Route,
    (path, query, headers): &ReadRequest,
    weight: Weight,
    limits: &library::progress::Limits,
) -> Result<Option<Response>, Failure> {
    let call = Call::new(app, route.path, path.clone(), query.clone(), limits);
    let may_grow = weight == Weight::Light && matches!(route.run, Run::Read(..));
    let call = if may_grow { call.for_light_work() } else { call };
    match reading::answer(route, &call) {
        Err(_) if call.needs_large_session() => Ok(None),
        answered => answered.map(|answer| Some(answer.respond(headers))),
    }
}

/// A response that has its place until it is sent. One with a large body that has none gets one.
fn holding(
    app: &App,
    response: Response,
    place: Option<OwnedSemaphorePermit>,
) -> Result<Response, Failure> {
    let place = match place {
        Some(place) => Some(place),
        None => app.work.place_to_send(response.body().size_hint().lower())?,
    };
    Ok(match place {
        Some(place) => response.map(|body| HoldingBody::hold(body, place)),
        None => response,
    })
}

/// Which events a page wants.
fn subscription(query: &[(String, String)]) -> Subscription {
    let find =
        |name: &str| query.iter().find(|(known, _)| known == name).map(|(_, it)| it.as_str());
    let named = query.iter().filter(|(name, _)| name == "session");
    let sessions: BTreeSet<String> = named
        .flat_map(|(_, ids)| ids.split(','))
        .filter(|id| !id.is_empty())
        .map(str::to_owned)
        .collect();
    // The page of what runs shows all sessions.
    let is_all = sessions.contains("*");
    Subscription { sessions: (!is_all).then_some(sessions), has_lists: find("list") == Some("1") }
}

/// Refuses parameters that a route does not have: a mistyped filter would be ignored.
fn check_parameters(route: &Route, query: &[(String, String)]) -> Result<(), Failure> {
    for (place, (name, _)) in query.iter().enumerate() {
        if !route.takes(name) {
            let shown: String = name.chars().take(40).collect();
            let known: Vec<&str> = route.parameters().collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(Failure::bad_request(format!("unknown parameter {shown:?}"))
                .with_hint(format!("this path takes: {known}")));
        }
        // A page follows several sessions at once.
        let is_list = route.is_stream() && name == "session";
        if !is_list && query[..place].iter().any(|(other, _)| other == name) {
            return Err(Failure::bad_request(format!("the parameter {name} is given twice")));
        }
    }
    Ok(())
}

/// The JSON body of a POST.
pub(crate) async fn read_body(
    app: &App,
    headers: &HeaderMap,
    body: Body,
) -> Result<serde_json::Value, Failure> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = content_type.map(|value| value.split(';').next().unwrap_or_default().trim());
    if !media_type.is_some_and(|it| it.eq_ignore_ascii_case("application/json")) {
        let text = "the body must be application/json";
        return Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
    }
    let _place = app.work.place_for_body()?;
    let reading = axum::body::to_bytes(body, BODY_BYTES);
    let bytes = match tokio::time::timeout(app.times.body, reading).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => {
            let text = "the body has more than 64 kB, or ended early";
            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, text));
        }
        Err(_) => {
            let text = "the body took too long";
            return Err(Failure::new(StatusCode::REQUEST_TIMEOUT, text));
        }
    };
    serde_json::from_slice(&bytes).map_err(|_| Failure::bad_request("the body is not valid JSON"))
}

/// Exchanges a one-time code for the cookie. The answer is not a redirect: after one from
/// another site, a browser would not send the strict cookie.
fn enter(app: &App, query: &[(String, String)], headers: &HeaderMap) -> Result<Answer, Failure> {
    let find =
        |name: &str| query.iter().find(|(known, _)| known == name).map(|(_, it)| it.as_str());
    let cookies = cookie::values(headers, &app.cookie_name);
    let presented = app
        .entry
        .present(find("code").unwrap_or_default(), &cookies, Instant::now())
        .map_err(|error| Failure::internal(format!("no random numbers: {error}")))?;
    let session = match presented {
        Presented::Opened(session) => Some(session),
        Presented::Again => None,
        Presented::Stolen => {
            app.notify(Notice::CodeUsedTwice);
            let text = "This address was already used by another browser, which is logged out now";
            return Err(Failure::new(StatusCode::FORBIDDEN, text)
                .with_hint("Run `annals web` in a terminal: it opens a new one-time address."));
        }
        Presented::Invalid => {
            let text = "This one-time address is not valid any more";
            return Err(Failure::new(StatusCode::FORBIDDEN, text)
                .with_hint("Run `annals web` in a terminal: it opens a new one-time address."));
        }
    };
    let address = format!("{}{}", app.base(), routes::safe_target(find("to").unwrap_or_default()));
    let refresh = HeaderValue::from_str(&format!("0; url={address}"))
        .map_err(|_| Failure::bad_request("invalid target"))?;
    let page = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>annals</title>{}<p><a href=\"{}\">Go on to annals</a></p></html>\n",
        crate::page::ICON,
        crate::page::escaped(&address)
    );
    let mut answer = Answer::html(page).with_header(HeaderName::from_static("refresh"), refresh);
    if let Some(session) = session {
        let cookie = cookie::set(&app.cookie_name, app.base(), &session)
            .ok_or_else(|| Failure::internal("cannot set the cookie"))?;
        answer = answer.with_header(header::SET_COOKIE, cookie);
    }
    Ok(answer)
}
