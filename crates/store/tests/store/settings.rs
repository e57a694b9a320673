//! Claude Code's own settings and caches: the retention setting is trusted,
//! caches are only compared.

use store::{
    RetentionSource, SessionsIndex, StatsCache, read_retention, read_sessions_index,
    read_stats_cache,
};
use testkit::Sandbox;

#[test]
fn retention_is_thirty_days_unless_a_whole_number_says_otherwise() {
    use RetentionSource::{Default, Settings};
    let table = [
        (None, 30, Default, None),
        (Some("{}"), 30, Default, None),
        (Some(r#"{"cleanupPeriodDays":90}"#), 90, Settings, None),
        (Some(r#"{"other":{"cleanupPeriodDays":90}}"#), 30, Default, None),
        (Some(r#"{"cleanupPeriodDays":0}"#), 0, Settings, None),
        (Some(r#"{"cleanupPeriodDays":"90"}"#), 30, Default, Some("found a string")),
        (Some(r#"{"cleanupPeriodDays":30.5}"#), 30, Default, Some("found a number")),
        (Some(r#"{"cleanupPeriodDays":-1}"#), 30, Default, Some("found a number")),
        (Some(r#"{"cleanupPeriodDays":null}"#), 30, Default, Some("cleanupPeriodDays")),
        (Some(r#"{"cleanupPeriodDays":[90]}"#), 30, Default, Some("cleanupPeriodDays")),
        (Some(r#"{"cleanupPeriodDays":90,}"#), 30, Default, Some("not JSON")),
        (Some(""), 30, Default, Some("not JSON")),
    ];
    for (content, days, source, problem) in table {
        let sandbox = Sandbox::new();
        if let Some(content) = content {
            sandbox.write("settings.json", content);
        }
        let retention = read_retention(&sandbox.config());
        assert_eq!((retention.days, retention.source), (days, source), "{content:?}");
        assert_eq!(retention.settings, sandbox.config().join("settings.json"));
        match (problem, retention.problem) {
            (None, None) => {}
            (Some(expected), Some(found)) => {
                assert!(found.contains(expected), "{content:?}: {found}");
            }
            (expected, found) => panic!("{content:?}: expected {expected:?}, found {found:?}"),
        }
    }
}

#[test]
fn settings_of_three_gigabytes_are_too_large_and_not_read() {
    let sandbox = Sandbox::new();
    let path = sandbox.write("settings.json", "");
    std::fs::File::options().write(true).open(&path).unwrap().set_len(3 << 30).unwrap();
    let retention = read_retention(&sandbox.config());
    assert_eq!((retention.days, retention.source), (30, RetentionSource::Default));
    assert_eq!(
        retention.problem.as_deref(),
        Some("settings.json cannot be read: too large: more than 16 MiB")
    );
}

#[test]
fn a_sessions_index_lists_its_valid_entries() {
    let content = r#"{"version":1,"entries":[
        {"sessionId":"a","fileMtime":1767323045678.25},
        {"sessionId":"b"},
        {"sessionId":7},
        {"fileMtime":1},
        "nonsense"
    ]}"#;
    let sandbox = Sandbox::new();
    let index = read_sessions_index(&sandbox.write("sessions-index.json", content)).unwrap();
    let sessions = vec![("a".to_owned(), Some(1_767_323_045_678)), ("b".to_owned(), None)];
    assert_eq!(index, SessionsIndex { sessions });
}

#[test]
fn invalid_caches_are_ignored() {
    let sandbox = Sandbox::new();
    for content in ["", "{torn", "[]", "{}", "null"] {
        assert_eq!(read_sessions_index(&sandbox.write("i.json", content)), None, "{content:?}");
    }
    assert_eq!(read_sessions_index(&sandbox.config().join("missing.json")), None);
    assert_eq!(read_stats_cache(&sandbox.config()), None);
    sandbox.write("stats-cache.json", "{torn");
    assert_eq!(read_stats_cache(&sandbox.config()), None);
}

#[test]
fn a_stats_cache_may_lack_any_field() {
    let sandbox = Sandbox::new();
    let whole = StatsCache {
        last_computed_date: Some("2026-01-31".to_owned()),
        total_sessions: Some(12),
        total_messages: Some(345),
        models: vec![("claude-opus-5".to_owned(), 1_111)],
    };
    let table = [
        (
            r#"{"lastComputedDate":"2026-01-31","totalSessions":12,"totalMessages":345,"modelUsage":{"claude-opus-5":{"inputTokens":1,"outputTokens":10,"cacheReadInputTokens":100,"cacheCreationInputTokens":1000,"costUSD":3.5}}}"#,
            whole.clone(),
        ),
        (
            r#"{"totalSessions":12}"#,
            StatsCache {
                last_computed_date: None,
                total_messages: None,
                models: Vec::new(),
                ..whole
            },
        ),
        (
            r#"{"lastComputedDate":5,"totalSessions":"many","totalMessages":-1}"#,
            StatsCache::default(),
        ),
    ];
    for (content, expected) in table {
        sandbox.write("stats-cache.json", content);
        assert_eq!(read_stats_cache(&sandbox.config()), Some(expected), "{content}");
    }
}
