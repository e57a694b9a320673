//! `show` and `export` place branches, orphaned segments and agents alike.

use crate::cli::support::run::demo;

/// Reads the number at the beginning of a text.
fn number(text: &str) -> String {
    text.chars().take_while(char::is_ascii_digit).collect()
}

/// The id of an agent that a line names.
fn agent(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("⤷ ")?;
    Some(format!("agent {}", rest.split_whitespace().next().unwrap_or_default()))
}

/// What stands in the text of `show`, in order.
fn order_of_text(text: &str) -> Vec<String> {
    let mut order = Vec::new();
    let mut is_orphan = false;
    for line in text.lines() {
        if line.starts_with("╌╌") {
            is_orphan = line.starts_with("╌╌ orphaned segment");
            order.extend(is_orphan.then(|| "orphan".to_owned()));
        } else if let Some((_, alt)) =
            line.split_once("--abandoned ").filter(|_| line.starts_with("⎇"))
        {
            order.push(format!("branch {}", number(alt)));
        } else if let Some(heading) = line.strip_prefix("━━ ").filter(|_| !is_orphan) {
            order.push(format!("turn {}", number(heading)));
        } else {
            order.extend(agent(line));
        }
    }
    order
}

/// What stands in a Markdown page, in order; what is within a branch is left out,
/// because `show` only names it.
fn order_of_page(page: &str) -> Vec<String> {
    let mut order = Vec::new();
    let mut depth = 0;
    for line in page.lines() {
        let opened = line.matches("<details").count();
        let closed = line.matches("</details>").count();
        if depth > 0 {
            depth = depth + opened - closed;
        } else if let Some((_, rest)) = line.split_once("⎇ Abandoned branch ") {
            order.push(format!("branch {}", number(rest)));
            depth = opened - closed;
        } else if line.contains("╌ Orphaned segment") {
            order.push("orphan".to_owned());
        } else if let Some(heading) = line.strip_prefix("## ").filter(|it| !number(it).is_empty()) {
            order.push(format!("turn {}", number(heading)));
        } else {
            order.extend(agent(line));
        }
    }
    order
}

/// The agents that only warmed up a cache.
fn warmups(id: &str) -> Vec<String> {
    let tree = demo(&["tree", id, "--json"]).done().json();
    let agents = tree["agents"].as_array().unwrap().iter();
    let warmups = agents.filter(|agent| agent["warmup"] == true);
    warmups.map(|agent| format!("agent {}", agent["id"].as_str().unwrap())).collect()
}

#[test]
fn show_and_export_place_everything_of_the_demo_alike() {
    let list = demo(&["ls", "--limit", "0", "--json"]).done().json();
    let mut placed = Vec::new();
    for session in list["sessions"].as_array().unwrap() {
        let id = session["id"].as_str().unwrap();
        let document = demo(&["show", id, "--json"]).done().json();
        if !document["compactions"].as_array().unwrap().is_empty() {
            // `show` has the present generation and `export` all of them.
            continue;
        }
        let text = demo(&["show", id, "--agents", "fold"]).done().out;
        let page = demo(&["export", id, "--format", "md", "--agents", "fold", "-o", "-"]);
        let order = order_of_text(&text);
        // `show` only counts warm-ups.
        let warmups = warmups(id);
        let mut of_page = order_of_page(&page.done().out);
        of_page.retain(|it| !warmups.contains(it));
        assert_eq!(order, of_page, "{id}\n{text}");
        placed.extend(order);
    }
    for kind in ["turn", "branch", "agent"] {
        assert!(placed.iter().any(|it| it.starts_with(kind)), "{kind}: {placed:?}");
    }
}
