//! A page that lists sessions.

use super::escape::{push_attribute, push_text};
use crate::export::IndexEntry;
use crate::{counted, cut, time, untrusted};
use jiff::tz::TimeZone;

/// The longest title: a title can be a whole prompt.
const MAX_TITLE: usize = 96;

/// A page that lists sessions, each with a link to its file.
pub fn html_index(entries: &[&IndexEntry], zone: &TimeZone) -> String {
    let mut page = String::new();
    let title = counted(entries.len(), "session");
    super::push_head(&mut page, &title);
    page += "<a class=skip href=#main>Skip to the list</a><div id=bar hidden><span id=note role=status></span><input type=search id=filter hidden aria-label=Filter placeholder=Filter><button type=button id=lights>Light / dark</button></div>";
    page += &format!("<header class=wide><h1>{title}</h1><dl><dt>Times</dt><dd>");
    push_text(&mut page, &time::zone_name(zone));
    page += "</dd></dl></header><div class=\"page index\"><main id=main><div class=x><table><thead><tr><th>Session</th><th>Project</th><th>Began</th><th>Ended</th><th class=r>Turns</th><th class=r>Tokens out</th><th class=r>Cost</th><th class=r>Agents’ cost</th></tr></thead><tbody>\n";
    for entry in entries {
        // `./` keeps the link in this folder, whatever the file name is.
        page += "<tr><td><a href=\"./";
        push_attribute(&mut page, &entry.file);
        page += "\">";
        push_text(&mut page, &cut(&untrusted::line(&entry.title), Some(MAX_TITLE)));
        page += "</a></td>";
        let moment = |at: Option<jiff::Timestamp>| at.map(|at| time::moment(at, zone));
        let texts = [entry.project.clone(), moment(entry.started), moment(entry.ended)];
        for text in texts {
            page += "<td>";
            push_text(&mut page, &untrusted::line(&text.unwrap_or_default()));
            page += "</td>";
        }
        let cost = entry.cost.map(crate::money).unwrap_or_default();
        let agents_cost = entry.agents_cost.map(crate::money).unwrap_or_default();
        page += &format!(
            "<td class=r>{}</td><td class=r>{}</td><td class=r>{cost}</td><td class=r>{agents_cost}</td></tr>\n",
            entry.turns,
            crate::count(entry.output_tokens)
        );
    }
    page += "</tbody></table></div></main></div>";
    super::push_foot(&mut page);
    page
}
