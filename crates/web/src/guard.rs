//! Whether a request comes from this server's own pages or from a program of its user.
//!
//! Every request passes here first, for assets and event streams too, in this order:
//! the name in `Host` (a page of another site can make its own name resolve to
//! 127.0.0.1), `Origin` and `Sec-Fetch-Site` (other sites, and other servers on this
//! machine), the base path, and then a cookie or bearer token. What fails gets an answer
//! that contains no data.
//!
//! Deliberately not here: the answers themselves (`failure`), codes and cookies (`entry`),
//! and the extra conditions of actions (`actions`).

use axum::http::header::{AUTHORIZATION, HOST, HeaderMap, HeaderName, ORIGIN};
use axum::http::{Method, Uri};

/// Why a request is refused before anything else of it is considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// `Host` is missing or is not a name of this machine: 421.
    WrongHost,
    /// Another site sent it: 403.
    OtherSite,
    /// Another site has a link here that somebody followed: 403 with a link to go on.
    Navigation,
}

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// Checks where a request comes from. `is_entry` is set for the page that takes a
/// one-time code, which may be reached from a link on another site: the code is the proof.
pub(crate) fn check_source(
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    is_entry: bool,
) -> Result<(), Refusal> {
    let host = check_host(uri, headers)?;
    let other_site = |_: Unusable| Refusal::OtherSite;
    if let Some(origin) = single(headers, &ORIGIN).map_err(other_site)?
        && origin.strip_prefix("http://").is_none_or(|rest| !rest.eq_ignore_ascii_case(host))
    {
        return Err(Refusal::OtherSite);
    }
    let mode = single(headers, &SEC_FETCH_MODE).map_err(other_site)?;
    let is_navigation = method == Method::GET && mode == Some("navigate");
    match single(headers, &SEC_FETCH_SITE).map_err(other_site)? {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) if is_navigation && is_entry => Ok(()),
        Some(_) if is_navigation => Err(Refusal::Navigation),
        Some(_) => Err(Refusal::OtherSite),
    }
}

/// The value of `Host`, if it names this machine.
fn check_host<'h>(uri: &Uri, headers: &'h HeaderMap) -> Result<&'h str, Refusal> {
    let host = single(headers, &HOST).ok().flatten().ok_or(Refusal::WrongHost)?;
    // `GET http://evil.example/ HTTP/1.1` names another host, which comes first.
    if uri.authority().is_some_and(|authority| !authority.as_str().eq_ignore_ascii_case(host)) {
        return Err(Refusal::WrongHost);
    }
    if is_own_name(host) { Ok(host) } else { Err(Refusal::WrongHost) }
}

/// Whether a host, with any port, is a name of this machine. Any port, because tunnels
/// such as `ssh -L` have another port.
fn is_own_name(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some(("::1", "")) => return true,
            Some(("::1", port)) => match port.strip_prefix(':') {
                Some(port) => ("[::1]", Some(port)),
                None => return false,
            },
            _ => return false,
        },
        None => match host.split_once(':') {
            Some((name, port)) => (name, Some(port)),
            None => (host, None),
        },
    };
    let is_port =
        |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
    let is_name = name == "[::1]" || name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost");
    is_name && port.is_none_or(is_port)
}

/// A header that occurs several times, or is not text.
struct Unusable;

/// The value of a header that may occur once; `None` if it is absent.
fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, Unusable> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| Unusable),
        (Some(_), Some(_)) => Err(Unusable),
    }
}

/// The bearer token of a request.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = single(headers, &AUTHORIZATION).ok()??;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in pairs {
            map.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
        }
        map
    }

    fn verdict(pairs: &[(&str, &str)]) -> Result<(), Refusal> {
        check_source(&Method::GET, &Uri::from_static("/x"), &headers(pairs), false)
    }

    #[test]
    fn only_names_of_this_machine_are_hosts() {
        for host in
            ["127.0.0.1", "127.0.0.1:7717", "localhost", "LOCALHOST:1", "[::1]", "[::1]:65535"]
        {
            assert_eq!(verdict(&[("host", host)]), Ok(()), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example:7717",
            "evil.example:127.0.0.1",
            "127.0.0.1:7717@evil.example",
            "user@127.0.0.1",
            "127.0.0.1:",
            "127.0.0.1:99999",
            "127.0.0.1:+80",
            "127.0.0.1:80:80",
            "127.1",
            "0.0.0.0",
            "2130706433",
            "::1",
            "[::1",
            "[::1]x",
            "[::2]",
            "localhost.",
        ] {
            assert_eq!(verdict(&[("host", host)]), Err(Refusal::WrongHost), "{host}");
        }
        assert_eq!(verdict(&[]), Err(Refusal::WrongHost));
        let twice = [("host", "127.0.0.1"), ("host", "evil.example")];
        assert_eq!(verdict(&twice), Err(Refusal::WrongHost));
    }

    #[test]
    fn a_request_line_cannot_name_another_host() {
        let map = headers(&[("host", "127.0.0.1:7717")]);
        let check =
            |uri: &'static str| check_source(&Method::GET, &Uri::from_static(uri), &map, false);
        assert_eq!(check("http://127.0.0.1:7717/x"), Ok(()));
        assert_eq!(check("http://evil.example/x"), Err(Refusal::WrongHost));
    }

    #[test]
    fn an_origin_must_be_this_server() {
        let with = |origin: &str| verdict(&[("host", "127.0.0.1:7717"), ("origin", origin)]);
        assert_eq!(with("http://127.0.0.1:7717"), Ok(()));
        for origin in [
            "null",
            "",
            "http://127.0.0.1:7718",
            "http://127.0.0.1",
            "https://127.0.0.1:7717",
            "http://localhost:7717",
            "http://127.0.0.1:7717.evil.example",
            "http://127.0.0.1:7717/",
            "127.0.0.1:7717",
        ] {
            assert_eq!(with(origin), Err(Refusal::OtherSite), "{origin}");
        }
    }

    #[test]
    fn requests_of_other_sites_are_refused_and_followed_links_get_a_page() {
        let with = |site: &str, mode: &str, method: Method, is_entry: bool| {
            let map = headers(&[
                ("host", "localhost"),
                ("sec-fetch-site", site),
                ("sec-fetch-mode", mode),
            ]);
            check_source(&method, &Uri::from_static("/x"), &map, is_entry)
        };
        for site in ["same-origin", "none"] {
            assert_eq!(with(site, "cors", Method::POST, false), Ok(()));
        }
        for site in ["cross-site", "same-site", "", "none, none"] {
            assert_eq!(with(site, "no-cors", Method::GET, false), Err(Refusal::OtherSite));
            assert_eq!(with(site, "no-cors", Method::GET, true), Err(Refusal::OtherSite));
            assert_eq!(with(site, "navigate", Method::GET, false), Err(Refusal::Navigation));
            assert_eq!(with(site, "navigate", Method::POST, true), Err(Refusal::OtherSite));
            assert_eq!(with(site, "navigate", Method::GET, true), Ok(()));
        }
    }

    #[test]
    fn a_bearer_token_is_read_from_one_header() {
        let token = |pairs: &[(&str, &str)]| bearer(&headers(pairs)).map(str::to_owned);
        assert_eq!(token(&[("authorization", "Bearer abc")]).as_deref(), Some("abc"));
        assert_eq!(token(&[("authorization", "bearer abc")]).as_deref(), Some("abc"));
        assert_eq!(token(&[("authorization", "Basic abc")]), None);
        assert_eq!(token(&[("authorization", "Bearer a"), ("authorization", "Bearer b")]), None);
        assert_eq!(token(&[]), None);
    }
}
