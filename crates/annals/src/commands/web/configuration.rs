//! The settings of annals as a document, for the page that shows them.

use crate::cli::GlobalArgs;
use crate::context::Context;
use document::{ConfigurationDocument, SettingDocument};

/// The settings, in the order of docs/configuration.md, and where each comes from.
pub(super) fn document(context: &Context, global: &GlobalArgs) -> ConfigurationDocument {
    let file = &context.settings.configuration;
    let roots: Vec<String> = context
        .library
        .catalog()
        .roots()
        .iter()
        .map(|root| root.path.display().to_string())
        .collect();
    let texts = |list: &[String]| (!list.is_empty()).then(|| list.join(", "));
    let aliases: Vec<String> =
        file.aliases.iter().map(|(old, new)| format!("{old}={new}")).collect();
    let in_file = |is_set: bool| if is_set { "file" } else { "default" };
    let with_flag = |is_given: bool, is_set: bool| if is_given { "flag" } else { in_file(is_set) };
    let budget = context.settings.budget();
    let dollars = |amount: Option<usage::PicoUsd>| amount.map(usage::PicoUsd::decimal);
    let row = |name: &'static str, value: Option<String>, source: &'static str| SettingDocument {
        name: name.into(),
        value,
        source: source.into(),
    };
    let settings = vec![
        row(
            "roots",
            texts(&roots),
            match (global.root.is_empty(), context.settings.environment.claude_config_dir.is_some())
            {
                (false, _) => "flag",
                (true, true) => "environment",
                (true, false) => in_file(!file.roots.is_empty()),
            },
        ),
        row(
            "exclude",
            texts(&[file.exclude.clone(), global.exclude.clone()].concat()),
            with_flag(!global.exclude.is_empty(), !file.exclude.is_empty()),
        ),
        row(
            "aliases",
            texts(&[aliases, global.alias.clone()].concat()),
            with_flag(!global.alias.is_empty(), !file.aliases.is_empty()),
        ),
        row(
            "timezone",
            context.settings.zone.iana_name().map(str::to_owned),
            with_flag(global.timezone.is_some(), file.timezone.is_some()),
        ),
        row("budget.day", dollars(budget.day), in_file(budget.day.is_some())),
        row("budget.week", dollars(budget.week), in_file(budget.week.is_some())),
        row("budget.month", dollars(budget.month), in_file(budget.month.is_some())),
        row(
            "archive.max_age",
            file.archive.max_age.clone(),
            in_file(file.archive.max_age.is_some()),
        ),
        row("hook.recall", Some(file.hook.recall.to_string()), in_file(file.hook.recall)),
        row(
            "statusline.template",
            file.statusline.template.clone(),
            in_file(file.statusline.template.is_some()),
        ),
        row("lake.url", file.lake.url.clone(), in_file(file.lake.url.is_some())),
        row("lake.owner", file.lake.owner.clone(), in_file(file.lake.owner.is_some())),
        row("lake.projects", texts(&file.lake.projects), in_file(!file.lake.projects.is_empty())),
        row(
            "lake.level",
            Some(file.lake.level.name().to_owned()),
            in_file(file.lake.level != document::LakeLevel::default()),
        ),
    ];
    let path = context.settings.config_home.as_ref().map(|home| home.join("annals/config.toml"));
    let exists = path.as_ref().is_some_and(|path| path.exists());
    let shown = |path: &std::path::Path| path.display().to_string();
    let data_folder = context.data_home().ok().map(shown);
    ConfigurationDocument::new(path.as_deref().map(shown), exists, data_folder, settings)
}
