//! Requests that do not come from this server's own pages get no data and change nothing.

use super::*;
use crate::routes::{ROUTES, Route, Run};

/// A way to forge a request: headers beyond those that a page would send.
struct Forgery {
    name: &'static str,
    headers: &'static [(&'static str, &'static str)],
    status: u16,
}

const FORGERIES: &[Forgery] = &[
    Forgery { name: "no host", headers: &[("Host", ABSENT)], status: 421 },
    Forgery { name: "another host", headers: &[("Host", "evil.example")], status: 421 },
    Forgery {
        name: "a host that begins like ours",
        headers: &[("Host", "127.0.0.1.evil.example:7717")],
        status: 421,
    },
    Forgery {
        name: "another host with our origin",
        headers: &[("Host", "evil.example"), ("Origin", "http://evil.example")],
        status: 421,
    },
    Forgery { name: "another origin", headers: &[("Origin", "http://evil.example")], status: 403 },
    Forgery { name: "an opaque origin", headers: &[("Origin", "null")], status: 403 },
    Forgery {
        name: "another port's origin",
        headers: &[("Origin", "http://127.0.0.1:1")],
        status: 403,
    },
    Forgery { name: "cross-site", headers: &[("Sec-Fetch-Site", "cross-site")], status: 403 },
    Forgery { name: "same-site", headers: &[("Sec-Fetch-Site", "same-site")], status: 403 },
    Forgery {
        name: "a navigation",
        headers: &[("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")],
        status: 403,
    },
    Forgery { name: "no cookie", headers: &[("Cookie", ABSENT)], status: 401 },
    Forgery { name: "an empty cookie", headers: &[("Cookie", "annals_1=")], status: 401 },
    Forgery {
        name: "a wrong bearer token",
        headers: &[("Cookie", ABSENT), ("Authorization", "Bearer 0")],
        status: 401,
    },
];

/// What is wrong with an action, its headers, and the status of the answer.
type Case = (&'static str, &'static [(&'static str, &'static str)], u16);

/// The request of a route that a page of this server would send.
fn page_headers<'h>(route: &Route, cookie: &'h str, token: &'h str) -> Vec<(&'h str, &'h str)> {
    let mut headers = vec![("Cookie", cookie), ("Sec-Fetch-Site", "same-origin")];
    if route.is_post() {
        headers.extend([("Content-Type", "application/json"), ("X-Annals", token)]);
    }
    headers
}

fn method(route: &Route) -> &'static str {
    if route.is_post() { "POST" } else { "GET" }
}

/// The headers with some of them replaced.
fn replaced<'h>(
    headers: &[(&'h str, &'h str)],
    by: &[(&'h str, &'h str)],
) -> Vec<(&'h str, &'h str)> {
    let is_kept = |name: &str| by.iter().all(|(other, _)| *other != name);
    headers.iter().copied().filter(|(name, _)| is_kept(name)).chain(by.iter().copied()).collect()
}

/// Whether an answer has data from the store. The path that was asked for is none.
fn has_data(response: &Response, path: &str) -> bool {
    let path = path.split('?').next().unwrap();
    let text = String::from_utf8_lossy(&response.body).replace(path, "");
    ["sea", "gulls", "tidepool", &session_id(1), "web-state"].iter().any(|data| text.contains(data))
}

#[test]
fn no_forged_request_gets_data_from_any_route_or_changes_anything() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let (cookie, token) = (server.enter(), server.action_token());
    let stores = || testkit::fingerprint(&sandbox.config());
    let before = stores();
    for route in ROUTES {
        let path = format!("{}{}", server.base, server.call(route.call));
        let own = page_headers(route, &cookie, &token);
        for forgery in FORGERIES {
            let headers = replaced(&own, forgery.headers);
            let response = server.request(method(route), &path, &headers, "{}");
            let what = format!("{} of {}: {response:?}", forgery.name, route.path);
            // The page that takes codes needs no cookie, and may be reached by a link.
            let is_entry = matches!(route.run, Run::Enter);
            let expected = if is_entry && forgery.status == 401 { 403 } else { forgery.status };
            assert_eq!(response.status, expected, "{what}");
            assert!(!has_data(&response, &path), "{what}");
            assert!(!response.headers.contains_key("set-cookie"), "{what}");
            assert!(!response.headers.contains_key("access-control-allow-origin"), "{what}");
            assert!(response.headers.contains_key("content-security-policy"), "{what}");
        }
    }
    assert_eq!(stores(), before);
}

#[test]
fn every_route_has_one_method() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let (cookie, token) = (server.enter(), server.action_token());
    let before = testkit::fingerprint(&sandbox.config());
    for route in ROUTES {
        let path = format!("{}{}", server.base, server.call(route.call));
        let headers = page_headers(route, &cookie, &token);
        for other in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "ANNALS"] {
            if other == method(route) {
                continue;
            }
            let response = server.request(other, &path, &headers, "{}");
            assert_eq!(response.status, 405, "{other} {}: {response:?}", route.path);
            assert_eq!(response.headers["allow"], method(route));
            assert!(!has_data(&response, &path));
        }
    }
    assert_eq!(testkit::fingerprint(&sandbox.config()), before);
}

#[test]
fn actions_need_json_the_header_of_this_process_and_a_page_or_the_bearer_token() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let (cookie, token) = (server.enter(), server.action_token());
    let before = testkit::fingerprint(&sandbox.config());
    let body = format!("{{\"session\":\"{}\",\"title\":\"x\",\"tag\":\"x\"}}", id());
    let cases: &[Case] = &[
        ("no header", &[("X-Annals", ABSENT)], 403),
        ("a wrong header", &[("X-Annals", "0")], 403),
        ("no content type", &[("Content-Type", ABSENT)], 415),
        ("a form", &[("Content-Type", "application/x-www-form-urlencoded")], 415),
        ("plain text", &[("Content-Type", "text/plain")], 415),
        ("a program without the token", &[("Sec-Fetch-Site", ABSENT)], 403),
        ("an address typed by hand", &[("Sec-Fetch-Site", "none")], 403),
    ];
    for route in ROUTES.iter().filter(|route| matches!(route.run, Run::Action(..))) {
        let path = format!("{}{}", server.base, route.call);
        let own = page_headers(route, &cookie, &token);
        for (name, headers, status) in cases {
            let headers = replaced(&own, headers);
            let response = server.request("POST", &path, &headers, &body);
            assert_eq!(response.status, *status, "{name} of {}: {response:?}", route.path);
        }
        let large = format!("{{\"session\":\"{}\"}}", "x".repeat(70 << 10));
        assert_eq!(server.request("POST", &path, &own, &large).status, 413, "{}", route.path);
        for damaged in ["", "{", "[]", "{\"unknown\":1}"] {
            let response = server.request("POST", &path, &own, damaged);
            assert_eq!(response.status, 400, "{damaged} of {}: {response:?}", route.path);
        }
    }
    assert_eq!(testkit::fingerprint(&sandbox.config()), before);
}

#[test]
fn a_read_only_server_has_no_actions() {
    let sandbox = ordinary();
    let server = TestServer::start(Settings { is_read_only: true, ..settings(&sandbox, false) });
    let before = testkit::fingerprint(&sandbox.config());
    let state = server.get("api/1/state").json();
    assert!(state.get("token").is_none() && state["read_only"] == true, "{state}");
    let bearer = format!("Bearer {}", server.bearer.expose());
    for route in ROUTES.iter().filter(|route| matches!(route.run, Run::Action(..))) {
        let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/json")];
        let path = format!("{}{}", server.base, route.call);
        let body = format!("{{\"session\":\"{}\"}}", id());
        let response = server.request("POST", &path, &headers, &body);
        assert_eq!(response.status, 403, "{}: {response:?}", route.path);
    }
    assert_eq!(testkit::fingerprint(&sandbox.config()), before);
    for own in ["archive", "ledger"] {
        assert!(!sandbox.annals_home().join(own).exists(), "{own}");
    }
}

#[test]
fn nothing_is_served_outside_the_base_path() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let cookie = server.enter();
    let other = BasePath::random().unwrap();
    let token = server.action_token();
    for route in ROUTES {
        let call = server.call(route.call);
        let headers = page_headers(route, &cookie, &token);
        for path in [
            format!("/{call}"),
            format!("{other}{call}"),
            format!("{}{call}", other.as_str().to_uppercase()),
        ] {
            let response = server.request(method(route), &path, &headers, "{}");
            assert_eq!(response.status, 404, "{path}");
            assert!(!has_data(&response, &path));
        }
    }
    for path in ["/", "/favicon.ico", "/robots.txt", "//", "/../", "*"] {
        let response = server.request("GET", path, &[], "");
        assert!(matches!(response.status, 400 | 404), "{path}: {response:?}");
    }
}

#[test]
fn a_followed_link_gets_a_page_that_leads_on() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let cookie = server.enter();
    let path = format!("{}s/{}", server.base, id());
    let headers = [
        ("Cookie", cookie.as_str()),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Mode", "navigate"),
    ];
    let response = server.request("GET", &path, &headers, "");
    assert_eq!(response.status, 403);
    assert!(response.text().contains(&format!("href=\"{path}\"")), "{response:?}");
    assert!(!response.text().contains("sea"));
}
