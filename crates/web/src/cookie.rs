//! The cookie of a browser that has entered.

use axum::http::HeaderValue;
use axum::http::header::{COOKIE, HeaderMap};

use crate::base::BasePath;
use crate::secret::Secret;

/// The name of the cookie. Servers of one installation share the base path, and browsers
/// do not keep the cookies of ports apart, so the port is in the name.
pub(crate) fn name(port: u16) -> String {
    format!("annals_{port}")
}

/// The header that sets it. It ends with the browser's session, and pages of other sites
/// can neither read it nor cause it to be sent.
pub(crate) fn set(name: &str, base: &BasePath, value: &Secret) -> Option<HeaderValue> {
    let text = format!("{name}={}; Path={base}; HttpOnly; SameSite=Strict", value.expose());
    HeaderValue::from_str(&text).ok()
}

/// The values that a request has for the cookie. A browser sends several if others were
/// set for shorter paths.
pub(crate) fn values<'h>(headers: &'h HeaderMap, name: &str) -> Vec<&'h str> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs =
        lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(known, _)| *known == name).map(|(_, value)| value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_cookie_of_this_port_counts() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, "a=1; annals_7717=x; annals_77=y;annals_7717=z".parse().unwrap());
        headers.append(COOKIE, "annals_7717=w".parse().unwrap());
        headers.append(COOKIE, HeaderValue::from_bytes(b"annals_7717=\xff").unwrap());
        assert_eq!(values(&headers, &name(7717)), ["x", "z", "w"]);
        assert!(values(&headers, &name(1)).is_empty());
    }

    #[test]
    fn the_cookie_is_limited_to_the_base_path() {
        let base = BasePath::random().unwrap();
        let value = Secret::random().unwrap();
        let header = set(&name(7717), &base, &value).unwrap();
        let expected =
            format!("annals_7717={}; Path={base}; HttpOnly; SameSite=Strict", value.expose());
        assert_eq!(header.to_str().unwrap(), expected);
    }
}
