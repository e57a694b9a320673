//! What a reader sees and uses on a page: filters, expanding, copying, the chart, the index
//! at every width, and colours that can be read.

use crate::browser::chromium::{chromium, drive};
use crate::browser::{exported, pages};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use testkit::{
    Sandbox, answered, assistant, chained, session_id, tool_error, tool_result, tool_use, user,
};

/// Two turns: a diff, a command and a failed command in the first, only words in the second.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let hunks = json!([{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1,
        "lines": [" fn tide() {", "-    low();", "+    high();"]}]);
    let edit = json!({"file_path": "/home/ada/tide.rs", "old_string": "low", "new_string": "high"});
    let mut lines = vec![user("Raise the tide.")];
    lines.extend(answered("t1", "Edit", &edit, "done", json!({"structuredPatch": hunks})));
    lines.extend([
        tool_use("t2", "Bash", &json!({"command": "tide --now"})),
        tool_result("t2", "high"),
        tool_use("t3", "Bash", &json!({"command": "tide --later"})),
        tool_error("t3", "the moon is missing"),
        assistant("It is **high**.\n\n```rust\nfn tide() {}\n```"),
        user("Thank you."),
        assistant("Any time."),
    ]);
    let lines = chained(lines).into_iter().map(|line| line.with("sessionId", session_id(1)));
    sandbox.session("/home/ada/tidepool", &session_id(1), lines);
    for number in 2..5 {
        let title = "a title without end ".repeat(20);
        let lines = chained([user(&title), assistant("Yes.")]).into_iter();
        let cwd = format!("/home/ada/{}", "folder-without-end-".repeat(12));
        let lines = lines.map(|line| line.with("sessionId", session_id(number)).cwd(&cwd));
        sandbox.session(&cwd, &session_id(number), lines);
    }
    sandbox
}

/// The name of the page of the first session, as a JSON string.
fn first_page(folder: &Path) -> String {
    let is_first = |path: &&PathBuf| path.to_string_lossy().contains("00000001");
    let pages = pages(folder);
    let page = pages.iter().find(is_first).unwrap();
    json!(page.file_name().unwrap().to_string_lossy()).to_string()
}

const CONTROLS: &str = r"
const frame = await open(PAGE, 1280, 900);
const page = frame.contentDocument, view = frame.contentWindow;
const $$ = selector => [...page.querySelectorAll(selector)];
const isShown = element => element.checkVisibility ? element.checkVisibility() : element.offsetParent !== null;
const shown = () => $$('main .m').filter(isShown).length;
const [prompts, tools, errors] = $$('#filters button');
report.names = [prompts, tools, errors].map(button => button.textContent);
report.all = shown();
prompts.click();
report.prompts = [shown(), prompts.getAttribute('aria-pressed'), $$('main > section').filter(isShown).length];
errors.click();
report.promptsAndErrors = shown();
prompts.click();
report.errors = [shown(), $$('main > section').filter(isShown).length];
view.location.hash = '#' + $$('main > section:last-of-type .m[id]')[0].id;
await wait(200);
report.linked = [shown(), errors.getAttribute('aria-pressed')];

const folds = () => $$('main details').map(fold => fold.open);
report.folds = folds();
const unfold = page.querySelector('#unfold');
unfold.click();
report.unfolded = [folds().every(open => open), unfold.textContent];
unfold.click();
report.refolded = [folds().some(open => open), unfold.textContent];

const copied = [];
Object.defineProperty(view.navigator, 'clipboard', { value: { writeText: words => { copied.push(words); return Promise.resolve(); } }, configurable: true });
report.copies = [$$('main pre').length, $$('main pre > .copy').length];
for (const button of [page.querySelector('header .copy'), ...$$('main pre > .copy')]) button.click();
await wait(100);
report.copied = copied;
report.note = page.querySelector('#note').textContent;
Object.defineProperty(view.navigator, 'clipboard', { value: undefined });
unfold.click();
page.querySelector('header .copy').click();
report.selected = [view.getSelection().toString(), page.querySelector('#note').textContent];

report.chart = page.querySelector('.tl').innerText.replace(/\s+/g, ' ').trim();
report.inImages = $$('[role=img] a, [role=img] button, [role=img] [tabindex]').length;
report.bars = $$('.tl svg a').length;
";

#[test]
fn filters_folds_and_copy_buttons_work() {
    let Some(browser) = chromium() else { return };
    let sandbox = store();
    let folder = exported(&sandbox, &sandbox.config(), &["--every"]);
    let seen = drive(&browser, &folder, &CONTROLS.replace("PAGE", &first_page(&folder)));
    let resume = format!("cd /home/ada/tidepool && claude --resume {}", session_id(1));
    let diff = "@@ -1,1 +1,1 @@\n fn tide() {\n-    low();\n+    high();";
    let expected = json!({
        "names": ["Prompts 2", "Tools 3", "Errors 1"],
        "all": 7,
        "prompts": [2, "true", 2],
        "promptsAndErrors": 3,
        "errors": [1, 1],
        "linked": [7, "false"],
        // The diff is open, the commands are not.
        "folds": [true, false, false],
        "unfolded": [true, "Collapse all"],
        "refolded": [false, "Expand all"],
        "copied": [resume, diff, "tide --now", "high", "tide --later", "the moon is missing", "fn tide() {}"],
        "note": "Copied",
        // Without a clipboard the text is at least selected.
        "selected": [resume, "Selected: press Ctrl+C to copy"],
        "inImages": 0,
        "bars": 2,
    });
    for (fact, expected) in expected.as_object().unwrap() {
        assert_eq!(&seen.report[fact], expected, "{fact}");
    }
    assert_eq!(seen.report["copies"][0], seen.report["copies"][1]);
    let chart = seen.report["chart"].as_str().unwrap();
    for label in ["Time", "Tokens out", "Cost", "highest", "turn 1", "turn 2"] {
        assert!(chart.contains(label), "{label} in {chart}");
    }
    assert_eq!(seen.console, [""; 0]);
}

#[test]
fn index_is_not_cut_at_any_width() {
    let Some(browser) = chromium() else { return };
    let sandbox = store();
    let folder = exported(&sandbox, &sandbox.config(), &["--every"]);
    let script = "
        report.cut = [];
        for (const width of [320, 400, 600, 800, 1000, 1180, 1199, 1200, 1300, 1400, 1920]) {
          const frame = await open('index.html', width, 900);
          const page = frame.contentDocument, box = page.querySelector('.x');
          const edge = page.documentElement.clientWidth;
          const isCut = [...page.querySelectorAll('tbody td, h1')].some(cell => {
            const place = cell.getBoundingClientRect();
            return place.left < 0 || place.right > edge + 1 || cell.scrollWidth > cell.clientWidth + 1;
          });
          if (isCut || box.scrollWidth > box.clientWidth + 1 || page.documentElement.scrollWidth > edge) report.cut.push(width);
          frame.remove();
        }";
    let seen = drive(&browser, &folder, script);
    assert_eq!(seen.report["cut"], json!([]));
}

/// Finds text whose contrast with what is behind it is below 4.5:1.
const CONTRAST: &str = r"
const parse = text => { const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number); return [r, g, b, a]; };
const over = (top, below) => [0, 1, 2].map(at => top[at] * top[3] + below[at] * (1 - top[3]));
const light = colour => { const [r, g, b] = colour.map(part => { const share = part / 255; return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const ratio = (one, two) => { const [a, b] = [light(one), light(two)]; return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); };
report.faint = []; report.checked = 0;
for (const name of PAGES) for (const theme of ['light', 'dark']) {
  const frame = await open(name, 1280, 900);
  const page = frame.contentDocument, view = frame.contentWindow;
  page.documentElement.dataset.theme = theme;
  for (const fold of page.querySelectorAll('details')) fold.open = true;
  for (const element of page.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    const isText = own || element.matches('.copy') || element.matches('input');
    if (!isText || element.closest('script, style, dialog, [hidden]')) continue;
    const behind = []; let opacity = 1;
    for (let outer = element; outer; outer = outer.parentElement) {
      const style = view.getComputedStyle(outer);
      behind.unshift(parse(style.backgroundColor));
      opacity *= Number(style.opacity);
    }
    const ground = behind.reduce((below, top) => over(top, below), [255, 255, 255]);
    const style = view.getComputedStyle(element, element.matches('input') ? '::placeholder' : null);
    const colour = parse(style.color);
    colour[3] *= element.matches('.l') ? 1 : opacity;
    const found = ratio(over(colour, ground), ground);
    report.checked += 1;
    if (found < 4.5) report.faint.push(`${name} ${theme} ${element.localName}.${element.className} ${found.toFixed(2)}`);
  }
  frame.remove();
}
report.faint = [...new Set(report.faint)];
";

#[test]
fn text_has_a_contrast_of_at_least_four_and_a_half_in_light_and_dark() {
    let Some(browser) = chromium() else { return };
    let sandbox = store();
    let folder = exported(&sandbox, &sandbox.config(), &["--every"]);
    // The demo has every kind of message.
    let mut command = sandbox.command(testkit::program!("annals"));
    command.args(["--demo", "export", "--every", "--force", "--format", "html", "-o"]).arg(&folder);
    assert!(command.output().unwrap().status.success());
    let names: Vec<Value> = pages(&folder)
        .iter()
        .map(|path| json!(path.file_name().unwrap().to_string_lossy()))
        .collect();
    assert!(names.len() > 10, "{names:?}");
    let seen = drive(&browser, &folder, &CONTRAST.replace("PAGES", &json!(names).to_string()));
    assert_eq!(seen.report["faint"], json!([]));
    assert!(seen.report["checked"].as_u64() > Some(1_000), "{}", seen.report["checked"]);
}
