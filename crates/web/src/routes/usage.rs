//! Usage: tokens and costs, grouped.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::request::Call;
use document::answers::{self, UsageRequest};
use library::{CostMode, Dimension, UsageOptions};

/// The most dimensions of a report.
const MOST_DIMENSIONS: usize = 4;

/// A report.
pub(super) fn report(call: &Call<'_>) -> Result<Answer, Failure> {
    let by = dimensions(call, &[Dimension::Day])?;
    let request = request(call, by)?;
    call.document(&answers::usage(&call.library, &request, call.limits))
}

/// The five-hour blocks.
pub(super) fn blocks(call: &Call<'_>) -> Result<Answer, Failure> {
    let request = request(call, vec![Dimension::Block])?;
    call.document(&answers::usage(&call.library, &request, call.limits))
}

fn request(call: &Call<'_>, by: Vec<Dimension>) -> Result<UsageRequest, Failure> {
    let settings = &call.app.settings;
    let mut options = UsageOptions::new(by, call.filter()?, settings.zone.clone());
    options.mode = call.choice(
        "cost",
        &[
            ("auto", CostMode::Auto),
            ("calculate", CostMode::Calculate),
            ("display", CostMode::Display),
        ],
    )?;
    Ok(UsageRequest {
        options,
        limit: call.number("limit")?.filter(|limit| *limit > 0),
        budget: settings.budget,
        now: call.now,
        compares: call.flag("compare")?,
        with_models: call.flag("models")?,
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
