//! The HTML of pages: every element is closed correctly, and the browser builds the intended
//! tree.

use crate::browser::chromium::{chromium, drive};
use crate::browser::{exported, pages};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use testkit::Sandbox;

/// Elements without an end tag.
const VOID: [&str; 6] = ["meta", "img", "br", "hr", "input", "!doctype"];

/// Counts the elements of a page by name. Panics if one is not closed.
fn elements(page: &str) -> BTreeMap<String, u64> {
    // The content of style and script is ours and has no elements.
    let mut rest = page.to_owned();
    for name in ["style", "script"] {
        let (before, after) = rest.split_once(&format!("<{name}>")).unwrap();
        let (_, after) = after.split_once(&format!("</{name}>")).unwrap();
        rest = format!("{before}{after}");
    }
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut open: Vec<&str> = Vec::new();
    for piece in rest.split('<').skip(1) {
        let name = piece.split(['>', ' ', '\n']).next().unwrap();
        if let Some(name) = name.strip_prefix('/') {
            let last = open.pop();
            assert_eq!(last, Some(name), "closed before …<{}", &piece[..piece.len().min(80)]);
            continue;
        }
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'!'), "<{piece}");
        if !VOID.contains(&name) {
            open.push(name);
        }
        if name != "!doctype" {
            *counts.entry(name.to_owned()).or_default() += 1;
        }
    }
    assert_eq!(open, [""; 0]);
    counts
}

/// Asserts that the browser sees exactly the elements that were written, and logs nothing.
pub(crate) fn assert_as_meant(browser: &Path, folder: &Path) {
    let pages = pages(folder);
    assert!(!pages.is_empty());
    let expected: Vec<(String, Value)> = pages
        .iter()
        .map(|path| {
            let page = std::fs::read_to_string(path).unwrap();
            (path.file_name().unwrap().to_string_lossy().into_owned(), json!(elements(&page)))
        })
        .collect();
    let names: Vec<&str> = expected.iter().map(|(name, _)| name.as_str()).collect();
    let script = format!(
        "const implied = new Set(['tbody', 'style', 'script']);
        const known = new Set('class id href rel open hidden lang charset http-equiv content name type aria-label role placeholder title start loading src alt width height viewbox preserveaspectratio tabindex x y rx aria-checked aria-pressed value disabled data-theme'.split(' '));
        for (const name of {names}) {{
          const frame = await open(name, 800, 600);
          const page = frame.contentDocument, counts = {{}}, wrong = [];
          for (const element of page.querySelectorAll('.l, .ways, .copy')) element.remove();
          for (const element of page.querySelectorAll('*')) {{
            const name = element.localName;
            if (!implied.has(name)) counts[name] = (counts[name] || 0) + 1;
            for (const attribute of element.attributes) {{
              if (!known.has(attribute.name.toLowerCase())) wrong.push(attribute.name);
              if (attribute.name === 'href' && !/^(#|https?:|mailto:|[.][/][\\p{{L}}\\p{{M}}\\p{{N}}-]+[.]html$)/iu.test(attribute.value)) wrong.push(attribute.value);
              if (attribute.name === 'src' && !/^data:image[/](png|jpeg|gif|webp);base64,/.test(attribute.value)) wrong.push(attribute.value);
            }}
          }}
          const ids = [...page.querySelectorAll('[id]')].map(element => element.id);
          if (new Set(ids).size !== ids.length) wrong.push('an id twice');
          const dead = [...page.querySelectorAll('a[href^=\"#\"]')].filter(link => !page.getElementById(link.getAttribute('href').slice(1)));
          if (dead.length) wrong.push(`${{dead.length}} links to nowhere`);
          if (page.scripts.length !== 1 || page.styleSheets.length !== 1) wrong.push('scripts or styles');
          report[name] = {{ counts, wrong, title: page.title, body: page.body.id }};
          frame.remove();
        }}",
        names = json!(names)
    );
    let seen = drive(browser, folder, &script);
    for (name, mut counts) in expected {
        let seen = &seen.report[&name];
        assert_eq!(seen["wrong"], json!([]), "{name}");
        assert_eq!(seen["body"], "", "{name}");
        assert_ne!(seen["title"], "pwned", "{name}");
        counts.as_object_mut().unwrap().remove("tbody");
        assert_eq!(seen["counts"], counts, "{name}");
    }
    assert_eq!(seen.console, [""; 0]);
}

/// The size of the largest transcript of a session.
fn transcript_bytes(corpus: &Path, id: &str) -> usize {
    let folders = std::fs::read_dir(corpus.join("projects")).unwrap();
    let files = folders.flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap());
    let own = files.map(|file| file.unwrap().path()).filter(|path| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        name.starts_with(id) && path.extension().is_some_and(|ending| ending == "jsonl")
    });
    own.map(|path| std::fs::read(path).unwrap().len()).max().unwrap_or(0)
}

/// The size of a page without its images.
fn without_pictures(page: &str) -> usize {
    let pictures = page.split("src=\"data:").skip(1);
    let pictures = pictures.map(|rest| rest.split_once('"').map_or(0, |(data, _)| data.len()));
    page.len() - pictures.sum::<usize>()
}

#[test]
fn pages_of_real_transcripts_are_small_and_well_formed() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
    if !corpus.is_dir() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: no real transcripts");
        return;
    }
    let sandbox = Sandbox::new();
    let folder = exported(&sandbox, &corpus, &["--every"]);
    let mut large = 0;
    for path in pages(&folder) {
        let page = std::fs::read_to_string(&path).unwrap();
        elements(&page);
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let bytes = transcript_bytes(&corpus, name.rsplit('-').next().unwrap());
        // Style and script are as large as a short session.
        if bytes > 250_000 {
            large += 1;
            assert!(without_pictures(&page) <= bytes / 2, "{name}: {} of {bytes}", page.len());
        }
    }
    assert!(large > 10, "{large}");
    let Some(browser) = chromium() else { return };
    assert_as_meant(&browser, &folder);
}
