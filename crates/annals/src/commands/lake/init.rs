//! `annals lake init`: asks, checks the storage, and writes the configuration. Sends no rows.

use crate::configuration;
use crate::context::Context;
use crate::failure::CliError;
use crate::lake_program;
use crate::lake_section;
use crate::lake_settings::{INSTALLATION_FILE, check_globs};
use crate::output::Format;
use crate::whole_file;
use anyhow::Context as _;
use clap::ValueEnum;
use document::{
    LakeAction, LakeAnswer, LakeInitDocument, LakeLevel, LakeMachine, LakePolicyDocument,
    LakeSettings,
};
use std::io::{self, IsTerminal as _};
use toml::Value;

/// Configure a lake and say what would leave this machine
///
/// Asks which folders are the team's, checks that the storage answers and never overwrites
/// an object, shows what a push would send and who could read it, and writes the section
/// `[lake]` of the configuration file. Sends nothing. Credentials come from
/// `lake.credentials_command` or the variables `AWS_ACCESS_KEY_ID` and
/// `AWS_SECRET_ACCESS_KEY`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The storage: `s3://BUCKET/FOLDER`, with `?region=NAME` or `?endpoint=https://HOST` for
    /// other vendors, or `file:///FOLDER` for a shared folder
    #[arg(value_name = "URL")]
    url: Option<String>,
    /// Your name in the lake, as the storage knows you [default: your account]
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// A folder whose sessions may leave, as a glob: '~/work/**'. Repeatable
    #[arg(long = "project", value_name = "GLOB")]
    projects: Vec<String>,
    /// How much of each session may leave
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = LevelName::Usage)]
    level: LevelName,
    /// With `file://`: allow more than usage, which everyone with access to the folder can read
    #[arg(long)]
    everyone_may_read: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// Print policies for the bucket and do nothing else
    #[arg(long, value_enum, value_name = "VENDOR")]
    print_policy: Option<Vendor>,
    /// With --print-policy: a team. Repeatable
    #[arg(long = "team", value_name = "NAME", requires = "print_policy")]
    teams: Vec<String>,
}

/// How much of a session leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LevelName {
    /// Tokens, costs, models, times
    Usage,
    /// Also tools, files, commits, branches, names of agents and skills
    Metadata,
    /// Also masked text
    Text,
}

/// Whose storage it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Vendor {
    /// Amazon S3
    Aws,
    /// Google Cloud Storage
    Gcp,
    /// MinIO
    Minio,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    if let Some(vendor) = args.print_policy {
        return print_policy(context, args, vendor);
    }
    context.check_data_home()?;
    let settings = chosen(context, args)?;
    let asked = lake_program::ask(context, settings.clone(), LakeAction::Init)?;
    let mut document = match asked {
        Ok(LakeAnswer::Init(document)) => document,
        Ok(_) => return Err(super::unexpected()),
        Err(failure) => return Err(CliError::Misuse(failure.message).into()),
    };
    let path = super::configuration_path(context)?;
    document.configuration = path.display().to_string();
    let is_text = context.output.format == Format::Text;
    if is_text {
        context.output.unpaged(&context.output.hanging(&announcement(&document), 2))?;
        if is_person(context) && !args.yes && !is_confirmed(context)? {
            context.output.unpaged("Nothing was changed.\n")?;
            return Err(CliError::Silent.into());
        }
    }
    write(context, args, &document, &path)?;
    if document.has_left {
        join(context, settings, &document)?;
    }
    if is_text {
        let written = format!("Wrote [lake] to {}. Nothing was sent.\n", document.configuration);
        return context.output.unpaged(&written);
    }
    context.output.json(&document)
}

/// A person who configures a lake that they had left takes part again.
fn join(
    context: &Context,
    mut settings: LakeSettings,
    document: &LakeInitDocument,
) -> anyhow::Result<()> {
    settings.installation = Some(document.installation.clone());
    let data_home = context.data_home()?.display().to_string();
    let machine = LakeMachine { data_home, ..LakeMachine::default() };
    match lake_program::ask(context, settings, LakeAction::Join { machine })? {
        Ok(_) => Ok(()),
        Err(failure) => Err(CliError::Misuse(failure.message).into()),
    }
}

fn print_policy(context: &Context, args: &Args, vendor: Vendor) -> anyhow::Result<()> {
    let mut settings = super::settings(context)?;
    settings.url = args.url.clone().or(settings.url);
    let vendor = match vendor {
        Vendor::Aws => "aws",
        Vendor::Gcp => "gcp",
        Vendor::Minio => "minio",
    };
    let action = LakeAction::Policy { vendor: vendor.to_owned(), teams: args.teams.clone() };
    let document = match lake_program::ask(context, settings, action)? {
        Ok(LakeAnswer::Policy(document)) => document,
        Ok(_) => return Err(super::unexpected()),
        Err(failure) => return Err(CliError::Misuse(failure.message).into()),
    };
    match context.output.format {
        Format::Json => context.output.json(&document),
        _ => context.output.text(&policy_text(&document)),
    }
}

fn policy_text(document: &LakePolicyDocument) -> String {
    let policies = document
        .policies
        .iter()
        .map(|policy| format!("# {}: {}\n{}", policy.name, policy.purpose, policy.text));
    policies.collect::<Vec<_>>().join("\n")
}

/// The settings after arguments and questions.
fn chosen(context: &Context, args: &Args) -> anyhow::Result<LakeSettings> {
    let mut settings = super::settings(context)?;
    let url = args.url.clone().or(settings.url);
    let url = url.ok_or_else(|| {
        CliError::Misuse("no URL\nhint: annals lake init s3://BUCKET/FOLDER".to_owned())
    })?;
    let owner =
        args.owner.clone().or(settings.owner).or_else(|| context.settings.environment.user.clone());
    let owner = owner.ok_or_else(|| {
        CliError::Misuse(
            "the name of your account is not known\nhint: pass --owner NAME".to_owned(),
        )
    })?;
    let mut projects = args.projects.clone();
    if projects.is_empty() {
        projects.clone_from(&settings.projects);
    }
    if projects.is_empty() {
        projects = ask_for_folders(context)?;
    }
    let wrong = |error: anyhow::Error| CliError::Misuse(format!("{error:#}"));
    check_globs("--project", &projects).map_err(wrong)?;
    let level = match args.level {
        LevelName::Usage => LakeLevel::Usage,
        LevelName::Metadata => LakeLevel::Metadata,
        LevelName::Text => LakeLevel::Text,
    };
    if let Some(most) = settings.max_level.filter(|most| level > *most) {
        let message = format!(
            "level {} is not allowed: your organisation allows at most {}",
            level.name(),
            most.name()
        );
        return Err(CliError::Misuse(message).into());
    }
    settings.url = Some(url);
    settings.owner = Some(owner);
    settings.projects = projects;
    settings.level = level;
    settings.everyone_may_read |= args.everyone_may_read;
    Ok(settings)
}

fn is_person(context: &Context) -> bool {
    let output = &context.output;
    output.is_terminal && !output.is_agent && io::stdin().is_terminal()
}

/// There is no default: only the person knows which folders are the team's.
fn ask_for_folders(context: &Context) -> anyhow::Result<Vec<String>> {
    let missing = || {
        CliError::Misuse(
            "no folders: only sessions of folders you name may leave\nhint: pass --project GLOB, \
             for example --project '~/work/**'"
                .to_owned(),
        )
    };
    if !is_person(context) || context.output.format != Format::Text {
        return Err(missing().into());
    }
    let question = "Which folders are the team's? Sessions of other folders never leave.\n\
                    Globs, separated by commas, for example ~/work/**: ";
    context.output.unpaged(question)?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    let folders = answer.split(',').map(str::trim).filter(|folder| !folder.is_empty());
    let folders: Vec<String> = folders.map(str::to_owned).collect();
    if folders.is_empty() { Err(missing().into()) } else { Ok(folders) }
}

/// Asks about the name apart from the rest: it is the one thing that nothing here can hide.
fn is_confirmed(context: &Context) -> anyhow::Result<bool> {
    let question = "annals cannot hide whose sums they are: everyone who may read this lake sees \
                    your name beside your tokens and costs of each day. Only an engine can show \
                    names to some people alone.\nMay they see your name? [y/N] ";
    Ok(is_yes(context, question)? && is_yes(context, "Configure this lake? [y/N] ")?)
}

fn is_yes(context: &Context, question: &str) -> anyhow::Result<bool> {
    context.output.unpaged(question)?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn announcement(document: &LakeInitDocument) -> String {
    let safe = |text: &str| render::untrusted::line(text).into_owned();
    let mut text = format!(
        "{} answers and never overwrites an object.\n\nA push will send, of sessions in {}:\n",
        safe(&document.url),
        safe(&document.projects.join(", "))
    );
    for leaves in &document.leaves {
        text += &format!("- {}\n  for {}\n", safe(&leaves.content), safe(&leaves.readers));
    }
    text += &format!("as {} (installation {}).\n\n", safe(&document.owner), document.installation);
    if document.has_left {
        text += "note: Everything of yours was removed from this lake before. If you go on, you \
                 take part again; sessions that were in it then are never sent again.\n";
    }
    for note in &document.notes {
        text += &format!("note: {}\n", safe(note));
    }
    text + "\n"
}

/// Writes the id of this home and the section. The section comes last: it is what makes a
/// push possible.
fn write(
    context: &Context,
    args: &Args,
    document: &LakeInitDocument,
    path: &std::path::Path,
) -> anyhow::Result<()> {
    let text = match configuration::read_file(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let projects = document.projects.iter().cloned().map(Value::String).collect();
    let mut values = vec![
        ("url", Value::String(document.url.clone())),
        ("owner", Value::String(document.owner.clone())),
        ("projects", Value::Array(projects)),
        ("level", Value::String(document.level.name().to_owned())),
    ];
    if args.everyone_may_read {
        values.push(("everyone_may_read", Value::Boolean(true)));
    }
    let edited = lake_section::set(&text, &values).map_err(|reason| {
        let lines = lake_section::set("", &values).unwrap_or_default();
        CliError::Misuse(format!(
            "cannot edit {}: {reason}\nhint: write this yourself:\n{lines}",
            path.display()
        ))
    })?;
    let installation = context.data_home()?.join(INSTALLATION_FILE);
    if !installation.exists() {
        make_parent(&installation)?;
        let id = format!("{}\n", document.installation);
        whole_file::write(&installation, id.as_bytes(), false)?;
    }
    if edited != text {
        make_parent(path)?;
        whole_file::write(path, edited.as_bytes(), true)?;
    }
    Ok(())
}

fn make_parent(path: &std::path::Path) -> anyhow::Result<()> {
    match path.parent() {
        Some(folder) => whole_file::make_folder(folder),
        None => Ok(()),
    }
}
