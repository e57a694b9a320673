//! Hooks in the settings.

use super::command::calls;
use super::members::{expect, only, root, top};
use super::{HOOK_EVENTS, SettingsError};
use crate::json_text::{
    Member, Node, elements, members, quoted, replaced_by, with_element, with_member, without_child,
};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How many seconds Claude Code waits for the hook.
const TIMEOUT: u64 = 5;

/// The installed hooks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct InstalledHooks {
    pub(super) command: String,
    /// The members that were created for them.
    pub(super) made: Vec<String>,
}

/// A command among the hooks.
pub(super) struct Hook {
    pub(super) event: String,
    pub(super) command: String,
    /// The range of the command's string.
    pub(super) value: Range<usize>,
    /// Indexes: of the member named `hooks`, of the event in it, of the entry
    /// of that event, and of the hook in that entry.
    pub(super) place: [usize; 4],
}

impl Hook {
    /// Whether it is at an event that annals uses.
    pub(super) fn is_at_our_events(&self) -> bool {
        HOOK_EVENTS.contains(&self.event.as_str())
    }
}

/// All commands among the hooks, even if other parts of the settings are
/// invalid.
pub(super) fn hooks_in(text: &str) -> Vec<Hook> {
    let is = |value: &Range<usize>, open: u8| text.as_bytes().get(value.start) == Some(&open);
    let mut found = Vec::new();
    for (top_index, hooks) in top(text).into_iter().enumerate() {
        if hooks.key != "hooks" || !is(&hooks.value, b'{') {
            continue;
        }
        for (event_index, event) in members(text, &hooks.value).into_iter().enumerate() {
            let entries =
                if is(&event.value, b'[') { elements(text, &event.value) } else { vec![] };
            for (entry_index, entry) in entries.into_iter().enumerate() {
                let Some(inner) = inner_hooks(text, &entry) else { continue };
                for (index, hook) in elements(text, &inner).into_iter().enumerate() {
                    let fields = if is(&hook, b'{') { members(text, &hook) } else { vec![] };
                    let field = fields.into_iter().rfind(|field| field.key == "command");
                    let Some(field) = field else { continue };
                    let Ok(command) = serde_json::from_str(&text[field.value.clone()]) else {
                        continue;
                    };
                    found.push(Hook {
                        event: event.key.clone(),
                        command,
                        value: field.value,
                        place: [top_index, event_index, entry_index, index],
                    });
                }
            }
        }
    }
    found
}

/// The list of hooks in an entry of an event.
fn inner_hooks(text: &str, entry: &Range<usize>) -> Option<Range<usize>> {
    let is = |value: &Range<usize>, open: u8| text.as_bytes().get(value.start) == Some(&open);
    let fields = if is(entry, b'{') { members(text, entry) } else { vec![] };
    let inner = fields.into_iter().rfind(|field| field.key == "hooks")?.value;
    is(&inner, b'[').then_some(inner)
}

/// The text with the hook added to an event; `None` if it is already there.
pub(super) fn put_hook(
    text: &str,
    event: &'static str,
    command: &str,
    is_former: impl Fn(&str) -> bool,
    made: &mut Vec<String>,
) -> Result<Option<String>, SettingsError> {
    let hook = Node::Object(vec![
        ("type", Node::Text("command".to_owned())),
        ("command", Node::Text(command.to_owned())),
        ("timeout", Node::Number(TIMEOUT)),
    ]);
    let entry = Node::Object(vec![("hooks", Node::Array(vec![hook]))]);
    let Some(hooks) = only(&top(text), "hooks")? else {
        made.extend(["hooks".to_owned(), event.to_owned()]);
        let value = Node::Object(vec![(event, Node::Array(vec![entry]))]);
        return Ok(Some(with_member(text, &root(text), "hooks", &value)));
    };
    expect(text, &hooks.value, "hooks", "an object")?;
    let Some(list) = only(&members(text, &hooks.value), event)? else {
        made.push(event.to_owned());
        let value = Node::Array(vec![entry]);
        return Ok(Some(with_member(text, &hooks.value, event, &value)));
    };
    expect(text, &list.value, &format!("hooks.{event}"), "an array")?;
    let known: Vec<Hook> = hooks_in(text).into_iter().filter(|hook| hook.event == event).collect();
    if known.iter().any(|hook| hook.command == command) {
        return Ok(None);
    }
    let is_called = known.iter().any(|hook| calls(&hook.command, "hook"));
    let former = known.into_iter().find(|hook| is_former(&hook.command));
    if former.is_none() && is_called {
        return Ok(None);
    }
    Ok(Some(match former {
        Some(hook) => replaced_by(text, &hook.value, &quoted(command)),
        None => with_element(text, &list.value, &entry),
    }))
}

/// The text without annals' hooks; `None` if there are none. Hooks at other
/// events were added by somebody else.
pub(super) fn take_hooks(text: &str, installed: &InstalledHooks) -> Option<String> {
    let mut taken = None;
    let mut text = text.to_owned();
    while let Some(hook) = hooks_in(&text)
        .into_iter()
        .find(|hook| hook.is_at_our_events() && hook.command == installed.command)
    {
        text = without_hook(&text, &hook, &installed.made)?;
        taken = Some(text.clone());
    }
    taken
}

/// The text without a hook, and without the containers that were created for it
/// and are now empty.
fn without_hook(text: &str, hook: &Hook, made: &[String]) -> Option<String> {
    let wholes = |members: &[Member]| members.iter().map(|it| it.whole.clone()).collect::<Vec<_>>();
    let was_made = |name: &str| made.iter().any(|it| it == name);
    let [top_index, event_index, entry_index, index] = hook.place;
    let all = top(text);
    let hooks = all.get(top_index)?;
    let events = members(text, &hooks.value);
    let event = events.get(event_index)?;
    let entries = elements(text, &event.value);
    let inner = inner_hooks(text, entries.get(entry_index)?)?;
    let siblings = elements(text, &inner);
    if siblings.len() > 1 {
        return Some(without_child(text, &inner, &siblings, index));
    }
    if entries.len() > 1 || !was_made(&event.key) {
        return Some(without_child(text, &event.value, &entries, entry_index));
    }
    if events.len() > 1 || !was_made("hooks") {
        return Some(without_child(text, &hooks.value, &wholes(&events), event_index));
    }
    Some(without_child(text, &root(text), &wholes(&all), top_index))
}
