//! A session as one HTML file: no network access, one script, and only text from the
//! transcript.
//!
//! Pages are written without a template library: the body is a stream of turns and of
//! Markdown parser events, which open and close elements in different functions, and a
//! page must be small and quick to write. It is safe because transcript text passes
//! through `escape` and nothing else, and because the Content-Security-Policy allows
//! only the digests (`digests`, a generated file) of the page's own style and script:
//! even injected code would not run.
//!
//! `turns` writes the conversation, `fragment` only some turns of it, `prose` its Markdown, `code` its code, outputs
//! and diffs, `timeline` the chart of turns, `index` the list of sessions,
//! `report` tables of usage.

mod calls;
mod code;
mod digests;
mod escape;
mod fragment;
mod index;
mod prose;
mod report;
#[cfg(test)]
mod tests;
mod timeline;
mod turns;

pub use fragment::{
    Fragment, FragmentLink, FragmentOptions, FragmentPlace, html_diff, html_prose, html_steps,
    html_turns,
};
pub use index::html_index;
pub use report::{ReportPage, ReportRow, ReportTable, html_report};

use crate::export::IndexEntry;
use crate::export_document::ExportDocument;
use crate::labels::{masked, turn_name};
use crate::{counted, resume_command, time, untrusted};
use escape::push_text;

/// `conversation.css` is shared with other surfaces; `page.css` lays out the exported page.
const STYLE: &str = concat!(include_str!("html/conversation.css"), include_str!("html/page.css"));
const SCRIPT: &str = include_str!("html/page.js");

const HELP: &str = "<dialog aria-label=Keys><h2>Keys</h2><dl><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next and previous turn</dd><dt><kbd>/</kbd></dt><dd>find, including folded text</dd><dt><kbd>o</kbd></dt><dd>expand or collapse everything</dd><dt><kbd>t</kbd></dt><dd>light or dark</dd><dt><kbd>Tab</kbd> <kbd>Enter</kbd></dt><dd>go to a fold, open it</dd></dl><button type=button>Close</button></dialog>";

/// A session as a page.
pub fn html_page(export: &ExportDocument<'_>) -> String {
    // An estimate of the size of the page.
    let room = usize::try_from(export.heading.bytes / 3).unwrap_or(0).min(16 << 20);
    let mut page = String::with_capacity(room + STYLE.len() + SCRIPT.len());
    push_head(&mut page, &export.heading.title);
    page.push_str("<a class=skip href=#main>Skip to the conversation</a><div id=bar hidden><span id=note role=status></span><div id=filters role=group aria-label=\"Show only\"><button type=button value=p aria-pressed=false>Prompts</button><button type=button value=c aria-pressed=false>Tools</button><button type=button value=e aria-pressed=false>Errors</button></div><button type=button id=unfold>Expand all</button><div id=find hidden role=search><input type=search aria-label=Find placeholder=Find><span id=hits role=status></span><button type=button id=previous aria-label=Previous>↑</button><button type=button id=next aria-label=Next>↓</button></div><button type=button id=search>Find</button><button type=button id=lights>Light / dark</button><button type=button id=help aria-label=Keys>?</button></div><header><h1>");
    push_text(&mut page, &crate::untrusted::line(&export.heading.title));
    page.push_str("</h1>");
    push_facts(&mut page, export);
    timeline::push_timeline(&mut page, export);
    page.push_str("</header><div class=page>");
    push_outline(&mut page, export);
    page.push_str("<main id=main>\n");
    turns::push_conversation(&mut page, export);
    page.push_str("</main></div>");
    page.push_str(HELP);
    push_foot(&mut page);
    page
}

/// Adds everything before the content of the body.
fn push_head(page: &mut String, title: &str) {
    let (style, script) = (digests::STYLE_SOURCE, digests::SCRIPT_SOURCE);
    *page += &format!(
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta http-equiv=Content-Security-Policy content=\"default-src 'none'; img-src data:; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'\"><meta name=referrer content=no-referrer><meta name=viewport content=\"width=device-width,initial-scale=1\"><meta name=generator content=annals><title>"
    );
    push_text(page, &crate::untrusted::line(title));
    *page += &format!("</title><style>{STYLE}</style></head><body>");
}

fn push_foot(page: &mut String) {
    *page +=
        &format!("<footer>Written by annals.</footer><script>{SCRIPT}</script></body></html>\n");
}

fn push_facts(page: &mut String, export: &ExportDocument<'_>) {
    let heading = &export.heading;
    let entry = IndexEntry::of(export);
    let mut facts: Vec<(&str, String)> = vec![("Session", heading.session_id.clone())];
    facts.extend(heading.agent_id.clone().map(|id| ("Agent", id)));
    facts.extend(heading.project.clone().map(|project| ("Project", project)));
    facts.extend(heading.branch.clone().map(|branch| ("Branch", branch)));
    if !heading.models.is_empty() {
        facts.push(("Model", heading.models.join(", ")));
    }
    if let Some(started) = heading.started {
        let mut when = time::moment(started, export.zone);
        if let Some(ended) = heading.ended {
            when += &format!(" to {}", time::moment(ended, export.zone));
        }
        facts.push(("Time", format!("{when} ({})", time::zone_name(export.zone))));
    }
    let mut size = vec![counted(entry.turns, "turn")];
    if entry.output_tokens > 0 {
        size.push(format!("{} tokens out", crate::count(entry.output_tokens)));
    }
    size.extend(entry.cost.map(crate::money));
    size.extend(entry.agents_cost.map(|cost| format!("agents {}", crate::money(cost))));
    facts.push(("Size", size.join(" · ")));
    facts.extend(masked(export).map(|masked| ("Masked", masked)));
    facts.extend(export.left_out.iter().map(|omission| ("Left out", omission.clone())));
    page.push_str("<dl>");
    for (name, fact) in facts {
        let class = if matches!(name, "Session" | "Agent") { " class=id" } else { "" };
        *page += &format!("<dt>{name}</dt><dd{class}>");
        push_text(page, &crate::untrusted::line(&fact));
        page.push_str("</dd>");
    }
    let resume = resume_command(&heading.session_id, heading.cwd.as_deref(), None);
    if let Some(resume) = resume.filter(|_| heading.agent_id.is_none()) {
        page.push_str("<dt>Resume</dt><dd class=id><code>");
        push_text(page, &untrusted::line(&resume));
        page.push_str("</code></dd>");
    }
    page.push_str("</dl>");
}

fn push_outline(page: &mut String, export: &ExportDocument<'_>) {
    let turns = &export.main.turns;
    let count = counted(turns.iter().filter(|turn| turn.number.has_prompt()).count(), "turn");
    *page += &format!("<nav aria-label=Turns><details open><summary>{count}</summary><ol>");
    for turn in turns {
        let number = turn.number;
        *page += &format!("<li><a href=\"#t{number}\"><i>{number}</i><span>");
        push_text(page, &turn_name(turn));
        page.push_str("</span></a></li>");
    }
    page.push_str("</ol></details></nav>");
}
