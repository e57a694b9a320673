//! Looking again at the files of the index without listing folders: which files
//! there are is known for as long as the folders look as they did.

use super::sources::{TextSources, on_disk};
use crate::Library;
use index::{IndexError, IndexedFile, Listing, Look, MemoFile, Searcher, SourceKind};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::Path;
use store::{FolderLook, NotedFolder};

/// Changes with what is looked for in folders.
const VERSION: u32 = 1;

impl Library {
    /// What decides which folders are looked into; nothing if which files count
    /// is decided by more than that.
    pub(crate) fn listing_key(&self) -> Option<String> {
        let stamp = match &self.options.shelf {
            Some(behind) => behind.stamp()?,
            None => String::new(),
        };
        let is_plain = self.options.exclude.is_empty()
            && self.roots.iter().all(|root| root.transcript().is_none());
        let is_told = self.is_told_where();
        is_plain.then(|| format!("{VERSION} {is_told} {stamp} {:?}", self.roots))
    }

    /// The files of the index as they look now, if they are all there is.
    pub(super) fn look_again<'s>(
        &self,
        searcher: &'s Searcher,
    ) -> Result<Option<Vec<(&'s IndexedFile, Look)>>, IndexError> {
        let Some(key) = self.listing_key() else { return Ok(None) };
        let Some(listing) = searcher.listing(&key)? else { return Ok(None) };
        Ok(looks(&listing, searcher.files(), |file| Told {
            path: &file.path,
            is_kept: file.is_kept,
            look: file.look,
            is_anybodys: is_anybodys(file.kind, file.session.as_deref()),
        }))
    }

    /// The transcripts that the index remembers as they look now, with their
    /// numbers, if they are all there is.
    pub(crate) fn remembered_again(&self) -> Option<Vec<((usize, &MemoFile), Look)>> {
        let memo = self.memo()?;
        let files = memo.files().iter().enumerate();
        looks(memo.listing()?, files, |(_, file)| Told {
            path: &file.path,
            is_kept: file.is_kept,
            look: file.look,
            is_anybodys: is_anybodys(file.kind, file.session.as_deref()),
        })
    }

    /// What is to be remembered of the folders that sources were found in; nothing
    /// if one of them may have changed since.
    pub(super) fn listing_of(
        &self,
        key: Option<String>,
        found: &TextSources,
        noted: Vec<NotedFolder>,
    ) -> Option<Listing> {
        let is_whole = found.unlisted.is_empty()
            && noted.iter().all(|folder| folder.is_settled)
            && !self.kept_roots().iter().any(|root| self.is_known_place(root));
        let folders = noted.into_iter().map(|folder| (folder.path, folder.look)).collect();
        key.filter(|_| is_whole).map(|key| Listing { key, folders })
    }
}

/// What the index says of a file.
struct Told<'f> {
    path: &'f Path,
    is_kept: bool,
    look: Option<Look>,
    /// Whether its own lines did not say whose it is, and may do so by now.
    is_anybodys: bool,
}

fn is_anybodys(kind: SourceKind, session: Option<&str>) -> bool {
    kind == SourceKind::Agent && session.is_none()
}

/// Files as they look now, if their folders look as they did; those of other
/// folders were found by whoever looks elsewhere.
fn looks<F>(
    listing: &Listing,
    files: impl Iterator<Item = F>,
    told: impl Fn(&F) -> Told<'_>,
) -> Option<Vec<(F, Look)>> {
    let mut folders: HashSet<&OsStr> = HashSet::with_capacity(listing.folders.len());
    for (path, then) in &listing.folders {
        if FolderLook::of(path).ok() != Some(*then) {
            return None;
        }
        folders.insert(path.as_os_str());
    }
    let mut looks = Vec::new();
    for file in files {
        let Told { path, is_kept, look: then, is_anybodys } = told(&file);
        if path.parent().is_some_and(|folder| folders.contains(folder.as_os_str())) {
            let now = if is_kept { then } else { on_disk(path).ok().flatten() };
            if is_anybodys && now != then {
                return None;
            }
            looks.push((file, now?));
        }
    }
    Some(looks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Filter, IndexWish, NoProgress, Options, Order, SearchWish};
    use index::Query;
    use jiff::Timestamp;
    use std::path::PathBuf;
    use std::time::Duration;
    use store::{FolderNotes, RootOrigin};
    use testkit::{Sandbox, assistant, session_id, user};

    const CWD: &str = "/home/ada/app";

    fn open(sandbox: &Sandbox) -> Library {
        Library::open(Options {
            roots: vec![(sandbox.config(), RootOrigin::Environment)],
            home: Some(sandbox.annals_home()),
            ..Options::default()
        })
    }

    fn made() -> Sandbox {
        let sandbox = Sandbox::new();
        for number in 1..=3 {
            let lines = [
                user(&format!("prompt{number}")).with("uuid", "u"),
                assistant("answer").with("uuid", "a"),
            ];
            sandbox.session(CWD, &session_id(number), lines);
        }
        sandbox.agent(CWD, &session_id(1), "agent-a1", [assistant("agentword").with("uuid", "b")]);
        sandbox.write("plans/one.md", "planword");
        sandbox
    }

    fn wish() -> IndexWish {
        IndexWish { memory: 32 << 20, patience: Duration::MAX, is_strict: false }
    }

    /// Brings the index up to date and remembers the folders as if they had been
    /// quiet for long.
    fn remember(sandbox: &Sandbox) {
        let library = open(sandbox);
        library.refresh_index(wish(), &NoProgress).expect("an index");
        let index = library.index().expect("an index");
        let searcher = index.searcher().expect("an index").expect("an index");
        let notes = FolderNotes::default();
        let found = library.text_sources(&|_, _| None, &notes);
        let mut folders = notes.take();
        for folder in &mut folders {
            folder.is_settled = true;
        }
        let listing =
            library.listing_of(library.listing_key(), &found, folders).expect("a listing");
        drop(searcher);
        let ingest = index.ingest(32 << 20).expect("an index").expect("the lock");
        ingest.remember(&listing).expect("room");
        // Clocks of file systems tick in steps of some milliseconds.
        std::thread::sleep(Duration::from_millis(30));
    }

    fn is_known(sandbox: &Sandbox) -> bool {
        let library = open(sandbox);
        let searcher = library.index().expect("a place").searcher().expect("an index");
        library.look_again(&searcher.expect("an index")).expect("an answer").is_some()
    }

    fn hits(sandbox: &Sandbox, word: &str) -> usize {
        let library = open(sandbox);
        let query = Query::parse(word).expect("a query");
        let (filter, marked) = (Filter::default(), HashSet::new());
        let wanted = SearchWish {
            query: &query,
            filter: &filter,
            marked: &marked,
            order: Order::Score,
            offset: 0,
            limit: 10,
            around: 0,
            now: Timestamp::UNIX_EPOCH,
        };
        library
            .search(wish(), &wanted, &NoProgress, |answer, freshness| {
                assert!(freshness.is_fresh, "{:?}", freshness.notes);
                answer.total
            })
            .expect("an answer")
    }

    #[test]
    fn what_grew_is_found_without_listing() {
        let sandbox = made();
        remember(&sandbox);
        assert!(is_known(&sandbox));
        sandbox.session(CWD, &session_id(2), said());
        assert!(is_known(&sandbox));
        assert_eq!(hits(&sandbox, "newword"), 1);
        assert_eq!(hits(&sandbox, "prompt2"), 0);
        assert_eq!(hits(&sandbox, "agentword"), 1);
        assert_eq!(hits(&sandbox, "planword"), 1);
    }

    type ChangeOf = fn(&Sandbox);

    fn said() -> [String; 1] {
        [user("newword").with("uuid", "n").to_string()]
    }

    fn agent(sandbox: &Sandbox, session: u32, name: &str) {
        sandbox.agent(CWD, &session_id(session), name, said());
    }

    fn copy(sandbox: &Sandbox) {
        let name = format!("{}-20260101-000000.jsonl", session_id(8));
        let [line] = said();
        sandbox.write(&format!("pre-compact-session-histories/{name}"), line + "\n");
    }

    fn transcript(sandbox: &Sandbox, session: u32) -> PathBuf {
        let folder = sandbox.projects().join(store::folder_name(CWD));
        folder.join(format!("{}.jsonl", session_id(session)))
    }

    #[test]
    fn whatever_comes_or_goes_is_seen() {
        let cases: [(&str, ChangeOf, &str, usize); 9] = [
            ("a session", |it| drop(it.session(CWD, &session_id(9), said())), "newword", 1),
            ("a project", |it| drop(it.session("/other", &session_id(9), said())), "newword", 1),
            ("an agent", |it| agent(it, 1, "agent-a2"), "newword", 1),
            ("the first agent of a session", |it| agent(it, 2, "agent-a3"), "newword", 1),
            ("an agent of a workflow", |it| agent(it, 1, "workflows/wf_1/agent-a4"), "newword", 1),
            ("a plan", |it| drop(it.write("plans/two.md", "newword")), "newword", 1),
            ("a copy", copy, "newword", 1),
            ("a session that goes", |it| it.remove(&transcript(it, 3)), "prompt3", 0),
            (
                "a project that goes",
                |it| it.remove_folder(transcript(it, 1).parent().expect("a folder")),
                "prompt1",
                0,
            ),
        ];
        for (name, change, word, expected) in cases {
            let sandbox = made();
            remember(&sandbox);
            assert!(is_known(&sandbox), "{name}");
            change(&sandbox);
            assert!(!is_known(&sandbox), "{name}");
            assert_eq!(hits(&sandbox, word), expected, "{name}");
        }
    }

    #[test]
    fn what_was_excluded_for_a_while_is_found_again() {
        let sandbox = made();
        remember(&sandbox);
        let glob = globset::Glob::new(&format!("**/{}.jsonl", session_id(1))).expect("a pattern");
        let exclude = globset::GlobSetBuilder::new().add(glob).build().expect("patterns");
        let options = Options { exclude, ..open(&sandbox).options.clone() };
        Library::open(options).refresh_index(wish(), &NoProgress).expect("an index");
        assert_eq!(hits(&sandbox, "prompt1"), 1);
    }

    #[test]
    fn what_is_found_by_looking_elsewhere_changes_nothing_here() {
        let sandbox = made();
        let folder = transcript(&sandbox, 1).parent().expect("a folder").to_owned();
        let [line] = said();
        let backup = sandbox.write("projects/-home-ada-app/backup.jsonl", line + "\n");
        assert_eq!(backup.parent(), Some(folder.as_path()));
        remember(&sandbox);
        let options =
            Options { roots: vec![(backup, RootOrigin::Flag)], ..open(&sandbox).options.clone() };
        Library::open(options).refresh_index(wish(), &NoProgress).expect("an index");
        assert_eq!(hits(&sandbox, "newword"), 0);
        let (with, without) =
            (open(&sandbox), Options { no_index: true, ..open(&sandbox).options });
        let files = |library: &Library| library.usage_files(&mut Vec::new()).len();
        assert_eq!(files(&with), files(&Library::open(without)));
    }

    #[test]
    fn an_agent_beside_transcripts_may_say_later_whose_it_is() {
        let sandbox = made();
        let agent = sandbox.write("projects/-home-ada-app/agent-late.jsonl", "");
        remember(&sandbox);
        assert!(is_known(&sandbox));
        let line = assistant("lateword").with("sessionId", session_id(1)).with("isSidechain", true);
        sandbox.append(&agent, format!("{line}\n"));
        assert!(!is_known(&sandbox));
        assert_eq!(hits(&sandbox, &format!("lateword session:{}", session_id(1))), 1);
    }

    #[test]
    fn other_roots_and_exclusions_remember_nothing() {
        let sandbox = made();
        remember(&sandbox);
        let key = open(&sandbox).listing_key();
        assert!(key.is_some());
        let mut options = Options {
            roots: vec![(sandbox.projects(), RootOrigin::Flag)],
            home: Some(sandbox.annals_home()),
            ..Options::default()
        };
        assert_ne!(Library::open(options.clone()).listing_key(), key);
        let glob = globset::Glob::new("/secret/**").expect("a pattern");
        options.exclude = globset::GlobSetBuilder::new().add(glob).build().expect("patterns");
        assert_eq!(Library::open(options).listing_key(), None);
    }
}
