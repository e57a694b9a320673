//! Damage that keeps every stamp of the index file, as a failing disk makes it.

use index::{
    FileSelection, Index, IndexError, IngestOptions, IngestProgress, Query, SearchRequest, Source,
    SourceKind, SqlRequest, SqlSink, SqlValue,
};
use redact::{Level, Redactor};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use store::progress::CancellationToken;
use store::{FileStat, Files};
use testkit::{Sandbox, assistant, damage_index_silently, file, session_id, user};

const PAGE: u64 = 4096;

struct Quiet;

impl IngestProgress for Quiet {
    fn start(&self, _: u64) {}
    fn advance(&self, _: u64) {}
}

struct Rows(Vec<Vec<SqlValue>>);

impl SqlSink for Rows {
    fn columns(&mut self, _: &[String]) {}

    fn row(&mut self, values: Vec<SqlValue>) -> bool {
        self.0.push(values);
        true
    }
}

/// A store with its index, and the number of sessions in it.
struct Store {
    sandbox: Sandbox,
    sessions: u32,
}

impl Store {
    /// Sessions of this many different words, each with one word that all have.
    fn new(sessions: u32, words: u32) -> Store {
        let mut store = Store { sandbox: Sandbox::new(), sessions: 0 };
        for _ in 0..sessions {
            store.add(words);
        }
        store.refresh().unwrap();
        store
    }

    fn add(&mut self, words: u32) {
        self.sessions += 1;
        let number = self.sessions;
        let words: Vec<String> = (0..words).map(|word| format!("word{number}x{word}")).collect();
        let lines = [
            user(&format!("Where is the kelp of {number}?")).session(&session_id(number)),
            assistant(&words.join(" ")).session(&session_id(number)),
        ];
        self.sandbox.write(&format!("{number}.jsonl"), file(&lines));
    }

    fn index(&self) -> Index {
        Index::new(self.sandbox.annals_home())
    }

    fn refresh(&self) -> Result<(), IndexError> {
        let source = |number: u32| {
            let path = self.sandbox.config().join(format!("{number}.jsonl"));
            let stamp = FileStat::of(&std::fs::metadata(&path).unwrap()).into();
            let session = Some(session_id(number));
            Source {
                path,
                kind: SourceKind::Main,
                session,
                agent: None,
                stamp,
                is_archive_only: false,
            }
        };
        let options = IngestOptions {
            sources: (1..=self.sessions).map(source).collect(),
            files: Files::disk(),
            owns: &|_: &Path| true,
            redactor_of: &|_| Arc::new(Redactor::new(Level::Standard, [0; 32])),
            masked_with: &|_| std::collections::HashSet::new(),
            values: &Vec::new,
            memory: 32 << 20,
            is_part: false,
            listing: None,
            shows: &|_, _| true,
        };
        let report = self.index().ingest(options.memory)?.unwrap().run(&options, &Quiet)?;
        assert!(report.unread.is_empty(), "{:?}", report.unread);
        Ok(())
    }

    /// The places of the matches of a query, by path.
    fn search(&self, query: &str) -> Result<Vec<(String, u64)>, IndexError> {
        let searcher = self.index().searcher()?.unwrap();
        let question = SearchRequest {
            query: &Query::parse(query).unwrap(),
            since: None,
            until: None,
            admits: FileSelection::Fitting(&|_| true),
            marked: &HashSet::new(),
            now: 0,
            most: 2000,
        };
        let mut found = Vec::new();
        for one in searcher.search(&question)?.matches {
            let file = searcher.file(one.file)?.unwrap();
            assert!(searcher.hash(one.text)?.is_some());
            found.push((file.path.to_string_lossy().into_owned(), one.offset));
        }
        found.sort();
        Ok(found)
    }

    fn sql(&self) -> Result<Vec<Vec<SqlValue>>, IndexError> {
        let text = "SELECT session_id, count(*) FROM blocks GROUP BY 1 ORDER BY 1";
        let timeout = Duration::from_mins(1);
        let question = SqlRequest {
            text,
            timeout,
            token: CancellationToken::default(),
            shows: &|_| true,
            shown_path: &|_| None,
            calls: &|_| Vec::new(),
        };
        let mut rows = Rows(Vec::new());
        self.index().sql(&question, &mut rows).map(|_| rows.0)
    }

    fn memo(&self) -> Result<Vec<(String, u64, Vec<u8>)>, IndexError> {
        let index = self.index();
        let memo = index.memo(None)?.unwrap();
        let numbers: Vec<usize> = (0..memo.files().len()).collect();
        let (folds, counts) = (index.folds(&memo, &numbers)?, index.prompt_counts(&memo)?);
        let files = memo.files().iter().zip(counts).zip(folds);
        Ok(files
            .map(|((file, counts), fold)| {
                let path = file.path.to_string_lossy().into_owned();
                (path, counts.prompts, fold.unwrap_or_default())
            })
            .collect())
    }

    fn pages(&self) -> u64 {
        std::fs::metadata(self.index().path()).unwrap().len() / PAGE
    }

    /// Flips bits of a byte; the same again flips them back.
    fn flip(&self, at: u64) {
        let home = self.sandbox.annals_home();
        damage_index_silently(&home, at, 1, |bytes| bytes[0] ^= 0x15);
    }
}

fn is_damaged<T>(answer: &Result<T, IndexError>) -> bool {
    matches!(answer, Err(IndexError::Damaged(_)))
}

#[test]
fn index_written_in_many_commits_passes_the_check_of_its_pages() {
    // More than the write-ahead log holds before it is copied to the file.
    let mut store = Store::new(40, 12_000);
    assert!(store.pages() > 1500, "{}", store.pages());
    store.index().examine().unwrap();
    for words in [3, 800, 20] {
        store.add(words);
        store.refresh().unwrap();
        store.index().examine().unwrap();
    }
    // Sessions that are gone are removed.
    store.sessions -= 20;
    store.refresh().unwrap();
    store.index().examine().unwrap();
    let seal = std::fs::read_to_string(store.sandbox.annals_home().join("index.db.seal")).unwrap();
    assert!(!seal.lines().nth(3).unwrap().starts_with("none"), "{seal}");
    assert_eq!(store.search("kelp").unwrap().len(), 23);
}

#[test]
fn damage_of_any_page_is_noticed_by_doctor_and_by_sql_and_never_gives_a_wrong_answer() {
    let store = Store::new(60, 60);
    let truth = (store.search("kelp").unwrap(), store.memo().unwrap());
    let phrase = store.search("\"word7x3 word7x4\" kelp OR wor* -absent").unwrap();
    store.sql().unwrap();
    let (mut search, mut memo) = (0, 0);
    for page in 0..store.pages() {
        let at = page * PAGE + (page * 977 + 13) % PAGE;
        store.flip(at);
        assert!(is_damaged(&store.sql()), "sql, page {page}");
        assert!(is_damaged(&store.index().examine()), "doctor, page {page}");
        match store.search("kelp") {
            Ok(answer) => assert_eq!(answer, truth.0, "page {page}"),
            Err(error) => {
                assert!(error.needs_rebuild(), "{error}");
                search += 1;
            }
        }
        match store.search("\"word7x3 word7x4\" kelp OR wor* -absent") {
            Ok(answer) => assert_eq!(answer, phrase, "page {page}"),
            Err(error) => assert!(error.needs_rebuild(), "{error}"),
        }
        match store.memo() {
            Ok(answer) => assert_eq!(answer, truth.1, "page {page}"),
            Err(error) => {
                assert!(error.needs_rebuild(), "{error}");
                memo += 1;
            }
        }
        store.flip(at);
    }
    assert!(search > 3 && memo > 3, "noticed by search {search}, by usage {memo}");
    assert_eq!(store.search("kelp").unwrap(), truth.0);
}

#[test]
fn writer_notices_damage_of_a_page_that_it_replaces() {
    let mut store = Store::new(40, 20);
    let mut noticed = 0;
    let pages = store.pages();
    for page in 1..pages {
        let at = page * PAGE + 4000;
        store.flip(at);
        store.add(5);
        if store.refresh().is_err() {
            noticed += 1;
            // The library builds a new one.
            store.index().remove().unwrap();
            store.refresh().unwrap();
        } else {
            assert!(is_damaged(&store.index().examine()), "page {page} was taken over");
            store.index().remove().unwrap();
            store.refresh().unwrap();
        }
    }
    assert!(noticed > 0, "none of {pages}");
}

#[test]
fn whole_file_is_checked_once_a_day() {
    let store = Store::new(20, 200);
    let checked = store.sandbox.annals_home().join("index.db.checked");
    store.search("kelp").unwrap();
    let before = std::fs::metadata(&checked).unwrap().modified().unwrap();
    // A page that no search for this word uses.
    let unused = (1..store.pages()).map(|page| page * PAGE + 2000).find(|at| {
        store.flip(*at);
        let is_unused = store.search("kelp").is_ok();
        store.flip(*at);
        is_unused
    });
    store.flip(unused.unwrap());
    assert!(store.search("kelp").is_ok());
    let file = std::fs::File::options().write(true).open(&checked).unwrap();
    file.set_modified(before - Duration::from_hours(25)).unwrap();
    assert!(is_damaged(&store.search("kelp")));
}
