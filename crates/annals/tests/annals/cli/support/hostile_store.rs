//! A store whose files take little room on disk and very much in memory, if somebody holds them.
//!
//! Files are made where the test runs and removed with its sandbox. Holes and compression keep them
//! small on disk.

use crate::cli::commands::apps::codex_lines;
use serde_json::json;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use testkit::{Sandbox, session_id, user};

/// How large the parts are, in bytes.
pub(crate) struct Sizes {
    /// How many compressed files become very large.
    bombs: usize,
    /// What each becomes.
    bomb: u64,
    /// A line of text, too large to be read.
    line: u64,
    /// A line that is just not too large, of very many small values.
    values: u64,
    /// A file of NULs.
    nuls: u64,
    /// A document that is one value.
    document: u64,
    /// How many turns a compressed thread has.
    turns: usize,
}

impl Sizes {
    /// Beyond every limit, and no further.
    pub(crate) const SMALL: Sizes = Sizes {
        bombs: 1,
        bomb: 300 << 20,
        line: 66 << 20,
        values: 1 << 20,
        nuls: 200 << 20,
        document: 257 << 20,
        turns: 20_000,
    };

    /// Far beyond the limits, and just below them.
    pub(crate) const LARGE: Sizes = Sizes {
        bombs: 1,
        bomb: 2 << 30,
        line: 500 << 20,
        values: 63 << 20,
        nuls: 3 << 30,
        document: 255 << 20,
        turns: 250_000,
    };

    /// Many files that become very large.
    pub(crate) const MANY: Sizes = Sizes { bombs: 20, bomb: 2 << 30, ..Sizes::SMALL };
}

/// The sessions of the store, as the command line names them.
pub(crate) struct HostileStore {
    pub(crate) sandbox: Sandbox,
    pub(crate) sessions: Vec<String>,
}

const CWD: &str = "/home/ada/tidepool";

impl HostileStore {
    pub(crate) fn new(sizes: &Sizes) -> HostileStore {
        let sandbox = Sandbox::new();
        let mut sessions = Vec::new();
        let mut claude = |number, write: &dyn Fn(&mut BufWriter<File>)| {
            let own = |text: &str| user(text).with("sessionId", session_id(number)).cwd(CWD);
            let path = sandbox.session(CWD, &session_id(number), [own("Look at the sea")]);
            let file = File::options().append(true).open(path).unwrap();
            let mut file = BufWriter::new(file);
            write(&mut file);
            write!(file, "\n{}\n", own("And the sea?")).unwrap();
            file.flush().unwrap();
            sessions.push(session_id(number));
        };
        claude(1, &|file| {
            write!(file, r#"{{"type":"user","message":{{"role":"user","content":"sea "#).unwrap();
            fill(file, b"sea ", sizes.line);
            write!(file, r#""}},"uuid":"20000000-0000-4000-8000-000000000001"}}"#).unwrap();
        });
        claude(2, &|file| {
            write!(file, r#"{{"type":"user","message":{{"role":"user","content":["#).unwrap();
            fill(file, br#"{"type":"text","text":"sea"},"#, sizes.values);
            write!(file, "0]}}}}").unwrap();
        });
        claude(3, &|file| {
            write!(file, r#"{{"type":"user","toolUseResult":"#).unwrap();
            fill(file, b"[{\"a\":[]},", sizes.values);
        });
        claude(4, &|file| {
            file.flush().unwrap();
            let length = file.get_ref().metadata().unwrap().len();
            file.get_ref().set_len(length + sizes.nuls).unwrap();
        });
        sessions.extend(codex(&sandbox, sizes));
        sessions.push(gemini(&sandbox, sizes));
        HostileStore { sandbox, sessions }
    }
}

/// Writes these bytes again and again.
fn fill(file: &mut (impl Write + ?Sized), bytes: &[u8], size: u64) {
    let many = bytes.repeat((64 << 10) / bytes.len());
    for _ in 0..size / many.len() as u64 {
        file.write_all(&many).unwrap();
    }
}

/// Threads of Codex: compressed lines without end, and a compressed thread of very many turns.
fn codex(sandbox: &Sandbox, sizes: &Sizes) -> Vec<String> {
    let folder = sandbox.home().join(".codex/sessions/2026/01/31");
    fs::create_dir_all(&folder).unwrap();
    let name = |number: usize| format!("0198f2a0-0000-7000-8000-{number:012}");
    let path = |id: &str| folder.join(format!("rollout-2026-01-31T12-00-00-{id}.jsonl.zst"));
    let head = |id: &str| {
        let lines = codex_lines(id);
        lines.iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect::<String>()
    };
    let mut threads = Vec::new();
    let mut bomb = Vec::new();
    for number in 1..=sizes.bombs {
        let id = name(number);
        if bomb.is_empty() {
            bomb = compressed(|file| {
                fill(file, b"{\"type\":\"x\"}\n", 2 << 20);
                fill(file, b"x", sizes.bomb);
            });
        }
        // A file of two frames is what they contain, one after the other.
        let head = compressed(|file| file.write_all(head(&id).as_bytes()).unwrap());
        fs::write(path(&id), [head, bomb.clone()].concat()).unwrap();
        threads.push(id);
    }
    let id = name(900);
    let turns = compressed(|file| {
        file.write_all(head(&id).as_bytes()).unwrap();
        let prompt = json!({"timestamp": "2026-01-31T12:01:00.000Z", "type": "event_msg",
            "payload": {"type": "user_message", "message": "Raise the sea"}});
        fill(file, format!("{prompt}\n").as_bytes(), 140 * sizes.turns as u64);
    });
    fs::write(path(&id), turns).unwrap();
    threads.truncate(1);
    threads.push(id);
    threads.iter().map(|id| format!("codex:{id}")).collect()
}

fn compressed(write: impl FnOnce(&mut dyn Write)) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    write(&mut encoder);
    encoder.finish().unwrap()
}

/// A session of Gemini CLI that is one document.
fn gemini(sandbox: &Sandbox, sizes: &Sizes) -> String {
    let id = "0198f2a0-0000-7000-8000-0000000000ff";
    let folder = sandbox.home().join(".gemini/tmp/kelp/chats");
    fs::create_dir_all(&folder).unwrap();
    let path: &Path = &folder.join("session-2026-01-02T03-04-000000ff.json");
    let mut file = BufWriter::new(File::create(path).unwrap());
    let time = "2026-01-02T03:04:05.000Z";
    write!(
        file,
        r#"{{"sessionId":"{id}","projectHash":"0","startTime":"{time}","lastUpdated":"{time}","messages":["#
    )
    .unwrap();
    let message = format!(r#"{{"id":"a","timestamp":"{time}","type":"user","content":"sea"}},"#);
    if sizes.document > 256 << 20 {
        // Nobody looks into it.
        file.flush().unwrap();
        file.get_ref().set_len(sizes.document).unwrap();
    } else {
        fill(&mut file, message.as_bytes(), sizes.document);
    }
    write!(file, "{}]}}", message.trim_end_matches(',')).unwrap();
    file.flush().unwrap();
    format!("gemini:{id}")
}
