//! Filtering by bytes changes no result: the sessions of `sessions_to_grep`
//! have the same hits and read errors as the list of all sessions.

use jiff::Timestamp;
use library::catalog::Filter;
use library::lines::ReadError;
use library::pattern::{Pattern, PatternOptions};
use library::progress::{NoProgress, Progress};
use library::search::{ContextLines, GrepDemand, GrepOptions, HitOwner};
use library::session::Session;
use library::sessions::Role;
use library::{Library, Options};
use proptest::prelude::*;
use redact::{Level, Redactor};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use store::testing::MemoryShelf;
use store::{RootOrigin, Shelf, ShelfEntry, ShelfFile, ShelfStat};
use testkit::{Sandbox, metadata, session_id, user};

/// The hits of a search in sessions, with everything known of the sessions, and
/// the read errors.
fn found(
    library: &Library,
    all: &[Session],
    search: &GrepOptions<'_>,
) -> (Vec<String>, Vec<ReadError>) {
    let wanted: Vec<&Session> = all.iter().collect();
    let mut found = Vec::new();
    let read_errors = library.search().grep(&wanted, search, &NoProgress, |of, hits| {
        let whose = match of {
            HitOwner::Session(number) => format!("{:?}", all[number]),
            HitOwner::Plan(path) => path.display().to_string(),
        };
        found.push(format!("{whose} {hits:?}"));
        GrepDemand::Hits
    });
    (found, read_errors)
}

/// Searches both ways. Returns how many sessions the filtered search reads.
fn compare(library: &Library, search: &GrepOptions<'_>) -> usize {
    let list = library.catalog().all_sessions();
    let left = library.catalog().sessions_without_transcript(&list);
    let timeless = Filter { since: None, until: None, ..search.filter.clone() };
    let mut all: Vec<Session> = list.sessions.into_iter().chain(left).collect();
    all.retain(|session| timeless.admits(session));
    let (possible, read_errors) = library.search().sessions_to_grep(search, &NoProgress);
    assert_eq!(list.read_errors, read_errors, "{search:?}");
    let (expected, quick) = (found(library, &all, search), found(library, &possible, search));
    assert_eq!(expected, quick, "{search:?}");
    possible.len()
}

fn pattern(text: &str) -> Pattern {
    let fixed = !text.starts_with("(?");
    Pattern::new(text, PatternOptions { fixed, ..PatternOptions::default() }).unwrap()
}

fn search<'a>(pattern: &'a Pattern, filter: &'a Filter, roles: &'a [Role]) -> GrepOptions<'a> {
    GrepOptions { pattern, roles, filter, around: ContextLines::lines(1), most: 5 }
}

/// A file that contains a word.
#[derive(Clone, Copy, Debug)]
enum Piece {
    /// A transcript: a copy if it is in two projects; another session may
    /// continue it.
    Main(Option<u32>),
    Agent,
    /// An agent beside the transcripts, with or without a session.
    Flat(bool),
    /// One that gives the name of its folder as its session.
    OddFlat,
    Output,
    /// An output where a session of that name would have it.
    OddOutput,
    /// An agent in a folder that is named like its session, and its output.
    OddAgent,
    OddAgentOutput,
    Plan,
    PreCompact,
    Foreign,
    /// An agent among the transcripts of other tools.
    ForeignAgent,
}

/// Where a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    DiskAndShelf,
    Shelf,
    /// In the archive, which cannot read it.
    Damaged,
    Disk,
}

#[derive(Clone, Debug)]
struct Put {
    piece: Piece,
    session: u32,
    project: u32,
    word: &'static str,
    is_escaped: bool,
    place: Where,
}

const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
const WORDS: [&str; 7] = ["kelp", "foam", "reef", "gull", "a/b", "sée", SECRET];

fn puts() -> impl Strategy<Value = Vec<Put>> {
    let piece = prop_oneof![
        4 => prop::option::of(1_u32..5).prop_map(Piece::Main),
        2 => Just(Piece::Agent),
        2 => any::<bool>().prop_map(Piece::Flat),
        1 => Just(Piece::OddFlat),
        2 => Just(Piece::Output),
        1 => Just(Piece::OddOutput),
        1 => Just(Piece::OddAgent),
        1 => Just(Piece::OddAgentOutput),
        1 => Just(Piece::Plan),
        2 => Just(Piece::PreCompact),
        1 => Just(Piece::Foreign),
        1 => Just(Piece::ForeignAgent),
    ];
    let place = prop_oneof![
        3 => Just(Where::DiskAndShelf),
        1 => Just(Where::Shelf),
        1 => Just(Where::Damaged),
        1 => Just(Where::Disk),
    ];
    let word = prop::sample::select(WORDS.as_slice());
    let put = (piece, 1_u32..5, 1_u32..3, word, any::<bool>(), place);
    let put = put.prop_map(|(piece, session, project, word, is_escaped, place)| Put {
        piece,
        session,
        project,
        word,
        is_escaped,
        place,
    });
    prop::collection::vec(put, 1..12)
}

impl Put {
    fn path(&self) -> String {
        let Put { session, project, .. } = self;
        let id = session_id(*session);
        let folder = format!("projects/-p{project}");
        match self.piece {
            Piece::Main(_) => format!("{folder}/{id}.jsonl"),
            Piece::Agent => format!("{folder}/{id}/subagents/agent-n{project}.jsonl"),
            Piece::Flat(_) => format!("{folder}/agent-f{session}.jsonl"),
            Piece::OddFlat => format!("{folder}/agent-o{session}.jsonl"),
            Piece::Output => format!("{folder}/{id}/tool-results/t{project}.txt"),
            Piece::OddOutput => format!("{folder}/tool-results/t.txt"),
            Piece::OddAgent => format!("{folder}/{id}/subagents/{id}/agent-m.jsonl"),
            Piece::OddAgentOutput => format!("{folder}/{id}/subagents/{id}/tool-results/m.txt"),
            Piece::Plan => format!("plans/slug{session}.md"),
            Piece::PreCompact => {
                format!("pre-compact-session-histories/{id}-2026010{project}-000000.jsonl")
            }
            Piece::Foreign => format!("transcripts/ses_{session}.jsonl"),
            Piece::ForeignAgent => format!("transcripts/agent-g{session}.jsonl"),
        }
    }

    fn bytes(&self) -> String {
        let Put { session, project, word, .. } = self;
        let owner = match self.piece {
            Piece::Output | Piece::OddOutput | Piece::OddAgentOutput | Piece::Plan => {
                return format!("above\na {word} of {project}\n");
            }
            Piece::Flat(false) => Value::Null,
            Piece::OddFlat => json!(format!("-p{project}")),
            Piece::ForeignAgent => json!(format!("ses_{session}")),
            _ => json!(session_id(*session)),
        };
        let line = user("WORD").with("sessionId", owner).with("slug", format!("slug{session}"));
        let mut lines = line.to_string().replacen("WORD", &self.written(), 1) + "\n";
        if let Piece::Main(Some(next)) = self.piece {
            let next = ("continuedInSessionId", json!(session_id(next)));
            lines += &(metadata("continued-in", &[next]).to_string() + "\n");
        }
        lines
    }

    /// The word in JSON, raw or with escaped characters.
    fn written(&self) -> String {
        let mut text = String::new();
        for (number, character) in self.word.chars().enumerate() {
            match character {
                '/' if self.is_escaped => text += "\\/",
                other if self.is_escaped && number == 1 => {
                    write!(text, "\\u{:04x}", u32::from(other)).unwrap();
                }
                other => text.push(other),
            }
        }
        text
    }

    fn write(&self, sandbox: &Sandbox) {
        let path = sandbox.write(&self.path(), self.bytes());
        sandbox.set_modified(&path, 1_700_000_000 + i64::from(self.session % 3) * 100);
    }
}

/// An archive that can read only the first bytes of some files.
#[derive(Debug)]
struct DamagedShelf {
    whole: MemoryShelf,
    damaged: Vec<PathBuf>,
}

impl Shelf for DamagedShelf {
    fn roots(&self) -> Vec<PathBuf> {
        self.whole.roots()
    }

    fn entries(&self, folder: &Path) -> Vec<ShelfEntry> {
        self.whole.entries(folder)
    }

    fn find(&self, path: &Path) -> Option<ShelfStat> {
        self.whole.find(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn ShelfFile>> {
        let mut file = self.whole.open(path)?;
        if !self.damaged.iter().any(|damaged| damaged == path) {
            return Ok(file);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        bytes.truncate(20);
        Ok(Box::new(Damaged(Cursor::new(bytes))))
    }
}

struct Damaged(Cursor<Vec<u8>>);

impl Read for Damaged {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("damaged")),
            read => Ok(read),
        }
    }
}

impl io::Seek for Damaged {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// A generated store, and an archive behind it. It is a named root, or only the
/// archive knows it.
fn library(sandbox: &Sandbox, puts: &[Put], is_named: bool) -> Library {
    for put in puts.iter().filter(|put| put.place != Where::Disk) {
        put.write(sandbox);
    }
    sandbox.folder("projects");
    let whole = MemoryShelf::of(&sandbox.config());
    let mut damaged = Vec::new();
    for put in puts {
        let path = sandbox.config().join(put.path());
        if matches!(put.place, Where::Shelf | Where::Damaged) && path.exists() {
            sandbox.remove(&path);
        }
        if put.place == Where::Damaged {
            damaged.push(path);
        }
    }
    for put in puts.iter().filter(|put| put.place == Where::Disk) {
        put.write(sandbox);
    }
    let root = if is_named {
        (sandbox.config(), RootOrigin::Flag)
    } else {
        (sandbox.folder("elsewhere"), RootOrigin::Home)
    };
    let shelf: Arc<dyn Shelf> = Arc::new(DamagedShelf { whole, damaged });
    Library::open(Options { roots: vec![root], shelf: Some(shelf), ..Options::default() })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn prefilter_loses_no_hits_on_generated_stores(
        puts in puts(),
        is_named in any::<bool>(),
        is_masking in any::<bool>(),
        since in prop::option::of(Just(Timestamp::from_second(1_700_000_050).unwrap())),
        roles in prop::sample::select(vec![
            vec![], vec![Role::ToolResult], vec![Role::Plan], vec![Role::User, Role::Plan],
        ]),
    ) {
        let sandbox = Sandbox::new();
        let mut library = library(&sandbox, &puts, is_named);
        if is_masking {
            library = library.masking(Arc::new(Redactor::new(Level::Standard, [7; 32])));
        }
        let filter = Filter { since, ..Filter::default() };
        for text in WORDS.into_iter().chain(["nowhere", "(?i)KEL", "redacted", "(?s)a .* of", "16C7e"]) {
            compare(&library, &search(&pattern(text), &filter, &roles));
        }
    }
}

/// A file on disk and in the archive, in the first project.
fn put(piece: Piece, session: u32, word: &'static str) -> Put {
    Put { piece, session, project: 1, word, is_escaped: false, place: Where::DiskAndShelf }
}

#[test]
fn hits_reached_only_indirectly_are_found() {
    let late = |put: Put| Put { place: Where::Disk, ..put };
    // (the files, whether the root is named, part of the result as text)
    let table = [
        // An agent among the transcripts of other tools belongs to one of them.
        (vec![put(Piece::Foreign, 1, "kelp"), put(Piece::ForeignAgent, 1, "foam")], true, "ses_1"),
        // An agent of an archived session, written after that was archived.
        (
            vec![put(Piece::Main(None), 1, "kelp"), late(put(Piece::Flat(true), 1, "foam"))],
            false,
            "f1",
        ),
        // The folder of a session without a transcript is the nearest of its
        // name.
        (
            vec![put(Piece::OddAgent, 1, "kelp"), put(Piece::OddAgentOutput, 1, "foam")],
            true,
            "m.txt",
        ),
        // A session is continued by one without a hit.
        (
            vec![put(Piece::Main(Some(2)), 1, "foam"), put(Piece::Main(None), 2, "kelp")],
            true,
            "Continued",
        ),
    ];
    let (filter, pattern) = (Filter::default(), pattern("foam"));
    for (puts, is_named, expected) in table {
        let sandbox = Sandbox::new();
        let library = library(&sandbox, &puts, is_named);
        let search = search(&pattern, &filter, &[]);
        compare(&library, &search);
        let (possible, _) = library.search().sessions_to_grep(&search, &NoProgress);
        let (hits, _) = found(&library, &possible, &search);
        assert!(hits.iter().any(|hit| hit.contains(expected)), "{expected}: {hits:#?}");
    }
}

/// Counts the bytes that are reported as read.
#[derive(Default)]
struct Counted {
    expected: AtomicU64,
    read: AtomicU64,
}

impl Progress for Counted {
    fn start(&self, bytes: u64) {
        self.expected.fetch_add(bytes, Ordering::Relaxed);
    }
    fn advance(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }
    fn finish(&self) {}
}

#[test]
fn only_sessions_with_possible_hits_are_listed() {
    let sandbox = Sandbox::new();
    for number in 1..=200 {
        let text = match number {
            7 => "one quokka".to_owned(),
            8 => r"q\u0075okka".to_owned(),
            9 => r"\u0051uark".to_owned(),
            number if number % 5 == 0 => "a fifth".to_owned(),
            _ => "nothing".to_owned(),
        };
        let line = user("TEXT").to_string().replacen("TEXT", &text, 1);
        sandbox.session("/p", &session_id(number), [line]);
    }
    let roots = vec![(sandbox.config(), RootOrigin::Flag)];
    let library = Library::open(Options { roots, ..Options::default() });
    let filter = Filter::default();
    for (text, expected) in [("quokka", 2), ("nowhere", 0), ("fifth", 40), ("user", 200)] {
        let pattern = pattern(text);
        let search = search(&pattern, &filter, &[]);
        assert_eq!(compare(&library, &search), expected, "{text}");
        let progress = Counted::default();
        library.search().sessions_to_grep(&search, &progress);
        let (all, read) = (progress.expected.into_inner(), progress.read.into_inner());
        // The filter soon gives up on words that most files contain.
        assert!(all > 0 && (read == all) == (expected < 200), "{text}: {read} of {all}");
    }
}

/// Real transcripts, if they are available.
#[test]
fn prefilter_loses_no_hits_on_real_stores() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
    if !path.is_dir() {
        println!("SKIPPED: no real transcripts at {}", path.display());
        return;
    }
    let library =
        Library::open(Options { roots: vec![(path, RootOrigin::Flag)], ..Options::default() });
    let filter = Filter::default();
    let texts = [
        "quokka zither",
        "rustfmt",
        "segfault",
        "kubernetes",
        "src/main.rs",
        "\u{2014}",
        "(?i)todo: fix",
        "<div>",
        "(?i)deadlock|livelock",
        "日本",
    ];
    for text in texts {
        let looked = compare(&library, &search(&pattern(text), &filter, &[]));
        println!("{text}: {looked}");
    }
}
