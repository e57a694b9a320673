//! What happens around every route that reads: answers that are known already, CSV, and
//! documents that are too large for one answer.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::pieces::{PIECE_BYTES, PieceName};
use crate::request::Call;
use crate::routes::{Route, Run};
use crate::{csv, pieces};
use axum::http::{HeaderName, HeaderValue, StatusCode};

/// The parameter that names a piece, and the header that names the next one.
pub(crate) const PIECE: &str = "piece";
const NEXT_PIECE: HeaderName = HeaderName::from_static("x-next-piece");

/// The answer of a route that reads.
pub(crate) fn answer(route: &Route, call: &Call<'_>) -> Result<Answer, Failure> {
    let (Run::Page(run) | Run::Read(_, run)) = route.run else {
        return Err(Failure::internal("the route does not read"));
    };
    let is_table = route.has_table && call.choice("format", &[("json", false), ("csv", true)])?;
    let invalid =
        |text: &str| Call::invalid(PIECE, text, "pass the X-Next-Piece of the one before");
    let asked = call.text(PIECE).filter(|_| route.has_pieces());
    let asked =
        asked.map(|text| PieceName::parse(text).ok_or_else(|| invalid(text))).transpose()?;
    let (cache, key) = (&call.app.answers, call.key(route));
    if let Some(name) = &asked
        && let Some(whole) = cache.find_tagged(&key, &name.tag)
    {
        return divided(whole, name);
    }
    // Before it is made: what changes meanwhile leads to another state.
    let state = if route.is_cached { call.library.search().content_digest() } else { None };
    let known = state.and_then(|state| cache.find(&key, state));
    let is_known = known.is_some();
    let answer = match known {
        Some(answer) => answer,
        None => run(call).and_then(|answer| call.check_complete().map(|()| answer))?,
    };
    let is_large = route.has_pieces() && answer.is_document() && answer.body.len() > PIECE_BYTES;
    let tag = answer.digest();
    if !is_known && (state.is_some() || is_large) {
        cache.add(&key, &tag, state, &answer);
    }
    if is_table {
        return csv::table(answer);
    }
    match asked {
        Some(name) if name.tag != tag => {
            let text = "the answer has changed since its first piece";
            Err(Failure::new(StatusCode::CONFLICT, text).with_hint("ask for the first piece again"))
        }
        Some(name) => divided(answer, &name),
        None if is_large => divided(answer, &PieceName { tag, first: 0 }),
        None => Ok(answer),
    }
}

/// A piece of a document.
fn divided(whole: Answer, name: &PieceName) -> Result<Answer, Failure> {
    let text = str::from_utf8(&whole.body).ok();
    let Some((text, next)) = text.and_then(|text| pieces::piece(text, name.first)) else {
        return if name.first == 0 { Ok(whole) } else { Err(Failure::not_found("no such piece")) };
    };
    let is_first = name.first == 0;
    let answer = Answer {
        is_tagged: is_first,
        whole_tag: is_first.then(|| name.tag.clone()),
        ..Answer::json(text)
    };
    let next = next.map(|first| PieceName { first, ..name.clone() }.to_string());
    Ok(match next.and_then(|next| HeaderValue::from_str(&next).ok()) {
        Some(next) => answer.with_header(NEXT_PIECE, next),
        None => answer,
    })
}

impl Call<'_> {
    /// What the request asks for, whatever piece and format of it.
    fn key(&self, route: &Route) -> String {
        let query = self.query.iter().filter(|(name, _)| name != PIECE && name != "format");
        let mut key = route.path.to_owned();
        for (name, value) in self.path.iter().chain(query) {
            // Values have no line breaks that could be taken for this one.
            key += &format!("\n{name}={}", value.escape_debug());
        }
        key
    }
}
