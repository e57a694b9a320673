//! `annals tui`: it starts, answers keys, and leaves the terminal as it was, however it ends.

use crate::pty::support::{Pty, closed_terminal, process_state, session, signal, stand_in_claude};
use std::path::Path;
use testkit::Sandbox;

const ID: &str = "00000001-0000-4000-8000-000000000001";

/// Clears the screen, sets the title, moves back, reverses text.
const EVIL: &str = "evil\u{1b}[2J\u{1b}]0;owned\u{7}\u{1b}[31m\u{9b}31m\u{8}\u{202e}end";

/// A sandbox with two sessions in its home folder.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let home = home(&sandbox);
    session(&sandbox, 1, &home, "Fix the flaky login test");
    session(&sandbox, 2, &home, "Tide table endpoint");
    sandbox
}

fn home(sandbox: &Sandbox) -> String {
    std::fs::canonicalize(sandbox.home()).unwrap().to_str().unwrap().to_owned()
}

/// Whether the terminal is as it was before.
fn assert_sane(pty: &Pty, modes_before: &str) {
    assert!(!pty.is_alternate(), "the alternate screen stays");
    assert!(!pty.hides_cursor(), "the cursor stays hidden");
    assert_eq!(pty.modes(), modes_before);
    let bytes = pty.bytes();
    let last = |sequence: &[u8]| bytes.windows(sequence.len()).rposition(|part| part == sequence);
    for mode in ["1000", "1002", "1006", "2004"] {
        let on = last(format!("\u{1b}[?{mode}h").as_bytes());
        let off = last(format!("\u{1b}[?{mode}l").as_bytes());
        assert!(on < off, "mode {mode} stays on");
    }
}

/// The modes of a terminal that no program has changed.
fn fresh_modes(sandbox: &Sandbox) -> String {
    let mut pty = Pty::start(sandbox, Path::new("/bin/sleep"), &["0"], &[]);
    let modes = pty.modes();
    pty.end();
    modes
}

#[test]
fn typing_filters_and_quitting_restores_the_terminal() {
    let sandbox = sandbox();
    let modes = fresh_modes(&sandbox);
    let mut pty = Pty::annals(&sandbox, &["tui"]);
    pty.wait_for("Tide table");
    pty.wait_for("Fix the flaky");
    assert!(pty.is_alternate());
    pty.send("flaky");
    pty.wait_until("one row", || !pty.screen().contains("Tide table"));
    // A word of the answer, which only the index knows.
    pty.send("\u{15}forward");
    pty.wait_for("The clock is moved");
    pty.send("\u{3}");
    assert_eq!(pty.end(), 0);
    assert_sane(&pty, &modes);
}

#[test]
fn pasted_text_is_a_query_and_no_keys() {
    let sandbox = sandbox();
    let mut pty = Pty::annals(&sandbox, &["tui"]);
    pty.wait_for("Tide table");
    pty.send("\u{1b}[200~flaky\nlogin\u{1b}[201~");
    pty.wait_for("› flaky login");
    pty.wait_until("one row", || !pty.screen().contains("Tide table"));
}

#[test]
fn late_answers_of_the_terminal_are_not_typed() {
    let sandbox = sandbox();
    let mut pty = Pty::annals(&sandbox, &["tui"]);
    pty.wait_for("Tide table");
    std::thread::sleep(std::time::Duration::from_millis(200));
    pty.send("\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\\u{1b}[?62;22cx");
    pty.wait_for("› x");
    assert!(!pty.screen().contains("rgb"), "{}", pty.screen());
}

#[test]
fn the_screen_follows_the_size_of_the_terminal() {
    let sandbox = sandbox();
    let pty = Pty::annals(&sandbox, &["tui"]);
    pty.wait_for("Tide table");
    pty.resize(7, 30);
    pty.wait_for("annals needs 40×8");
    pty.resize(40, 120);
    pty.wait_for("Tide table");
    pty.wait_until("hints on the last row", || {
        let last = pty.screen().lines().last().unwrap_or_default().to_owned();
        last.contains("resume")
    });
}

#[test]
fn suspending_gives_the_terminal_back_and_continuing_draws_again() {
    let sandbox = sandbox();
    let modes = fresh_modes(&sandbox);
    for how in ["\u{1a}", ""] {
        let mut pty = Pty::annals(&sandbox, &["tui"]);
        pty.wait_for("Tide table");
        if how.is_empty() {
            signal(pty.pid(), "TSTP");
        } else {
            pty.send(how);
        }
        pty.wait_until("a stopped process", || process_state(pty.pid()) == Some('T'));
        pty.wait_until("the ordinary screen", || !pty.is_alternate());
        assert_eq!(pty.modes(), modes);
        signal(pty.pid(), "CONT");
        pty.wait_for("Tide table");
        assert!(pty.is_alternate());
        pty.send("\u{3}");
        assert_eq!(pty.end(), 0);
        assert_sane(&pty, &modes);
    }
}

#[test]
fn signals_that_end_it_leave_the_terminal_sane() {
    let sandbox = sandbox();
    let modes = fresh_modes(&sandbox);
    for name in ["TERM", "HUP", "INT"] {
        let mut pty = Pty::annals(&sandbox, &["tui"]);
        pty.wait_for("Tide table");
        signal(pty.pid(), name);
        pty.end();
        assert_sane(&pty, &modes);
    }
}

#[test]
fn terminal_that_is_closed_ends_it() {
    let sandbox = sandbox();
    let annals = env!("CARGO_BIN_EXE_annals");
    // Also where the signal for it is ignored.
    let deaf = format!("trap '' HUP; exec '{annals}' tui");
    for (program, arguments) in [(annals, vec!["tui"]), ("/bin/sh", vec!["-c", deaf.as_str()])] {
        let mut child = closed_terminal(&sandbox, Path::new(program), &arguments, "Tide table");
        let begun = std::time::Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed().as_secs() < 120, "{program} goes on without a terminal");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}

#[test]
fn resuming_starts_claude_in_its_folder_with_the_terminal_restored() {
    let sandbox = Sandbox::new();
    let modes = fresh_modes(&sandbox);
    let (path, log) = stand_in_claude(&sandbox);
    let work = format!("{}/it's $(here)", home(&sandbox));
    std::fs::create_dir(&work).unwrap();
    session(&sandbox, 1, &work, "Fix the flaky login test");
    let annals = Path::new(testkit::program!("annals"));
    let variables = [("PATH", path.to_str().unwrap())];
    for (keys, arguments) in [("\u{12}", ""), ("\u{6}", "--fork-session\n")] {
        let mut pty = Pty::start(&sandbox, annals, &["tui", "-a"], &variables);
        pty.wait_for("Fix the flaky");
        pty.send(keys);
        assert_eq!(pty.end(), 0, "{}", pty.screen());
        assert_sane(&pty, &modes);
        let written = std::fs::read_to_string(&log).unwrap();
        assert_eq!(written, format!("{work}\n--resume\n{ID}\n{arguments}"));
        let modes_there = std::fs::read_to_string(format!("{}.modes", log.display())).unwrap();
        assert!(modes_there.contains(" icanon") && modes_there.contains(" echo "), "{modes_there}");
        std::fs::remove_file(&log).unwrap();
    }
}

/// With glibc, each thread would keep its own memory.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn settings_of_memory_are_those_of_annals_and_not_of_claude() {
    let sandbox = Sandbox::new();
    let (path, log) = stand_in_claude(&sandbox);
    session(&sandbox, 1, &home(&sandbox), "Fix the flaky login test");
    let annals = Path::new(testkit::program!("annals"));
    // The programs under test may be static ones, which have another allocator.
    let program = std::fs::read(annals).unwrap();
    let has_glibc = program.windows(8).any(|bytes| bytes == b"GLIBC_2.");
    let arenas = |environment: &str| {
        let mut variables = environment.split(['\0', '\n']);
        variables.find_map(|it| it.strip_prefix("MALLOC_ARENA_MAX=")).map(str::to_owned)
    };
    for (chosen, expected) in [(None, has_glibc.then_some("1")), (Some("3"), Some("3"))] {
        let mut variables = vec![("PATH", path.to_str().unwrap())];
        variables.extend(chosen.map(|chosen| ("MALLOC_ARENA_MAX", chosen)));
        let mut pty = Pty::start(&sandbox, annals, &["tui", "-a"], &variables);
        pty.wait_for("Fix the flaky");
        let own = std::fs::read_to_string(format!("/proc/{}/environ", pty.pid())).unwrap();
        assert_eq!(arenas(&own).as_deref(), expected);
        pty.send("\u{12}");
        assert_eq!(pty.end(), 0, "{}", pty.screen());
        let there = std::fs::read_to_string(format!("{}.environment", log.display())).unwrap();
        assert_eq!(arenas(&there).as_deref(), chosen, "what a person chose");
    }
}

#[test]
fn a_folder_that_is_gone_asks_for_another() {
    let sandbox = Sandbox::new();
    let (path, log) = stand_in_claude(&sandbox);
    session(&sandbox, 1, "/nowhere/at/all", "Fix the flaky login test");
    let annals = Path::new(testkit::program!("annals"));
    let mut pty = Pty::start(&sandbox, annals, &["tui", "-a"], &[("PATH", path.to_str().unwrap())]);
    pty.wait_for("Fix the flaky");
    pty.send("\u{12}");
    pty.wait_for("no longer exists");
    pty.send("~\r");
    assert_eq!(pty.end(), 0, "{}", pty.screen());
    let written = std::fs::read_to_string(&log).unwrap();
    assert_eq!(written, format!("{}\n--resume\n{ID}\n", home(&sandbox)));
}

#[test]
fn titles_leave_no_escape_byte_of_theirs_on_the_terminal() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, &home(&sandbox), EVIL);
    let title = format!(
        "{}\n",
        serde_json::json!({"type": "custom-title", "customTitle": EVIL, "sessionId": ID})
    );
    sandbox.append(&path, title);
    let mut pty = Pty::annals(&sandbox, &["tui"]);
    pty.wait_for(r"evil\u{1b}[2J");
    pty.send("evil");
    pty.wait_for("› evil");
    pty.send("\r");
    pty.wait_until("the session", || !pty.screen().contains("› evil"));
    pty.send("\u{3}");
    pty.end();
    let bytes = pty.bytes();
    let text = String::from_utf8_lossy(&bytes);
    assert!(!text.contains("]0;owned\u{7}") && !text.contains("\u{1b}[31mend"));
    assert!(!text.contains('\u{9b}') && !text.contains('\u{8}') && !text.contains('\u{202e}'));
    // Every escape byte begins a sequence of annals' own.
    for rest in text.split('\u{1b}').skip(1) {
        let own = rest.starts_with('[') || rest.starts_with("]11;?") || rest.starts_with('\\');
        assert!(own, "{:?}", rest.chars().take(20).collect::<String>());
    }
    assert_eq!(text.matches("\u{1b}[2J").count(), text.matches("\u{1b}[?1049h").count());
}

#[test]
fn home_names_the_tui_on_a_terminal_and_the_configuration_opens_it() {
    let sandbox = sandbox();
    let mut pty = Pty::annals(&sandbox, &[]);
    assert_eq!(pty.end(), 0);
    assert!(pty.screen().trim_end().ends_with("annals tui"), "{}", pty.screen());
    let folder = sandbox.home().join(".config/annals");
    std::fs::create_dir_all(&folder).unwrap();
    let configuration = "home = \"tui\"\n[tui]\nmouse = false\n[tui.keys]\nquit = \"f10\"\n";
    std::fs::write(folder.join("config.toml"), configuration).unwrap();
    let mut pty = Pty::annals(&sandbox, &[]);
    pty.wait_for("Tide table");
    pty.send("\u{1b}[21~");
    assert_eq!(pty.end(), 0);
    let bytes = pty.bytes();
    assert!(!String::from_utf8_lossy(&bytes).contains("\u{1b}[?1000h"), "the mouse is off");
}
