//! What keys can do: one row per action, with its name in the configuration, its label in
//! hints, where it applies, and its keys.

/// Where keys have a meaning. In a query and a prompt letters are letters: only keys with
/// Control or Alt and those without a character act there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The query line of the list has the keys.
    Query,
    /// The rows of the list have the keys.
    List,
    /// A session.
    Session,
    /// A window over a screen.
    Overlay,
    /// A line of text that was asked for.
    Prompt,
}

const LISTS: &[Mode] = &[Mode::Query, Mode::List];
const LIST: &[Mode] = &[Mode::List];
const SESSION: &[Mode] = &[Mode::Session];
const LIST_OR_SESSION: &[Mode] = &[Mode::List, Mode::Session];
const SCREENS: &[Mode] = &[Mode::Query, Mode::List, Mode::Session];
const READING: &[Mode] = &[Mode::List, Mode::Session, Mode::Overlay];
const MOVING: &[Mode] = &[Mode::Query, Mode::List, Mode::Session, Mode::Overlay];
const EVERYWHERE: &[Mode] = &[Mode::Query, Mode::List, Mode::Session, Mode::Overlay, Mode::Prompt];

/// A row of the table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) action: Action,
    /// Its name in the configuration.
    pub(crate) name: &'static str,
    /// Its label in hints.
    pub(crate) label: &'static str,
    /// What help says.
    pub(crate) help: &'static str,
    pub(crate) modes: &'static [Mode],
    /// Its keys, as the configuration writes them, with spaces between.
    pub(crate) keys: &'static str,
}

macro_rules! actions {
    ($($action:ident $name:literal $label:literal $modes:ident $keys:literal $help:literal;)*) => {
        /// Something that a key does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action {
            $(#[doc = $help] $action,)*
        }

        /// All actions. Where two have the same key in a mode, the first one gets it.
        pub(crate) const ROWS: &[Row] = &[
            $(Row {
                action: Action::$action,
                name: $name,
                label: $label,
                help: $help,
                modes: $modes,
                keys: $keys,
            },)*
        ];
    };
}

actions! {
    // Everywhere.
    Quit "quit" "quit" EVERYWHERE "ctrl-c" "Quit";
    Suspend "suspend" "suspend" EVERYWHERE "ctrl-z" "Suspend; fg in the shell comes back";
    Redraw "redraw" "redraw" EVERYWHERE "ctrl-l" "Draw the screen again and read the list anew";
    Help "help" "keys" MOVING "? f1" "Show the keys";
    Back "back" "back" EVERYWHERE "esc" "Back: clear the query, close the window, leave the session";
    Leave "leave" "quit" READING "q" "Close the window, leave the session, quit the list";
    // Moving.
    Up "up" "up" MOVING "up k ctrl-p" "One up";
    Down "down" "down" MOVING "down j ctrl-n" "One down";
    HalfUp "half-up" "half up" MOVING "ctrl-u" "Half a page up; in the query: delete it";
    HalfDown "half-down" "half down" MOVING "ctrl-d" "Half a page down";
    PageUp "page-up" "page up" MOVING "pageup ctrl-b" "A page up";
    PageDown "page-down" "page down" MOVING "pagedown" "A page down";
    Top "top" "top" READING "g home" "To the first";
    Bottom "bottom" "bottom" READING "G end" "To the last";
    Open "open" "open" EVERYWHERE "enter" "Open";
    // The list.
    Scope "scope" "all projects" LISTS "tab" "This project or all";
    OnlyMine "only-mine" "my words" LISTS "ctrl-v" "Search only what you wrote, or everything";
    SubAgents "sub-agents" "agents" LISTS "ctrl-g" "Hits in sub-agents: shown or hidden";
    Sort "sort" "sort" LISTS "ctrl-s" "Sort: newest, cost, turns, size, title";
    Since "since" "since" LISTS "ctrl-t" "Changed since: ever, 1 day, 1 week, 2 weeks, 1 month";
    Folded "folded" "folded" LISTS "H ctrl-y" "Sessions of programs and empty ones: shown or folded away";
    TogglePreview "preview" "preview" LISTS "space ctrl-space" "Show or hide the preview";
    Zoom "zoom" "full" LIST_OR_SESSION "z" "Show one pane alone, or both";
    PreviewUp "preview-up" "preview up" LISTS "alt-up alt-k" "Scroll the preview up";
    PreviewDown "preview-down" "preview down" LISTS "alt-down alt-j" "Scroll the preview down";
    Query "query" "search" LIST "/ i" "Edit the query";
    Select "select" "select" LISTS "ctrl-x" "Select the session, where several can be chosen";
    Choose "choose" "choose" LISTS "ctrl-o" "Print the id of the session and quit";
    // Sessions, on both screens.
    Resume "resume" "resume" SCREENS "r ctrl-r" "Resume the session in Claude Code";
    Fork "fork" "fork" SCREENS "f ctrl-f" "Resume a copy of the session";
    Mark "mark" "mark" SCREENS "m" "Set or remove a bookmark";
    Tag "tag" "tag" SCREENS "#" "Set or remove the tag";
    Rename "rename" "rename" SCREENS "R f2" "Rename the session";
    Copy "copy" "copy" SCREENS "y" "Copy the id, command, link or message";
    Export "export" "export" SCREENS "E" "Export the session, with secrets masked";
    Archive "archive" "archive" SCREENS "A" "Archive the session, or restore it from the archive";
    Web "web" "web" SCREENS "w" "Open in the web app";
    // A session.
    NextPrompt "next-prompt" "prompt" SESSION "J" "The next prompt";
    PreviousPrompt "previous-prompt" "prompt" SESSION "K" "The previous prompt";
    NextError "next-error" "error" SESSION "e" "The next error";
    Find "find" "find" SESSION "/" "Find text in the session";
    FindNext "find-next" "next" SESSION "n" "The next match";
    FindPrevious "find-previous" "previous" SESSION "N" "The previous match";
    Tools "tools" "tools" SESSION "t" "Tools: off, calls, cut, full";
    Thinking "thinking" "thinking" SESSION "T" "Thinking: shown or hidden";
    Diffs "diffs" "diffs" SESSION "d" "Diffs: shown or hidden";
    Agents "agents" "agents" SESSION "s" "The sub-agents";
    Parent "parent" "parent" SESSION "P" "The session that a sub-agent or copy comes from";
    Branches "branches" "branches" SESSION "b" "Branches and relatives";
    PreviousGeneration "previous-generation" "generation" SESSION "[" "The generation before";
    NextGeneration "next-generation" "generation" SESSION "]" "The generation after";
    FocusOutline "focus-outline" "outline" SESSION "h left" "To the outline";
    FocusText "focus-text" "text" SESSION "l right" "To the conversation";
    SwitchPane "switch-pane" "pane" SESSION "tab" "To the other pane";
    Fold "fold" "fold" SESSION "o" "Fold or unfold";
    ToolCalls "tool-calls" "calls" SESSION "c" "The tool calls, with durations and errors";
    Files "files" "files" SESSION "F" "The files, and the history of each";
    Plans "plans" "plans" SESSION "p" "The plans";
    Marks "marks" "marks" SESSION "M" "The bookmarks";
    Usage "usage" "usage" SESSION "u" "Tokens, costs and the context window";
    Follow "follow" "follow" SESSION "." "Follow the session while it is written";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_action_has_its_own_name() {
        let names: HashSet<&str> = ROWS.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), ROWS.len());
    }

    #[test]
    fn the_documentation_names_every_action() {
        // Read, not included: a package of this crate does not have it.
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tui.md");
        let documentation = std::fs::read_to_string(path).unwrap();
        for row in ROWS {
            assert!(documentation.contains(&format!("`{}`", row.name)), "{}", row.name);
        }
    }
}
