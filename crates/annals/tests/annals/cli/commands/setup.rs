//! `annals setup` shows, changes and refuses the right things, in a home with a made-up
//! `claude` and `systemctl`.

mod mcp;
#[cfg(target_os = "linux")]
mod timer;

use crate::cli::support::run::{Answer, annals, assert_members, command, run, text};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use testkit::{Sandbox, fingerprint};

const SETTINGS: &str = "{\n  \"model\": \"opus\",\n  \"statusLine\": {\"type\": \"command\", \"command\": \"~/line.sh\"}\n}\n";

/// Records its arguments, and changes the state file as `claude mcp` would.
const CLAUDE: &str = r#"#!/bin/sh
echo "$CLAUDE_CONFIG_DIR $*" >> "$HOME/calls"
state="$CLAUDE_CONFIG_DIR/.claude.json"
case "$2" in
add) echo "{\"mcpServers\":{\"annals\":{\"type\":\"stdio\",\"command\":\"$7\",\"args\":[\"mcp\"]}}}" > "$state" ;;
remove) echo '{"mcpServers":{}}' > "$state" ;;
esac
"#;

const SYSTEMCTL: &str = r#"#!/bin/sh
echo "systemctl $*" >> "$HOME/calls"
"#;

fn program(sandbox: &Sandbox, name: &str, script: &str) -> PathBuf {
    let path = sandbox.home().join("bin").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A home with settings, `claude`, `systemctl`, and `annals` as it would be
/// installed.
fn home(settings: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    program(&sandbox, "claude", CLAUDE);
    program(&sandbox, "systemctl", SYSTEMCTL);
    program(&sandbox, "annals", "#!/bin/sh\n");
    sandbox.write("settings.json", settings);
    sandbox
}

fn setup(sandbox: &Sandbox, arguments: &[&str]) -> Answer {
    let bin = sandbox.home().join("bin");
    let installed = bin.join("annals");
    let mut command = command(sandbox, &["setup"]);
    command.args(arguments).env("PATH", &bin);
    if !arguments.contains(&"--command") {
        command.arg("--command").arg(installed);
    }
    command.env("ANNALS_MANAGED_SETTINGS", sandbox.path().join("managed-settings.json"));
    run(&mut command)
}

fn settings(sandbox: &Sandbox) -> String {
    fs::read_to_string(sandbox.config().join("settings.json")).unwrap()
}

fn calls(sandbox: &Sandbox) -> String {
    let calls = fs::read_to_string(sandbox.home().join("calls")).unwrap_or_default();
    calls.replace(&sandbox.path().display().to_string(), "[ROOT]")
}

/// The status of each part, as `hooks=done`.
fn statuses(answer: &Answer) -> String {
    let document = answer.json();
    let parts = document["parts"].as_array().unwrap().iter();
    let words = parts.map(|part| format!("{}={}", text(&part["part"]), text(&part["status"])));
    words.collect::<Vec<_>>().join(" ")
}

fn detail(answer: &Answer, name: &str) -> String {
    let document = answer.json();
    let mut parts = document["parts"].as_array().unwrap().iter();
    text(&parts.find(|part| part["part"] == name).unwrap()["detail"])
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn without_yes_setup_shows_its_plan_and_changes_nothing() {
    let sandbox = home(SETTINGS);
    let before = fingerprint(sandbox.path());
    let answer = setup(&sandbox, &[]).done();
    for expected in [
        "+++ [ROOT]/claude/settings.json",
        "+            \"command\": \"[ ! -x '[ROOT]/home/bin/annals' ] || '[ROOT]/home/bin/annals' hook\",",
        "statusline --then '~/line.sh'",
        "+++ [ROOT]/claude/skills/annals/SKILL.md",
        "+  \"cleanupPeriodDays\": 365",
        "  claude mcp add --scope user annals -- [ROOT]/home/bin/annals mcp",
        "Nothing was changed.\nhint: annals setup --yes changes hooks, statusline, skill, cleanup, mcp;",
    ] {
        let expected = expected.replace("[ROOT]", &sandbox.path().display().to_string());
        assert!(answer.out.contains(&expected), "{expected} in {}", answer.out);
    }
    for arguments in [&["--json"][..], &["--dry-run", "--json"]] {
        let answer = setup(&sandbox, arguments).done();
        let expected = "hooks=planned statusline=planned skill=planned cleanup=planned mcp=planned";
        assert_eq!(statuses(&answer), expected);
        assert_eq!(answer.json()["is_dry_run"], true);
    }
    assert_eq!(fingerprint(sandbox.path()), before);
}

#[test]
fn doctor_recommends_the_retention_that_setup_sets() {
    let sandbox = home(SETTINGS);
    let doctor = annals(&sandbox, &["doctor", "--json"]).done().json();
    let advice = text(&doctor["retention"]["advice"]);
    let proposed = setup(&sandbox, &[]).done().out;
    assert!(proposed.contains(&format!("+  {advice}\n")), "{advice} in {proposed}");
}

#[test]
fn setup_installs_once_and_removes_completely() {
    let sandbox = home(SETTINGS);
    let answer = setup(&sandbox, &["--yes", "--json"]).done();
    let all = "hooks=done statusline=done skill=done cleanup=done mcp=done";
    assert_eq!(statuses(&answer), all);
    let document: Value = serde_json::from_str(&settings(&sandbox)).unwrap();
    let program = format!("'{}/bin/annals'", sandbox.home().display());
    let hook = format!("[ ! -x {program} ] || {program} hook");
    for event in ["SessionStart", "SessionEnd", "PreCompact"] {
        assert_eq!(document["hooks"][event][0]["hooks"][0]["command"], hook, "{event}");
    }
    assert_eq!(document["model"], "opus");
    let skill = fs::read_to_string(sandbox.config().join("skills/annals/SKILL.md")).unwrap();
    assert!(skill.starts_with("---\nname: annals\ndescription: "), "{skill}");
    assert!(!skill.contains("not on PATH") && !skill.contains("@where@"), "{skill}");
    assert!(skill.find("MCP tools") < skill.find("Bash tool"), "the tools come first");
    for command in ["search", "grep", "ls", "files src/parser.rs", "usage", "usage session"] {
        let row = skill.split('`').find(|row| row.starts_with(&format!("annals {command} ")));
        assert!(row.is_some_and(|row| row.contains(" --here")), "{command}: {skill}");
    }

    let before = fingerprint(sandbox.path());
    let again = setup(&sandbox, &["--yes", "--json"]).done();
    assert_eq!(statuses(&again), all.replace("done", "unchanged"));
    assert_eq!(fingerprint(sandbox.path()), before, "a second run changes nothing");

    let answer = setup(&sandbox, &["--remove", "--yes", "--json"]).done();
    assert_eq!(statuses(&answer), all);
    assert_eq!(settings(&sandbox), SETTINGS, "the bytes that were there");
    assert!(!sandbox.config().join("skills").exists());
    assert!(!sandbox.annals_home().join("setup/receipt.json").exists());
    let none = setup(&sandbox, &["--remove", "--yes"]).done();
    assert!(none.out.ends_with("\nNothing was changed\n"), "{}", none.out);
    insta::assert_snapshot!(calls(&sandbox), @"
    [ROOT]/claude mcp add --scope user annals -- [ROOT]/home/bin/annals mcp
    [ROOT]/claude mcp remove --scope user annals
    ");
}

#[test]
fn backups_and_receipt_are_readable_only_by_their_owner() {
    let sandbox = home(SETTINGS);
    let document = setup(&sandbox, &["--yes", "--json"]).done().json();
    assert_members(
        &document,
        "schema config settings program receipt backup is_removal is_dry_run notes problems parts",
    );
    assert_members(&document["parts"][0], "part status detail paths diff commands");
    assert_eq!(document["schema"], "annals/setup/1");
    let backup = PathBuf::from(text(&document["backup"]));
    assert_eq!(fs::read_to_string(&backup).unwrap(), SETTINGS);
    for file in [backup, PathBuf::from(text(&document["receipt"]))] {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    assert_eq!(mode(&sandbox.annals_home().join("setup")), 0o700);
}

#[test]
fn created_settings_file_is_private_and_removed_again() {
    let sandbox = home("");
    let path = sandbox.config().join("settings.json");
    sandbox.remove(&path);
    setup(&sandbox, &["--yes"]).done();
    assert_eq!(mode(&path), 0o600);
    setup(&sandbox, &["--remove", "--yes"]).done();
    assert!(!path.exists());
}

#[test]
fn only_the_named_parts_are_changed() {
    let sandbox = home(SETTINGS);
    let put = setup(&sandbox, &["--yes", "--only", "cleanup,skill", "--only", "hooks", "--json"]);
    assert_eq!(statuses(&put.done()), "hooks=done skill=done cleanup=done");
    let taken = setup(&sandbox, &["--remove", "--yes", "--only", "hooks", "--json"]).done();
    assert_eq!(statuses(&taken), "hooks=done");
    assert_eq!(settings(&sandbox), SETTINGS.replace("}\n}", "},\n  \"cleanupPeriodDays\": 365\n}"));
    setup(&sandbox, &["--remove", "--yes"]).done();
    assert_eq!(settings(&sandbox), SETTINGS);
    assert!(calls(&sandbox).is_empty());
}

#[test]
fn later_edits_survive_removal() {
    let sandbox = home(SETTINGS);
    setup(&sandbox, &["--yes"]).done();
    let path = sandbox.config().join("settings.json");
    let edited = settings(&sandbox).replace("\"opus\"", "\"sonnet\"").replace("365", "400");
    fs::write(&path, edited).unwrap();
    sandbox.append(&sandbox.config().join("skills/annals/SKILL.md"), "mine\n");
    let answer = setup(&sandbox, &["--remove", "--yes", "--json"]).done();
    assert!(detail(&answer, "skill").contains("was edited: not removed"));
    let expected = SETTINGS.replace("opus", "sonnet");
    assert_eq!(settings(&sandbox), expected.replace("}\n}", "},\n  \"cleanupPeriodDays\": 400\n}"));
    assert!(sandbox.config().join("skills/annals/SKILL.md").exists());
}

#[test]
fn moved_program_replaces_the_old_path() {
    let sandbox = home(SETTINGS);
    setup(&sandbox, &["--yes"]).done();
    let moved = program(&sandbox, "new place/annals", "#!/bin/sh\n");
    let moved = moved.to_str().unwrap();
    let answer = setup(&sandbox, &["--yes", "--json", "--command", moved]).done();
    assert_eq!(
        statuses(&answer),
        "hooks=done statusline=done skill=done cleanup=unchanged mcp=done"
    );
    let old = format!("{}/bin/annals'", sandbox.home().display());
    assert!(!settings(&sandbox).contains(&old), "{}", settings(&sandbox));
    assert_eq!(settings(&sandbox).matches(moved).count(), 8, "each command names it twice");
    let skill = fs::read_to_string(sandbox.config().join("skills/annals/SKILL.md")).unwrap();
    assert!(skill.contains(&format!("run `'{moved}'` instead of `annals`")), "{skill}");
    // Also by a program that knows neither path.
    setup(&sandbox, &["--remove", "--yes"]).done();
    assert_eq!(settings(&sandbox), SETTINGS);
}

#[test]
fn unusable_settings_are_left_unchanged_and_nothing_else_is_installed() {
    type Make = fn(&Sandbox, &Path);
    let table: [(Make, &str); 8] = [
        (|_, path| fs::write(path, "{\n  // mine\n}").unwrap(), "line 2, column 3: comments"),
        (|_, path| fs::write(path, "{\"a\": 1,}").unwrap(), "line 1, column 9: trailing comma"),
        (|_, path| fs::write(path, b"{\"a\": \"\xff\"}").unwrap(), "not UTF-8"),
        (|_, path| symlink("nowhere.json", path).unwrap(), "a link to a missing file"),
        (|_, path| symlink("settings.json", path).unwrap(), "points back to itself"),
        (|_, path| fs::create_dir(path).unwrap(), "not a regular file"),
        (
            |_, path| {
                fs::write(path, "{}").unwrap();
                fs::set_permissions(path, fs::Permissions::from_mode(0o444)).unwrap();
            },
            "read-only",
        ),
        (
            |_, path| fs::File::create(path).unwrap().set_len(17 << 20).unwrap(),
            "larger than 16 MiB",
        ),
    ];
    for (make, expected) in table {
        let sandbox = home("");
        let path = sandbox.config().join("settings.json");
        sandbox.remove(&path);
        make(&sandbox, &path);
        let look =
            || (fs::symlink_metadata(&path).unwrap().modified().unwrap(), fs::read(&path).ok());
        let before = look();
        let answer = setup(&sandbox, &["--yes", "--json"]);
        assert_eq!(answer.code, 2, "{expected}: {answer:?}");
        assert!(detail(&answer, "hooks").contains(expected), "{}", detail(&answer, "hooks"));
        assert!(!statuses(&answer).contains("done"), "{}", statuses(&answer));
        assert_eq!(look(), before, "{expected}");
        let names = fs::read_dir(sandbox.config()).unwrap().count();
        assert_eq!(names, 2, "{expected}: projects, settings and nothing else");
        assert!(calls(&sandbox).is_empty());
    }
}

#[test]
fn a_part_that_cannot_be_installed_leaves_the_whole_setup_undone() {
    for (settings, reason) in [
        (r#"{"hooks": null}"#, "hooks should be an object, but is null"),
        (r#"{"hooks": "none", "model": "opus"}"#, "hooks should be an object, but is a string"),
        (r#"{"hooks": {}, "hooks": {}}"#, "it contains hooks twice"),
        (r#"{"hooks": {"SessionEnd": 1}}"#, "SessionEnd should be an array"),
        (r#"{"statusLine": null}"#, "statusLine should be an object, but is null"),
        (r#"{"statusLine": {}, "statusLine": {}}"#, "it contains statusLine twice"),
        (r#"{"cleanupPeriodDays": "x"}"#, "cleanupPeriodDays should be a number"),
    ] {
        let sandbox = home(settings);
        let before = fingerprint(sandbox.path());
        let answer = setup(&sandbox, &["--yes"]);
        assert_eq!(answer.code, 2, "{settings}: {answer:?}");
        assert!(answer.out.contains(reason), "{settings}: {}", answer.out);
        assert!(answer.out.contains("\nNothing was changed, because setup cannot install: "));
        assert_eq!(fingerprint(sandbox.path()), before, "{settings}");
    }
    // The hint installs the others.
    let sandbox = home(r#"{"hooks": null}"#);
    let answer = setup(&sandbox, &["--yes"]);
    assert!(answer.out.contains("--only statusline,skill,cleanup,mcp"), "{}", answer.out);
    setup(&sandbox, &["--yes", "--only", "statusline,skill,cleanup,mcp"]).done();
    setup(&sandbox, &["--yes", "--remove"]).done();
    assert_eq!(settings(&sandbox), r#"{"hooks": null}"#);
}

#[test]
fn linked_settings_are_changed_at_their_target() {
    let sandbox = home("");
    let path = sandbox.config().join("settings.json");
    sandbox.remove(&path);
    let real = sandbox.home().join("dotfiles.json");
    fs::write(&real, SETTINGS).unwrap();
    symlink(&real, &path).unwrap();
    setup(&sandbox, &["--yes"]).done();
    assert!(path.is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("cleanupPeriodDays"));
    setup(&sandbox, &["--remove", "--yes"]).done();
    assert_eq!(fs::read_to_string(&real).unwrap(), SETTINGS);
}

#[test]
fn full_disk_leaves_everything_unchanged() {
    let sandbox = home(SETTINGS);
    let script = format!(
        "ulimit -f 0; exec '{}' setup --yes --only hooks,skill --json --command '{}/bin/annals'",
        testkit::program!("annals"),
        sandbox.home().display()
    );
    let answer = run(sandbox.command("/bin/sh").args(["-c", &script]));
    assert_eq!(answer.code, 2, "{answer:?}");
    assert_eq!(statuses(&answer), "hooks=failed skill=failed");
    assert!(detail(&answer, "hooks").contains("cannot write"), "{}", detail(&answer, "hooks"));
    assert_eq!(settings(&sandbox), SETTINGS);
    let left = fingerprint(sandbox.path()).into_iter().filter(|line| line.contains(".part "));
    assert_eq!(left.count(), 0);
}

#[test]
fn program_writable_by_others_is_refused_before_any_change() {
    let sandbox = home(SETTINGS);
    let open = program(&sandbox, "open", "#!/bin/sh\n");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o757)).unwrap();
    let folder = program(&sandbox, "shared/annals", "#!/bin/sh\n");
    fs::set_permissions(folder.parent().unwrap(), fs::Permissions::from_mode(0o777)).unwrap();
    let link = sandbox.home().join("link");
    symlink(&folder, &link).unwrap();
    let broken = program(&sandbox, "new\nline", "#!/bin/sh\n");
    let text = program(&sandbox, "text", "");
    fs::set_permissions(&text, fs::Permissions::from_mode(0o644)).unwrap();
    let table = [
        (open, "everybody can write"),
        (folder, "everybody can write"),
        (link, "everybody can write"),
        (broken, "control characters"),
        (text, "is not an executable file"),
        (sandbox.home().join("nowhere"), "No such file"),
    ];
    let before = fingerprint(sandbox.path());
    for (program, expected) in table {
        let answer = setup(&sandbox, &["--yes", "--command", program.to_str().unwrap()]);
        assert!(answer.complaint(2).contains(expected), "{}", answer.err);
    }
    assert_eq!(fingerprint(sandbox.path()), before);
}

#[test]
fn settings_that_disable_hooks_are_reported() {
    let sandbox = home("{\"disableAllHooks\": true}");
    fs::write(sandbox.path().join("managed-settings.json"), "{\"allowManagedHooksOnly\": true}")
        .unwrap();
    let more = sandbox.path().join("managed-settings.d");
    fs::create_dir(&more).unwrap();
    fs::write(more.join("10-security.json"), "{\"disableAllHooks\": true}").unwrap();
    fs::write(more.join("20-fine.json"), "{\"disableAllHooks\": false}").unwrap();
    let document = setup(&sandbox, &["--json"]).done().json();
    let mut notes: Vec<String> = document["notes"].as_array().unwrap().iter().map(text).collect();
    // The made-up program of this test is in one.
    notes.retain(|note| !note.contains("is in the temporary folder"));
    let notes = notes.join("\n").replace(&sandbox.path().display().to_string(), "[ROOT]");
    insta::assert_snapshot!(notes, @"
    [ROOT]/managed-settings.json sets allowManagedHooksOnly: hooks and the status line will not run
    [ROOT]/managed-settings.d/10-security.json sets disableAllHooks: hooks and the status line will not run
    [ROOT]/claude/settings.json sets disableAllHooks: hooks and the status line will not run
    ");
}

#[test]
fn foreign_skill_is_left_unchanged() {
    let sandbox = home(SETTINGS);
    let path = sandbox.write("skills/annals/SKILL.md", "mine");
    let answer = setup(&sandbox, &["--yes", "--only", "skill", "--json"]);
    assert_eq!((answer.code, statuses(&answer).as_str()), (2, "skill=refused"));
    let answer = setup(&sandbox, &["--remove", "--yes", "--only", "skill", "--json"]).done();
    assert_eq!(statuses(&answer), "skill=unchanged");
    assert_eq!(fs::read_to_string(path).unwrap(), "mine");
}

#[test]
fn unreadable_receipt_is_not_overwritten() {
    let sandbox = home(SETTINGS);
    let folder = sandbox.annals_home().join("setup");
    fs::create_dir(&folder).unwrap();
    for text in ["", "{", "{\"schema\":\"annals/setup-receipt/9\",\"configs\":{}}"] {
        fs::write(folder.join("receipt.json"), text).unwrap();
        let answer = setup(&sandbox, &["--yes"]);
        assert!(
            answer.complaint(2).contains("receipt.json is not a receipt of this version"),
            "{}",
            answer.err
        );
        assert_eq!(settings(&sandbox), SETTINGS);
    }
}

#[test]
fn running_program_is_installed_and_a_link_to_it_is_reported() {
    let sandbox = home(SETTINGS);
    let link = sandbox.home().join("bin/annals");
    sandbox.remove(&link);
    let running = testkit::program!("annals");
    symlink(running, &link).unwrap();
    let mut command = command(&sandbox, &["setup", "--json"]);
    let document = run(command.env("PATH", link.parent().unwrap())).done().json();
    assert_eq!(document["program"], running);
    let note = text(&document["notes"][0]);
    assert!(
        note.ends_with(&format!("(pass --command {} to use the link)", link.display())),
        "{note}"
    );
}

#[test]
fn wrong_use_is_refused() {
    let sandbox = home(SETTINGS);
    let table: [(&[&str], &str); 4] = [
        (&["--only", "weather"], "weather"),
        (&["--yes", "--dry-run"], "cannot be used with"),
        (&["--csv"], "does not use --csv"),
        (&["--jsonl"], "does not use --jsonl"),
    ];
    for (arguments, expected) in table {
        let answer = setup(&sandbox, arguments);
        assert!(answer.complaint(2).contains(expected), "{}", answer.err);
    }
    let inside = sandbox.config().join("annals");
    let answer = run(command(&sandbox, &["setup", "--yes"]).env("ANNALS_HOME", inside));
    assert!(answer.complaint(2).contains("ANNALS_HOME"), "{}", answer.err);
    let demo = annals(&sandbox, &["--demo", "setup", "--yes", "--json"]).done();
    assert_eq!(demo.json()["is_dry_run"], true, "setup does not change anything for the demo");
}

#[test]
fn a_program_that_will_vanish_is_not_installed() {
    let sandbox = home(SETTINGS);
    let before = fingerprint(sandbox.path());
    // The running program is in the build folder of cargo.
    for arguments in [&["setup", "--yes"][..], &["setup", "--yes", "--only", "hooks"]] {
        let answer = annals(&sandbox, arguments);
        let complaint = answer.complaint(2);
        assert!(complaint.contains("is in the build folder"), "{complaint}");
        assert!(complaint.contains("hint: install annals"), "{complaint}");
    }
    assert_eq!(fingerprint(sandbox.path()), before);
    // A plan says so, and a part that names no program is not affected.
    let plan = annals(&sandbox, &["setup", "--dry-run"]).done();
    assert!(plan.out.contains("is in the build folder"), "{}", plan.out);
    annals(&sandbox, &["setup", "--yes", "--only", "cleanup"]).done();
}

#[test]
fn doctor_reports_hooks_that_run_another_program_or_none() {
    let sandbox = home(SETTINGS);
    let programs = |sandbox: &Sandbox| {
        let document = annals(sandbox, &["doctor", "--json"]).done().json();
        let programs = document["programs"].as_array().unwrap().iter();
        let words = programs.map(|it| format!("{}={}", text(&it["part"]), text(&it["state"])));
        words.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(programs(&sandbox), "");
    setup(&sandbox, &["--yes"]).done();
    assert_eq!(programs(&sandbox), "hooks=other statusline=other mcp=other");
    let report = annals(&sandbox, &["doctor"]).done().out;
    assert!(report.contains("which is not this program"), "{report}");
    sandbox.remove(&sandbox.home().join("bin/annals"));
    assert_eq!(programs(&sandbox), "hooks=missing statusline=missing mcp=missing");
    let report = annals(&sandbox, &["doctor"]).done().out;
    assert!(report.contains("which does not exist"), "{report}");
    symlink(testkit::program!("annals"), sandbox.home().join("bin/annals")).unwrap();
    assert_eq!(programs(&sandbox), "hooks=same statusline=same mcp=same");
    assert!(!annals(&sandbox, &["doctor"]).done().out.contains("Installation"));
}
