//! A page of tables with bars, for people who install nothing.

use super::escape::push_text;
use crate::untrusted;

/// A page of tables.
#[derive(Clone, Debug, Default)]
pub struct ReportPage {
    /// The heading.
    pub title: String,
    /// Facts above the tables, with their names.
    pub facts: Vec<(&'static str, String)>,
    /// The tables.
    pub tables: Vec<ReportTable>,
}

/// A table. Its first column has names, the others have numbers.
#[derive(Clone, Debug, Default)]
pub struct ReportTable {
    /// The heading.
    pub title: String,
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// How many of the first columns have names.
    pub names: usize,
    /// The rows.
    pub rows: Vec<ReportRow>,
}

/// A row, and the length of its bar from 0 to 1.
#[derive(Clone, Debug, Default)]
pub struct ReportRow {
    /// One text for each column.
    pub cells: Vec<String>,
    /// The length of the bar.
    pub share: f64,
}

/// The width of the longest bar, in pixels.
const BAR: f64 = 160.0;

/// The page.
pub fn html_report(report: &ReportPage) -> String {
    let mut page = String::new();
    super::push_head(&mut page, &report.title);
    page += "<a class=skip href=#main>Skip to the tables</a><div id=bar hidden><span id=note role=status></span><button type=button id=lights>Light / dark</button></div><header class=wide><h1>";
    push_text(&mut page, &untrusted::line(&report.title));
    page += "</h1><dl>";
    for (name, fact) in &report.facts {
        page += &format!("<dt>{name}</dt><dd>");
        push_text(&mut page, &untrusted::line(fact));
        page += "</dd>";
    }
    page += "</dl></header><div class=\"page report\"><main id=main>\n";
    for table in &report.tables {
        push_table(&mut page, table);
    }
    page += "</main></div>";
    super::push_foot(&mut page);
    page
}

fn push_table(page: &mut String, table: &ReportTable) {
    *page += "<h2>";
    push_text(page, &untrusted::line(&table.title));
    *page += "</h2><div class=x><table><thead><tr>";
    let class = |place: usize| if place < table.names { "" } else { " class=r" };
    for (place, column) in table.columns.iter().enumerate() {
        *page += &format!("<th{}>{column}</th>", class(place));
    }
    *page += "<th></th></tr></thead><tbody>\n";
    for row in &table.rows {
        *page += "<tr>";
        for (place, cell) in row.cells.iter().enumerate() {
            *page += &format!("<td{}>", class(place));
            push_text(page, &untrusted::line(cell));
            *page += "</td>";
        }
        // A picture of the number before it, which readers of the page hear already.
        let width = (row.share.clamp(0.0, 1.0) * BAR).round();
        *page += &format!(
            "<td class=tl><svg width={BAR} height=12 aria-hidden=true><rect width={width} height=12 /></svg></td></tr>\n"
        );
    }
    *page += "</tbody></table></div>\n";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_the_lake_are_text_and_nothing_else() {
        let row = ReportRow {
            cells: vec!["<script>alert(1)</script>\u{1b}[2J".to_owned(), "$1.00".to_owned()],
            share: f64::INFINITY,
        };
        let table = ReportTable {
            title: "Pro<b>jects".to_owned(),
            columns: vec!["Project", "Cost"],
            names: 1,
            rows: vec![row],
        };
        let page = html_report(&ReportPage {
            title: "</title><img src=x>".to_owned(),
            facts: vec![("Lake", "s3://<x>".to_owned())],
            tables: vec![table],
        });
        assert_eq!(page.matches("<script>").count(), 1, "its own");
        assert!(!page.contains("<img") && !page.contains("<b>") && !page.contains('\u{1b}'));
        assert!(page.contains("&lt;script&gt;alert(1)") && page.contains("<rect width=160 "));
    }
}
