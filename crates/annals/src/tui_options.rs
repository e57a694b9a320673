//! The settings of the terminal UI, from arguments, environment and configuration.

use crate::cli::Color;
use crate::configuration::{TuiScope, TuiSettings};
use crate::context::Context;
use crate::failure::CliError;
use tui::{Keymap, ListOptions, ListPurpose, Options, ThemeName};

/// The settings for a list that begins with a query.
pub(crate) fn options(
    context: &Context,
    purpose: ListPurpose,
    query: String,
    all_projects: bool,
) -> anyhow::Result<Options> {
    // Searching writes the index.
    context.check_data_home()?;
    let settings = &context.settings.configuration.tui;
    let configured = |error: String| {
        let path = context.settings.configuration.path.display();
        CliError::Misuse(format!("invalid configuration file {path}: {error}"))
    };
    let keys = settings.keys.iter().map(|(action, keys)| {
        (action.as_str(), keys.0.iter().map(String::as_str).collect::<Vec<_>>())
    });
    let keymap = Keymap::configured(keys).map_err(|error| configured(error.to_string()))?;
    let theme = theme(context, settings).map_err(configured)?;
    let home = if context.is_demo() {
        Some(demo::HOME.to_owned())
    } else {
        context.settings.environment.home.as_ref().map(|home| home.to_string_lossy().into_owned())
    };
    Ok(Options {
        keymap,
        theme,
        has_mouse: settings.mouse,
        zone: context.settings.zone.clone(),
        home,
        here: context.settings.here.clone(),
        now: context.settings.environment.now,
        list: ListOptions {
            purpose,
            query,
            is_here: settings.scope == TuiScope::Project && !all_projects,
            has_preview: settings.preview,
        },
    })
}

fn theme(context: &Context, settings: &TuiSettings) -> Result<ThemeName, String> {
    let named = settings.theme.as_deref().map(|name| {
        let known = ThemeName::ALL.iter().find(|(known, _)| *known == name);
        known.map(|(_, theme)| *theme).ok_or_else(|| {
            let names: Vec<&str> = ThemeName::ALL.iter().map(|(name, _)| *name).collect();
            format!("unknown theme {name:?}: use one of {}", names.join(", "))
        })
    });
    let named = named.transpose()?.unwrap_or_default();
    let is_plain = match context.settings.color {
        Some(Color::Never) => true,
        Some(Color::Always) => false,
        Some(Color::Auto) | None => context.settings.environment.no_color,
    };
    Ok(if is_plain { ThemeName::Mono } else { named })
}
