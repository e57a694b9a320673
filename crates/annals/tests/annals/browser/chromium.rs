//! Runs the browser without a window.

use serde_json::Value;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The result of opening a page.
pub(crate) struct Seen {
    /// The report of the driving script.
    pub(crate) report: Value,
    /// Lines of the console: errors, and actions that the policy blocked.
    pub(crate) console: Vec<String>,
}

/// The browser, where it is installed.
pub(crate) fn chromium() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .flat_map(|folder| ["chromium", "chromium-browser"].map(|name| folder.join(name)))
        .find(|path| path.is_file());
    // Not through `println!`, which a passing test hides.
    let skip = |why| drop(writeln!(std::io::stderr(), "SKIPPED: chromium {why}"));
    let Some(found) = found else {
        skip("is not installed");
        return None;
    };
    // A browser that cannot show an empty page cannot test ours.
    if !(0..TRIES).any(|_| open_page(&found, "about:blank").0.contains("<body>")) {
        skip("is installed and does not work here");
        return None;
    }
    Some(found)
}

/// Opens a page that frames others, runs its script to the end, and reads its report.
pub(crate) fn drive(browser: &Path, folder: &Path, script: &str) -> Seen {
    let page = folder.join("drive.htm");
    let content = format!(
        "<!doctype html><meta charset=utf-8><title>drive</title><body><script>
const wait = time => new Promise(done => setTimeout(done, time));
const open = (address, width, height) => new Promise(done => {{
  const frame = document.createElement('iframe');
  frame.width = width; frame.height = height;
  frame.onload = () => done(frame);
  frame.src = address;
  document.body.append(frame);
}});
const report = {{}};
const run = async () => {{ {script} }};
run().catch(error => {{ report.error = String(error && error.stack || error); }}).then(() => {{
  for (const frame of document.querySelectorAll('iframe')) frame.remove();
  const place = document.createElement('pre');
  place.id = 'report';
  place.textContent = JSON.stringify(report);
  document.body.append(place);
}});
</script>"
    );
    std::fs::write(&page, content).unwrap();
    // On a busy machine a browser may fail to start or never end; that is not the page's
    // fault.
    let (dom, log) = (0..TRIES)
        .map(|_| open_page(browser, &format!("file://{}", page.display())))
        .find(|(dom, _)| dom.contains(REPORT))
        .unwrap_or_else(|| panic!("{} gave no report {TRIES} times", browser.display()));
    let report = dom.split_once(REPORT).and_then(|(_, rest)| rest.split_once("</pre>"));
    let Some((report, _)) = report else { panic!("no end of the report\n{dom}\n{log}") };
    let report = report.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report.get("error"), None, "{log}");
    let console = log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    Seen { report, console }
}

/// The element for the driving script's report.
const REPORT: &str = "<pre id=\"report\">";

const TRIES: usize = 3;

/// The time limit for a page.
const PATIENCE: Duration = Duration::from_mins(2);

/// Opens a page, and returns its final DOM and the browser's log.
fn open_page(browser: &Path, address: &str) -> (String, String) {
    let profile = tempfile::tempdir().unwrap();
    let file = |name: &str| profile.path().join(name);
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .args(["--no-first-run", "--disable-extensions", "--disable-background-networking"])
        .args(["--allow-file-access-from-files", "--enable-logging=stderr", "--v=0"])
        .args(["--virtual-time-budget=120000", "--window-size=1280,900", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(address)
        .env("HOME", profile.path())
        .stdout(File::create(file("dom")).unwrap())
        .stderr(File::create(file("log")).unwrap())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > PATIENCE {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let read = |name| String::from_utf8_lossy(&std::fs::read(file(name)).unwrap()).into_owned();
    (read("dom"), read("log"))
}
