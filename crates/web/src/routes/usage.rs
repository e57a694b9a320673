//! Usage: tokens and costs, grouped.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::request::Call;
use document::answers::{self, UsageRequest};
use library::catalog::Filter;
use library::usage::{Budget, CostMode, Dimension, UsageOptions};

/// The most dimensions of a report.
const MOST_DIMENSIONS: usize = 4;

/// A report.
pub(super) fn report(call: &Call<'_>) -> Result<Answer, Failure> {
    let by = dimensions(call, &[Dimension::Day])?;
    let request = request(call, by)?;
    call.document(&call.noting(answers::usage(&call.library, &request, call.limits)))
}

/// The five-hour blocks.
pub(super) fn blocks(call: &Call<'_>) -> Result<Answer, Failure> {
    let request = request(call, vec![Dimension::Block])?;
    call.document(&call.noting(answers::usage(&call.library, &request, call.limits)))
}

/// A report of one session.
pub(super) fn of_session(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    let by = dimensions(call, &[Dimension::Model])?;
    // The session decides, and not whether the server's filter admits each of its calls.
    let mut options = UsageOptions::new(by, Filter::default(), call.app.settings.zone.clone());
    options.mode = cost_mode(call)?;
    let request = UsageRequest {
        options,
        limit: Some(call.limit(usize::MAX, usize::MAX)?),
        budget: Budget::default(),
        now: call.now,
        compares: false,
        with_models: call.flag("models")?,
        explains: false,
    };
    let id = &found.session.id;
    let usage = answers::session_usage(&call.library, id, &request, call.limits);
    call.document(&call.noting(usage))
}

/// How one call was counted.
pub(super) fn explain(call: &Call<'_>) -> Result<Answer, Failure> {
    let id = call.required("call")?;
    // A call is looked for in all transcripts, so that no filter can be kept.
    let Filter {
        project: None,
        since: None,
        until: None,
        branch: None,
        model: None,
        agent: None,
        tool: None,
        session: None,
    } = &call.app.settings.filter
    else {
        return Err(Failure::bad_request("this server was started with filters")
            .with_hint(format!("run `annals usage --explain {id}`")));
    };
    let options = options(call, Vec::new())?;
    let document = call.noting(answers::usage_calls(&call.library, id, &options, call.limits));
    if document.calls.is_empty() {
        return Err(Failure::not_found("no call has this id"));
    }
    call.document(&document)
}

/// The limits that were reached.
pub(super) fn limits(call: &Call<'_>) -> Result<Answer, Failure> {
    call.document(&answers::usage_limits(&call.library, &call.filter()?, call.limits))
}

/// Calls by weekday and hour.
pub(super) fn hours(call: &Call<'_>) -> Result<Answer, Failure> {
    call.document(&answers::usage_hours(&call.library, &options(call, Vec::new())?, call.limits))
}

/// Agents and skills that are installed and were not used.
pub(super) fn unused(call: &Call<'_>) -> Result<Answer, Failure> {
    call.document(&answers::unused(&call.library, &options(call, Vec::new())?, call.limits))
}

fn options(call: &Call<'_>, by: Vec<Dimension>) -> Result<UsageOptions, Failure> {
    let mut options = UsageOptions::new(by, call.filter()?, call.app.settings.zone.clone());
    options.mode = cost_mode(call)?;
    Ok(options)
}

fn cost_mode(call: &Call<'_>) -> Result<CostMode, Failure> {
    call.choice(
        "cost",
        &[
            ("auto", CostMode::Auto),
            ("calculate", CostMode::Calculate),
            ("display", CostMode::Display),
        ],
    )
}

fn request(call: &Call<'_>, by: Vec<Dimension>) -> Result<UsageRequest, Failure> {
    let options = options(call, by)?;
    Ok(UsageRequest {
        options,
        limit: Some(call.limit(usize::MAX, usize::MAX)?),
        budget: call.app.settings.budget,
        now: call.now,
        compares: call.flag("compare")?,
        with_models: call.flag("models")?,
        explains: call.flag("explain")?,
    })
}

/// The dimensions of `by=day,model`.
fn dimensions(call: &Call<'_>, usual: &[Dimension]) -> Result<Vec<Dimension>, Failure> {
    let Some(text) = call.text("by") else { return Ok(usual.to_vec()) };
    let mut dimensions: Vec<Dimension> = Vec::new();
    for name in text.split(',') {
        let known = Dimension::ALL.into_iter().find(|dimension| dimension.name() == name);
        let Some(dimension) = known else {
            let names = Dimension::ALL.map(Dimension::name).join(", ");
            return Err(Call::invalid("by", name, &format!("use {names}")));
        };
        if !dimensions.contains(&dimension) {
            dimensions.push(dimension);
        }
    }
    if dimensions.len() > MOST_DIMENSIONS {
        return Err(Call::invalid("by", text, &format!("use at most {MOST_DIMENSIONS}")));
    }
    Ok(dimensions)
}
