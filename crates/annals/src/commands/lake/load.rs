//! `annals lake load`: fills ClickHouse from the lake.

use crate::context::Context;
use crate::failure::CliError;
use crate::lake_program;
use crate::output::Format;
use clap::ValueEnum;
use document::{LakeAction, LakeAnswer, LakeLoadDocument, LakePolicyDocument};

/// Fill ClickHouse from the lake
///
/// For administrators. Creates tables and views, loads what is new, deletes what was taken
/// back, and acknowledges it. It has no state: any number of loaders can run, and
/// each can be interrupted and repeated. The account comes from `lake.engine_command`, or
/// from `ANNALS_ENGINE_USER` and `ANNALS_ENGINE_PASSWORD`. Before anything is loaded, two readers
/// (from the command, or `ANNALS_READER_1_USER`, `ANNALS_READER_2_USER` and their `…_PASSWORD`)
/// are used to check that nobody sees private rows of others.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A server: `https://HOST:PORT`, with `?database=NAME&cluster=NAME`. Repeatable: the rows are
    /// divided among the servers of a cluster
    #[arg(long = "to", value_name = "URL", required_unless_present = "print_policy")]
    to: Vec<String>,
    /// The name of this engine in the lake. All loaders of one engine use the same
    #[arg(long = "as", value_name = "NAME", default_value = "clickhouse")]
    name: String,
    /// Print accounts with grants, limits and row policies for readers, and do nothing else
    #[arg(long, value_enum, value_name = "FORM")]
    print_policy: Option<PolicyForm>,
    /// With --print-policy: a reader, as NAME or NAME:TEAM,TEAM. Repeatable
    #[arg(long = "reader", value_name = "NAME", requires = "print_policy")]
    readers: Vec<String>,
    /// With --print-policy: a reader who sees whose calls cost what. Repeatable
    #[arg(long = "finance", value_name = "NAME", requires = "print_policy")]
    finance: Vec<String>,
}

/// How accounts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PolicyForm {
    /// A file for users.d
    UsersXml,
    /// SQL statements
    Sql,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let settings = super::settings(context)?;
    if let Some(form) = args.print_policy {
        return print_policy(context, args, form);
    }
    let action = LakeAction::Load { servers: args.to.clone(), loader: args.name.clone() };
    let document = match lake_program::ask(context, settings, action)? {
        Ok(LakeAnswer::Load(document)) => document,
        Ok(_) => return Err(super::unexpected()),
        Err(failure) => return Err(super::explained(context, failure)),
    };
    match context.output.format {
        Format::Json => context.output.json(&document),
        _ => context.output.text(&text(&document)),
    }
}

fn print_policy(context: &Context, args: &Args, form: PolicyForm) -> anyhow::Result<()> {
    if args.readers.is_empty() && args.finance.is_empty() {
        let message = "no readers\nhint: pass --reader NAME for each person who reads";
        return Err(CliError::Misuse(message.to_owned()).into());
    }
    let form = match form {
        PolicyForm::UsersXml => "users-xml",
        PolicyForm::Sql => "sql",
    };
    let action = LakeAction::EnginePolicy {
        form: form.to_owned(),
        server: args.to.first().cloned(),
        readers: args.readers.clone(),
        finance: args.finance.clone(),
    };
    let settings = super::settings(context)?;
    let document: LakePolicyDocument = match lake_program::ask(context, settings, action)? {
        Ok(LakeAnswer::Policy(document)) => document,
        Ok(_) => return Err(super::unexpected()),
        Err(failure) => return Err(super::explained(context, failure)),
    };
    if context.output.format == Format::Json {
        return context.output.json(&document);
    }
    let texts = document.policies.iter().flat_map(|policy| policy.text.lines());
    let lines = texts.map(|line| format!("{}\n", render::untrusted::line(line)));
    context.output.text(&lines.collect::<String>())
}

fn text(document: &LakeLoadDocument) -> String {
    let servers = match document.servers.len() {
        1 => "1 server".to_owned(),
        count => format!("{count} servers"),
    };
    let mut text = format!(
        "Loaded {} of {} objects with {} rows ({}) into {servers}, removed {}.\n",
        document.loaded,
        document.objects,
        document.rows,
        render::bytes(document.bytes),
        document.removed,
    );
    if document.forgotten > 0 {
        text += &format!("Sessions that are forgotten: {}.\n", document.forgotten);
    }
    if document.replaced > 0 {
        text += "Some objects were replaced meanwhile: run it again for the new ones.\n";
    }
    for unusable in &document.unusable {
        text += &format!("Not usable: {}\n", render::untrusted::line(unusable));
    }
    text += &format!("Acknowledged {} chains as {}.\n", document.acknowledged, document.loader);
    text
}
