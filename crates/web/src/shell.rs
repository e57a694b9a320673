//! The page that loads the app. Every page of the app is this one, with the bar that the app
//! shows above it; a session's also has its first turns, which are readable without JavaScript.

use crate::answer::Answer;
use crate::assets::Assets;
use crate::failure::Failure;
use crate::page::{ICON, escaped, json_in_script};
use crate::request::Call;
use crate::routes::fragments::first_turns;
use crate::routes::state::state;
use axum::http::StatusCode;
use library::session::Session;

/// A page whose content the app loads.
pub(crate) fn plain(call: &Call<'_>) -> Result<Answer, Failure> {
    let note = "<noscript><p>This page needs JavaScript. The pages of sessions do not: \
                their addresses end in <code>s/ID</code>.</p></noscript>";
    page(call, "annals", note)
}

/// The page of a session.
pub(crate) fn of_session(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    let agent = Some(call.part("agent")).filter(|agent| !agent.is_empty());
    let session = &found.session;
    let title = session.heading().unwrap_or("Untitled session").to_owned();
    let title = call.masked(&title);
    let mut content =
        format!("<header><h1>{}</h1>{}</header>", escaped(&title), facts(call, session));
    let mut next = String::new();
    match call.open(&found).and_then(|open| first_turns(call, &open, agent)) {
        Ok(fragment) => {
            content.push_str(&fragment.html);
            if let Some(place) = fragment.next {
                next = format!(" data-next-turn=\"{}\" data-next-step={}", place.turn, place.step);
                content.push_str("<noscript><p>The rest needs JavaScript.</p></noscript>");
            }
        }
        // Sessions whose transcripts are gone still have facts.
        Err(failure) if failure.status == StatusCode::NOT_FOUND && agent.is_none() => {
            content.push_str(&format!("<p>{}</p>", escaped(&call.masked(&failure.error))));
        }
        Err(failure) => return Err(failure),
    }
    page(call, &title, &format!("<main id=first class=first{next}>{content}</main>"))
}

/// What a session is, in one line.
fn facts(call: &Call<'_>, session: &Session) -> String {
    let metadata = &session.metadata;
    let changed = render::time::moment(metadata.modified, &call.app.settings.zone);
    let known = [
        session.project.clone(),
        metadata.branch.clone(),
        Some(changed),
        Some(render::bytes(metadata.bytes)),
    ];
    let known: Vec<String> = known.into_iter().flatten().filter(|it| !it.is_empty()).collect();
    format!("<p class=facts>{}</p>", escaped(&call.masked(&known.join(" · "))))
}

/// The page with a title and content, which must be HTML.
fn page(call: &Call<'_>, title: &str, content: &str) -> Result<Answer, Failure> {
    let base = call.app.base();
    let state = state(call)?;
    let state = String::from_utf8_lossy(&state.body).into_owned();
    let first_part = call.route.split('/').next().unwrap_or_default();
    let scripts: String =
        call.app.assets.scripts_of(first_part).iter().fold(String::new(), |links, name| {
            links + &format!("<link rel=modulepreload href=\"{base}assets/{name}\">")
        });
    let text = format!(
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\
         <meta name=color-scheme content=\"light dark\">\
         <title>{}</title>\
         {ICON}\
         <script src=\"{base}assets/{}\"></script>\
         <link rel=stylesheet href=\"{base}assets/{}\">\
         <script type=module src=\"{base}assets/{}\"></script>{scripts}</head>\
         <body><div id=app>{}{content}</div>\
         <script type=application/json id=state>{}</script></body></html>\n",
        escaped(title),
        call.app.assets.early(),
        call.app.assets.style(),
        call.app.assets.script(),
        Assets::header(first_part, base.as_str()),
        json_in_script(&state),
    );
    Ok(Answer::html(text))
}
