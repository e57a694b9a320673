//! The thread that watches the stores and publishes what changes.
//!
//! There is one for all browsers. It starts with the first stream, waits for the system's
//! file notifications, and reads only what was appended. Deliberately not here: how events
//! are derived (`library::watch`) and who gets them (the hub).

use crate::app::App;
use crate::events::index_keeper;
use document::answers::Marks;
use document::{MarkDocument, WatchEventDocument};
use library::Library;
use library::progress::NoProgress;
use library::session::Session;
use library::watch::{
    Event, EventKind, FolderDebounce, FolderWatch, Follower, WatchScope, WatchedChange,
};
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long changes of lists are collected before they are reported.
const LISTS: Duration = Duration::from_millis(500);

/// Starts the thread.
pub(crate) fn start(app: Arc<App>) -> std::io::Result<()> {
    std::thread::Builder::new().name("watcher".to_owned()).spawn(move || run(&app)).map(drop)
}

fn run(app: &Arc<App>) {
    let library = app.library();
    let scope = match &app.settings.filter.project {
        Some(project) => WatchScope::Project(project.clone()),
        None => WatchScope::All,
    };
    let mut follower = library.watch().follow(scope);
    // Before anything is read, so that no change in between is missed.
    let (mut watch, mut missing) = watching(&follower);
    if !app.wake_on_stop(watch.waker()) {
        return;
    }
    let mut publisher = Publisher::new(app, &library);
    publisher.note(&follower.begin());
    while !app.is_stopping() {
        let changed = watch.wait(publisher.patience(follower.time_to_next_check()));
        let mut events = match &changed {
            WatchedChange::Nothing => follower.check_missed(),
            changed => follower.changed(changed),
        };
        let appeared = missing.extract_if(.., |folder| watch.add(folder)).count();
        if appeared > 0 {
            events.extend(follower.changed(&WatchedChange::Anything));
        }
        publisher.publish(&events);
        if changed != WatchedChange::Nothing {
            publisher.files_changed(&changed);
        }
        publisher.publish_lists();
    }
}

/// A watch over the relevant folders, and those of them that do not exist.
fn watching(follower: &Follower<'_>) -> (FolderWatch, Vec<PathBuf>) {
    let (mut whole, names) = follower.folders();
    let mut watch = FolderWatch::new(&[]).with_debounce(FolderDebounce::PROMPT);
    whole.retain(|folder| !watch.add(folder));
    if !whole.is_empty() {
        for folder in &names {
            watch.add_names(folder);
        }
    }
    (watch, whole)
}

/// Turns events into documents.
struct Publisher<'a> {
    app: &'a Arc<App>,
    library: &'a Library,
    /// Whether sessions pass the server's filter.
    admitted: HashMap<String, bool>,
    /// The sessions of lists that changed, and since when.
    changed: BTreeSet<String>,
    changed_since: Option<Instant>,
    /// Whether processes started, ended or changed their status.
    has_running_changed: bool,
}

impl<'a> Publisher<'a> {
    fn new(app: &'a Arc<App>, library: &'a Library) -> Self {
        Publisher {
            app,
            library,
            admitted: HashMap::new(),
            changed: BTreeSet::new(),
            changed_since: None,
            has_running_changed: false,
        }
    }

    /// How long to wait for files: not beyond the time at which lists are reported.
    fn patience(&self, usual: Duration) -> Duration {
        let due = self.changed_since.map(|since| LISTS.saturating_sub(since.elapsed()));
        due.map_or(usual, |due| usual.min(due))
    }

    /// Learns which sessions there are, from events of the past.
    fn note(&mut self, events: &[Event]) {
        for event in events {
            self.admits(&event.session_id);
        }
    }

    fn admits(&mut self, session: &str) -> bool {
        let filter = &self.app.settings.filter;
        if filter.is_empty() {
            return true;
        }
        if let Some(known) = self.admitted.get(session) {
            return *known;
        }
        let Some(found) = self.library.catalog().find_id(session) else { return false };
        let mut one = vec![found];
        one.retain(|session| filter.admits(session));
        if filter.needs_content() && !one.is_empty() {
            self.library.prompts().retain_by_content(&mut one, filter, &NoProgress);
        }
        // A session may come to pass the filter, and does not cease to.
        if !one.is_empty() {
            self.admitted.insert(session.to_owned(), true);
        }
        !one.is_empty()
    }

    fn publish(&mut self, events: &[Event]) {
        for event in events {
            if !self.admits(&event.session_id) {
                continue;
            }
            self.note_list(event);
            if event.is_past {
                continue;
            }
            let marks = |session: &Session| self.marks_of(session);
            let document = WatchEventDocument::new(event, marks);
            if let Some(data) = self.app.safe_json(&document) {
                self.app.hub.publish("watch", Some(event.session_id.clone()), data);
            }
        }
    }

    /// The bookmarks of a session. They are read for the few events that name a session.
    fn marks_of(&self, session: &Session) -> Vec<MarkDocument> {
        let marks = Marks::read(self.library).unwrap_or_default();
        marks.documents(self.library, &session.id)
    }

    fn note_list(&mut self, event: &Event) {
        self.has_running_changed |= matches!(
            event.what,
            EventKind::SessionStarted { .. } | EventKind::Status(_) | EventKind::SessionEnded(_)
        );
        self.changed.insert(event.session_id.clone());
        self.changed_since.get_or_insert_with(Instant::now);
    }

    /// Files changed, perhaps of sessions that are not followed, such as deleted ones.
    fn files_changed(&mut self, changed: &WatchedChange) {
        if let WatchedChange::Files(paths) = changed {
            let stems =
                paths.iter().filter(|path| path.extension().is_some_and(|it| it == "jsonl"));
            let ids = stems.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
            for id in ids.collect::<Vec<_>>() {
                if !id.starts_with("agent-") && self.admits(&id) {
                    self.changed.insert(id);
                }
            }
        }
        self.changed_since.get_or_insert_with(Instant::now);
    }

    /// Reports the changes of lists, if they are due.
    fn publish_lists(&mut self) {
        if self.changed_since.is_none_or(|since| since.elapsed() < LISTS) {
            return;
        }
        self.changed_since = None;
        let ids = std::mem::take(&mut self.changed);
        if let Some(data) = self.app.safe_json(&serde_json::json!({ "sessions": ids })) {
            self.app.hub.publish("list", None, data);
        }
        if std::mem::take(&mut self.has_running_changed)
            && let Some(data) = crate::routes::lists::running_json(self.app)
        {
            self.app.hub.publish("running", None, data);
        }
        index_keeper::refresh_later(self.app);
    }
}
