//! `annals lake catalog`: views with which other engines read the lake.

use crate::context::Context;
use crate::lake_program;
use crate::output::Format;
use clap::ValueEnum;
use document::{LakeAction, LakeAnswer, LakeCatalogDocument};

/// Print views with which DuckDB, Spark or ClickHouse read the lake
///
/// The views name exactly the objects that count now: print them again after a push. For each
/// table there is one view with a row for each owner and key (`calls_by_owner`), and one in
/// which equal copies of several owners are one row (`calls`). The engine needs its own
/// credentials for the storage; none are printed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The engine that will read the objects
    #[arg(long, value_enum, value_name = "ENGINE")]
    sql: EngineName,
    /// Whose rows: mine, team:NAME, org, or all, which only loaders may read
    #[arg(long, value_name = "SCOPE", default_value = "mine")]
    scope: String,
    /// Where the engine finds the objects, if not at the address of the lake
    #[arg(long, value_name = "URL")]
    location: Option<String>,
}

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// DuckDB
    Duckdb,
    /// Spark SQL
    Spark,
    /// ClickHouse
    Clickhouse,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let settings = super::settings(context)?;
    let engine = match args.sql {
        EngineName::Duckdb => "duckdb",
        EngineName::Spark => "spark",
        EngineName::Clickhouse => "clickhouse",
    };
    let action = LakeAction::Catalog {
        engine: engine.to_owned(),
        scope: args.scope.clone(),
        location: args.location.clone(),
    };
    let document = match lake_program::ask(context, settings, action)? {
        Ok(LakeAnswer::Catalog(document)) => document,
        Ok(_) => return Err(super::unexpected()),
        Err(failure) => return Err(super::explained(context, failure)),
    };
    match context.output.format {
        Format::Json => context.output.json(&document),
        _ => context.output.text(&text(&document)),
    }
}

fn text(document: &LakeCatalogDocument) -> String {
    let mut text = format!(
        "-- {} objects with {} rows. Print this again after a push.\n",
        document.objects, document.rows
    );
    for view in &document.views {
        for line in view.sql.lines() {
            text += &render::untrusted::line(line);
            text.push('\n');
        }
    }
    text
}
