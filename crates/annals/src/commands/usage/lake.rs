//! `annals usage --lake`: which reports the rows of the lake carry, and the table of teams.
//!
//! What the lake does not have is an error that says so. A group without a name would look
//! as if it had been counted.

use super::Args;
use crate::context::Context;
use crate::failure::CliError;
use anyhow::Context as _;
use document::LakeOwnerView;
use library::usage::{Dimension, TeamTable, UsageOptions};
use std::path::Path;

/// The largest table of teams.
const LARGEST_TABLE: u64 = 16 << 20;

/// Whether usage of other people is among what is read.
pub(super) fn is_of_others(context: &Context) -> bool {
    context.library.catalog().lake().is_some_and(|lake| !lake.sums.is_empty())
}

/// The administrator's table, from the option or the configuration.
pub(crate) fn teams(context: &Context, given: Option<&Path>) -> anyhow::Result<TeamTable> {
    let configured =
        context.settings.configuration.lake.teams.as_ref().filter(|_| context.lake.is_some());
    let configured =
        configured.map(|path| match (path.strip_prefix("~"), &context.settings.environment.home) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => path.clone(),
        });
    match given.map(Path::to_owned).or(configured) {
        Some(path) => read_teams(&path),
        None => Ok(TeamTable::default()),
    }
}

/// Reads a table of teams.
fn read_teams(path: &Path) -> anyhow::Result<TeamTable> {
    let cannot = || format!("cannot read the table of teams {}", path.display());
    let size = std::fs::metadata(path).with_context(cannot)?.len();
    let wrong = |reason: String| {
        CliError::Misuse(format!("invalid table of teams {}: {reason}", path.display()))
    };
    if size > LARGEST_TABLE {
        return Err(wrong(format!("{} are too much", render::bytes(size))).into());
    }
    let text = std::fs::read_to_string(path).with_context(cannot)?;
    Ok(TeamTable::parse(&text).map_err(|error| wrong(error.to_string()))?)
}

/// Refuses a report that the rows at hand do not carry.
pub(super) fn check(context: &Context, args: &Args, options: &UsageOptions) -> anyhow::Result<()> {
    match refused(context, args, options) {
        Some(message) => Err(CliError::Misuse(message).into()),
        None => Ok(()),
    }
}

fn refused(context: &Context, args: &Args, options: &UsageOptions) -> Option<String> {
    let by = |wanted: Dimension| options.by.contains(&wanted);
    let Some(lake) = &context.lake else {
        let of_lake = Dimension::OF_LAKE.into_iter().find(|it| by(*it))?;
        return Some(format!("--by {} needs --lake", of_lake.name()));
    };
    if (by(Dimension::Team) || by(Dimension::CostCenter)) && options.teams.is_empty() {
        return Some(
            "no table of teams\nhint: pass --teams FILE.csv, or set lake.teams; its columns are \
             project or owner, team, cost_center"
                .to_owned(),
        );
    }
    if options.by.is_empty() {
        return Some("annals usage limits does not support --lake: limits stay here".to_owned());
    }
    if is_of_others(context) {
        let mut missing = options.beyond_sums();
        missing.extend(args.prices.is_some().then(|| "--prices".to_owned()));
        missing.extend(args.explain.is_some().then(|| "--explain".to_owned()));
        let missing = (!missing.is_empty()).then(|| missing.join(", "))?;
        return Some(format!(
            "the lake has only sums by day, project and model of other people, which do not \
             answer: {missing}\nhint: --lake=mine answers it for your own sessions"
        ));
    }
    let beyond_calls = options.by.iter().filter(|by| !by.is_in_calls()).map(|by| by.name());
    let mut missing: Vec<String> = beyond_calls.map(str::to_owned).collect();
    missing.extend(options.beyond_calls());
    if missing.is_empty() {
        return None;
    }
    let owners = &lake.view.owners;
    let needs_text = by(Dimension::Turn);
    let sessions: u64 = owners.iter().map(|owner| owner.sessions).sum();
    let carry = |it: &LakeOwnerView| if needs_text { it.with_text } else { it.with_metadata };
    let without = sessions.saturating_sub(owners.iter().map(carry).sum());
    let level = if needs_text { "text" } else { "metadata" };
    (without > 0).then(|| {
        format!(
            "{without} of your {} in the lake are below the level {level}, which {} needs\nhint: \
             group by day, week, month, hour, session, project, model or version, or set \
             lake.level and push",
            render::counted(usize::try_from(sessions).unwrap_or(usize::MAX), "session"),
            missing.join(", ")
        )
    })
}
