//! One-time codes and cookies, over HTTP.

use super::*;

#[test]
fn a_code_sets_a_cookie_for_the_base_path_without_a_redirect() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let entered = server.request("GET", &server.entry_path(), &[], "");
    assert_eq!(entered.status, 200);
    assert_eq!(entered.headers["refresh"], format!("0; url={}", server.base));
    let cookie = &entered.headers["set-cookie"];
    assert!(cookie.starts_with(&format!("annals_{}=", server.port)), "{cookie}");
    assert!(cookie.ends_with(&format!("; Path={}; HttpOnly; SameSite=Strict", server.base)));
    let cookie = cookie.split(';').next().unwrap();
    let home = server.request("GET", server.base.as_str(), &[("Cookie", cookie)], "");
    assert_eq!(home.status, 200);
    assert!(home.text().contains("id=state"));
}

#[test]
fn a_code_used_twice_ends_its_session_and_is_reported() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let cookie = server.enter();
    let own = [("Cookie", cookie.as_str())];
    // The same browser reloads the page.
    assert_eq!(server.request("GET", &server.entry_path(), &own, "").status, 200);
    assert_eq!(server.request("GET", server.base.as_str(), &own, "").status, 200);
    let stolen = server.request("GET", &server.entry_path(), &[], "");
    assert_eq!(stolen.status, 403);
    assert!(!stolen.headers.contains_key("set-cookie"));
    assert_eq!(server.request("GET", server.base.as_str(), &own, "").status, 401);
    assert_eq!(*server.notices.lock().unwrap(), [Notice::CodeUsedTwice]);
}

#[test]
fn a_link_on_another_site_can_lead_to_the_page_that_takes_codes() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let headers = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")];
    assert_eq!(server.request("GET", &server.entry_path(), &headers, "").status, 200);
}

#[test]
fn a_code_leads_on_to_pages_of_the_app_only() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let cookie = server.enter();
    let own = [("Cookie", cookie.as_str())];
    let refresh = |to: &str| {
        let path = format!("{}&to={to}", server.entry_path());
        server.request("GET", &path, &own, "").headers["refresh"].clone()
    };
    let base = &server.base;
    assert_eq!(refresh("s/ab%23t3"), format!("0; url={base}s/ab#t3"));
    assert_eq!(refresh("//evil.example"), format!("0; url={base}"));
    assert_eq!(refresh("..%2F..%2Fx"), format!("0; url={base}"));
    assert_eq!(refresh("x%0D%0ASet-Cookie:%20a=b"), format!("0; url={base}"));
}

#[test]
fn only_a_program_with_the_bearer_token_gets_a_code_and_the_server_proves_itself() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let path = format!("{}api/1/code", server.base);
    let nonce = "n".repeat(32);
    let body = format!("{{\"nonce\":\"{nonce}\"}}");
    let bearer = format!("Bearer {}", server.bearer.expose());
    let json = ("Content-Type", "application/json");
    let answer = server.request("POST", &path, &[("Authorization", &bearer), json], &body).json();
    let code = answer["code"].as_str().unwrap();
    assert_eq!(answer["proof"], crate::proof(&server.bearer, &nonce, code));
    assert_ne!(answer["proof"], crate::proof(&Secret::random().unwrap(), &nonce, code));
    let entered = server.request("GET", &format!("{}enter?code={code}", server.base), &[], "");
    assert_eq!(entered.status, 200);
    let cookie = server.enter();
    let headers = [("Cookie", cookie.as_str()), ("Sec-Fetch-Site", "same-origin"), json];
    assert_eq!(server.request("POST", &path, &headers, &body).status, 403);
}

#[test]
fn cookies_of_one_server_do_not_open_another_of_the_same_installation() {
    let sandbox = ordinary();
    let one = TestServer::ordinary(&sandbox);
    let two = TestServer::start(Settings { base: one.base.clone(), ..settings(&sandbox, false) });
    let cookie = one.enter();
    // The browser sends it to both ports; its name has the port of the first.
    let headers = [("Cookie", cookie.as_str())];
    assert_eq!(two.request("GET", two.base.as_str(), &headers, "").status, 401);
    let renamed = cookie.replace(&one.port.to_string(), &two.port.to_string());
    assert_eq!(two.request("GET", two.base.as_str(), &[("Cookie", &renamed)], "").status, 401);
}
