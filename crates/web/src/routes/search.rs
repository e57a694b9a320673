//! Search: hits, and what they have in common.

use super::index_options;
use super::overview::index_failure;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::request::Call;
use axum::http::StatusCode;
use document::answers::{self, SearchRequest, resolve_times};
use library::catalog::Filter;
use library::search::{Order, Query};
use std::time::Instant;

/// The largest page of hits, and the most texts around one.
const MOST: usize = 500;
const MOST_AROUND: usize = 10;

/// The query and the filter of a request, with the times of the query in the filter.
fn query(call: &Call<'_>) -> Result<(Query, Filter), Failure> {
    let text = call.required("q")?;
    let mut query = Query::parse(text).map_err(|error| index_failure(&error))?;
    let mut filter = call.filter()?;
    resolve_times(&mut query, &mut filter, call.now, &call.app.settings.zone)
        .map_err(|error| Failure::of_message(StatusCode::BAD_REQUEST, &error.to_string()))?;
    Ok((query, filter))
}

/// The hits.
pub(super) fn hits(call: &Call<'_>) -> Result<Answer, Failure> {
    let (query, filter) = query(call)?;
    let request = request(call, &query, &filter)?;
    let answered =
        answers::search(&call.library, &request, &call.marks(), call.limits, |_, _, hits| {
            call.document(&hits)
        });
    answered.map_err(|error| index_failure(&error))?
}

/// What all hits have in common.
pub(super) fn facets(call: &Call<'_>) -> Result<Answer, Failure> {
    let (query, filter) = query(call)?;
    let request = request(call, &query, &filter)?;
    let zone = &call.app.settings.zone;
    let facets = answers::facets(&call.library, &request, zone, &call.marks(), call.limits);
    call.document(&facets.map_err(|error| index_failure(&error))?)
}

fn request<'r>(
    call: &'r Call<'_>,
    query: &'r Query,
    filter: &'r Filter,
) -> Result<SearchRequest<'r>, Failure> {
    Ok(SearchRequest {
        text: call.required("q")?,
        query,
        filter,
        order: call.choice("sort", &[("score", Order::Score), ("time", Order::Time)])?,
        offset: call.number("offset")?.unwrap_or(0),
        limit: call.limit(50, MOST)?,
        around: call.number("around")?.unwrap_or(0).min(MOST_AROUND),
        now: call.now,
        started: Instant::now(),
        index: index_options(),
    })
}
