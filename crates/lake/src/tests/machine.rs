//! A machine that pushes, from transcripts to objects.

use crate::bucket::Bucket;
use crate::decision::Decisions;
use crate::memory::NoMemory;
use crate::names::{Audience, Level, SegmentName, Table};
use crate::push::{PushError, PushOptions, PushReport, Pusher};
use crate::rows::{CallRow, DayRow, LineRow, Rows};
use crate::segment::Format as _;
use crate::segment_file::ParquetFormat;
use crate::shared::{KnownSessions, ShareRule, SharedSessions, SharingRules};
use crate::tests::bucket::{Objects, SteppedBucket, finish_at_once};
use globset::Glob;
use library::progress::NoProgress;
use library::{Library, Options};
use redact::{Level as MaskingLevel, Redactor};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use testkit::{Line, Sandbox, call, chained, session_id, user};

/// The folder of the project in which people work.
pub(super) const WORK: &str = "/home/ada/work/tides";

/// A machine with a store, a lake, and rules.
pub(super) struct Machine {
    owner: &'static str,
    pub sandbox: Sandbox,
    pub objects: Rc<Objects>,
    pub rules: SharingRules,
    pub decisions: Decisions,
    known: KnownSessions,
}

impl Machine {
    /// Everything below the work folder is shared at a level, for its owner.
    pub(super) fn new(level: Level) -> Self {
        Machine::of("ada", level, Audience::Private)
    }

    /// The same of another owner, for other readers.
    pub(super) fn of(owner: &'static str, level: Level, audience: Audience) -> Self {
        let glob = |pattern| Glob::new(pattern).unwrap().compile_matcher();
        let rules = SharingRules {
            projects: vec![glob("/home/ada/work/**")],
            shares: vec![ShareRule { folders: glob("/home/ada/work/**"), level, audience }],
            ..SharingRules::default()
        };
        Machine {
            owner,
            sandbox: Sandbox::new(),
            objects: Rc::default(),
            rules,
            decisions: Decisions::default(),
            known: KnownSessions::default(),
        }
    }

    pub(super) fn session(&self, number: u32, folder: &str, lines: Vec<Line>) {
        let lines: Vec<Line> = lines.into_iter().map(|line| line.cwd(folder)).collect();
        self.sandbox.session(&folder.replace('/', "-"), &session_id(number), &lines);
    }

    pub(super) fn push(&self) -> PushReport {
        let bucket = SteppedBucket::free(&self.objects);
        finish_at_once(self.push_into(&bucket, PushOptions::default())).unwrap()
    }

    /// Pushes into another bucket.
    pub(super) async fn push_into<B: Bucket>(
        &self,
        bucket: &B,
        options: PushOptions,
    ) -> Result<PushReport, PushError> {
        let library = library_of(&[&self.sandbox.config()]);
        // Each installation has its own key.
        let key = blake3::hash(self.owner.as_bytes());
        let redactor = Arc::new(Redactor::new(MaskingLevel::Strict, *key.as_bytes()));
        let decisions = self.decisions.clone();
        let local = SharedSessions::find(
            &library,
            &self.rules,
            decisions,
            &redactor,
            &self.known,
            &NoProgress,
        );
        assert!(local.unread().is_empty());
        let pusher = Pusher {
            bucket,
            format: &ParquetFormat,
            local: &local,
            memory: &NoMemory,
            owner: self.owner.parse().unwrap(),
            installation: "i1".parse().unwrap(),
            options,
        };
        pusher.push().await
    }

    /// All rows in the lake, with the folder of their audience.
    pub(super) fn rows(&self, table: Table) -> Vec<(String, Rows)> {
        let mut found = Vec::new();
        for (name, bytes) in self.objects.0.borrow().iter() {
            let Some((chain, segment)) = name.split_once("/d/") else { continue };
            if segment.parse::<SegmentName>().unwrap().table == table {
                let pieces = ParquetFormat.decode(table, bytes).unwrap();
                found.extend(pieces.into_iter().map(|piece| (chain.to_owned(), piece.rows)));
            }
        }
        found
    }

    pub(super) fn calls(&self) -> Vec<CallRow> {
        let rows = self.rows(Table::Calls).into_iter().flat_map(|(_, rows)| match rows {
            Rows::Calls(rows) => rows,
            other => panic!("{other:?} among calls"),
        });
        rows.collect()
    }

    pub(super) fn days(&self) -> Vec<DayRow> {
        let rows = self.rows(Table::Days).into_iter().flat_map(|(chain, rows)| match rows {
            Rows::Days(rows) if chain.starts_with("v1/org/") => rows,
            other => panic!("{other:?} among days in {chain}"),
        });
        rows.collect()
    }

    pub(super) fn lines(&self) -> Vec<LineRow> {
        let rows = self.rows(Table::Lines).into_iter().flat_map(|(_, rows)| match rows {
            Rows::Lines(rows) => rows,
            other => panic!("{other:?} among lines"),
        });
        rows.collect()
    }

    /// Whether any object has this text, packed or not.
    pub(super) fn has(&self, text: &str) -> bool {
        let lines = self.lines().into_iter().any(|row| row.text.contains(text));
        let raw = self
            .objects
            .0
            .borrow()
            .values()
            .any(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()));
        lines || raw
    }
}

/// Four lines, two of them calls, over the end of a month.
pub(super) fn conversation() -> Vec<Line> {
    chained([
        user("Where does the tide come from?").at("2026-10-31T23:59:00.000Z"),
        call("msg_1", [100, 20, 0, 0]).at("2026-10-31T23:59:59.000Z"),
        user("From the moon?").at("2026-11-01T00:00:01.000Z"),
        call("msg_2", [7, 30, 0, 0]).at("2026-11-01T00:00:02.000Z"),
    ])
}

/// The sessions of some stores.
pub(super) fn library_of(roots: &[&Path]) -> Library {
    let roots = roots.iter().map(|root| (root.to_path_buf(), store::RootOrigin::Flag));
    Library::open(Options { roots: roots.collect(), ..Options::default() })
}
