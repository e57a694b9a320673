//! Branch, folder, times, tag, summary and last prompt: which line and which key
//! of it counts, and what becomes of broken ones.

use crate::oracle::line::{
    Line, assistant, continued_in, last_prompt, padding, relocated, summary, tag, title, user,
};
use crate::oracle::store::Store;

pub(super) fn add(store: &mut Store) {
    let base = user("hello");
    store.add("last prompt", &[&base, &last_prompt("LP")]);
    store.add("last prompt on other", &[&base, &Line::of("x").with("lastPrompt", "LP")]);
    store.add("last prompt long", &[&base, &last_prompt(&"LP".repeat(300))]);
    store.add("summary", &[&base, &summary("SUM").with("leafUuid", "x")]);
    store.add("summary any", &[&base, &Line::of("foo").with("summary", "SUM2")]);
    store.add(
        "summary nested",
        &[&user("hello").with_json("toolUseResult", r#"{"summary":"SUM3"}"#)],
    );
    store.add("summary+last prompt", &[&base, &last_prompt("LP"), &summary("SUM")]);
    store.add(
        "branch nested in tail",
        &[&base, &Line::of("z").with_json("toolUseResult", r#"{"gitBranch":"nested"}"#)],
    );
    store.add("branch top any type", &[&base, &Line::of("z").with("gitBranch", "other")]);
    store.add("branch empty last", &[&base, &Line::of("z").with("gitBranch", "")]);
    store.add("branch HEAD", &[&user("hello").with("gitBranch", "HEAD")]);
    store.add("branch spaced", &[&base, &r#"{"type":"z","gitBranch": "sp"}"#]);
    store.add(
        "branch key after nested",
        &[
            &r#"{"a":{"gitBranch":"n"},"gitBranch":"top","type":"z"}"#,
            &base.to_string().replace(r#""gitBranch":"main","#, ""),
        ],
    );
    store.add("branch in malformed line", &[&base, &r#"{"type":"z","gitBranch":"mal",,,"#]);
    store.add("branch in torn tail", &[&base, &r#"{"type":"z","gitBranch":"torn","x":""#]).torn();
    store.add("branch in array line", &[&base, &r#"[{"gitBranch":"arr"}]"#]);
    store.add("branch number", &[&base, &r#"{"type":"z","gitBranch":5}"#]);
    store.add(
        "branch duplicate key",
        &[&base, &r#"{"type":"z","gitBranch":"d1","gitBranch":"d2"}"#],
    );
    store.add("cwd nested first", &[&r#"{"type":"z","o":{"cwd":"/nested"}}"#, &base]);
    store.add("cwd other type first", &[&r#"{"type":"z","cwd":"/other"}"#, &base]);
    store.add("cwd empty first", &[&r#"{"type":"z","cwd":""}"#, &base]);
    store.add(
        "cwd none",
        &[&Line::of("user")
            .with_json("message", r#"{"role":"user","content":"hi"}"#)
            .with("timestamp", "2026-01-02T03:04:05.678Z")],
    );
    store.add("relocated", &[&base, &relocated("/re/loc")]);
    store.add("relocated twice", &[&base, &relocated("/re/loc"), &relocated("/re/loc2")]);
    store.add("relocated another type", &[&base, &Line::of("zz").with("relocatedCwd", "/re/loc")]);
    store.add("relocated bad", &[&base, &Line::of("relocated").with("cwd", "/re/loc")]);
    store.add("timestamp nested first", &[&r#"{"type":"file-history-snapshot","snapshot":{"timestamp":"2020-01-01T00:00:00.000Z"}}"#, &base]);
    store.add(
        "timestamp top other type",
        &[&r#"{"type":"queue-operation","timestamp":"2020-01-01T00:00:00.000Z"}"#, &base],
    );
    store.add("timestamp bad first", &[&r#"{"type":"z","timestamp":"nonsense"}"#, &base]);
    store.add("timestamp offset", &[&user("hello").with("timestamp", "2026-01-02T03:04:05+02:00")]);
    store.add("timestamp date only", &[&user("hello").with("timestamp", "2026-01-02")]);
    store.add("timestamp number", &[&user("hello").with("timestamp", 1_767_323_045_678_u64)]);
    store.add("timestamp local", &[&user("hello").with("timestamp", "2026-01-02T03:04:05")]);
    store
        .add("timestamp rfc", &[&user("hello").with("timestamp", "Fri, 02 Jan 2026 03:04:05 GMT")]);
    store
        .add("timestamp micro", &[&user("hello").with("timestamp", "2026-01-02T03:04:05.678999Z")]);
    store.add("timestamp space", &[&user("hello").with("timestamp", "2026-01-02 03:04:05Z")]);
    store.add("tag", &[&base, &tag("T").with("sessionId", "S")]);
    store.add(
        "tag cleared",
        &[&base, &tag("T").with("sessionId", "S"), &tag("").with("sessionId", "S")],
    );
    store.add("tag spaced", &[&base, &r#"{"type": "tag", "tag": "T"}"#]);
    store.add("tag value white space", &[&base, &r#"{"type":"tag","tag": "T"}"#]);
    store.add("tag torn", &[&base, &r#"{"type":"tag","tag":"T"#]).torn();
    store.add("tag torn after its value", &[&base, &r#"{"type":"tag","tag":"T","s"#]).torn();
    store.add("tag in head only", &[&base, &tag("T"), &padding(100_000)]);
    store.add("last prompt head", &[&base, &last_prompt("LPH"), &padding(70_000)]);
    store.add("summary head", &[&base, &summary("SH"), &padding(70_000)]);
    store.add(
        "nested in cut tail",
        &[
            &base,
            &format!(
                r#"{{"type":"z","x":"{}","gitBranch":"cut","lastPrompt":"cutlp","summary":"cs"}}"#,
                "y".repeat(70_000)
            ),
        ],
    );
    store.add("deeper nested in cut tail", &[&base, &format!(r#"{{"type":"z","o":{{"x":"{}","gitBranch":"cut","lastPrompt":"cutlp","summary":"cs"}}}}"#, "y".repeat(70_000))]);
    store.add(
        "last prompt nested",
        &[&base, &Line::of("z").with_json("o", r#"{"lastPrompt":"LPN"}"#)],
    );
    store.add(
        "last prompt null last",
        &[&base, &last_prompt("LP"), &Line::of("last-prompt").with("leafUuid", "x")],
    );
    store.add("last prompt empty last", &[&base, &last_prompt("LP"), &last_prompt("")]);
    store.add("tag number", &[&base, &r#"{"type":"tag","tag":5}"#]);
    store.add("last prompt glued", &[&format!("{base}{}", last_prompt("LP"))]);
    store.add("summary glued", &[&format!("{base}{}", summary("LP"))]);
    store.add("tag glued", &[&format!("{base}{}", tag("TG"))]);
    store.add("relocated glued", &[&format!("{base}{}", relocated("/r"))]);
    store.add("tag number after", &[&base, &tag("T"), &r#"{"type":"tag","tag":5}"#]);
    store.add("tag missing after", &[&base, &tag("T"), &r#"{"type":"tag"}"#]);
    store.add("tag white space", &[&base, &tag("  ")]);
    store.add("last prompt white space", &[&base, &last_prompt("  ")]);
    store.add(
        "last prompt number after",
        &[&base, &last_prompt("LP"), &r#"{"type":"last-prompt","lastPrompt":5}"#],
    );
    store.add("summary empty after", &[&base, &summary("LP"), &summary("")]);
    store.add("relocated in head only", &[&base, &relocated("/r"), &padding(70_000)]);
    store.add("relocated middle", &[&base, &padding(70_000), &relocated("/r"), &padding(70_000)]);
    store.add("relocated empty", &[&base, &relocated("/r"), &relocated("")]);
    store.add(
        "relocated + cwd none",
        &[
            &Line::of("user").with_json("message", r#"{"role":"user","content":"hi"}"#),
            &relocated("/r"),
        ],
    );
    store.add(
        "first line duplicate cwd",
        &[&user("hello").with("cwd", "/a"), &user("x").with("cwd", "/b")],
    );
    store.add(
        "summary in partial first tail line",
        &[&"x", &base, &summary(&format!("S{}", "z".repeat(65_450)))],
    );
    store.add("branch escape", &[&user("x").with("gitBranch", r#"a"b\cé"#)]);
    store.add("branch surrogate", &[&base.to_string().replace(r#""main""#, r#""\ud83d\ude00x""#)]);
    store.add("branch bad escape", &[&base.to_string().replace(r#""main""#, r#""a\qb""#)]);
    store.add("cwd of Windows", &[&user("x").with("cwd", r"C:\Users\me")]);
    store.add(
        "key in string escaped",
        &[&user(r#"foo "gitBranch":"fake" bar"#).with("gitBranch", "real")],
    );
    store.add(
        "branch spaced then tight",
        &[
            &base.to_string().replace(r#""gitBranch":"main""#, r#""gitBranch": "sp""#),
            &user("x").with("gitBranch", "ti"),
        ],
    );
    store.add(
        "branch tight then spaced",
        &[
            &user("x").with("gitBranch", "ti"),
            &base.to_string().replace(r#""gitBranch":"main""#, r#""gitBranch": "sp""#),
        ],
    );
    store.add(
        "cwd spaced then tight",
        &[
            &base.to_string().replace(r#""cwd":"/p/q""#, r#""cwd": "/sp""#),
            &user("x").with("cwd", "/ti"),
        ],
    );
    store.add(
        "branch two spaces",
        &[&base.to_string().replace(r#""gitBranch":"main""#, r#""gitBranch":  "sp2""#)],
    );
    store.add(
        "branch bad escape",
        &[&user("ok").with("gitBranch", "good"), &r#"{"type":"z","gitBranch":"a\qb"}"#],
    );
    store
        .add(
            "branch unterminated",
            &[&user("ok").with("gitBranch", "good"), &r#"{"type":"z","gitBranch":"abc"#],
        )
        .torn();
    store.add("cwd bad escape", &[&r#"{"type":"z","cwd":"/a\qb"}"#, &base]);
    store.add("timestamp then", &[&r#"{"type":"z","timestamp": "2020-01-01T00:00:00Z"}"#, &base]);
    store.add("last prompt malformed", &[&base, &r#"{"type":"last-prompt","lastPrompt":"LPM",,}"#]);
    store.add("summary malformed", &[&base, &r#"{"type":"summary","summary":"LPM",,}"#]);
    store.add("last prompt spaced", &[&base, &r#"{"type": "last-prompt", "lastPrompt": "LPS"}"#]);
    store.add(
        "last prompt two spaces",
        &[&base, &r#"{"type":"last-prompt","lastPrompt"  :  "LPS"}"#],
    );
    store
        .add("last prompt array line", &[&base, &r#"[{"type":"last-prompt","lastPrompt":"LPA"}]"#]);
    store.add("last prompt user line", &[&user("hello").with("lastPrompt", "onuser")]);
    store.add("summary on assistant", &[&base, &assistant("x").with("summary", "onasst")]);
    store.add(
        "last prompt duplicate keys",
        &[&base, &r#"{"type":"last-prompt","lastPrompt":"1","lastPrompt":"2"}"#],
    );
    store
        .add("sidechain line last prompt", &[&base, &last_prompt("SLP").with("isSidechain", true)]);
    store.add("last prompt long newline", &[&base, &last_prompt("a\nb  ")]);
    store.add("relocated spaced", &[&base, &r#"{"type": "relocated", "relocatedCwd": "/rs"}"#]);
    store.add("relocated torn", &[&base, &r#"{"type":"relocated","relocatedCwd":"/rs""#]).torn();
    store.add("tag two spaces", &[&base, &r#"{"type"  :  "tag","tag"  :  "T2"}"#]);
    store.add("tag key order", &[&base, &r#"{"sessionId":"S","type":"tag","tag":"T"}"#]);
    let live = store.add("a session to go on in", &[&base]).id();
    for (name, line) in [
        ("tag", tag("TG")),
        ("relocated", relocated("/rl")),
        ("last prompt", last_prompt("LP")),
        ("summary", summary("SM")),
        ("continued", continued_in(&live)),
        ("title", title("CT")),
    ] {
        let spaced = line.to_string().replace(r#"":""#, r#"": ""#);
        store.add(&format!("{name} after {{}}"), &[&base, &format!("{{}}{line}")]);
        let torn = format!(r#"{{"type":"user","mess{line}"#);
        store.add(&format!("{name} after a torn line"), &[&base, &torn]);
        store.add(&format!("{name} before garbage"), &[&base, &format!("{line}x")]);
        store.add(&format!("{name} before {{}}"), &[&base, &format!("{line}{{}}")]);
        store.add(&format!("{name} spaced after {{}}"), &[&base, &format!("{{}}{spaced}")]);
        let reversed = line.reversed();
        store.add(&format!("{name} reversed after {{}}"), &[&base, &format!("{{}}{reversed}")]);
    }
}
