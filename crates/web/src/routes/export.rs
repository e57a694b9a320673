//! A session as a file to save, by the code behind `annals export`.

use super::fragments::selection_failure;
use crate::answer::{Answer, FILE_POLICY};
use crate::failure::Failure;
use crate::request::Call;
use axum::http::{HeaderValue, StatusCode, header};
use document::AgentDetail;
use document::pages::{BuildError, PageOptions, build};
use library::sessions::{Part, Selection};
use render::xml::{Document, Rules};
use render::{Detail, ExportDocument};

/// The format of a file.
#[derive(Clone, Copy)]
enum Format {
    Html,
    Markdown,
    Text,
    Xml,
}

impl Format {
    /// The type of the answer, and the ending of the file's name.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Format::Html => ("text/html; charset=utf-8", "html"),
            Format::Markdown => ("text/markdown; charset=utf-8", "md"),
            Format::Text => ("text/plain; charset=utf-8", "txt"),
            Format::Xml => ("application/xml", "xml"),
        }
    }
}

/// A session, or a sub-agent of it, as a file.
pub(super) fn export(call: &Call<'_>) -> Result<Answer, Failure> {
    let formats = [
        ("html", Format::Html),
        ("md", Format::Markdown),
        ("txt", Format::Text),
        ("xml", Format::Xml),
    ];
    let format = call.choice("format", &formats)?;
    let session = call.session()?;
    let found = match call.text("agent") {
        None => session,
        Some(agent) => call.agent_of(&session, agent)?,
    };
    let open = call.open(&found)?;
    let mask = |text: &str| call.masked(text);
    let settings = &call.app.settings;
    let options = PageOptions {
        selection: Selection { view: call.view(&found)?, ..Selection::of(Part::Whole) },
        agents: AgentDetail::Inline,
        thinking: true,
        tools: match format {
            Format::Markdown | Format::Text => Detail::Brief,
            Format::Html | Format::Xml => Detail::Full,
        },
        reads_outputs: true,
        lists_unlinked: matches!(format, Format::Xml),
        is_masked: settings.redactor.is_some(),
        zone: &settings.zone,
        short_path: &|path| mask(&short_path(path, settings.home_folder.as_deref())),
        mask: &mask,
    };
    let text = build(&open, &options, |export, _| written(export, format));
    let text = text.map_err(|error| match error {
        BuildError::Selection(error) => selection_failure(&error),
        BuildError::NoTurns { .. } => {
            Failure::of_message(StatusCode::NOT_FOUND, &error.to_string())
        }
    })?;
    let (content_type, ending) = format.names();
    let name: String = found.id().chars().filter(char::is_ascii_alphanumeric).take(8).collect();
    let disposition = format!("attachment; filename=\"session-{name}.{ending}\"");
    let disposition = HeaderValue::from_str(&disposition)
        .map_err(|_| Failure::internal("the id of the session is not a file name"))?;
    let answer = Answer { policy: FILE_POLICY, ..Answer::bytes(content_type, text.into_bytes()) };
    Ok(answer.with_header(header::CONTENT_DISPOSITION, disposition))
}

fn written(export: &ExportDocument<'_>, format: Format) -> String {
    match format {
        Format::Html => render::html_page(export),
        Format::Markdown => render::markdown_page(export),
        Format::Text => render::plain_page(export),
        Format::Xml => {
            let parts = Document::of(export, Rules::ALL).parts(u64::MAX);
            parts.into_iter().map(|part| part.content).collect()
        }
    }
}

/// A path with the home folder abbreviated to `~`.
fn short_path(path: &str, home: Option<&str>) -> String {
    match home.filter(|home| home.len() > 1).and_then(|home| path.strip_prefix(home)) {
        Some("") => "~".to_owned(),
        Some(rest) if rest.starts_with('/') => format!("~{rest}"),
        _ => path.to_owned(),
    }
}
