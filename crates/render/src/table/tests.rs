//! Tables: widths, alignment, and which columns go first.

use super::*;

const PLAIN: Paint = Paint { enabled: false };

fn table() -> Table {
    let mut table = Table::new(vec![
        Column::new("ID").style(Style::Id),
        Column::new("SIZE").right(),
        Column::new("NOTHING"),
        Column::new("TITLE").shrinks_to(8),
    ]);
    table.row(["a1".into(), "4 kB".into(), String::new(), "a title of some length".into()]);
    table.row(["b22".into(), "12 MB".into(), String::new(), "日本語のタイトル".into()]);
    table
}

#[test]
fn columns_are_as_wide_as_their_cells_and_empty_ones_are_hidden() {
    let expected =
        "ID    SIZE  TITLE\na1    4 kB  a title of some length\nb22  12 MB  日本語のタイトル\n";
    assert_eq!(table().render(None, PLAIN), expected);
}

#[test]
fn shrinkable_columns_are_truncated_on_narrow_terminals() {
    let rendered = table().render(Some(24), PLAIN);
    assert_eq!(rendered, "ID    SIZE  TITLE\na1    4 kB  a title of…\nb22  12 MB  日本語のタ…\n");
    assert!(rendered.lines().all(|line| line.width() <= 24));
}

#[test]
fn droppable_columns_are_dropped_before_the_table_overflows() {
    let mut table = Table::new(vec![
        Column::new("ID"),
        Column::new("SIZE").drop_order(2),
        Column::new("BRANCH").drop_order(1),
        Column::new("TITLE").shrinks_to(6),
    ]);
    table.row(["a1", "4 kB", "main", "a long title"].map(str::to_owned));
    let titles = |width| table.render(Some(width), PLAIN).lines().next().map(str::to_owned);
    assert_eq!(titles(40).as_deref(), Some("ID  SIZE  BRANCH  TITLE"));
    assert_eq!(titles(20).as_deref(), Some("ID  BRANCH  TITLE"));
    assert_eq!(titles(12).as_deref(), Some("ID  TITLE"));
    assert_eq!(titles(3).as_deref(), Some("ID  TITLE"), "what may not go stays");
}

#[test]
fn paths_are_truncated_between_folders_and_never_in_a_name() {
    let table = [
        ("~/tidepool", 12, "~/tidepool"),
        ("/home/ada/tidepool", 18, "/home/ada/tidepool"),
        ("/home/ada/tidepool", 17, "…/ada/tidepool"),
        ("/home/ada/tidepool", 13, "…/tidepool"),
        ("/home/ada/tidepool", 9, "tidepool"),
        (r"C:\Users\ada\ledger", 14, r"…\ada\ledger"),
        (r"C:\Users\ada\ledger", 7, "ledger"),
        ("/home/ada/a-very-long-name", 12, "…-long-name"),
        ("/home/ada/averylongname", 8, "…ongname"),
        ("/日本語/プロジェクト", 13, "プロジェクト"),
        ("/", 1, "/"),
    ];
    for (path, width, expected) in table {
        let shown = cut_start(path, Some(width));
        assert_eq!(shown, expected, "{path} in {width}");
        assert!(shown.width() <= width, "{shown} in {width}");
    }
}

#[test]
fn path_column_is_not_narrower_than_its_last_folders() {
    let mut table = Table::new(vec![
        Column::new("PATH").shrinks_to(4).keeps_end(),
        Column::new("SIZE").drop_order(1),
        Column::new("TITLE").shrinks_to(8),
    ]);
    table.row(["/home/ada/tidepool", "4 kB", "a title of some length"].map(str::to_owned));
    assert_eq!(
        table.render(Some(30), PLAIN),
        "PATH         SIZE  TITLE\n…/tidepool   4 kB  a title of…\n"
    );
    assert_eq!(table.render(Some(22), PLAIN), "PATH        TITLE\n…/tidepool  a title o…\n");
    assert_eq!(table.render(Some(18), PLAIN), "PATH      TITLE\ntidepool  a title…\n");
}

#[test]
fn title_gets_at_least_40_percent_of_the_width() {
    let mut table = Table::new(vec![
        Column::new("ID"),
        Column::new("BRANCH").shrinks_to(6).drop_order(1),
        Column::new("SIZE").drop_order(2),
        Column::new("TITLE").shrinks_to(6).wide(),
    ]);
    let title = "a title that is longer than any terminal of these";
    table.row(["a1", "feature/salt", "4 kB", title].map(str::to_owned));
    for width in 20..70 {
        let shown = table.render(Some(width), PLAIN);
        let titles = shown.lines().next().unwrap_or_default();
        let row = shown.lines().nth(1).unwrap_or_default();
        let room = width - titles.find("TITLE").unwrap_or_default();
        assert!(room * 100 >= width * 40 && row.width() <= width, "{width}: {shown}");
    }
    let titles = |width| {
        let shown = table.render(Some(width), PLAIN);
        let titles = shown.lines().next().unwrap_or_default().split_whitespace();
        titles.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(titles(40), "ID BRANCH SIZE TITLE");
    assert_eq!(titles(26), "ID BRANCH TITLE");
    assert_eq!(titles(16), "ID TITLE");
}

#[test]
fn decimal_points_are_below_each_other() {
    let mut table = Table::new(vec![Column::new("COST").decimal(), Column::new("NOTE")]);
    for amount in ["$0.2114", "$1,203.17", "?", "", "$1.17 + ?"] {
        table.row([amount.to_owned(), "x".to_owned()]);
    }
    let expected = "         COST  NOTE
    $0.2114    x
$1,203.17      x
     ?         x
               x
    $1.17 + ?  x
";
    assert_eq!(table.render(None, PLAIN), expected);
}

#[test]
fn total_is_bold_below_a_rule_as_wide_as_the_table() {
    let mut table = Table::new(vec![Column::new("DAY"), Column::new("CALLS").right()]);
    table.row(["monday".to_owned(), "2".to_owned()]);
    table.total(["TOTAL".to_owned(), "2".to_owned()]);
    assert_eq!(
        table.render(None, PLAIN),
        "DAY     CALLS\nmonday      2\n─────────────\nTOTAL       2\n"
    );
    let painted = table.render(Some(10), Paint { enabled: true });
    assert!(painted.ends_with("\u{1b}[1mTOTAL\u{1b}[0m       \u{1b}[1m2\u{1b}[0m\n"));
    assert!(painted.contains(&format!("{}\u{1b}", "─".repeat(10))), "the rule fits the width");
}

#[test]
fn cells_stay_on_their_line() {
    let mut table = Table::new(vec![Column::new("T")]);
    table.row(["two\nlines \u{1b}[2J".into()]);
    assert_eq!(table.render(None, PLAIN), "T\ntwo lines \\u{1b}[2J\n");
}

#[test]
fn colours_do_not_count_as_width() {
    let painted = table().render(Some(40), Paint { enabled: true });
    let plain = table().render(Some(40), PLAIN);
    let stripped =
        painted.replace("\u{1b}[1m", "").replace("\u{1b}[36m", "").replace("\u{1b}[0m", "");
    assert_eq!(stripped, plain);
}

#[test]
fn facts_that_do_not_fit_are_left_out_whole() {
    let facts = ["2026-03-01 12:00:05", "2m 3s (model 1m)", "12 k tokens"];
    let all = "2026-03-01 12:00:05 · 2m 3s (model 1m) · 12 k tokens";
    assert_eq!(joined_facts(&facts, None), all);
    assert_eq!(joined_facts(&facts, Some(all.width())), all);
    assert_eq!(joined_facts(&facts, Some(50)), "2026-03-01 12:00:05 · 2m 3s (model 1m)");
    assert_eq!(joined_facts(&facts, Some(20)), "2026-03-01 12:00:05");
    assert_eq!(joined_facts(&facts, Some(8)), "2026-03…");
    assert_eq!(joined_facts(&[""; 0], Some(8)), "");
}

#[test]
fn table_fits_if_its_necessary_columns_do() {
    let mut table = Table::new(vec![
        Column::new("ID"),
        Column::new("SIZE").drop_order(1),
        Column::new("TITLE").shrinks_to(8),
    ]);
    table.row(["a1".into(), "12 MB".into(), "a title of some length".into()]);
    assert!(table.fits(None) && table.fits(Some(12)), "2 + 2 + 8");
    assert!(!table.fits(Some(11)));
}
