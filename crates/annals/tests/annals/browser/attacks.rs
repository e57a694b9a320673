//! A transcript in which every word is an attack.

use crate::browser::chromium::chromium;
use crate::browser::exported;
use crate::browser::source::assert_as_meant;
use serde_json::{Value, json};
use testkit::{
    Line, Sandbox, answered, assistant, attachment, chained, metadata, session_id, system,
    tool_error, tool_result, tool_use, user,
};

/// Text that makes a careless page run code, navigate, load or hide something.
const EVIL: &str = "\u{1b}[31m\u{202e}</title></style></script></summary></details></section></main></pre></dialog></svg><script>document.title='pwned';document.body.id='pwned'</script><img src=x onerror=\"document.body.id='pwned'\"><svg onload=document.body.id='pwned'><iframe srcdoc=\"<script>parent.document.body.id='pwned'</script>\"></iframe><meta http-equiv=refresh content='0;url=data:text/html,pwned'><style>body{display:none}</style><base href=//evil.example><form action=//evil.example id=bar><input autofocus onfocus=document.body.id='pwned' name=body></form><link rel=stylesheet href=https://evil.example/x.css><object data=x></object><template><b id=main></template><!-- \"'`]]>";

/// The same in Markdown.
const EVIL_MARKDOWN: &str = "# <script>document.body.id='pwned'</script>\n\n[a](javascript:document.body.id='pwned') [b](JaVa&#9;ScRiPt:x) [c](&#106;avascript:x) <javascript:x> [d](data:text/html,<script>x</script>) [e](vbscript:x) [f](//evil.example) [g](file:///etc/passwd) [h](\u{1}javascript:x) [i](https://ok.example/\"onclick=\"x)\n\n![j](https://evil.example/k.png) ![l](data:image/svg+xml,<svg/onload=x>) [![m](x)](javascript:x)\n\n```html\"><script>document.body.id='pwned'</script>\n</pre></code><script>document.body.id='pwned'</script>\n```\n\n|<img src=x onerror=x>|\n|-|\n|</table><script>x</script>|\n\n<details open ontoggle=\"document.body.id='pwned'\">\n\n- [ ] </li></ul><script>x</script>\n\n<!-- \n\n<style>*{display:none}</style>\n\n`</code><script>document.body.id='pwned'</script>`\n\n[n]: javascript:x \"<script>x</script>\"\n";

fn call(id: &str, tool: &str, input: &Value, structured: Value) -> [Line; 2] {
    answered(id, tool, input, &format!("{EVIL}\n{EVIL}"), structured)
}

/// A call of every tool with a special rendering.
fn calls() -> Vec<Line> {
    let hunks = json!([{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1,
        "lines": [format!(" {EVIL}"), format!("-{EVIL}"), format!("+{EVIL}")]}]);
    let path = format!("/home/ada/{EVIL}.rs");
    let shell = json!({"stdout": EVIL, "stderr": EVIL,
        "gitOperation": {"push": {"branch": EVIL}, "pr": {"url": EVIL, "number": 1}}});
    let agent = json!({"subagent_type": EVIL, "description": EVIL, "prompt": EVIL});
    [
        call("t1", "Read", &json!({"file_path": path}), json!({"file": {"numLines": 1}})),
        call("t2", "Edit", &json!({"file_path": path}), json!({"structuredPatch": hunks})),
        call("t3", "Write", &json!({"file_path": path, "content": EVIL}), json!({})),
        call("t4", "Bash", &json!({"command": EVIL, "description": EVIL}), shell),
        call("t5", "Grep", &json!({"pattern": EVIL, "path": EVIL}), json!({"numFiles": 1})),
        call("t6", "WebFetch", &json!({"url": EVIL}), json!({"code": 200})),
        call("t7", "TodoWrite", &json!({"todos": [{"content": EVIL, "status": EVIL}]}), json!({})),
        call("t8", "ExitPlanMode", &json!({"plan": EVIL_MARKDOWN}), json!({})),
        call(
            "t9",
            "AskUserQuestion",
            &json!({"questions": [{"question": EVIL}]}),
            json!({"answers": {EVIL: EVIL}}),
        ),
        call("t10", &format!("mcp__{EVIL}__{EVIL}"), &json!({EVIL: EVIL}), json!([EVIL])),
        call("t11", "Task", &agent, json!({"agentId": "a1", "persistedOutputPath": EVIL})),
        [tool_use("t12", EVIL, &json!({"command": EVIL})), tool_error("t12", EVIL)],
    ]
    .concat()
}

fn words() -> Vec<Line> {
    let picture = |kind: &str, data: &str| json!({"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}});
    let elsewhere = json!({"type": "image", "source": {"type": "url", "url": EVIL}});
    vec![
        user("").message(
            "content",
            json!([{"type": "text", "text": EVIL}, {"type": "text", "text": EVIL_MARKDOWN},
                picture(EVIL, "AAAA"), picture("image/png", "AA\"onerror=\"x"),
                picture("image/svg+xml", "PHN2ZyBvbmxvYWQ9eD4="), elsewhere,
                picture("image/gif", "R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs="),
                {"type": "document", "title": EVIL, "source": {"type": "text", "data": EVIL}}]),
        ),
        assistant("").message(
            "content",
            json!([{"type": "thinking", "thinking": EVIL_MARKDOWN},
                {"type": "text", "text": EVIL_MARKDOWN}, {"type": "text", "text": EVIL}]),
        ),
        system("local_command").with("content", format!("<{EVIL}>{EVIL}")),
        system("api_error").with("error", json!({"message": EVIL})),
        assistant(EVIL).with("isApiErrorMessage", true),
        attachment(&json!({"type": "queued_command", "prompt": EVIL})),
        attachment(&json!({"type": EVIL, "content": EVIL})),
        assistant(EVIL).message("model", EVIL),
        user(&format!("<task-notification>{EVIL}</task-notification>")),
        tool_result("elsewhere", EVIL),
    ]
}

fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let boundary = system("compact_boundary")
        .with("compactMetadata", json!({"trigger": EVIL, "preTokens": 9, "postTokens": 1}));
    let summary = user(EVIL_MARKDOWN).with("isCompactSummary", true);
    let mut lines = chained([words(), calls(), vec![boundary, summary], words()].concat());
    let last = format!("u{}", lines.len());
    lines.extend([
        user(EVIL).link("abandoned", Some(&last)),
        user(EVIL).link("orphaned", Some("gone")).at("2020-01-01T00:00:00Z"),
        // Hostile ids, and one of them twice.
        user(EVIL).link(EVIL, Some(&last)),
        assistant(EVIL).link("m\" onclick=x", Some(EVIL)),
        metadata("custom-title", &[("customTitle", EVIL.into())]),
    ]);
    let lines = lines
        .into_iter()
        .map(|line| line.with("sessionId", session_id(1)).cwd("/home/ada").with("gitBranch", EVIL));
    sandbox.session("/home/ada", &session_id(1), lines);
    let side = [words(), calls()].concat().into_iter().map(|line| line.with("isSidechain", true));
    for name in ["agent-a1", "agent-a2", "workflows/wf_1/agent-a3"] {
        sandbox.agent("/home/ada", &session_id(1), name, chained(side.clone()));
        let meta =
            json!({"agentType": EVIL, "description": EVIL, "model": EVIL, "workflowPhase": EVIL});
        let folder = format!("projects/-home-ada/{}/subagents", session_id(1));
        sandbox.write(&format!("{folder}/{name}.meta.json"), meta.to_string());
    }
    sandbox.session(
        "/home/ada",
        &session_id(2),
        chained([user(EVIL)]).into_iter().map(|line| line.with("sessionId", session_id(2))),
    );
    sandbox
}

#[test]
fn transcript_text_never_runs_in_the_page() {
    let Some(browser) = chromium() else { return };
    let sandbox = store();
    // The index page lists titles with attacks as well.
    let folder = exported(&sandbox, &sandbox.config(), &["--every"]);
    let pages = crate::browser::pages(&folder);
    assert_eq!(pages.len(), 3, "{pages:?}");
    let is_first = |path: &&std::path::PathBuf| path.to_string_lossy().contains("-00000001");
    let tried = std::fs::read_to_string(pages.iter().find(is_first).unwrap()).unwrap();
    assert!(tried.matches("&lt;script&gt;").count() > 100, "the attacks are on the page");
    for fold in ["class=b>", "class=g>", "class=a>", "class=\"m k\"", "<img "] {
        assert!(tried.contains(fold), "{fold}");
    }
    assert_as_meant(&browser, &folder);
}
