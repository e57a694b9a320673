//! The apps whose sessions annals reads.

use crate::Header;

/// A coding agent, as a program that writes sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum App {
    /// Claude Code.
    Claude,
    /// Codex: command line, desktop and VS Code.
    Codex,
    /// OpenCode.
    OpenCode,
    /// Copilot CLI.
    Copilot,
    /// Gemini CLI.
    Gemini,
    /// pi.
    Pi,
}

impl App {
    /// All of them, in the order of lists.
    pub const ALL: [App; 6] =
        [App::Claude, App::Codex, App::OpenCode, App::Copilot, App::Gemini, App::Pi];

    /// Its name in options, ids and documents.
    pub fn name(self) -> &'static str {
        match self {
            App::Claude => "claude",
            App::Codex => "codex",
            App::OpenCode => "opencode",
            App::Copilot => "copilot",
            App::Gemini => "gemini",
            App::Pi => "pi",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            App::Claude => "Claude Code",
            App::Codex => "Codex",
            App::OpenCode => "OpenCode",
            App::Copilot => "Copilot CLI",
            App::Gemini => "Gemini CLI",
            App::Pi => "pi",
        }
    }

    /// The app with this name.
    pub fn from_name(name: &str) -> Option<App> {
        App::ALL.into_iter().find(|app| app.name() == name)
    }

    /// Whether a file with this header has a session of the app. What every version of the app
    /// writes at its beginning is missing in a file that was overwritten, or is another program's.
    pub fn is_session(self, header: &Header) -> bool {
        match self {
            // `session_meta` alone gives the id. Without it, the thread of the lines is unknown.
            App::Codex => !header.id.is_empty(),
            // The id comes from the name of the file.
            App::OpenCode => header.title.is_some() || header.started.is_some(),
            App::Claude | App::Copilot | App::Gemini | App::Pi => {
                !header.id.is_empty() || header.started.is_some()
            }
        }
    }

    /// Separates the app's name from an id: `codex:019f` is `019f` of Codex. An id without a
    /// known name is returned whole.
    pub fn split_id(id: &str) -> (Option<App>, &str) {
        match id.split_once(':').map(|(name, rest)| (App::from_name(name), rest)) {
            Some((Some(app), rest)) => (Some(app), rest),
            _ => (None, id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::App;
    use crate::Header;

    #[test]
    fn every_name_leads_back_to_its_app() {
        for app in App::ALL {
            assert_eq!(App::from_name(app.name()), Some(app));
        }
        assert_eq!(App::from_name("Codex"), None);
    }

    #[test]
    fn header_without_the_beginning_of_a_session_is_not_one() {
        let started = jiff::Timestamp::from_second(1_768_000_000).ok();
        let with_id = Header { id: "0a1b".to_owned(), ..Header::default() };
        let with_time = Header { started, ..Header::default() };
        for app in App::ALL {
            assert!(!app.is_session(&Header::default()), "{app:?}");
            assert_eq!(app.is_session(&with_id), app != App::OpenCode, "{app:?}");
            assert_eq!(app.is_session(&with_time), app != App::Codex, "{app:?}");
        }
    }

    #[test]
    fn only_a_known_name_before_the_first_colon_is_an_app() {
        assert_eq!(App::split_id("codex:019f:3"), (Some(App::Codex), "019f:3"));
        assert_eq!(App::split_id("019f:3"), (None, "019f:3"));
        assert_eq!(App::split_id("019f"), (None, "019f"));
    }
}
