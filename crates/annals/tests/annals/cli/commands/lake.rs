//! `annals lake`: what is configured, what is refused, and which program is started.

use crate::cli::support::lake_program::lake_program;
use crate::cli::support::run::{Answer, command, filtered, run};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use testkit::{Sandbox, call, chained, fingerprint, session_id, user};

/// A home with a shared folder `bucket`.
pub(super) fn home(configuration: &str) -> Sandbox {
    lake_program();
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path().join("bucket")).unwrap();
    fs::create_dir_all(sandbox.path().join("xdg/annals")).unwrap();
    if !configuration.is_empty() {
        fs::write(file(&sandbox), configuration).unwrap();
    }
    sandbox
}

pub(super) fn file(sandbox: &Sandbox) -> PathBuf {
    sandbox.path().join("xdg/annals/config.toml")
}

pub(super) fn url(sandbox: &Sandbox) -> String {
    format!("file://{}", sandbox.path().join("bucket").display())
}

pub(super) fn asked(sandbox: &Sandbox, arguments: &[&str], variables: &[(&str, &str)]) -> Answer {
    let mut command = command(sandbox, &["lake"]);
    command.args(arguments).env("XDG_CONFIG_HOME", sandbox.path().join("xdg"));
    command.env("ANNALS_MANAGED_CONFIG", sandbox.path().join("managed.toml"));
    command.envs(variables.iter().copied());
    run(&mut command)
}

pub(super) fn ask(sandbox: &Sandbox, arguments: &[&str]) -> Answer {
    asked(sandbox, arguments, &[])
}

pub(super) fn init(sandbox: &Sandbox, more: &[&str]) -> Answer {
    let url = url(sandbox);
    let start = ["init", &url, "--owner", "ada", "--project", "~/work/**"];
    ask(sandbox, &[&start, more].concat())
}

#[test]
fn before_init_status_says_that_nothing_leaves() {
    let sandbox = home("");
    let text = ask(&sandbox, &["status"]).done().out;
    assert!(text.starts_with("No lake is configured: nothing leaves this machine."), "{text}");
    let document = ask(&sandbox, &["status", "--json"]).done().json();
    assert!(document["url"].is_null() && document["reachable"].is_null(), "{document}");
}

#[test]
fn init_writes_the_section_and_an_id_and_sends_nothing() {
    let sandbox = home("# mine\ncolor = \"never\"\n");
    let text = init(&sandbox, &[]).done().out;
    for expected in [
        "never overwrites an object",
        "sessions in ~/work/**",
        "time, model, tokens, cost",
        "tokens and cost by day",
        "everyone with access to the folder",
        "Nothing was sent.",
    ] {
        assert!(text.contains(expected), "{expected} is missing from {text}");
    }
    let section = fs::read_to_string(file(&sandbox)).unwrap();
    let start =
        "# mine\ncolor = \"never\"\n\n[lake]\nurl = \"file://[ROOT]/bucket\"\nowner = \"ada\"\n";
    let expected = format!("{start}projects = [\"~/work/**\"]\nlevel = \"usage\"\n");
    assert_eq!(filtered(&sandbox, &section), expected);
    let id = sandbox.annals_home().join("lake/installation");
    assert_eq!(fs::metadata(&id).unwrap().permissions().mode() & 0o777, 0o600);
    let files = fingerprint(&sandbox.path().join("bucket"));
    assert!(files.iter().all(|it| !it.contains(".json") && !it.contains("probe")), "{files:?}");

    // A second one keeps the id and writes nothing again.
    let before = (fs::read(&id).unwrap(), fingerprint(&sandbox.path().join("xdg")));
    let document = init(&sandbox, &["--json"]).done().json();
    assert_eq!(document["schema"], "annals/lake-init/1");
    assert_eq!(document["installation"].as_str().unwrap().as_bytes(), before.0.trim_ascii());
    assert_eq!((fs::read(&id).unwrap(), fingerprint(&sandbox.path().join("xdg"))), before);

    let status = ask(&sandbox, &["status", "--json"]).done().json();
    assert_eq!((&status["owner"], &status["reachable"]), (&"ada".into(), &true.into()));
    let text = ask(&sandbox, &["status"]).done().out;
    assert!(text.contains("folders       ~/work/**\n") && text.contains("nothing\n"), "{text}");
}

#[test]
fn linked_configuration_file_stays_a_link() {
    let sandbox = home("");
    let real = sandbox.path().join("dotfiles.toml");
    fs::write(&real, "timezone = \"UTC\"\n").unwrap();
    std::os::unix::fs::symlink(&real, file(&sandbox)).unwrap();
    init(&sandbox, &[]).done();
    assert!(file(&sandbox).is_symlink());
    assert!(fs::read_to_string(&real).unwrap().starts_with("timezone = \"UTC\"\n\n[lake]\n"));
}

#[test]
fn init_refuses_what_is_not_clear_and_changes_nothing() {
    let sandbox = home("");
    let url = url(&sandbox);
    let before = fingerprint(sandbox.path());
    let table: [(&[&str], &str); 8] = [
        (&["init"], "no URL"),
        (&["init", &url], "hint: pass --owner NAME"),
        (&["init", &url, "--owner", "ada"], "hint: pass --project GLOB"),
        (&["init", &url, "--owner", "ada", "--project", "work"], "begin with / or ~/"),
        (&["init", &url, "--owner", "a/b", "--project", "~/w"], "invalid owner \"a/b\""),
        (&["init", "ftp://x", "--owner", "ada", "--project", "~/w"], "unknown scheme \"ftp\""),
        (
            &["init", &url, "--owner", "ada", "--project", "~/w", "--level", "text"],
            "hint: pass --everyone-may-read",
        ),
        (
            &["init", "s3://acme", "--owner", "ada", "--project", "~/w"],
            "hint: set lake.credentials_command",
        ),
    ];
    for (arguments, expected) in table {
        let answer = ask(&sandbox, arguments);
        assert!(answer.complaint(2).contains(expected), "{arguments:?}: {}", answer.err);
    }
    assert_eq!(fingerprint(sandbox.path()), before);
    init(&sandbox, &["--level", "text", "--everyone-may-read"]).done();
    let section = fs::read_to_string(file(&sandbox)).unwrap();
    assert!(section.contains("level = \"text\"\neveryone_may_read = true\n"), "{section}");
    assert_eq!(ask(&sandbox, &["status", "--json"]).done().json()["level"], "text");
}

#[test]
fn agents_see_the_status_and_nothing_else() {
    let sandbox = home("");
    let url = url(&sandbox);
    let arguments = ["init", &url, "--owner", "ada", "--project", "~/work/**"];
    let agent = [("CLAUDECODE", "1")];
    for arguments in [&arguments[..], &["init", "--print-policy", "aws"]] {
        let answer = asked(&sandbox, arguments, &agent);
        assert!(
            answer.complaint(2).contains("annals lake init is not for agents"),
            "{}",
            answer.err
        );
    }
    asked(&sandbox, &["status"], &agent).done();
    fs::write(file(&sandbox), "[lake]\nagents = true\n").unwrap();
    asked(&sandbox, &arguments, &agent).done();
}

#[test]
fn wrong_settings_name_the_file_and_the_key() {
    let lake = "[lake]\nurl = \"s3://acme\"\nowner = \"ada\"\n";
    let table = [
        ("[lake]\ncolour = 1\n".to_owned(), "colour"),
        ("[lake]\nlevel = \"all\"\n".to_owned(), "level"),
        ("[lake]\npush = \"often\"\n".to_owned(), "push"),
        ("[lake]\nsecret_access_key = \"x\"\n".to_owned(), "secret_access_key"),
        ("[lake]\ncredentials_command = []\n".to_owned(), "credentials_command"),
        ("[lake]\ncredentials_command = [1]\n".to_owned(), "credentials_command"),
        ("[lake]\nengine_command = []\n".to_owned(), "engine_command"),
        ("[[lake.share]]\nproject = \"~/x\"\n".to_owned(), "level"),
        ("[[lake.share]]\nproject = \"~/x\"\nlevel = \"text\"\nfor = \"org\"\n".to_owned(), "for"),
        ("[lake]\nprojects = [\"work/**\"]\n".to_owned(), "lake.projects"),
        ("[lake]\nexclude = [\"~/a{\"]\n".to_owned(), "lake.exclude"),
        (format!("{lake}program = \"annals-lake\"\n"), "lake.program: use an absolute path"),
        (lake.replace("s3://acme", "s3://k:hunter22@acme"), "lake.url"),
        (lake.replace("ada", "../ada"), "lake.owner"),
    ];
    for (configuration, key) in table {
        let sandbox = home(&configuration);
        let answer = ask(&sandbox, &["status"]);
        let complaint = answer.complaint(2);
        let path = file(&sandbox).display().to_string();
        assert!(complaint.contains(&path) && complaint.contains(key), "{key}: {complaint}");
        assert!(!complaint.contains("hunter22"), "{complaint}");
    }
}

#[test]
fn managed_configuration_names_the_storage_and_limits_level_and_folders() {
    let sandbox = home("");
    let managed = sandbox.path().join("managed.toml");
    let rules = format!(
        "[lake]\nurl = \"{}\"\nprojects = [\"~/work/**\"]\nmax_level = \"usage\"\n",
        url(&sandbox)
    );
    fs::write(&managed, &rules).unwrap();
    let text = ask(&sandbox, &["status"]).done().out;
    assert!(
        text.contains("nothing leaves this machine. Your organisation suggests file://"),
        "{text}"
    );
    let arguments = ["init", "--owner", "ada", "--project", "~/work/tides/**"];
    let answer = ask(&sandbox, &[&arguments[..], &["--level", "text"]].concat());
    assert!(
        answer.complaint(2).contains("your organisation allows at most usage"),
        "{}",
        answer.err
    );
    ask(&sandbox, &arguments).done();

    // What was configured before is limited, too.
    let section = fs::read_to_string(file(&sandbox)).unwrap().replace("\"usage\"", "\"text\"");
    let rule = "[[lake.share]]\nproject = \"~/work/tides\"\nlevel = \"text\"\nwith = \"org\"\n";
    fs::write(file(&sandbox), section + rule).unwrap();
    let status = ask(&sandbox, &["status", "--json"]).done().json();
    assert_eq!((&status["level"], &status["max_level"]), (&"usage".into(), &"usage".into()));
    assert_eq!(status["share"][0]["level"], "usage");
    assert_eq!(status["allowed_projects"][0], "~/work/**");

    fs::write(&managed, "[lake]\nurl = \"s3://other\"\n").unwrap();
    let answer = ask(&sandbox, &["status"]);
    assert!(answer.complaint(2).contains("hint: remove lake.url"), "{}", answer.err);
}

#[test]
fn managed_configuration_cannot_start_a_push_or_name_programs() {
    for key in [
        "push = \"auto\"",
        "owner = \"eve\"",
        "program = \"/x\"",
        "credentials_command = \"x\"",
        "level = \"text\"",
    ] {
        let sandbox = home("");
        let managed = sandbox.path().join("managed.toml");
        fs::write(&managed, format!("[lake]\n{key}\n")).unwrap();
        let answer = ask(&sandbox, &["status"]);
        let name = key.split(' ').next().unwrap();
        let complaint = answer.complaint(2);
        assert!(complaint.contains("managed.toml") && complaint.contains(name), "{complaint}");
    }
    let sandbox = home("");
    let managed = sandbox.path().join("managed.toml");
    fs::write(&managed, "").unwrap();
    fs::set_permissions(&managed, fs::Permissions::from_mode(0o666)).unwrap();
    let answer = ask(&sandbox, &["status"]);
    assert!(answer.complaint(2).contains("other users can write it"), "{}", answer.err);
}

/// A program that answers with these lines.
fn fake(sandbox: &Sandbox, lines: &str) -> PathBuf {
    let path = sandbox.path().join("annals-lake");
    fs::write(&path, format!("#!/bin/sh\ncat <<'END'\n{lines}\nEND\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let lake = "[lake]\nurl = \"s3://acme\"\nowner = \"ada\"\n";
    fs::write(file(sandbox), format!("{lake}program = \"{}\"\n", path.display())).unwrap();
    path
}

#[test]
fn program_of_another_version_or_with_unclear_answers_is_refused() {
    let hello = format!("{{\"hello\":{{\"version\":\"{}\"}}}}", env!("CARGO_PKG_VERSION"));
    let table = [
        ("{\"hello\":{\"version\":\"9.9.9\"}}".to_owned(), "has version 9.9.9, but annals has"),
        (String::new(), "no usable answer"),
        ("annals-lake 0.1.0".to_owned(), "no usable answer"),
        (hello.clone(), "it ended without an answer"),
        (format!("{hello}\n{hello}"), "it says its version twice"),
        (format!("{hello}\n{{\"status\":{{}}}}"), "no usable answer"),
        (
            format!(
                "{hello}\n{{\"policy\":{{\"schema\":\"x\",\"vendor\":\"aws\",\"policies\":[]}}}}"
            ),
            "answers another question",
        ),
    ];
    for (lines, expected) in table {
        let sandbox = home("");
        fake(&sandbox, &lines);
        let answer = ask(&sandbox, &["status"]);
        assert!(answer.complaint(2).contains(expected), "{lines}: {}", answer.err);
    }
}

#[test]
fn program_that_others_can_write_is_not_started() {
    let sandbox = home("");
    let path = fake(&sandbox, "");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o777)).unwrap();
    let answer = ask(&sandbox, &["status"]);
    let complaint = answer.complaint(2);
    assert!(complaint.contains("everybody can write"), "{complaint}");
    assert!(complaint.contains("or set lake.program to a program that only you can change"));
}

#[test]
fn missing_program_is_explained_and_never_searched_on_path() {
    let sandbox = home("[lake]\nurl = \"s3://acme\"\nowner = \"ada\"\n");
    // A copy of annals without its neighbour.
    let alone = sandbox.path().join("bin/annals");
    fs::create_dir(alone.parent().unwrap()).unwrap();
    fs::copy(testkit::program!("annals"), &alone).unwrap();
    let mut command = sandbox.command(&alone);
    command.args(["lake", "status"]).env("XDG_CONFIG_HOME", sandbox.path().join("xdg"));
    command.env("PATH", lake_program().parent().unwrap());
    let answer = run(&mut command);
    let complaint = filtered(&sandbox, answer.complaint(2));
    assert!(complaint.contains("[ROOT]/bin/annals-lake does not exist"), "{complaint}");
    assert!(complaint.contains("hint: install annals-lake"), "{complaint}");
}

#[test]
fn policies_are_printed_for_a_bucket_and_its_teams() {
    let sandbox = home("");
    let arguments = ["init", "s3://acme/lake", "--print-policy", "aws", "--team", "tides"];
    let text = ask(&sandbox, &arguments).done().out;
    assert!(text.starts_with("# bucket-policy.json: "), "{text}");
    let own = "arn:aws:s3:::acme/lake/v1/private/${aws:PrincipalTag/annals-owner}/*";
    assert!(text.contains(own) && text.contains("acme/lake/v1/team/tides/*"), "{text}");
    for vendor in ["aws", "gcp", "minio"] {
        let answer = ask(&sandbox, &["init", "--print-policy", vendor, "--json"]).done();
        assert_eq!(answer.json()["vendor"], vendor);
        assert!(answer.out.contains("BUCKET"), "{}", answer.out);
    }
    let answer = ask(&sandbox, &["init", "file:///srv", "--print-policy", "aws"]);
    assert!(answer.complaint(2).contains("a folder has no policies"), "{}", answer.err);
    assert!(!file(&sandbox).exists(), "nothing is configured");
}

#[test]
fn made_up_sessions_are_not_shared() {
    let sandbox = home("");
    let answer = run(&mut command(&sandbox, &["--demo", "lake", "status"]));
    assert!(answer.complaint(2).contains("does not use --demo"), "{}", answer.err);
}

/// A home with two sessions in a folder of the team and one elsewhere, and a lake.
pub(super) fn sharing_home() -> Sandbox {
    let sandbox = home("");
    let work = sandbox.home().join("work/tides");
    let work = work.to_str().unwrap();
    for (number, folder) in [(1, work), (2, work), (3, "/home/ada/private")] {
        let lines = chained([
            user("Where does the tide come from?").cwd(folder),
            call(&format!("msg_{number}"), [100, 20, 0, 0]).cwd(folder),
        ]);
        sandbox.session(&folder.replace('/', "-"), &session_id(number), &lines);
    }
    init(&sandbox, &["--everyone-may-read"]).done();
    sandbox
}

pub(super) fn objects(sandbox: &Sandbox) -> Vec<String> {
    let mut files = fingerprint(&sandbox.path().join("bucket"));
    files.retain(|file| file.contains(".parquet"));
    files
}

#[test]
fn dry_run_lists_what_a_push_sends_and_sends_nothing() {
    let sandbox = sharing_home();
    let listed = ask(&sandbox, &["push", "--dry-run", "--show", "--json"]).done().json();
    assert_eq!((&listed["is_dry_run"], &listed["sessions"]), (&true.into(), &2.into()));
    let rows = listed["rows"].as_array().unwrap();
    let ids: Vec<&str> = rows.iter().filter_map(|row| row["row"]["id"].as_str()).collect();
    assert_eq!(ids, ["msg_1", "msg_2"]);
    assert!(objects(&sandbox).is_empty());
    let sent = ask(&sandbox, &["push", "--json"]).done().json();
    assert_eq!((&sent["leaves"], &sent["bytes"]), (&listed["leaves"], &listed["bytes"]));
    assert!(!objects(&sandbox).is_empty());
    let again = ask(&sandbox, &["push"]).done().out;
    assert!(again.starts_with("Nothing new was sent to file://"), "{again}");
    assert!(again.ends_with("2 sessions here are shared.\n"), "{again}");
}

#[test]
fn session_is_shared_taken_back_and_forgotten() {
    let sandbox = sharing_home();
    ask(&sandbox, &["push"]).done();
    let has = |text: &str| objects(&sandbox).iter().any(|file| file.contains(text));
    assert!(!has("/lines-"), "{:?}", objects(&sandbox));
    let id = session_id(1);
    let refused = ask(&sandbox, &["unshare", &id]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("is not shared with anyone"), "{}", refused.err);
    ask(&sandbox, &["share", &id, "--with", "team:tides"]).done();
    assert!(has("v1/team/tides/ada/") && has("/lines-"), "{:?}", objects(&sandbox));
    ask(&sandbox, &["unshare", &id]).done();
    assert!(!has("v1/team/tides/ada/") && has("/lines-"), "{:?}", objects(&sandbox));
    let before = objects(&sandbox);
    ask(&sandbox, &["forget", &id]).done();
    assert!(!has("/lines-") && has("/calls-"), "{before:?} became {:?}", objects(&sandbox));
    let refused = ask(&sandbox, &["share", &id, "--with", "org"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("the lake never takes it again"), "{}", refused.err);
}

#[test]
fn text_goes_neither_into_an_open_folder_nor_from_folders_the_lake_does_not_take() {
    let sandbox = sharing_home();
    let refused = ask(&sandbox, &["share", &session_id(3), "--with", "org"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("a folder that the lake does not take"), "{}", refused.err);
    let configuration = fs::read_to_string(file(&sandbox)).unwrap();
    fs::write(file(&sandbox), configuration.replace("everyone_may_read = true\n", "")).unwrap();
    let refused = ask(&sandbox, &["share", &session_id(1), "--with", "org"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("a shared folder takes only usage"), "{}", refused.err);
    ask(&sandbox, &["push"]).done();
    assert!(objects(&sandbox).iter().all(|file| !file.contains("/lines-")));
}

#[test]
fn catalog_prints_views_over_the_objects_of_the_newest_manifests() {
    let sandbox = home("");
    init(&sandbox, &[]).done();
    let work = sandbox.home().join("work/tides").display().to_string();
    let lines = chained([user("Where?").cwd(&work), call("msg_1", [1, 2, 0, 0]).cwd(&work)]);
    sandbox.session(&work.replace('/', "-"), &session_id(1), &lines);
    ask(&sandbox, &["push"]).done();
    let document = ask(&sandbox, &["catalog", "--sql", "duckdb", "--json"]).done().json();
    assert_eq!(document["schema"], "annals/lake-catalog/1");
    assert_eq!((&document["scope"], &document["objects"]), (&"mine".into(), &2.into()));
    let text = ask(&sandbox, &["catalog", "--sql", "spark"]).done().out;
    assert_eq!(text.matches("OPTIONS (path '/").count(), 2, "{text}");
    assert!(text.contains("'ada' AS `owner`"), "{text}");
    let refused = ask(&sandbox, &["catalog", "--sql", "spark", "--location", "s3://a:b@c"]);
    assert!(refused.complaint(2).contains("invalid location"), "{}", refused.err);
}
