//! The table of every command with the calls that exercise it.
//!
//! A new command gets a row here and is then part of every test in `safety`.
//! Session ids other than `SESSION`, titles and folders are those of the full store.

use super::exercises::{Exercise, FOLDER, Formats, SESSION};

pub(crate) const EXERCISES: &[Exercise] = &[
    Exercise {
        command: "",
        formats: Formats::Document,
        reading: &[&[], &["--json"], &["--version"], &["--help"]],
        on_demo: &[&[]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "ls",
        formats: Formats::Rows,
        reading: &[
            &["ls"],
            &["ls", "--json"],
            &["ls", "--jsonl"],
            &["ls", "--csv"],
            &["ls", "--hidden"],
            &["ls", "--deleted"],
            &["ls", "--marked"],
            &["ls", "--live"],
            &["ls", "--live", "--json"],
            &["ls", "--live", "--csv"],
            &["ls", "--tool", "Task", "--model", "sonnet", "--agent", "Explore"],
            &["ls", "--project", "/home/ada/tidepool", "--since", "9w", "--git-branch", "main"],
            &["ls", "--here", "--exact"],
            &["ls", "--exclude", "/home/**", "--alias", "/a=/b", "--current-session", "00000002"],
            &["ls", "--session", SESSION],
        ],
        refused: &[
            &["ls", "--fly"],
            &["ls", "--since", "soon"],
            &["ls", "--timezone", "Mars/Olympus"],
            &["ls", "--root", "/nowhere"],
            &["ls", "--lake"],
        ],
        on_demo: &[&["ls"], &["ls", "--hidden"], &["ls", "--deleted"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "projects",
        formats: Formats::Rows,
        reading: &[&["projects"], &["projects", "--json"], &["projects", "--csv"]],
        on_demo: &[&["projects"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "where",
        formats: Formats::Document,
        reading: &[
            &["where", "/home/ada/tidepool/src"],
            &["where", "/home/ada/tidepool/src", "--json"],
            // These two find nothing, which is exit code 1.
            &["where"],
            &["where", "/nowhere"],
        ],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "info",
        formats: Formats::Document,
        reading: &[
            &["info", SESSION],
            &["info", SESSION, "--json"],
            &["info", "00000009"],
            &["info", "a1"],
        ],
        refused: &[&["info", "ffffffff"], &["info", "0"], &["info", "../../x"]],
        on_demo: &[&["info"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "show",
        formats: Formats::Lines,
        answers_from_archive: true,
        reading: &[
            &["show", SESSION],
            &["show", SESSION, "--json"],
            &["show", SESSION, "--jsonl"],
            &["show", SESSION, "--raw"],
            &["show", SESSION, "--view", "all"],
            &["show", SESSION, "--view", "all", "--json"],
            &["show", SESSION, "--view", "sdk", "--json"],
            &["show", "a1"],
            &["show", "a1", "--view", "sdk"],
            &["show", "a3"],
            &["show", "Salt"],
            &["show", SESSION, "--thinking", "--tools", "full", "--agents", "inline"],
            &["show", SESSION, "--tools", "full"],
            &["show", SESSION, "--tools", "none", "--agents", "none"],
            &["show", SESSION, "--agents", "flat"],
            &["show", SESSION, "--agents", "flat", "--tools", "full"],
            &["show", SESSION, "--generation", "1", "--last", "1"],
            &["show", SESSION, "--from", "0", "--json"],
        ],
        refused: &[
            &["show", ""],
            &["show", SESSION, "--abandoned", "9"],
            &["show", SESSION, "--generation", "9"],
            &["show", SESSION, "--find", "volcano"],
            &["show", SESSION, "--view", "all", "--thinking"],
        ],
        on_demo: &[&["show"], &["show", "--view", "all"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "search",
        formats: Formats::Rows,
        writing_home: &[
            &["search", "--wait", "sea"],
            &["search", "sea", "--hits"],
            &["search", "sea", "--json"],
            &["search", "sea", "--jsonl", "--context", "1"],
        ],
        refused: &[&["search"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "grep",
        formats: Formats::Rows,
        answers_from_archive: true,
        reading: &[
            &["grep", "."],
            &["grep", "(?s)."],
            &["grep", "(?i)s", "--json"],
            &["grep", "-c", "."],
            &["grep", "-l", "s"],
            &["grep", "(?s).+", "-C", "3", "--json"],
        ],
        refused: &[&["grep"], &["grep", "("]],
        on_demo: &[&["grep", "the"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "files",
        formats: Formats::Rows,
        answers_from_archive: true,
        reading: &[
            &["files"],
            &["files", "--json"],
            &["files", "README.md", "--reads"],
            &["files", "README.md", "--json"],
        ],
        refused: &[&["files", "--commit", "abcd"]],
        on_demo: &[&["files"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "prompts",
        formats: Formats::Rows,
        answers_from_archive: true,
        reading: &[
            &["prompts", SESSION],
            &["prompts", SESSION, "--json"],
            &["prompts", SESSION, "--csv"],
            &["prompts"],
            &["prompts", "--json"],
        ],
        on_demo: &[&["prompts"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "tree",
        formats: Formats::Document,
        answers_from_archive: true,
        reading: &[&["tree", SESSION], &["tree", SESSION, "--minor"], &["tree", SESSION, "--json"]],
        refused: &[&["tree", SESSION, "--csv"]],
        on_demo: &[&["tree"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "tools",
        formats: Formats::Rows,
        answers_from_archive: true,
        reading: &[
            &["tools", SESSION],
            &["tools", SESSION, "--json"],
            &["tools", SESSION, "--csv"],
            &["tools"],
            &["tools", "--stats"],
            &["tools", "--stats", "--json"],
        ],
        refused: &[&["tools", SESSION, "--status", "sideways"]],
        on_demo: &[&["tools"], &["tools", "--stats"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "agents",
        formats: Formats::Rows,
        answers_from_archive: true,
        reading: &[
            &["agents", SESSION],
            &["agents", SESSION, "--json"],
            &["agents", SESSION, "--warmup"],
            &["agents", SESSION, "--warmup", "--csv"],
        ],
        on_demo: &[&["agents"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "plan",
        formats: Formats::Rows,
        answers_from_archive: true,
        reading: &[
            &["plan", SESSION],
            &["plan", SESSION, "--versions"],
            &["plan", SESSION, "--json"],
        ],
        refused: &[&["plan", SESSION, "--number", "9"]],
        on_demo: &[&["plan", "c52b8f06"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "context",
        formats: Formats::Rows,
        answers_from_archive: true,
        reading: &[
            &["context", SESSION],
            &["context", SESSION, "--json"],
            &["context", SESSION, "--csv"],
            &["context", "a1"],
        ],
        on_demo: &[&["context"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "mark",
        formats: Formats::Rows,
        reading: &[&["mark"], &["mark", "--json"], &["mark", "--csv"]],
        writing_home: &[&["mark", SESSION, "worth", "reading"], &["mark"], &["mark", "--json"]],
        refused: &[
            &["mark", "ffffffff", "gone"],
            &["mark", "00000001:999"],
            &["mark", "--remove", SESSION],
        ],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "mcp",
        formats: Formats::OneForm,
        writing_home: &[&["mcp"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "rename",
        formats: Formats::Document,
        writing_store: &[&["rename", SESSION, "A", "title"]],
        refused: &[
            &["rename", "ffffffff", "x"],
            &["rename", SESSION, " "],
            &["rename", SESSION, "x", "--csv"],
        ],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "resume",
        reading: &[
            &["resume", SESSION, "--print"],
            &["resume", SESSION, "--print", "--fork", "--in", "/"],
        ],
        refused: &[&["resume"], &["resume", "ffffffff"], &["resume", SESSION]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "tag",
        formats: Formats::Document,
        reading: &[&["tag", SESSION], &["tag", SESSION, "--json"]],
        writing_store: &[&["tag", SESSION, "sea"], &["tag", SESSION, "--remove"]],
        refused: &[&["tag", "a1", "x"], &["tag", "00000009", "x"]],
        ..Exercise::EMPTY
    },
    Exercise {
        // What they show at a terminal is tested in tests/annals/pty.
        command: "tui",
        refused: &[&["tui", "--json"], &["tui", "--fly"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "pick",
        refused: &[&["pick", "--json"], &["pick", "--print", "colour"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "usage",
        formats: Formats::Rows,
        answers_from_archive: true,
        reading: &[
            &["usage"],
            &["usage", "--json"],
            &["usage", "--csv"],
            &["usage", "weekly", "--week-start", "sunday"],
            &["usage", "monthly"],
            &["usage", "hourly", "--timezone", "Europe/Berlin"],
            &["usage", "session", "--no-index"],
            &["usage", "session", "--json"],
            &["usage", "turn"],
            &["usage", "turn", "--json"],
            &["usage", "project", "--since", "9w"],
            &["usage", "project", "--json"],
            &["usage", "worktree"],
            &["usage", "model"],
            &["usage", "model", "--json"],
            &["usage", "model", "--cost", "display"],
            &["usage", "branch"],
            &["usage", "branch", "--json"],
            &["usage", "agent", "--tool", "Task"],
            &["usage", "agent", "--json"],
            &["usage", "skill"],
            &["usage", "plugin"],
            &["usage", "mcp"],
            &["usage", "tool"],
            &["usage", "tool", "--json"],
            &["usage", "effort"],
            &["usage", "entrypoint"],
            &["usage", "version"],
            &["usage", "block"],
            &["usage", "block", "--json"],
            &["usage", "limits"],
            &["usage", "--heatmap"],
            &["usage", "--heatmap", "--json"],
            &["usage", "--check", "--budget", "day=1000"],
            &["usage", "--check", "--budget", "month=1000", "--json"],
            &["usage", "--by", "branch,version,entrypoint"],
            &["usage", SESSION],
            &["usage", "model", SESSION, "--json"],
            &["usage", "--session", SESSION],
            &["usage", "--explain"],
            &["usage", "--explain", "--json"],
            &["usage", "--explain", "msg_01"],
            &["usage", "--explain", "msg_01", "--json"],
        ],
        refused: &[
            &["usage", "--explain", "msg_99"],
            &["usage", "--explain", "msg_01", "--csv"],
            &["usage", "--prices", "/nowhere"],
            &["usage", "--by", "weather"],
            &["usage", "yearly"],
            &["usage", "--check"],
            &["usage", "--budget", "year=1"],
            &["usage", "--heatmap", "weekly"],
        ],
        on_demo: &[
            &["usage"],
            &["usage", "turn"],
            &["usage", "block"],
            &["usage", "--heatmap"],
            &["usage", "--explain"],
            &["usage", "--by", "project,tool"],
        ],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "watch",
        formats: Formats::Lines,
        waiting: &[&["watch", SESSION, "--json", "--from-start"], &["watch", "--all", "--json"]],
        refused: &[&["watch", "ffffffff"], &["watch", "--csv"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "web",
        formats: Formats::OneForm,
        writing_home: &[
            &["web", SESSION, "--port", "0", "--no-open", "--exit-after-start"],
            &["web", "--port", "0", "--read-only", "--since", "9w", "--exit-after-start"],
        ],
        refused: &[&["web", "--redact=off", "--exit-after-start"], &["web", "--port", "70000"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "serve",
        formats: Formats::OneForm,
        writing_home: &[&["serve", "--port", "0", "--exit-after-start"]],
        refused: &[&["serve", "--redact=off", "--exit-after-start"], &["serve", SESSION]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "sql",
        formats: Formats::Rows,
        reading: &[&["sql", "--schema"]],
        writing_home: &[
            &["sql", "SELECT * FROM sessions"],
            &["sql", "SELECT * FROM sessions", "--json"],
            &["sql", "SELECT * FROM sessions", "--csv"],
        ],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "export",
        formats: Formats::Document,
        writing_home: &[
            &["export", SESSION, "-o", "-"],
            &["export", SESSION, "-o", "-", "--format", "html"],
            &["export", SESSION, "-o", "-", "--format", "json"],
            &["export", SESSION, "-o", "-", "--format", "jsonl"],
            &["export", SESSION, "-o", "-", "--format", "txt"],
            &["export", SESSION, "-o", "-", "--format", "xml", "--keep", "all"],
        ],
        ..Exercise::EMPTY
    },
    Exercise { command: "archive", refused: &[&["archive"]], ..Exercise::EMPTY },
    Exercise {
        command: "archive sync",
        formats: Formats::Lines,
        writing_home: &[&["archive", "sync"], &["archive", "sync", "--json"]],
        refused: &[&["archive", "sync", "--csv"], &["archive", "sync", "--max-age", "soon"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "archive ls",
        formats: Formats::Rows,
        writing_home: &[
            &["archive", "ls"],
            &["archive", "ls", SESSION],
            &["archive", "ls", "--json"],
            &["archive", "ls", "--csv"],
        ],
        refused: &[&["archive", "ls", "--limit", "few"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "archive verify",
        formats: Formats::Document,
        writing_home: &[&["archive", "verify"], &["archive", "verify", "--deep", "--json"]],
        refused: &[&["archive", "verify"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "archive restore",
        formats: Formats::Document,
        writing_home: &[&["archive", "restore", SESSION, "--to", FOLDER]],
        writing_store: &[&["archive", "restore", SESSION]],
        refused: &[&["archive", "restore", SESSION]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "archive export",
        formats: Formats::Document,
        writing_home: &[&["archive", "export", FOLDER]],
        refused: &[&["archive", "export", FOLDER]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "archive import",
        formats: Formats::Document,
        writing_home: &[&["archive", "import", FOLDER]],
        refused: &[&["archive", "import", "/nowhere"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "archive forget",
        formats: Formats::Document,
        writing_home: &[&["archive", "forget", SESSION, "--yes"]],
        refused: &[&["archive", "forget", SESSION]],
        ..Exercise::EMPTY
    },
    Exercise { command: "lake", refused: &[&["lake"]], ..Exercise::EMPTY },
    Exercise {
        command: "lake init",
        formats: Formats::Document,
        refused: &[
            &["lake", "init"],
            &["lake", "init", "s3://acme", "--owner", "ada"],
            &["lake", "init", "s3://acme", "--csv"],
            &["lake", "init", "--team", "tides"],
        ],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "lake push",
        formats: Formats::Document,
        refused: &[&["lake", "push"], &["lake", "push", "--csv"], &["lake", "push", "--show"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "lake share",
        formats: Formats::Document,
        refused: &[&["lake", "share"], &["lake", "share", "nothing", "--with", "org"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "lake unshare",
        formats: Formats::Document,
        refused: &[&["lake", "unshare"], &["lake", "unshare", "nothing"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "lake forget",
        formats: Formats::Document,
        refused: &[
            &["lake", "forget"],
            &["lake", "forget", "nothing"],
            &["lake", "forget", "--owner", "ada"],
        ],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "lake expire",
        formats: Formats::Document,
        refused: &[
            &["lake", "expire"],
            &["lake", "expire", "--before", "soon"],
            &["lake", "expire", "--before", "2026-01", "--yes"],
        ],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "lake leave",
        formats: Formats::Document,
        refused: &[&["lake", "leave"], &["lake", "leave", "--yes"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "lake verify",
        formats: Formats::Document,
        refused: &[&["lake", "verify"], &["lake", "verify", "--csv"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "lake report",
        formats: Formats::Document,
        refused: &[
            &["lake", "report"],
            &["lake", "report", "-o", "/nowhere/report.html"],
            &["lake", "report", "-o", "report.html", "--csv"],
        ],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "lake load",
        formats: Formats::Document,
        refused: &[
            &["lake", "load"],
            &["lake", "load", "--to", "http://db.acme.io"],
            &["lake", "load", "--print-policy", "users-xml"],
        ],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "lake catalog",
        formats: Formats::Document,
        refused: &[
            &["lake", "catalog"],
            &["lake", "catalog", "--sql", "duckdb"],
            &["lake", "catalog", "--sql", "oracle"],
        ],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "lake status",
        formats: Formats::Document,
        reading: &[&["lake", "status"], &["lake", "status", "--json"]],
        refused: &[&["lake", "status", "--csv"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "doctor",
        formats: Formats::Document,
        reading: &[&["doctor"], &["doctor", "--all"], &["doctor", "--json"]],
        refused: &[&["doctor", "--csv"]],
        writing_home: &[&["doctor", "--secrets"]],
        on_demo: &[&["doctor"]],
        ..Exercise::EMPTY
    },
    Exercise { command: "hook", reading: &[&["hook"]], ..Exercise::EMPTY },
    Exercise {
        command: "statusline",
        reading: &[&["statusline", "--color", "never"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "setup",
        formats: Formats::Document,
        reading: &[
            &["setup"],
            &["setup", "--json", "--timer"],
            &["setup", "--dry-run"],
            &["setup", "--remove"],
        ],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "completions",
        reading: &[&["completions", "bash"], &["completions", "--static", "bash"]],
        ..Exercise::EMPTY
    },
    Exercise {
        command: "help",
        reading: &[&["help"], &["help", "ls"], &["help", "archive", "sync"]],
        ..Exercise::EMPTY
    },
    Exercise { command: "man", reading: &[&["man"], &["man", "ls"]], ..Exercise::EMPTY },
];
