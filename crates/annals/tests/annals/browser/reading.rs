//! Using a page: searching, following links, switching branches, keyboard navigation,
//! reading on a phone.

use crate::browser::chromium::{chromium, drive};
use crate::browser::exported;
use serde_json::json;
use testkit::{Sandbox, assistant, chained, session_id, tool_result, tool_use, user};

/// Three turns: a command in the first, and an abandoned branch after the second.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut lines = chained([
        user("Measure the tide."),
        assistant("")
            .message("content", json!([{"type": "thinking", "thinking": "A Quokka thought."}])),
        tool_use("t1", "Bash", &json!({"command": "tide --at noon", "description": "look"})),
        tool_result("t1", &format!("wombat {}\n", "wide ".repeat(200))).with(
            "toolUseResult",
            json!({"stdout": format!("wombat {}\n", "wide ".repeat(200)), "stderr": ""}),
        ),
        assistant("It is **high**; see [here](https://tide.example). wombat"),
        user("Once more."),
        assistant("Low."),
    ]);
    lines.extend([
        user("Forget the numbat.").link("u8", Some("u7")),
        assistant("Gone astray.").link("u9", Some("u8")).message("id", "m9"),
        user("And at night?").link("u10", Some("u7")).at("2026-01-02T04:04:05.678Z"),
        assistant("Dark.")
            .link("u11", Some("u10"))
            .message("id", "m11")
            .at("2026-01-02T04:04:06.678Z"),
    ]);
    let lines = lines.into_iter().map(|line| line.with("sessionId", session_id(1)));
    sandbox.session("/home/ada/tidepool", &session_id(1), lines);
    sandbox.session(
        "/home/ada/tidepool",
        &session_id(2),
        chained([user("Another one.")])
            .into_iter()
            .map(|line| line.with("sessionId", session_id(2))),
    );
    sandbox
}

const SCRIPT: &str = r"
const frame = await open(PAGE, 1280, 900);
const page = frame.contentDocument, view = frame.contentWindow;
const press = (key, on = page.body) => on.dispatchEvent(new view.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
const folds = element => { const all = []; for (let fold = element.closest('details'); fold; fold = fold.parentElement.closest('details')) all.push(fold.open); return all; };
const call = page.getElementById('m-u3'), thought = page.getElementById('m-u2');
report.folded = [call.open, thought.open];

press('/');
const box = page.querySelector('#find input');
report.finding = [page.querySelector('#find').hidden, page.activeElement === box];
const find = async words => { box.value = words; box.dispatchEvent(new view.Event('input')); await wait(400); };
await find('quokka');
report.quokka = [page.querySelector('#hits').textContent, thought.open, call.open, view.CSS.highlights.has('now')];
await find('wombat');
const wombats = [page.querySelector('#hits').textContent, call.open];
press('Enter', box);
wombats.push(page.querySelector('#hits').textContent);
report.wombat = wombats;
await find('numbat');
report.numbat = [page.querySelector('#hits').textContent, page.getElementById('m-u8').closest('[hidden]') === null, page.getElementById('t3').hidden];
await find('nowhere to be found');
report.nothing = page.querySelector('#hits').textContent;
press('Escape', box);
report.closed = page.querySelector('#find').hidden;

const ways = [...page.querySelectorAll('.ways button')];
report.ways = ways.map(way => way.textContent);
const shown = () => [page.getElementById('m-u8').closest('[hidden]') === null, page.getElementById('t2').hidden, page.getElementById('t3').hidden];
ways[0].click();
report.wentOn = shown();
ways[1].click();
report.abandoned = [...shown(), ...ways.map(way => way.getAttribute('aria-checked'))];
view.location.hash = '#m-u10';
await wait(100);
report.linked = shown();
view.location.hash = '#m-u9';
await wait(100);
report.linkedBack = shown();
ways[0].click();

const link = page.querySelector('#m-u5 > .l');
link.click();
report.copied = [view.location.hash, link.getAttribute('aria-label')];

view.scrollTo(0, 0);
press('j'); await wait(1500);
report.keys = [page.activeElement.hash];
press('t');
const dark = view.getComputedStyle(page.body).backgroundColor;
press('t');
report.lights = dark !== view.getComputedStyle(page.body).backgroundColor;
press('?');
report.help = page.querySelector('dialog').open;
frame.remove();

const linked = await open(PAGE + '#m-u3', 1280, 900);
await wait(100);
report.onLoad = folds(linked.contentDocument.getElementById('m-u3'));
linked.remove();

const phone = await open(PAGE, 390, 844);
const small = phone.contentDocument;
report.outline = small.querySelector('nav details').open;
for (const fold of small.querySelectorAll('details')) fold.open = true;
report.fits = small.documentElement.scrollWidth <= small.documentElement.clientWidth;
report.inner = small.querySelector('pre.o').scrollWidth > small.querySelector('pre.o').clientWidth;
phone.remove();

const index = await open('index.html', 1280, 900);
const list = index.contentDocument, filter = list.querySelector('#filter');
filter.value = 'another';
filter.dispatchEvent(new index.contentWindow.Event('input'));
report.filtered = [...list.querySelectorAll('tbody tr')].map(row => row.hidden);
";

#[test]
fn pages_work_in_the_browser() {
    let Some(browser) = chromium() else { return };
    let sandbox = store();
    let folder = exported(&sandbox, &sandbox.config(), &["--every"]);
    let name = crate::browser::pages(&folder)
        .into_iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .find(|name| name.contains("00000001"))
        .unwrap();
    let seen = drive(&browser, &folder, &SCRIPT.replace("PAGE", &json!(name).to_string()));
    let abandoned = "⎇ Abandoned branch 1: “Forget the numbat.” (2 messages)";
    let expected = json!({
        "folded": [false, false],
        "finding": [false, true],
        "quokka": ["1 of 1", true, false, true],
        "wombat": ["1 of 2", true, "2 of 2"],
        "numbat": ["1 of 1", true, true],
        "nothing": "not found",
        "closed": true,
        "ways": ["Current branch", abandoned],
        "wentOn": [false, false, false],
        "abandoned": [true, false, true, "false", "true"],
        "linked": [false, false, false],
        "linkedBack": [true, false, true],
        "copied": ["#m-u5", "Copy a link to this message"],
        "keys": ["#t1"],
        "lights": true,
        "help": true,
        "onLoad": [true],
        "outline": false,
        "fits": true,
        "inner": true,
        "filtered": [false, true],
    });
    let mut report = seen.report;
    // The newest is first or last: one of two is shown.
    let rows = report["filtered"].as_array_mut().unwrap();
    rows.sort_by_key(serde_json::Value::as_bool);
    for (fact, expected) in expected.as_object().unwrap() {
        assert_eq!(&report[fact], expected, "{fact}");
    }
    assert_eq!(seen.console, [""; 0]);
}
