//! Requests that get no data: why, and their answers.

use crate::answer::Answer;
use axum::http::{HeaderValue, Method, StatusCode, header};
use document::{Document as _, WebErrorDocument};
use redact::Redactor;
use std::borrow::Cow;
use std::sync::Arc;

/// Why a request gets no data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) error: Cow<'static, str>,
    pub(crate) hint: Option<Cow<'static, str>>,
    /// With 503 and 429: after how many seconds to try again.
    pub(crate) retry_after: Option<u32>,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, error: impl Into<Cow<'static, str>>) -> Failure {
        Failure { status, error: error.into(), hint: None, retry_after: None }
    }

    /// A parameter that cannot be used.
    pub(crate) fn bad_request(error: impl Into<Cow<'static, str>>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, error)
    }

    /// Nothing has this name.
    pub(crate) fn not_found(error: impl Into<Cow<'static, str>>) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, error)
    }

    /// Something in annals or below it failed.
    pub(crate) fn internal(error: impl Into<Cow<'static, str>>) -> Failure {
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, error)
    }

    /// The answer would take too long.
    pub(crate) fn too_slow() -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "the answer took longer than 10 seconds")
            .with_hint("narrow the period or the project, or use the command line")
            .with_retry_after(5)
    }

    /// All places of a kind are taken. Nothing was done, so asking again is harmless.
    pub(crate) fn full(error: impl Into<Cow<'static, str>>) -> Failure {
        Failure::new(StatusCode::TOO_MANY_REQUESTS, error).with_retry_after(2)
    }

    /// All permits are in use.
    pub(crate) fn busy() -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "annals is busy with other requests")
            .with_retry_after(2)
    }

    /// The index lacks files, and the form of the answer cannot say so.
    pub(crate) fn incomplete_index() -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "the index is not complete yet")
            .with_hint("the same request without format=csv answers with what the index has")
            .with_retry_after(5)
    }

    pub(crate) fn with_hint(self, hint: impl Into<Cow<'static, str>>) -> Failure {
        Failure { hint: Some(hint.into()), ..self }
    }

    pub(crate) fn with_retry_after(self, seconds: u32) -> Failure {
        Failure { retry_after: Some(seconds), ..self }
    }

    /// Splits `error\nhint: what to do`, the form of the library's messages.
    pub(crate) fn of_message(status: StatusCode, message: &str) -> Failure {
        match message.split_once("\nhint: ") {
            Some((error, hint)) => {
                Failure::new(status, error.to_owned()).with_hint(hint.to_owned())
            }
            None => Failure::new(status, message.to_owned()),
        }
    }

    /// The failure with secrets masked: messages quote paths and names.
    pub(crate) fn masked(self, redactor: Option<&Arc<Redactor>>) -> Failure {
        let Some(redactor) = redactor else { return self };
        let mask = |text: Cow<'static, str>| match redactor.mask(&text) {
            Cow::Owned(masked) => Cow::Owned(masked),
            Cow::Borrowed(_) => text.clone(),
        };
        Failure { error: mask(self.error), hint: self.hint.map(mask), ..self }
    }

    /// The failure as a JSON document.
    pub(crate) fn document(&self) -> Answer {
        let document = WebErrorDocument {
            schema: WebErrorDocument::SCHEMA.into(),
            error: self.error.clone().into_owned(),
            hint: self.hint.clone().map(Cow::into_owned),
            retry_after: self.retry_after,
        };
        let text = serde_json::to_string(&document).unwrap_or_default();
        // Messages quote names of sessions and files.
        self.complete(Answer::json(render::untrusted::json(&text).into_owned()))
    }

    /// The failure as a page, for somebody who looks at it in a browser. It contains no
    /// data: the text is one of ours.
    pub(crate) fn page(&self, link: Option<&str>) -> Answer {
        let link = link.map_or_else(String::new, |link| {
            format!("<p><a href=\"{}\">Go on to annals</a></p>", crate::page::escaped(link))
        });
        let hint = self
            .hint
            .as_deref()
            .map_or_else(String::new, |hint| format!("<p>{}</p>", crate::page::escaped(hint)));
        let text = format!(
            "<!doctype html><html lang=en><meta charset=utf-8><title>annals</title>{}<h1>{}</h1>{hint}{link}</html>\n",
            crate::page::ICON,
            crate::page::escaped(&self.error)
        );
        self.complete(Answer::html(text))
    }

    fn complete(&self, mut answer: Answer) -> Answer {
        answer.status = self.status;
        if let Some(seconds) = self.retry_after {
            answer.headers.push((header::RETRY_AFTER, HeaderValue::from(seconds)));
        }
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            // A refused client takes no place until the next request.
            answer.headers.push((header::CONNECTION, HeaderValue::from_static("close")));
        }
        answer
    }
}

/// A method that a path does not have.
pub(crate) fn wrong_method(allowed: &Method) -> Answer {
    let text = format!("this path only accepts {allowed}");
    let mut answer = Failure::new(StatusCode::METHOD_NOT_ALLOWED, text).document();
    answer
        .headers
        .extend(HeaderValue::from_str(allowed.as_str()).ok().map(|it| (header::ALLOW, it)));
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_in_a_message_becomes_a_member() {
        let failure =
            Failure::of_message(StatusCode::CONFLICT, "x is only in the archive\nhint: restore it");
        let text = String::from_utf8(failure.document().body).unwrap();
        let expected =
            r#"{"schema":"annals/error/1","error":"x is only in the archive","hint":"restore it"}"#;
        assert_eq!(text, expected);
    }

    #[test]
    fn a_page_escapes_what_it_quotes() {
        let failure = Failure::not_found("<script>alert(1)</script>\u{202e}".to_owned());
        let page = String::from_utf8(failure.page(Some("/\"><b>")).body).unwrap();
        assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
        let document = String::from_utf8(failure.document().body).unwrap();
        assert!(document.contains(r"\u202e"), "{document}");
    }
}
