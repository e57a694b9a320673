//! The index is complete: it finds what reading everything finds, block by
//! block, in real transcripts if they are available, and in generated ones.

#![expect(clippy::print_stdout, reason = "the counts are printed")]

use crate::typed_query::typed_query;
use conversation::{Conversation, MessageState, View};
use index::words::{WordSink, split};
use index::{FileSelection, Index, Query, SearchRequest, Searcher};
use library::progress::NoProgress;
use library::search::{IndexOptions, IndexWait, SourceKind};
use library::stores::Tier;
use library::{Library, Options};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use redact::{Level, Redactor, SessionValues, ValueKey};
use serde_json::json;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use store::RootOrigin;
use testkit::{
    Sandbox, assistant, attachment, chained, metadata, session_id, tool_error, tool_result,
    tool_use, user,
};
use transcript::{Block, Record, role, text};

/// A block: its file, the offset of its line, its number among the line's
/// texts.
type Place = (PathBuf, u64, usize);

/// A text, and every block that contains it.
struct PlacedText {
    text: String,
    kinds: BTreeSet<&'static str>,
    places: Vec<Place>,
}

/// All text, without secrets.
struct Everything {
    texts: Vec<PlacedText>,
    /// The texts that contain a word, or an identifier as a whole.
    by_word: BTreeMap<String, BTreeSet<usize>>,
    is_whole: HashSet<String>,
}

struct Words<'w> {
    text: usize,
    all: &'w mut Everything,
}

impl WordSink for Words<'_> {
    fn word(&mut self, _: Range<usize>, word: &str) {
        self.all.by_word.entry(word.to_owned()).or_default().insert(self.text);
    }

    fn whole(&mut self, _: Range<usize>, word: &str) {
        self.all.is_whole.insert(word.to_owned());
        self.all.by_word.entry(word.to_owned()).or_default().insert(self.text);
    }
}

/// The placeholder of a secret is not a word of the text.
fn without_placeholders(masked: &str) -> String {
    let placeholder = regex::Regex::new(r"\[redacted:[a-z0-9-]+:[0-9a-f]{4}\]").unwrap();
    placeholder.replace_all(masked, " ").into_owned()
}

fn open_text(redactor: &Redactor, record: &Record<'_>, piece: &text::BlockText<'_>) -> String {
    let blocks = record.message().map(transcript::Message::blocks).unwrap_or_default();
    if let Some(Block::ToolUse(call) | Block::ServerToolUse(call)) = blocks.get(piece.block)
        && let Some(input) = &call.input
        && let Cow::Owned(masked) = redactor.mask_json(input.as_str())
    {
        let name = json!(call.name.as_deref().unwrap_or_default());
        let line = format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","name":{name},"input":{masked}}}]}}}}"#
        );
        let entry = transcript::entries(line.as_bytes()).next().unwrap();
        let pieces = text::of_record(&entry.record);
        return without_placeholders(pieces.first().map_or("", |piece| &piece.text));
    }
    match redactor.mask(&piece.text) {
        Cow::Borrowed(text) => text.to_owned(),
        Cow::Owned(masked) => without_placeholders(&masked),
    }
}

impl Everything {
    /// Reads every source.
    fn read(library: &Library) -> Everything {
        let plain = Redactor::new(Level::Standard, [0; 32]);
        let mut known: BTreeMap<String, PlacedText> = BTreeMap::new();
        let mut note = |text: String, kind: &'static str, place: Place| {
            let text = known.entry(text.clone()).or_insert_with(|| PlacedText {
                text,
                kinds: BTreeSet::new(),
                places: Vec::new(),
            });
            text.kinds.insert(kind);
            text.places.push(place);
        };
        let sources = sources(library);
        let stems = sources.iter().filter_map(|(path, _)| path.file_stem()?.to_str());
        let agents: HashSet<String> =
            stems.filter_map(|stem| stem.strip_prefix("agent-")).map(str::to_owned).collect();
        for (path, kind) in sources {
            let bytes = fs::read(&path).unwrap();
            // No value of these sessions stands in two of their files.
            let mut values = SessionValues::new(ValueKey::new([0; 32]));
            for line in bytes.split(|byte| *byte == b'\n') {
                plain.note_json_values(&String::from_utf8_lossy(line), &mut values);
            }
            let redactor = plain.for_session(&values);
            if matches!(kind, SourceKind::Output | SourceKind::Plan) {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let open = match redactor.mask(&text) {
                    Cow::Borrowed(text) => text.to_owned(),
                    Cow::Owned(masked) => without_placeholders(&masked),
                };
                note(open, kind.name(), (path, 0, 0));
                continue;
            }
            for entry in transcript::entries(&bytes) {
                // Lines of agents without files, which progress records repeat.
                let repeated = entry.agent_line().filter(|line| {
                    let agent = line.record.envelope.agent_id.as_ref().unwrap();
                    kind != SourceKind::Agent && !agents.contains(agent.as_str())
                });
                let entry = repeated.unwrap_or(entry);
                let record = &entry.record;
                for (number, piece) in text::of_record(record).iter().enumerate() {
                    let kind = role::of_block(record, piece.block).role.name();
                    let open = open_text(&redactor, record, piece);
                    note(open, kind, (path.clone(), entry.offset, number));
                }
            }
        }
        let texts: Vec<PlacedText> = known.into_values().collect();
        let mut all =
            Everything { texts: Vec::new(), by_word: BTreeMap::new(), is_whole: HashSet::new() };
        for (number, text) in texts.iter().enumerate() {
            split(&text.text, &mut Words { text: number, all: &mut all });
        }
        all.texts = texts;
        all
    }

    /// The blocks that a query matches, among the texts with one of these
    /// words.
    fn found<'w>(
        &self,
        query: &Query,
        words: impl IntoIterator<Item = &'w String>,
    ) -> BTreeSet<Place> {
        let candidates: BTreeSet<usize> = words
            .into_iter()
            .filter_map(|word| self.by_word.get(word))
            .flatten()
            .copied()
            .collect();
        self.found_among(query, candidates)
    }

    fn found_among(
        &self,
        query: &Query,
        candidates: impl IntoIterator<Item = usize>,
    ) -> BTreeSet<Place> {
        let texts = candidates.into_iter().map(|text| &self.texts[text]);
        let texts = texts.filter(|text| query.matches(&text.text));
        texts.flat_map(|text| text.places.iter().cloned()).collect()
    }
}

/// Every text file, by the list that needs no index, including agents whose
/// session is gone.
fn sources(library: &Library) -> Vec<(PathBuf, SourceKind)> {
    let list = library.catalog().sessions();
    let sessions: Vec<_> = list.sessions.iter().collect();
    let sources = library.catalog().sources(&sessions, Tier::DiskAndArchive);
    let all = sources.sessions.into_iter().flatten().chain(sources.plans);
    let mut found: BTreeMap<PathBuf, SourceKind> =
        all.map(|source| (source.path, source.kind)).collect();
    let mut folders: Vec<PathBuf> =
        library.catalog().roots().iter().map(|root| root.path.join("projects")).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name.starts_with("agent-") && path.extension().is_some_and(|it| it == "jsonl")
            {
                found.entry(path).or_insert(SourceKind::Agent);
            }
        }
    }
    found.into_iter().collect()
}

/// The blocks that the index finds, recalls included.
fn asked(searcher: &Searcher, text: &str) -> BTreeSet<Place> {
    let mut found = BTreeSet::new();
    for text in [text.to_owned(), format!("is:recall {text}")] {
        let query = Query::parse(&text).unwrap();
        let request = SearchRequest {
            query: &query,
            since: None,
            until: None,
            admits: FileSelection::Fitting(&|_| true),
            marked: &HashSet::new(),
            now: 0,
            most: usize::MAX,
        };
        let blocks = searcher.blocks(&request).unwrap();
        let answer = searcher.search(&request).unwrap();
        assert_eq!(answer.total, blocks.len(), "{text}: an answer counts every block");
        let texts: BTreeSet<i64> = blocks.iter().map(|block| block.text).collect();
        assert_eq!(answer.matches.len(), texts.len(), "{text}: an answer has every text once");
        for block in blocks {
            let path = searcher.file(block.file).unwrap().unwrap().path.clone();
            let is_new = found.insert((path, block.offset, block.number));
            assert!(is_new, "{text}: a block is a recall or it is not");
        }
    }
    found
}

fn opened(root: &Path, home: &Path) -> (Library, Searcher) {
    let roots = vec![(root.to_owned(), RootOrigin::Flag)];
    let options = Options { roots, home: Some(home.to_owned()), ..Options::default() };
    let library = Library::open(options);
    let options = IndexOptions { memory: 64 << 20, wait: IndexWait::UntilWhole };
    let fresh = library.search().refresh_index(options, &NoProgress).unwrap();
    assert!(fresh.is_fresh && fresh.is_complete && fresh.read_errors.is_empty(), "{fresh:?}");
    let searcher = Index::new(home.to_owned()).searcher().unwrap().unwrap();
    (library, searcher)
}

fn compare(all: &Everything, searcher: &Searcher, text: &str, words: &[&String]) -> usize {
    let query = Query::parse(text).unwrap();
    let expected = all.found(&query, words.iter().copied());
    let found = asked(searcher, text);
    let first = |one: &BTreeSet<Place>, two: &BTreeSet<Place>| {
        one.difference(two).take(3).cloned().collect::<Vec<_>>()
    };
    assert!(
        found == expected,
        "{text}: not found {:?}, found besides {:?}",
        first(&expected, &found),
        first(&found, &expected)
    );
    expected.len()
}

/// Takes this many items of a list, evenly spread.
fn some<T: Copy>(of: &[T], count: usize) -> Vec<T> {
    let step = (of.len() / count.max(1)).max(1);
    of.iter().copied().step_by(step).take(count).collect()
}

/// The real transcripts beside the repository.
fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
    if !path.is_dir() {
        println!("SKIPPED: no real transcripts at {}", path.display());
        return None;
    }
    Some(path)
}

#[test]
fn index_of_real_transcripts_equals_their_conversations() {
    let Some(corpus) = corpus() else { return };
    let home = Sandbox::new();
    let (_, searcher) = opened(&corpus, &home.annals_home());
    let (mut plain, mut messages) = (0, 0);
    for file in searcher.files().unwrap().values().filter(|file| file.is_plain) {
        let bytes = fs::read(&file.path).unwrap();
        let conversation = if file.kind == SourceKind::Agent {
            Conversation::read_agent(&bytes, View::App)
        } else {
            Conversation::read(&bytes, View::App)
        };
        plain += 1;
        let entries: Vec<_> = transcript::entries(&bytes).collect();
        let offset_of = |uuid: &str| {
            let is_it = |entry: &&transcript::Entry<'_>| {
                entry.record.envelope.uuid.as_ref().is_some_and(|own| own.as_str() == uuid)
            };
            entries.iter().find(is_it).map(|entry| entry.offset)
        };
        for id in conversation.graph.ids() {
            let state = conversation.state(id);
            let uuid = &conversation.graph.node(id).uuid;
            let Some(state) = state else { continue };
            messages += 1;
            let is_past = file.compacted.is_some_and(|end| offset_of(uuid) < Some(end));
            let expected = if is_past { MessageState::Compacted } else { MessageState::Live };
            assert_eq!(state, expected, "{} {uuid}", file.path.display());
        }
    }
    println!("{plain} plain files with {messages} messages");
    assert!(plain > 0 && messages > 0, "none is plain");
}

#[test]
fn words_of_real_transcripts_are_found_in_exactly_their_blocks() {
    let Some(corpus) = corpus() else { return };
    let home = Sandbox::new();
    let (library, searcher) = opened(&corpus, &home.annals_home());
    let all = Everything::read(&library);
    // Some words of each kind of text: the rarest, the most common, and some
    // between.
    let mut by_kind: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for (word, texts) in &all.by_word {
        let kinds: BTreeSet<&str> =
            texts.iter().flat_map(|text| all.texts[*text].kinds.iter().copied()).collect();
        for kind in kinds {
            by_kind.entry(kind).or_default().push(word);
        }
    }
    let mut words: BTreeSet<&String> = BTreeSet::new();
    for own in by_kind.values_mut() {
        own.sort_by_key(|word| all.by_word[*word].len());
        words.extend(some(own, 30));
        words.extend(own.iter().rev().take(5));
    }
    let beyond = all.by_word.keys().filter(|word| !word.is_ascii()).collect::<Vec<_>>();
    words.extend(some(&beyond, 20));
    let mut blocks = 0;
    for word in &words {
        blocks += compare(&all, &searcher, word, &[word]);
    }
    // Checks this test's shortcut with words that are in no text of their list.
    for word in words.iter().step_by(words.len() / 4) {
        let query = Query::parse(word).unwrap();
        assert_eq!(all.found_among(&query, 0..all.texts.len()), all.found(&query, [*word]));
    }
    // Prefixes of words.
    let mut queries = words.len();
    for word in some(&words.iter().copied().collect::<Vec<_>>(), 25) {
        let end = word.floor_char_boundary(word.len().div_ceil(2)).max(1);
        let Some(beginning) = word.get(..end) else { continue };
        let longer: Vec<&String> = all
            .by_word
            .range(beginning.to_owned()..)
            .map(|(word, _)| word)
            .take_while(|word| word.starts_with(beginning))
            .collect();
        blocks += compare(&all, &searcher, &format!("{beginning}*"), &longer);
        queries += 1;
    }
    // Phrases, pairs, negations, identifiers and paths.
    for (phrase, words) in phrases(&all) {
        let words: Vec<&String> = words.iter().collect();
        for query in [
            format!("\"{phrase}\""),
            phrase.clone(),
            format!("{} -\"{phrase}\"", words[0]),
            format!("{} OR {}", words[0], words[1]),
        ] {
            blocks += compare(&all, &searcher, &query, &words);
            queries += 1;
        }
    }
    for name in names(&all) {
        let query = Query::parse(&name).unwrap();
        assert_eq!(all.found_among(&query, 0..all.texts.len()), asked(&searcher, &name), "{name}");
        queries += 1;
    }
    println!("{queries} queries, {blocks} blocks, {} texts", all.texts.len());
    println!("kinds: {:?}", by_kind.keys());
    assert!(words.len() >= 200, "only {} words", words.len());
}

/// Two consecutive words, from some of the texts.
fn phrases(all: &Everything) -> Vec<(String, Vec<String>)> {
    struct First(Vec<String>);
    impl WordSink for First {
        fn word(&mut self, _: Range<usize>, word: &str) {
            self.0.push(word.to_owned());
        }
        fn whole(&mut self, _: Range<usize>, _: &str) {}
    }
    let mut phrases = Vec::new();
    for text in all.texts.iter().step_by(all.texts.len() / 15) {
        let mut first = First(Vec::new());
        split(&text.text, &mut first);
        let middle = first.0.len() / 2;
        if let Some([one, two]) = first.0.get(middle..middle + 2) {
            phrases.push((format!("{one} {two}"), vec![one.clone(), two.clone()]));
        }
    }
    phrases
}

/// Names with capitals or underscores, and paths, as they are in texts.
fn names(all: &Everything) -> BTreeSet<String> {
    let is_name =
        regex::Regex::new(r"^([a-z]+[A-Z][a-zA-Z]+|[a-z]+_[a-z_]+|[a-z]+/[a-z/]+\.[a-z]+)$");
    let is_name = is_name.unwrap();
    let texts = all.texts.iter().step_by(37);
    let words = texts.flat_map(|text| text.text.split_whitespace());
    let names: BTreeSet<&str> = words.filter(|word| is_name.is_match(word)).collect();
    let names: Vec<&str> = names.into_iter().collect();
    some(&names, 12).into_iter().map(str::to_owned).collect()
}

const SECRET: &str = "sk-ant-api03-Zk3vQx8Rt1Lm5Np7Wy2Bc9Df4Gh6Jk0Sa1Ue3Io5Pl7Mn9Vb2Cx4Zq6Wr8Ty0AA";

/// A store with every kind of text, in every kind of file.
fn made_up() -> Sandbox {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let thinking = json!([{"type": "thinking", "thinking": "kelp or eelgrass", "signature": "s"}]);
    let base64 = "iVBORw0KGgo".repeat(40);
    let lines = chained([
        user("Where is the fooBar of src/main.rs:42? 東京タワー 🚀"),
        assistant("").message("content", thinking),
        tool_use("t1", "Note", &json!({"command": "cat a", "password": "correct7Horse9Battery"})),
        tool_result("t1", &format!("around {SECRET} behind")),
        tool_use("t2", "Note", &json!({"command": "cat a", "text": "correct7Horse9Battery"})),
        tool_use("t3", "Bash", &json!({"command": "annals search kelp"})),
        tool_result("t3", "kelp, recalled"),
        tool_error("t2", "E0502: kelp"),
        tool_use("t4", "Up", &json!({"data": base64, "token": format!("{SECRET}")})),
        assistant(&format!("[redacted: not at all, kelp {SECRET} and dulse")),
        user("This was about kelp.").with("isCompactSummary", true),
        attachment(&json!({"type": "queued_command", "prompt": "and kelp"})),
        metadata("custom-title", &[("customTitle", "Kelp".into())]),
        metadata("summary", &[("summary", "kelp in short".into())]),
    ]);
    sandbox.session("/p", &id, lines.clone());
    // Another with the same text: a fork.
    sandbox.session("/q", &session_id(2), lines.into_iter().take(4));
    sandbox.agent("/p", &id, "agent-a1", [user("Count the kelp")]);
    sandbox.session("/q", &session_id(3), [user("Is correct7Horse9Battery a word?")]);
    sandbox.write(&format!("projects/-p/{id}/tool-results/t9.txt"), "much kelp\nin HTTPServer");
    sandbox.write("plans/brave-kelp.md", "# Plan\nplant kelp");
    sandbox
}

#[test]
fn generated_words_are_found_and_secrets_are_not() {
    let sandbox = made_up();
    let (library, searcher) = opened(&sandbox.config(), &sandbox.annals_home());
    let all = Everything::read(&library);
    for word in all.by_word.keys() {
        compare(&all, &searcher, word, &[word]);
    }
    let table = [
        ("kelp", 13),
        ("around behind", 2),
        ("fooBar", 2),
        ("foo_bar", 2),
        ("\"main rs 42\"", 2),
        ("東京", 2),
        ("🚀", 2),
        ("httpserv*", 1),
        ("dulse", 1),
        // A secret is not a word, whole or in parts.
        (SECRET, 0),
        ("Zk3vQx8Rt1Lm5Np7Wy2Bc9Df4Gh6Jk0Sa1Ue3Io5Pl7Mn9Vb2Cx4Zq6Wr8Ty0AA", 0),
        ("redacted:anthropic", 0),
        ("iVBORw0KGgo*", 0),
    ];
    for (query, expected) in table {
        assert_eq!(asked(&searcher, query).len(), expected, "{query}");
    }
    // With a name beside it, this is a secret, and so it is in all of its session; in another
    // session it is a word.
    let open: Vec<_> = asked(&searcher, "correct7Horse9Battery").into_iter().collect();
    assert_eq!(open.len(), 1, "{open:?}");
    assert!(open[0].0.ends_with(format!("-q/{}.jsonl", session_id(3))), "{open:?}");
}

#[test]
fn any_query_finds_the_texts_it_matches() {
    let sandbox = made_up();
    let (library, searcher) = opened(&sandbox.config(), &sandbox.annals_home());
    let all = Everything::read(&library);
    let mut runner = TestRunner::new(Config { cases: 1_500, ..Config::default() });
    let ran = runner.run(&typed_query(), |text| {
        let Ok(query) = Query::parse(&text) else { return Ok(()) };
        // Fields match other things than texts.
        if query.fields.is_empty() && query.has_words() {
            let expected = all.found_among(&query, 0..all.texts.len());
            prop_assert_eq!(asked(&searcher, &text), expected);
        }
        Ok(())
    });
    ran.unwrap();
}
