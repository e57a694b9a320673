//! Which key does what, and the hints made from it.

use crate::action::{Action, Mode, ROWS, Row};
use crate::event::{InvalidKey, Key};
use crate::theme::Theme;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// The keys of all actions.
#[derive(Clone, Debug)]
pub struct Keymap {
    bindings: Vec<(&'static Row, Vec<Key>)>,
}

/// Why keys cannot be configured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeymapError {
    /// There is no such action.
    #[error("unknown action {0:?} in [tui.keys]\nhint: docs/tui.md lists the actions")]
    Action(String),
    /// A key is wrong.
    #[error("[tui.keys] {0}: {1}")]
    Key(String, InvalidKey),
    /// Nothing would quit.
    #[error("[tui.keys] {0} needs at least one key that is not a letter")]
    Unreachable(&'static str),
}

impl Default for Keymap {
    fn default() -> Self {
        let keys = |row: &Row| row.keys.split(' ').filter_map(|key| key.parse().ok()).collect();
        Keymap { bindings: ROWS.iter().map(|row| (row, keys(row))).collect() }
    }
}

impl Keymap {
    /// The default keys, with those of some actions replaced.
    pub fn configured<'c>(
        changes: impl IntoIterator<Item = (&'c str, Vec<&'c str>)>,
    ) -> Result<Keymap, KeymapError> {
        let mut keymap = Keymap::default();
        let mut chosen = Vec::new();
        for (name, keys) in changes {
            let binding = keymap.bindings.iter_mut().find(|(row, _)| row.name == name);
            let (row, bound) = binding.ok_or_else(|| KeymapError::Action(name.to_owned()))?;
            let keys: Result<Vec<Key>, InvalidKey> = keys.into_iter().map(str::parse).collect();
            *bound = keys.map_err(|error| KeymapError::Key(name.to_owned(), error))?;
            // A person must be able to leave the query and the program.
            let is_needed = matches!(row.action, Action::Quit | Action::Back);
            if is_needed && bound.iter().all(|key| key.typed().is_some()) {
                return Err(KeymapError::Unreachable(row.name));
            }
            chosen.push(row.action);
        }
        // A key that a person chose is taken from the action that usually has it.
        keymap.bindings.sort_by_key(|(row, _)| !chosen.contains(&row.action));
        Ok(keymap)
    }

    /// What a key does. Where letters are letters, only other keys do something.
    pub fn action(&self, mode: Mode, key: Key) -> Option<Action> {
        if matches!(mode, Mode::Query | Mode::Prompt) && key.typed().is_some() {
            return None;
        }
        let mut rows = self.bindings.iter();
        rows.find(|(row, keys)| row.modes.contains(&mode) && keys.contains(&key))
            .map(|(row, _)| row.action)
    }

    /// The key that a hint shows for an action.
    pub fn key(&self, mode: Mode, action: Action) -> Option<Key> {
        let keys = self.keys(action).iter().copied();
        keys.into_iter().find(|key| self.action(mode, *key) == Some(action))
    }

    /// All keys of an action.
    pub fn keys(&self, action: Action) -> &[Key] {
        let mut rows = self.bindings.iter();
        rows.find(|(row, _)| row.action == action).map_or(&[], |(_, keys)| keys)
    }

    /// Every action of a mode with its keys and what it does, for help. What is there only in
    /// this mode comes first, what is there everywhere last.
    pub fn described(&self, mode: Mode) -> Vec<(Action, String, &'static str)> {
        let own = self.bindings.iter().filter(|(row, _)| row.modes.contains(&mode));
        let mut own: Vec<_> = own.collect();
        own.sort_by_key(|(row, _)| row.modes.len());
        let described = own.into_iter().map(|(row, keys)| {
            let reaches = |key: &&Key| self.action(mode, **key) == Some(row.action);
            let keys: Vec<String> = keys.iter().filter(reaches).map(Key::to_string).collect();
            (row.action, keys.join(" "), row.help)
        });
        described.collect()
    }

    /// As many hints as fit into an area, with the columns that each takes. Each has the label
    /// that is given, or its usual one.
    pub(crate) fn hints(
        &self,
        mode: Mode,
        actions: impl IntoIterator<Item = (Action, Option<&'static str>)>,
        area: Rect,
    ) -> Vec<Hint> {
        let mut hints: Vec<Hint> = Vec::new();
        let mut column = area.x;
        for (action, label) in actions {
            let Some(key) = self.key(mode, action) else { continue };
            let Some((row, _)) = self.bindings.iter().find(|(row, _)| row.action == action) else {
                continue;
            };
            let (key, label) = (key.to_string(), label.unwrap_or(row.label));
            let width = render::columns(&key) + 1 + render::columns(label);
            let width = u16::try_from(width).unwrap_or(u16::MAX);
            if column.saturating_add(width) > area.right() {
                break;
            }
            let area = Rect { x: column, width, ..area };
            hints.push(Hint { action, key, label, area });
            column = column.saturating_add(width + 2);
        }
        hints
    }
}

/// A key with what it does, at a place that can be clicked.
#[derive(Clone, Debug)]
pub(crate) struct Hint {
    pub(crate) action: Action,
    key: String,
    label: &'static str,
    pub(crate) area: Rect,
}

/// Hints as one line.
pub(crate) fn hint_line(hints: &[Hint], theme: Theme) -> Line<'static> {
    let mut spans = Vec::new();
    for hint in hints {
        if !spans.is_empty() {
            spans.push(Span::raw("  "));
        }
        spans.push(Span::styled(hint.key.clone(), theme.key()));
        spans.push(Span::styled(format!(" {}", hint.label), theme.dim()));
    }
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::KeyCode;

    #[test]
    fn every_default_key_is_valid_and_every_action_can_be_reached() {
        let keymap = Keymap::default();
        for (row, keys) in &keymap.bindings {
            assert_eq!(keys.len(), row.keys.split(' ').count(), "{}", row.name);
            let is_reached = row.modes.iter().any(|mode| keymap.key(*mode, row.action).is_some());
            assert!(is_reached, "{}", row.name);
        }
    }

    #[test]
    fn letters_are_letters_in_a_query() {
        let keymap = Keymap::default();
        assert_eq!(keymap.action(Mode::List, Key::char('r')), Some(Action::Resume));
        assert_eq!(keymap.action(Mode::Query, Key::char('r')), None);
        assert_eq!(keymap.action(Mode::Query, Key::control('r')), Some(Action::Resume));
        assert_eq!(keymap.action(Mode::Query, Key::char(' ')), None);
        assert_eq!(keymap.action(Mode::Prompt, Key::char('?')), None);
    }

    #[test]
    fn keys_are_configurable() {
        let keymap = Keymap::configured([("resume", vec!["x", "ctrl-x"])]).unwrap();
        assert_eq!(keymap.action(Mode::List, Key::char('r')), None);
        assert_eq!(keymap.action(Mode::List, Key::char('x')), Some(Action::Resume));
        let moved = Keymap::configured([("web", vec!["r"])]).unwrap();
        assert_eq!(moved.action(Mode::List, Key::char('r')), Some(Action::Web));
        let unknown = Keymap::configured([("explode", vec!["x"])]).unwrap_err();
        assert_eq!(unknown, KeymapError::Action("explode".to_owned()));
        assert!(Keymap::configured([("resume", vec!["hyper-x"])]).is_err());
        assert!(Keymap::configured([("quit", vec!["x"])]).is_err());
        assert!(Keymap::configured([("quit", vec!["f10"])]).is_ok());
    }

    #[test]
    fn hints_that_do_not_fit_are_left_out() {
        let keymap = Keymap::default();
        let actions = [Action::Open, Action::Resume, Action::Help].map(|action| (action, None));
        let shown = |width| {
            let hints = keymap.hints(Mode::List, actions, Rect::new(0, 0, width, 1));
            let theme = Theme::new(crate::ThemeName::Mono, crate::Background::Dark);
            hint_line(&hints, theme).to_string()
        };
        assert_eq!(shown(40), "↵ open  r resume  ? keys");
        assert_eq!(shown(16), "↵ open  r resume");
        assert_eq!(shown(15), "↵ open");
        assert_eq!(shown(0), "");
        let escape = Key::plain(KeyCode::Escape);
        assert_eq!(keymap.action(Mode::Prompt, escape), Some(Action::Back));
    }
}
