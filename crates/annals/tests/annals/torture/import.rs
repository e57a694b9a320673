//! Importing hostile archives.

use crate::torture::run::{annals, archive_folder, done, kept, measure, printed, verify};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use testkit::{Sandbox, fingerprint, sealed_manifest, session_id};

/// The most memory an import may use.
const MEMORY: u64 = 200 << 20;

const BEGIN: &str = r#""archive":{"format":1,"id":"00000000000000000000000000000001","readme":""}"#;

fn root(number: u32, path: &str) -> String {
    format!(
        r#""root":{{"number":{number},"archive":"00000000000000000000000000000001","path":{}}}"#,
        serde_json::Value::from(path)
    )
}

/// A manifest line for a file with these frames.
fn keep(name: &str, generation: u32, frames: &str) -> String {
    let time = "2026-01-01T00:00:00Z";
    format!(
        r#""keep":{{"root":1,"name":{},"generation":{generation},"from":0,"frames":[{frames}],"modified":"{time}","kept":"{time}"}}"#,
        serde_json::Value::from(name)
    )
}

/// A frame of the first pack.
fn frame(content: &[u8], length: u64, at: usize, stored: &[u8]) -> String {
    format!(
        r#"{{"hash":"{}","length":{length},"spot":{{"pack":1,"at":{at},"stored":{},"sum":"{}"}}}}"#,
        blake3::hash(content).to_hex(),
        stored.len(),
        &blake3::hash(stored).to_hex()[..16]
    )
}

/// A zstd frame of raw or repeated blocks, with a window of this logarithm.
fn zstd(window_log: u8, blocks: &[(bool, usize, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0, (window_log - 10) << 3];
    for (place, (is_repeated, size, content)) in blocks.iter().enumerate() {
        let is_last = usize::from(place + 1 == blocks.len());
        let header = size << 3 | usize::from(*is_repeated) << 1 | is_last;
        bytes.extend_from_slice(&header.to_le_bytes()[..3]);
        bytes.extend_from_slice(content);
    }
    bytes
}

/// A home with an archive, and a folder to import from.
struct ImportCase {
    sandbox: Sandbox,
    from: PathBuf,
}

impl ImportCase {
    fn new(lines: impl IntoIterator<Item = String>, pack: &[u8]) -> ImportCase {
        let sandbox = Sandbox::new();
        let id = session_id(1);
        sandbox.write(&format!("projects/-p/{id}.jsonl"), "{\"type\":\"user\"}\n".repeat(100));
        done(&sandbox, &["archive", "sync"]);
        let from = sandbox.path().join("from");
        fs::create_dir_all(from.join("packs")).unwrap();
        fs::write(from.join("manifest.jsonl"), sealed_manifest(lines)).unwrap();
        fs::write(from.join("packs/00000001.zst"), pack).unwrap();
        ImportCase { sandbox, from }
    }

    fn own(&self) -> Vec<u8> {
        let name = format!("projects/-p/{}.jsonl", session_id(1));
        kept(&archive_folder(&self.sandbox))[&(name, 1)].clone()
    }

    /// Imports, and checks that nothing was harmed. Returns the exit code, the output and
    /// the newly archived names.
    fn import(&self, what: &str) -> (i32, String, Vec<String>) {
        let outside = [self.sandbox.home(), self.sandbox.config(), self.from.clone()];
        let before = outside.clone().map(|place| fingerprint(&place));
        let own = self.own();
        let from = self.from.to_str().unwrap();
        let ran = measure(annals(&self.sandbox, &["archive", "import", from]));
        let code = ran.output.status.code();
        let code = code.unwrap_or_else(|| panic!("{what}: {}", printed(&ran.output)));
        assert!(ran.memory < MEMORY, "{what}: {} MB", ran.memory >> 20);
        assert_eq!(outside.map(|place| fingerprint(&place)), before, "{what}");
        let tops = fs::read_dir(self.sandbox.path()).unwrap().count();
        assert_eq!(tops, 4, "{what}: something was written beside");
        verify(&self.sandbox);
        assert_eq!(self.own(), own, "{what}");
        let mut names: Vec<String> =
            kept(&archive_folder(&self.sandbox)).into_keys().map(|(name, _)| name).collect();
        names.retain(|name| !name.contains(&session_id(1)));
        (code, String::from_utf8_lossy(&ran.output.stderr).into_owned(), names)
    }
}

#[test]
fn names_that_point_outside_are_refused() {
    let content = b"harm\n";
    let stored = zstd(20, &[(false, content.len(), content)]);
    let frames = frame(content, 5, 0, &stored);
    let hostile = [
        "/etc/passwd",
        "../../x",
        "projects/../../x",
        "%2e%2e/x",
        "projects/%2E%2E/x",
        "a//b",
        "",
        "projects/a\u{1b}[2Jb",
        "projects/a\nb",
        "a%2fb",
        "a%00b",
        ".",
        "x/",
        "projects/\u{202e}x/%",
    ];
    let good = format!("projects/-p/{}.jsonl", session_id(2));
    let lines = [BEGIN.to_owned(), root(1, "/x\u{1b}[2J"), keep(&good, 1, &frames)];
    let lines = lines.into_iter().chain(hostile.iter().map(|name| keep(name, 1, &frames)));
    let (code, err, names) = ImportCase::new(lines, &stored).import("names");
    assert_eq!(names, [good]);
    assert!(code == 2 && err.contains("14 lines of the source manifest"), "exit {code}: {err}");
    assert!(!err.contains('\u{1b}'), "{err:?}");
}

#[test]
fn frames_with_wrong_sizes_or_hashes_are_refused() {
    let content = b"harm\n";
    let honest = zstd(20, &[(false, 5, content)]);
    let megabyte = vec![b'x'; 1 << 20];
    // A gigabyte compressed to 32 kilobytes, and windows of two gibibytes.
    let bomb = zstd(27, &vec![(true, 128 << 10, &b"x"[..]); 8192]);
    let wide = zstd(31, &[(false, 5, content)]);
    let cases = [
        ("a bomb", frame(&megabyte, 1 << 20, 0, &bomb), bomb),
        ("a wide window, other content", frame(b"other", 5, 0, &wide), wide),
        ("another content", frame(b"other", 5, 0, &honest), honest.clone()),
        ("a longer length", frame(content, 6, 0, &honest), honest.clone()),
        ("a huge length", frame(content, 1 << 60, 0, &honest), honest.clone()),
        ("a length of nothing", frame(content, 0, 0, &honest), honest.clone()),
        ("bytes behind the end", frame(content, 5, 1 << 40, &honest), honest.clone()),
        ("nonsense", frame(b"nonsense", 8, 0, b"nonsense"), b"nonsense".to_vec()),
    ];
    for (what, frames, pack) in cases {
        let name = format!("projects/-p/{}.jsonl", session_id(2));
        let lines = [BEGIN.to_owned(), root(1, "/x"), keep(&name, 1, &frames)];
        let (code, err, names) = ImportCase::new(lines, &pack).import(what);
        assert_eq!(names, Vec::<String>::new(), "{what}");
        assert!(code == 2 && !err.is_empty(), "{what}: exit {code}, {err:?}");
    }
}

#[test]
fn repeated_names_roots_and_pipes_are_harmless() {
    let content = b"harm\n";
    let stored = zstd(20, &[(false, 5, content)]);
    let frames = frame(content, 5, 0, &stored);
    let name = format!("projects/-p/{}.jsonl", session_id(2));
    let twice = || [BEGIN.to_owned(), root(1, "/x"), root(1, "/y"), root(2, "/x"), root(2, "/y")];
    let lines = twice().into_iter().chain((0..5).map(|_| keep(&name, 1, &frames)));
    let (code, _, names) = ImportCase::new(lines, &stored).import("repeated");
    assert_eq!((code, names), (0, vec![name.clone()]));
    for file in ["manifest.jsonl", "packs/00000001.zst"] {
        for program in ["mkfifo", "mkdir", "zero"] {
            let lines = [BEGIN.to_owned(), root(1, "/x"), keep(&name, 1, &frames)];
            let scene = ImportCase::new(lines, &stored);
            let path = scene.from.join(file);
            fs::remove_file(&path).unwrap();
            if program == "zero" {
                std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
            } else {
                assert!(Command::new(program).arg(&path).status().unwrap().success());
            }
            let (code, err, names) = scene.import(&format!("{program} {file}"));
            assert_eq!((code, names.len()), (2, 0), "{program} {file}: {err}");
        }
    }
}

/// A manifest of many lines, built once.
fn many(lines: u32) -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let name = format!("projects/-p/{}.jsonl", session_id(2));
        let keeps = (1..=lines).map(|_| keep(&name, 1, ""));
        sealed_manifest([BEGIN.to_owned(), root(1, "/x")].into_iter().chain(keeps))
    })
}

#[test]
fn huge_manifest_is_read_in_bounded_memory() {
    let lines = if crate::torture::long().is_some() { 1_000_000 } else { 100_000 };
    let scene = ImportCase::new([BEGIN.to_owned()], b"");
    fs::write(scene.from.join("manifest.jsonl"), many(lines)).unwrap();
    let from: &Path = &scene.from;
    let ran = measure(annals(&scene.sandbox, &["archive", "import", from.to_str().unwrap()]));
    assert!(ran.output.status.success(), "{}", printed(&ran.output));
    crate::torture::report(&format!(
        "import of {lines} lines: {} MB, {:.1?}",
        ran.memory >> 20,
        ran.took
    ));
    assert!(ran.memory < MEMORY, "{} MB", ran.memory >> 20);
    verify(&scene.sandbox);
}
