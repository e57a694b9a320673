//! Which files a search covers: those visible to the caller that also match the query's
//! conditions on files.

use crate::failure::IndexError;
use crate::files::IndexedFile;
use crate::listing::FileSnapshot;
use crate::page_check::Trees;
use crate::query::Field;
use crate::search::{SearchRequest, Searcher};
use std::collections::{HashMap, HashSet};

/// The files visible to the caller.
#[derive(Clone, Copy)]
pub enum FileSelection<'q> {
    /// The files of a complete snapshot.
    Snapshot(&'q FileSnapshot),
    /// The files for which the function returns true.
    Fitting(&'q dyn Fn(&IndexedFile) -> bool),
}

/// The files that a search covers.
pub(crate) struct SelectedFiles {
    /// Their ids, sorted.
    pub(crate) ids: Vec<i64>,
    /// Whether they are known to be a large part of the index.
    pub(crate) is_most: bool,
}

impl SelectedFiles {
    pub(crate) fn has(&self, file: i64) -> bool {
        self.ids.binary_search(&file).is_ok()
    }
}

impl Searcher {
    /// The ids of the visible files, sorted.
    pub(crate) fn ids(&self, admits: FileSelection<'_>) -> Result<Vec<i64>, IndexError> {
        let fits = match admits {
            FileSelection::Snapshot(snapshot) => return Ok(snapshot.ids()),
            FileSelection::Fitting(fits) => fits,
        };
        let files = self.files()?.iter();
        let mut ids: Vec<i64> = files.filter(|(_, file)| fits(file)).map(|(id, _)| *id).collect();
        ids.sort_unstable();
        Ok(ids)
    }

    /// The files that a search covers.
    pub(crate) fn selected_files(
        &self,
        request: &SearchRequest<'_>,
    ) -> Result<SelectedFiles, IndexError> {
        let is_file_field = |field: &Field| {
            let is_named = matches!(
                field.name,
                "file" | "pr" | "commit" | "session" | "project" | "agent" | "title"
            );
            is_named || (field.name == "is" && field.value == "marked")
        };
        let file_fields: Vec<&Field> =
            request.query.fields.iter().filter(|field| is_file_field(field)).collect();
        let ids = self.ids(request.admits)?;
        let is_snapshot = matches!(request.admits, FileSelection::Snapshot(_));
        let mut selected = SelectedFiles { ids, is_most: is_snapshot && file_fields.is_empty() };
        if !file_fields.is_empty() {
            self.retain_by_fields(&mut selected.ids, &file_fields, request.marked)?;
        }
        Ok(selected)
    }

    /// Keeps the files that match the query's conditions on files.
    fn retain_by_fields(
        &self,
        ids: &mut Vec<i64>,
        fields: &[&Field],
        marked: &HashSet<String>,
    ) -> Result<(), IndexError> {
        let files = self.files()?;
        let is_asked = |names: &[&str]| fields.iter().any(|field| names.contains(&field.name));
        if is_asked(&["file"]) {
            self.check_trees(&["touch", "name"].map(Trees::Table))?;
        }
        if is_asked(&["pr", "commit"]) {
            self.check_trees(&[Trees::Table("deed")])?;
        }
        let needs_mains = |field: &&Field| matches!(field.name, "project" | "title");
        let mains =
            if fields.iter().any(needs_mains) { self.main_transcripts()? } else { HashMap::new() };
        for field in fields {
            let sessions = match field.name {
                "file" => Some(self.sessions_matching(
                    "SELECT DISTINCT file.session FROM touch JOIN file ON file.id = touch.file
                     JOIN name ON name.id = touch.path WHERE instr(lower(name.text), lower(?)) > 0",
                    &field.value,
                )?),
                "pr" => Some(self.sessions_matching(
                    "SELECT DISTINCT file.session FROM deed JOIN file ON file.id = deed.file
                     WHERE deed.kind = 'pull_request' AND name = ltrim(?, '#')",
                    &field.value,
                )?),
                "commit" => Some(self.sessions_matching(
                    "SELECT DISTINCT file.session FROM deed JOIN file ON file.id = deed.file
                     WHERE deed.kind = 'commit' AND (substr(name, 1, length(?1)) = lower(?1)
                     OR substr(lower(?1), 1, length(name)) = name)",
                    &field.value,
                )?),
                _ => None,
            };
            let agents = match field.name {
                "agent" => Some(self.agent_matches(field)?),
                _ => None,
            };
            ids.retain(|id| {
                let Some(file) = files.get(id) else { return false };
                let session = file.session.as_deref();
                let holds = match (&sessions, field.name) {
                    (Some(sessions), _) => session.is_some_and(|id| sessions.contains(id)),
                    (None, "session") => session.is_some_and(|id| {
                        id.starts_with(&*field.value.to_ascii_lowercase())
                            || id.starts_with(field.value.as_str())
                    }),
                    (None, "project") => Self::has(&mains, file, &field.value, |file| {
                        file.project.as_deref().or(file.cwd.as_deref())
                    }),
                    // Other blocks of a file may be those of another agent.
                    (None, "agent") if field.is_not => return true,
                    (None, "agent") => agents.as_ref().is_some_and(|agents| agents.has_any_in(*id)),
                    (None, "title") => {
                        Self::has(&mains, file, &field.value, |file| file.title.as_deref())
                    }
                    _ => session.is_some_and(|id| marked.contains(id)),
                };
                holds != field.is_not
            });
        }
        Ok(())
    }

    /// Whether a property of a file, or of its session's transcript, contains a text.
    fn has(
        mains: &HashMap<&str, &IndexedFile>,
        file: &IndexedFile,
        value: &str,
        of: impl Fn(&IndexedFile) -> Option<&str>,
    ) -> bool {
        let main = file.session.as_deref().and_then(|session| mains.get(session));
        let own = of(file).or_else(|| main.and_then(|main| of(main)));
        own.is_some_and(|text| text.to_lowercase().contains(&value.to_lowercase()))
    }

    fn sessions_matching(&self, sql: &str, value: &str) -> Result<HashSet<String>, IndexError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([value], |row| row.get::<_, Option<String>>(0))?;
        Ok(rows.filter_map(Result::transpose).collect::<Result<_, _>>()?)
    }
}
