//! What a request gets: bytes with their type, and how long a browser may keep them.
//!
//! The security headers are added to every answer here, so that no route can forget them.

use crate::limits::COMPRESSED_FROM;
use crate::secret::hexadecimal;
use axum::body::{Body, Bytes};
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use redact::Redactor;
use serde::Serialize;
use std::sync::Arc;

/// The policy of every answer but images and files: only this server's own script and style run, and
/// only one Trusted Types policy may write HTML.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types annals";

/// The policy of images and exported files, which come from transcripts: if a browser shows
/// one as a page, nothing in it acts.
pub(crate) const FILE_POLICY: &str = "default-src 'none'; sandbox";

/// Whether a browser may keep an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cache {
    /// Not at all: it may quote transcripts.
    NoStore,
    /// For ever: its address names its content.
    Immutable,
}

/// What a request gets.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) content_type: &'static str,
    pub(crate) body: Vec<u8>,
    /// The body after compression, if it is known already.
    pub(crate) compressed: Option<Box<Bytes>>,
    pub(crate) cache: Cache,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) policy: &'static str,
    /// Whether the answer has an entity tag, by which a client asks whether it has changed.
    pub(crate) is_tagged: bool,
    /// The tag, if it is not that of the body: that of the document of a first piece.
    pub(crate) whole_tag: Option<String>,
}

impl Answer {
    fn new(content_type: &'static str, body: Vec<u8>) -> Answer {
        Answer {
            status: StatusCode::OK,
            content_type,
            body,
            compressed: None,
            cache: Cache::NoStore,
            headers: Vec::new(),
            policy: POLICY,
            is_tagged: false,
            whole_tag: None,
        }
    }

    /// JSON that is safe to show.
    pub(crate) fn json(text: String) -> Answer {
        Answer::new("application/json", text.into_bytes())
    }

    /// A page or a fragment of one.
    pub(crate) fn html(text: String) -> Answer {
        Answer::new("text/html; charset=utf-8", text.into_bytes())
    }

    /// A file of the app, and what it is after compression if that is known.
    pub(crate) fn asset(
        content_type: &'static str,
        bytes: Vec<u8>,
        compressed: Option<Bytes>,
    ) -> Answer {
        let compressed = compressed.map(Box::new);
        Answer { cache: Cache::Immutable, compressed, ..Answer::new(content_type, bytes) }
    }

    /// Something that a browser shows or saves as it is.
    pub(crate) fn bytes(content_type: &'static str, bytes: Vec<u8>) -> Answer {
        Answer::new(content_type, bytes)
    }

    /// A document with secrets masked and control characters escaped, as `--json` prints it.
    pub(crate) fn document(
        value: &impl Serialize,
        redactor: Option<&Arc<Redactor>>,
    ) -> serde_json::Result<Answer> {
        let text = serde_json::to_string(value)?;
        let masked = match redactor {
            Some(redactor) => redactor.mask_json(&text),
            None => text.as_str().into(),
        };
        let safe = render::untrusted::json(&masked).into_owned();
        Ok(Answer { is_tagged: true, ..Answer::json(safe) })
    }

    /// Rows as CSV.
    pub(crate) fn csv(text: String) -> Answer {
        Answer::new("text/csv; charset=utf-8", text.into_bytes())
    }

    pub(crate) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Answer {
        self.headers.push((name, value));
        self
    }

    /// Whether this is a document, which can be sent in pieces.
    pub(crate) fn is_document(&self) -> bool {
        self.is_tagged && self.content_type == "application/json"
    }

    /// A digest of the body.
    pub(crate) fn digest(&self) -> String {
        hexadecimal(&blake3::hash(&self.body).as_bytes()[..12])
    }

    /// The answer as a response to a request with these headers. Compresses it, so it
    /// must not be called on the thread that serves connections if it is large.
    pub(crate) fn respond(mut self, request: &HeaderMap) -> Response {
        let tag = self.is_tagged.then(|| match &self.whole_tag {
            Some(tag) => tag.clone(),
            None => self.digest(),
        });
        let tag = tag.and_then(|tag| HeaderValue::from_str(&format!("\"{tag}\"")).ok());
        let is_known = tag.as_ref().is_some_and(|tag| {
            let known = request.get_all(header::IF_NONE_MATCH).iter();
            known.filter_map(|value| value.to_str().ok()).any(|value| {
                value.split(',').any(|one| {
                    one.trim().trim_start_matches("W/") == tag.to_str().unwrap_or("\"\"")
                })
            })
        });
        if is_known && self.status == StatusCode::OK {
            self.status = StatusCode::NOT_MODIFIED;
            self.body.clear();
        }
        let is_compressed = self.body.len() > COMPRESSED_FROM && accepts_zstd(request);
        let compressed = is_compressed
            .then(|| self.compressed.map_or_else(|| compress(&self.body), |it| Some(*it)))
            .flatten();
        let is_compressed = compressed.is_some();
        let body = compressed.unwrap_or_else(|| Bytes::from(self.body));
        let length = body.len();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding, Cookie"));
        if is_compressed {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("zstd"));
        }
        if let Some(tag) = tag {
            headers.insert(header::ETAG, tag);
        }
        secure(headers, self.cache, self.policy);
        for (name, value) in self.headers {
            headers.insert(name, value);
        }
        response
    }
}

/// The bytes after compression. If it fails, the plain bytes are the answer.
pub(crate) fn compress(bytes: &[u8]) -> Option<Bytes> {
    zstd::encode_all(bytes, 3).ok().map(Bytes::from)
}

/// Adds the headers that every answer has.
pub(crate) fn secure(headers: &mut HeaderMap, cache: Cache, policy: &'static str) {
    let cache = match cache {
        Cache::NoStore => "no-store",
        Cache::Immutable => "private, max-age=31536000, immutable",
    };
    let fixed = [
        (header::CACHE_CONTROL, cache),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// Whether a client accepts zstd.
fn accepts_zstd(request: &HeaderMap) -> bool {
    let accepted = request.get_all(header::ACCEPT_ENCODING).iter();
    let accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let is_refused = matches!(weight.replace(' ', "").as_str(), "q=0" | "q=0.0" | "q=0.00");
        name.trim().eq_ignore_ascii_case("zstd") && !is_refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, value.parse().unwrap())])
    }

    #[test]
    fn only_large_answers_are_compressed_and_only_for_clients_that_accept_it() {
        let large = Answer::json("x".repeat(COMPRESSED_FROM + 1));
        let coding = |answer: &Answer, accepted: &str| {
            let response = answer.clone().respond(&request(header::ACCEPT_ENCODING, accepted));
            response.headers().contains_key(header::CONTENT_ENCODING)
        };
        assert!(coding(&large, "gzip, zstd"));
        assert!(coding(&large, "zstd;q=0.5"));
        assert!(!coding(&large, "gzip, br"));
        assert!(!coding(&large, "zstd; q=0"));
        assert!(!coding(&Answer::json("x".to_owned()), "zstd"));
    }

    #[test]
    fn a_known_tag_gets_no_body_again() {
        let answer = Answer::document(&["x"], None).unwrap();
        let first = answer.clone().respond(&HeaderMap::new());
        let tag = first.headers()[header::ETAG].to_str().unwrap().to_owned();
        let known = request(header::IF_NONE_MATCH, &format!("\"a\", W/{tag}"));
        assert_eq!(answer.clone().respond(&known).status(), StatusCode::NOT_MODIFIED);
        let other = request(header::IF_NONE_MATCH, "\"a\"");
        assert_eq!(answer.respond(&other).status(), StatusCode::OK);
    }

    #[test]
    fn every_answer_has_the_security_headers() {
        for answer in [Answer::json(String::new()), Answer::asset("text/css", Vec::new(), None)] {
            let response = answer.respond(&HeaderMap::new());
            for name in [
                "content-security-policy",
                "x-content-type-options",
                "referrer-policy",
                "cross-origin-opener-policy",
                "cross-origin-resource-policy",
                "cache-control",
            ] {
                assert!(response.headers().contains_key(name), "{name}");
            }
            assert!(!response.headers().contains_key("access-control-allow-origin"));
        }
    }
}
