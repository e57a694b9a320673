//! The lake, read on another machine.

mod cache;

use crate::decision::Sharing;
use crate::manifest::{Manifest, Segment};
use crate::names::{Audience, Level, SegmentName, Table};
use crate::push::PushOptions;
use crate::reading::{Engine as _, Reader, Scope, View};
use crate::rows::Rows;
use crate::segment::Format as _;
use crate::segment_file::ParquetFormat;
use crate::tests::bucket::{Objects, SteppedBucket, finish_at_once};
use crate::tests::machine::{Machine, WORK, conversation, library_of};
use document::LakeQuestion;
use jiff::Timestamp;
use library::progress::NoProgress;
use library::stores::LakeSources;
use library::{Library, Options};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use testkit::{Sandbox, call, chained, session_id, user};
use usage::{CostMode, PicoUsd, Pricer, Prices};

/// What a question brings to a reader.
fn view(
    objects: &Rc<Objects>,
    owner: &str,
    question: &LakeQuestion,
    scope: &str,
    folder: &Path,
) -> View {
    let bucket = SteppedBucket::free(objects);
    let (owner, folder) = (owner.parse().unwrap(), folder.to_owned());
    let reader = Reader { bucket: &bucket, owner, folder, now: Timestamp::UNIX_EPOCH };
    finish_at_once(reader.view(question, &scope.parse::<Scope>().unwrap())).unwrap()
}

/// The sessions of a scope.
fn sync(objects: &Rc<Objects>, owner: &str, scope: &str, folder: &Path) -> View {
    view(objects, owner, &LakeQuestion::List, scope, folder)
}

/// How many segments were fetched.
fn fetched(cache: &Sandbox) -> usize {
    testkit::fingerprint(cache.path()).iter().filter(|file| file.contains("/segments/")).count()
}

/// Tokens, calls and cost of all sessions in stores.
fn usage_of(roots: &[&Path]) -> (u64, usize, PicoUsd) {
    let source = library_of(roots).usage().read(false, &NoProgress);
    assert!(source.read_errors.is_empty(), "{:?}", source.read_errors);
    let known = Prices::embedded();
    let mut pricer = Pricer::new(&known, CostMode::Auto);
    let calls = &source.calls.calls;
    let costs = calls.iter().filter_map(|call| pricer.cost(call, &source.calls.names).total);
    let cost = costs.fold(PicoUsd(0), PicoUsd::plus);
    (calls.iter().map(|call| call.counters.total()).sum(), calls.len(), cost)
}

fn roots(view: &View) -> Vec<&Path> {
    view.owners.iter().filter_map(|owner| owner.root.as_deref()).collect()
}

#[test]
fn usage_is_the_same_here_and_in_the_lake() {
    let machine = Machine::new(Level::Usage);
    machine.session(1, WORK, conversation());
    machine.session(2, WORK, conversation());
    machine.push();
    let cache = Sandbox::new();
    let report = sync(&machine.objects, "ada", "mine", cache.path());
    assert_eq!(usage_of(&roots(&report)), usage_of(&[&machine.sandbox.config()]));
    assert_eq!(
        (report.owners[0].sessions, report.owners[0].with_text),
        (1, 0),
        "one call, one session"
    );
}

#[test]
fn usage_of_agents_whose_session_has_no_transcript_is_in_the_lake_too() {
    let machine = Machine::new(Level::Text);
    machine.session(1, WORK, conversation());
    let lines = |id: &str, folder: &str| {
        chained([call(id, [9, 9, 0, 0]).cwd(folder).of_agent("a1").at("2026-11-02T00:00:00Z")])
    };
    let agent = |number, name: &str, id: &str, folder: &str| {
        machine.sandbox.agent(folder, &session_id(number), name, lines(id, folder))
    };
    agent(2, "agent-a1", "msg_7", WORK);
    machine.push();
    let ids = || machine.calls().into_iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(ids(), ["msg_1", "msg_2", "msg_7"]);
    let cache = Sandbox::new();
    let report = view(&machine.objects, "ada", &LakeQuestion::Usage, "mine", cache.path());
    assert_eq!(usage_of(&roots(&report)), usage_of(&[&machine.sandbox.config()]));
    // They need no more than their calls for any report.
    let report = sync(&machine.objects, "ada", "mine", cache.path());
    let own = &report.owners[0];
    assert_eq!((own.sessions, own.with_metadata, own.with_text), (2, 2, 2));
    // Those of another folder stay, and so do those of a session that is not shared.
    agent(3, "agent-a1", "msg_8", "/home/ada/private");
    machine.session(4, "/home/ada/private", conversation());
    agent(4, "agent-a1", "msg_9", WORK);
    machine.push();
    assert_eq!(ids(), ["msg_1", "msg_2", "msg_7"]);
}

#[test]
fn project_of_a_session_with_text_is_its_key() {
    let machine = Machine::of("ada", Level::Text, Audience::Org);
    machine.session(1, WORK, conversation());
    machine.push();
    let cache = Sandbox::new();
    let view = sync(&machine.objects, "bob", "org", cache.path());
    let projects: Vec<(&String, &String)> = view.owners[0].projects.iter().collect();
    assert_eq!(projects, [(&"-tides".to_owned(), &"tides".to_owned())]);
    let list = library_with_owners(&view).catalog().all_sessions().sessions;
    assert_eq!(list[0].project.as_deref(), Some("tides"));
    assert!(list[0].metadata.cwd.as_deref().unwrap().contains("[redacted:home:"));
}

#[test]
fn what_is_shared_with_a_team_is_read_line_by_line() {
    let machine = Machine::of("ada", Level::Text, "team:tides".parse().unwrap());
    machine.session(1, WORK, conversation());
    machine.push();
    let cache = Sandbox::new();
    let report = sync(&machine.objects, "bob", "team:tides", cache.path());
    assert_eq!((report.owners[0].sessions, report.owners[0].with_text), (1, 1));
    let there = library_of(&roots(&report));
    let list = there.catalog().all_sessions();
    let prompts: Vec<Option<String>> =
        list.sessions.iter().map(|session| session.metadata.first_prompt.clone()).collect();
    assert_eq!(prompts, [Some("Where does the tide come from?".to_owned())]);
    for other in ["team:moon", "org", "mine"] {
        let report = sync(&machine.objects, "bob", other, cache.path());
        let sessions: u64 = report.owners.iter().map(|store| store.sessions).sum();
        assert_eq!(sessions, 0, "{other}");
    }
}

#[test]
fn what_is_forgotten_or_taken_back_goes_from_the_readers_too() {
    let mut machine = Machine::of("ada", Level::Text, Audience::Org);
    machine.session(1, WORK, conversation());
    machine.session(2, WORK, chained([user("Another one")]));
    machine.push();
    let cache = Sandbox::new();
    sync(&machine.objects, "bob", "org", cache.path());
    let holds =
        |text: &str| testkit::fingerprint(cache.path()).iter().any(|file| file.contains(text));
    assert!(holds(&session_id(1)) && holds(&session_id(2)));
    machine.decisions.decide(session_id(1).parse().unwrap(), Sharing::Forgotten);
    machine.push();
    let report = sync(&machine.objects, "bob", "org", cache.path());
    assert_eq!(report.owners[0].sessions, 1);
    assert!(!holds(&session_id(1)) && holds(&session_id(2)));
    let private = Sharing::With(Audience::Private);
    machine.decisions.decide(session_id(2).parse().unwrap(), private);
    machine.push();
    sync(&machine.objects, "bob", "org", cache.path());
    assert!(!holds(&session_id(2)));
}

#[test]
fn an_object_that_is_not_what_its_name_says_is_left_out_and_named() {
    let machine = Machine::new(Level::Text);
    machine.session(1, WORK, conversation());
    machine.push();
    let damaged: Vec<String> = {
        let mut objects = machine.objects.0.borrow_mut();
        let lines = objects.iter_mut().filter(|(name, _)| name.contains("/lines-"));
        lines
            .map(|(name, bytes)| {
                *bytes.last_mut().unwrap() ^= 1;
                name.clone()
            })
            .collect()
    };
    let cache = Sandbox::new();
    let report = sync(&machine.objects, "ada", "mine", cache.path());
    let named: Vec<&String> = report.unusable.iter().map(|object| &object.name).collect();
    assert_eq!(named, damaged.iter().collect::<Vec<_>>());
    assert_eq!((report.owners[0].sessions, report.owners[0].with_text), (1, 0));
}

/// A machine of another owner with the same lake.
fn beside(machine: &Machine, owner: &'static str, level: Level, audience: Audience) -> Machine {
    let mut other = Machine::of(owner, level, audience);
    other.objects = Rc::clone(&machine.objects);
    other
}

/// The text of the laid out transcript of a session.
fn transcript(view: &View, owner: &str, session: &str) -> Option<String> {
    let owner = view.owners.iter().find(|it| it.owner.as_str() == owner)?;
    let projects = owner.root.as_ref()?.join("projects");
    let folder = std::fs::read_dir(projects).ok()?.next()?.ok()?.path();
    std::fs::read_to_string(folder.join(format!("{session}.jsonl"))).ok()
}

fn sums(view: &View, owner: &str) -> document::LakeDaySums {
    let owner = view.owners.iter().find(|it| it.owner.as_str() == owner).unwrap();
    let bytes = std::fs::read(owner.days.as_ref().expect("sums")).unwrap();
    document::LakeDaySums::parse(&bytes).expect("sums")
}

#[test]
fn usage_of_others_is_sums_by_day_and_ones_own_is_calls() {
    let ada = Machine::of("ada", Level::Text, Audience::Org);
    ada.session(1, WORK, conversation());
    ada.push();
    let bob = beside(&ada, "bob", Level::Usage, Audience::Private);
    bob.session(2, WORK, conversation());
    bob.push();
    let cache = Sandbox::new();
    let view = view(&ada.objects, "bob", &LakeQuestion::Usage, "org", cache.path());
    let known: Vec<_> = view
        .owners
        .iter()
        .map(|it| (it.owner.as_str(), it.root.is_some(), it.days.is_some(), it.sessions))
        .collect();
    assert_eq!(known, [("ada", false, true, 0), ("bob", true, false, 1)]);
    // No text is fetched for it, and nothing of a session or a time of day.
    let files = testkit::fingerprint(cache.path());
    assert!(files.iter().all(|file| !file.contains("lines-")), "{files:?}");
    assert!(files.iter().all(|file| !file.contains(&session_id(1))), "{files:?}");
    let sums = sums(&view, "ada");
    let days: Vec<_> = sums.sums.iter().map(|sum| (sum.day.as_deref(), sum.calls)).collect();
    assert_eq!(days, [(Some("2026-10-31"), 1), (Some("2026-11-01"), 1)]);
    let cost = sums.sums.iter().fold(0, |sum, day| sum + day.cost_pico);
    assert_eq!(PicoUsd(cost), usage_of(&[&ada.sandbox.config()]).2);
}

#[test]
fn members_of_a_team_are_those_who_shared_something_with_it() {
    let ada = Machine::of("ada", Level::Text, "team:tides".parse().unwrap());
    ada.session(1, WORK, conversation());
    ada.push();
    let bob = beside(&ada, "bob", Level::Usage, Audience::Private);
    bob.session(2, WORK, conversation());
    bob.push();
    let cache = Sandbox::new();
    for (reader, scope, expected) in [
        ("eve", "team:tides", vec!["ada"]),
        ("ada", "team:tides", vec!["ada"]),
        ("eve", "org", vec!["ada", "bob", "eve"]),
        ("eve", "team:moon", vec![]),
        ("bob", "mine", vec!["bob"]),
    ] {
        let folder = cache.path().join(reader);
        let view = view(&ada.objects, reader, &LakeQuestion::Usage, scope, &folder);
        let mut owners: Vec<&str> = view.owners.iter().map(|it| it.owner.as_str()).collect();
        if scope == "org" && !owners.contains(&"eve") {
            owners.push("eve");
        }
        assert_eq!(owners, expected, "{reader} {scope}");
    }
}

#[test]
fn sums_that_cannot_be_are_named_and_not_counted() {
    let ada = Machine::new(Level::Usage);
    ada.session(1, WORK, conversation());
    ada.push();
    let damaged = {
        let mut objects = ada.objects.0.borrow_mut();
        let manifest = objects.keys().find(|name| name.starts_with("v1/org/ada/i1/m/"));
        let manifest = manifest.expect("a manifest").clone();
        let days = objects.keys().find(|name| name.contains("/days-202610-")).unwrap().clone();
        let bytes = objects[&days].clone();
        let mut pieces = ParquetFormat.decode(Table::Days, &bytes).unwrap();
        for piece in &mut pieces {
            if let Rows::Days(rows) = &mut piece.rows {
                rows[0].cost_pico = PicoUsd(-1_000_000_000_000);
            }
        }
        let bytes = ParquetFormat.encode(Table::Days, &pieces).unwrap();
        let old: SegmentName = days.split_once("/d/").unwrap().1.parse().unwrap();
        let name = SegmentName::of(old.number, old.table, old.month, &bytes);
        let mut parsed = Manifest::parse(&objects[&manifest]).unwrap();
        for segment in parsed.segments.iter_mut().filter(|segment| segment.name == old) {
            *segment = Segment { name: name.clone(), rows: 1, bytes: bytes.len() as u64 };
        }
        objects.insert(manifest, parsed.to_bytes());
        objects.insert(format!("v1/org/ada/i1/d/{name}"), bytes);
        format!("{name} of ada")
    };
    let cache = Sandbox::new();
    let view = view(&ada.objects, "bob", &LakeQuestion::Usage, "org", cache.path());
    let named: Vec<_> = view.unusable.iter().map(|it| (&*it.name, &*it.reason)).collect();
    assert_eq!(named, [(&*damaged, "a negative cost")]);
    let days: Vec<_> = sums(&view, "ada").sums.into_iter().map(|sum| sum.day.unwrap()).collect();
    assert_eq!(days, ["2026-11-01"]);
}

#[test]
fn hostile_manifests_are_named_and_the_rest_is_read() {
    let ada = Machine::of("ada", Level::Text, Audience::Org);
    ada.session(1, WORK, conversation());
    ada.push();
    let nothing = Manifest::default().to_bytes();
    for (name, bytes) in [
        ("v1/org/eve/i1/m/00000007.json", b"{".to_vec()),
        ("v1/org/mallory/i1/m/00000001.json", vec![b'['; Manifest::MAX_BYTES + 1]),
        ("v1/org/newer/i1/m/00000001.json", br#"{"format":9}"#.to_vec()),
        // Names that are none are not read at all.
        ("v1/org/../../etc/i1/m/00000001.json", nothing.clone()),
        ("v1/org/-x/i1/m/00000001.json", nothing),
    ] {
        ada.objects.0.borrow_mut().insert(name.to_owned(), bytes);
    }
    let cache = Sandbox::new();
    let view = sync(&ada.objects, "bob", "org", cache.path());
    let named: Vec<&str> = view.unusable.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(
        named,
        [
            "v1/org/eve/i1/m/00000007.json",
            "v1/org/mallory/i1/m/00000001.json",
            "v1/org/newer/i1/m/00000001.json"
        ]
    );
    assert_eq!(view.owners.iter().map(|it| it.sessions).sum::<u64>(), 1);
}

#[test]
fn object_larger_than_its_manifest_says_is_left_out() {
    let ada = Machine::of("ada", Level::Text, Audience::Org);
    ada.session(1, WORK, conversation());
    ada.push();
    {
        let mut objects = ada.objects.0.borrow_mut();
        let lines = objects.keys().find(|name| name.contains("/lines-202610-")).unwrap().clone();
        objects.get_mut(&lines).unwrap().push(0);
    }
    let cache = Sandbox::new();
    let view = sync(&ada.objects, "bob", "org", cache.path());
    assert_eq!(view.unusable.len(), 1, "{:?}", view.unusable);
    assert!(view.unusable[0].reason.contains("are accepted"), "{:?}", view.unusable);
    assert_eq!(view.owners[0].sessions, 1, "the lines of the other month");
}

#[test]
fn equal_copies_of_a_session_are_one_and_different_ones_stay_two() {
    let ada = Machine::of("ada", Level::Text, Audience::Org);
    ada.session(1, WORK, conversation());
    ada.push();
    let cache = Sandbox::new();
    let ids = |view: &View| {
        let list = library_of(&roots(view)).catalog().all_sessions();
        let mut ids: Vec<String> = list.sessions.into_iter().map(|session| session.id).collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(&sync(&ada.objects, "bob", "org", cache.path())), [session_id(1)]);
    // A name that sorts before ada's: what was seen first keeps the id.
    let copy = beside(&ada, "aaron", Level::Text, Audience::Org);
    copy.session(1, WORK, conversation());
    copy.push();
    let view = sync(&ada.objects, "bob", "org", cache.path());
    assert_eq!(ids(&view), [session_id(1)]);
    assert!(transcript(&view, "ada", &session_id(1)).is_some());

    // The same id with other text, and newer.
    let more = user("Everything ada said is wrong").at("2026-11-02T00:00:00.000Z");
    let hostile = chained(conversation().into_iter().chain([more]));
    copy.session(1, WORK, hostile);
    copy.push();
    let before = transcript(&view, "ada", &session_id(1)).unwrap();
    let view = sync(&ada.objects, "bob", "org", cache.path());
    assert_eq!(transcript(&view, "ada", &session_id(1)).as_ref(), Some(&before));
    let both = ids(&view);
    assert_eq!((both.len(), both.contains(&session_id(1))), (2, true), "{both:?}");
    let other = both.iter().find(|id| **id != session_id(1)).unwrap();
    assert_eq!(other[..24], session_id(1)[..24], "it is found by the beginning of the id");
    let text = transcript(&view, "aaron", other).unwrap();
    assert!(text.contains("Everything ada said is wrong"), "{text}");
    // The copy of who reads keeps its id, and a question changes nothing.
    assert_eq!(ids(&sync(&ada.objects, "bob", "org", cache.path())), both);
    let own = Sandbox::new();
    let view = sync(&ada.objects, "aaron", "org", own.path());
    assert!(transcript(&view, "aaron", &session_id(1)).is_some());

    // When the other copy goes, everything is as before.
    let mut copy = copy;
    copy.decisions.decide(session_id(1).parse().unwrap(), Sharing::Forgotten);
    copy.push();
    let view = sync(&ada.objects, "bob", "org", cache.path());
    assert_eq!(ids(&view), [session_id(1)]);
    assert_eq!(transcript(&view, "ada", &session_id(1)), Some(before));
}

#[test]
fn sessions_have_the_time_of_their_last_row() {
    let machine = Machine::new(Level::Text);
    machine.session(1, WORK, conversation());
    machine.push();
    let cache = Sandbox::new();
    let view = sync(&machine.objects, "ada", "mine", cache.path());
    let list = library_of(&roots(&view)).catalog().all_sessions();
    assert_eq!(list.sessions[0].metadata.modified.to_string(), "2026-11-01T00:00:02Z");
}

#[test]
fn copies_whose_secrets_are_masked_with_different_keys_are_one() {
    let secret = "The key is ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6";
    let lines = |prompt: &str| {
        let more = [user(prompt).at("2026-11-02T00:00:00.000Z")];
        chained(conversation().into_iter().chain(more))
    };
    let ada = Machine::of("ada", Level::Text, Audience::Org);
    ada.session(1, WORK, lines(secret));
    ada.push();
    let copy = beside(&ada, "bea", Level::Text, Audience::Org);
    copy.session(1, WORK, lines(secret));
    copy.push();
    let cache = Sandbox::new();
    let count = |view: &View| library_of(&roots(view)).catalog().all_sessions().sessions.len();
    let view = sync(&ada.objects, "eve", "org", cache.path());
    let kept = transcript(&view, "ada", &session_id(1)).unwrap();
    assert!(kept.contains("[redacted:github-token:") && !kept.contains("ghp_"), "{kept}");
    assert_eq!(count(&view), 1);
    // The same records with other text are not the same session.
    let other = beside(&ada, "cleo", Level::Text, Audience::Org);
    other.session(1, WORK, lines(&format!("{secret}, and ada is wrong")));
    other.push();
    let view = sync(&ada.objects, "eve", "org", cache.path());
    assert_eq!(count(&view), 2);
    assert_eq!(transcript(&view, "ada", &session_id(1)), Some(kept));
}

/// Claims the highest rules for every row of an owner.
fn claim_highest_rules(objects: &Objects, owner: &str) {
    let mut objects = objects.0.borrow_mut();
    let manifests: Vec<String> = objects
        .keys()
        .filter(|name| name.contains(&format!("/{owner}/")) && name.contains("/m/"))
        .cloned()
        .collect();
    assert!(!manifests.is_empty());
    for manifest in manifests {
        let chain = manifest.split_once("/m/").unwrap().0;
        let mut parsed = Manifest::parse(&objects[&manifest]).unwrap();
        for segment in &mut parsed.segments {
            let old = &segment.name;
            let Some(bytes) = objects.get(&format!("{chain}/d/{old}")) else { continue };
            let mut pieces = ParquetFormat.decode(old.table, bytes).unwrap();
            for piece in &mut pieces {
                piece.entry.rules = u32::MAX;
                claim(&mut piece.rows);
            }
            let bytes = ParquetFormat.encode(old.table, &pieces).unwrap();
            let name = SegmentName::of(old.number, old.table, old.month, &bytes);
            *segment = Segment { name, rows: segment.rows, bytes: bytes.len() as u64 };
            objects.insert(format!("{chain}/d/{}", segment.name), bytes);
        }
        objects.insert(manifest.clone(), parsed.to_bytes());
    }
}

fn claim(rows: &mut Rows) {
    macro_rules! claim {
        ($($table:ident),+) => {
            match rows {
                $(Rows::$table(rows) => rows.iter_mut().for_each(|row| row.rules = u64::MAX),)+
            }
        };
    }
    claim!(
        Calls,
        Days,
        Attributions,
        Sessions,
        ToolCalls,
        Touches,
        Commits,
        PullRequests,
        Blocks,
        Lines
    );
}

/// What is brought, with the owners of the stores.
fn library_with_owners(view: &View) -> Library {
    let stores = view.owners.iter().filter_map(|it| Some((it.root.clone()?, it.owner.to_string())));
    let stores: Vec<_> = stores.filter(|(root, _)| root.exists()).collect();
    let roots = stores.iter().map(|(root, _)| (root.clone(), store::RootOrigin::Lake)).collect();
    let projects = view.owners.iter().flat_map(|it| {
        let root = it.root.as_deref().unwrap_or(Path::new("")).join("projects");
        it.projects.iter().map(move |(folder, key)| (root.join(folder), key.clone()))
    });
    let sources = LakeSources { stores, projects: projects.collect(), sums: Vec::new() };
    let lake = Some(Arc::new(sources));
    Library::open(Options { roots, lake, ..Options::default() })
}

/// The answers that a reader gets about the sessions of an owner, and about their usage.
fn answers_about(
    objects: &Rc<Objects>,
    owner: &str,
    folder: &Path,
) -> (BTreeMap<String, String>, document::LakeDaySums) {
    let view_of = |question| view(objects, "bob", &question, "org", folder);
    let sessions = view_of(LakeQuestion::List);
    let library = library_with_owners(&sessions);
    let costs = library.usage().read_session_sums(&NoProgress);
    let list = library.catalog().all_sessions().sessions.into_iter();
    let own = list.filter(|session| session.owner.as_deref() == Some(owner));
    let sessions = own.map(|session| {
        let text = transcript(&sessions, owner, &session.id).unwrap();
        let title = session.metadata.first_prompt.clone();
        (
            session.id.clone(),
            format!("{:?} {title:?} {text}", costs.get(&session.id).map(|sums| sums.cost)),
        )
    });
    let sessions = sessions.collect();
    let mut usage = sums(&view_of(LakeQuestion::Usage), owner);
    usage.segments.clear();
    (sessions, usage)
}

#[test]
fn member_who_pushes_the_ids_of_another_with_the_highest_rules_changes_no_answer_about_them() {
    let ada = Machine::of("ada", Level::Text, Audience::Org);
    ada.session(1, WORK, conversation());
    ada.push();
    let cache = Sandbox::new();
    let before = answers_about(&ada.objects, "ada", cache.path());
    assert_eq!((before.0.len(), before.1.sums.len()), (1, 2));
    // The same session, records and calls, with other text and counts; names that sort before
    // and after.
    for owner in ["aaron", "eve"] {
        let hostile = beside(&ada, owner, Level::Text, Audience::Org);
        let lines = chained([
            user("Ada says that the moon is cheese").at("2026-10-31T23:59:00.000Z"),
            call("msg_1", [900_000, 900_000, 0, 0]).at("2026-10-31T23:59:59.000Z"),
            user("Is it?").at("2026-11-01T00:00:01.000Z"),
            call("msg_2", [900_000, 900_000, 0, 0]).at("2026-11-01T00:00:02.000Z"),
        ]);
        hostile.session(1, WORK, lines);
        hostile.push();
        claim_highest_rules(&ada.objects, owner);
        assert_eq!(answers_about(&ada.objects, "ada", cache.path()), before, "{owner}");
        let theirs = answers_about(&ada.objects, owner, cache.path());
        assert!(theirs.0.keys().all(|id| *id != session_id(1)), "{theirs:?}");
        assert_eq!(theirs.0.len(), 1, "{theirs:?}");
    }
    // A first reading gives the same usage and cost.
    let other = Sandbox::new();
    let again = answers_about(&ada.objects, "ada", other.path());
    assert_eq!(again.1, before.1);
    let values = |answers: &BTreeMap<String, String>| answers.values().cloned().collect::<Vec<_>>();
    assert_eq!(values(&again.0), values(&before.0));
}

#[test]
fn an_object_with_a_control_character_in_its_name_is_named_and_the_rest_is_answered() {
    let machine = Machine::new(Level::Usage);
    machine.session(1, WORK, conversation());
    machine.push();
    let objects = [
        "v1/org/e\u{1}il/i1/m/00000001.json",
        "v1/org/eve/i\u{7}1/m/00000001.json",
        "v1/org/ada/i1/m/\u{1b}[2J.json",
    ];
    for name in objects {
        machine.objects.0.borrow_mut().insert(name.to_owned(), b"x".to_vec());
    }
    let cache = Sandbox::new();
    let view = view(&machine.objects, "bob", &LakeQuestion::Usage, "org", cache.path());
    assert_eq!(sums(&view, "ada").sums.len(), 2);
    let named: Vec<&str> = view.unusable.iter().map(|it| it.name.as_str()).collect();
    let expected = ["v1/org/ada/i1/m/\\u{1b}[2J.json", "v1/org/eve/i\\u{7}1/", "v1/org/e\\u{1}il/"];
    for name in expected {
        assert!(named.contains(&name), "{name} is missing from {named:?}");
    }
    assert_eq!(named.len(), expected.len());
}

#[test]
fn a_link_in_a_shared_folder_is_named_and_the_rest_is_answered() {
    use crate::storage::tests::block_on;
    use crate::storage::{ObjectBucket, StorageOptions, StorageUrl};
    let sandbox = Sandbox::new();
    let lake = sandbox.folder("lake");
    let open =
        || ObjectBucket::open(&StorageUrl::File(lake.clone()), &StorageOptions::default()).unwrap();
    let machine = Machine::new(Level::Usage);
    machine.session(1, WORK, conversation());
    block_on(machine.push_into(&open(), PushOptions::default())).unwrap();
    let elsewhere = sandbox.folder("elsewhere");
    sandbox.link("lake/v1/org/eve", &elsewhere);
    sandbox.link("lake/v1/org/ada/i9", &elsewhere);
    let cache = Sandbox::new();
    let bucket = open();
    let reader = Reader {
        bucket: &bucket,
        owner: "bob".parse().unwrap(),
        folder: cache.path().to_owned(),
        now: Timestamp::UNIX_EPOCH,
    };
    let scope: Scope = "org".parse().unwrap();
    let view = block_on(reader.view(&LakeQuestion::Usage, &scope)).unwrap();
    assert_eq!(sums(&view, "ada").sums.len(), 2);
    let reasons: Vec<&str> = view.unusable.iter().map(|it| it.reason.as_str()).collect();
    for link in ["v1/org/eve is a symbolic link", "v1/org/ada/i9 is a symbolic link"] {
        assert!(reasons.iter().any(|reason| reason.contains(link)), "{reasons:?}");
    }
    // A push of the one whose folder is a link ends with an error that names it.
    let eve = Machine::of("eve", Level::Usage, Audience::Private);
    eve.session(1, WORK, conversation());
    let error = block_on(eve.push_into(&open(), PushOptions::default())).unwrap_err().to_string();
    assert!(error.contains("v1/org/eve is a symbolic link"), "{error}");
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0, "nothing is written there");
}
