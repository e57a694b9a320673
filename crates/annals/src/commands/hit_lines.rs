//! Lines that show hits, for `search` and `grep`.

use render::{Column, Paint, Style, Table};

/// Below this width, sessions have short ids, as in lists.
const NARROW: usize = 80;

/// The heading of hits: a session with its project and title.
pub(crate) fn heading_line(
    width: Option<usize>,
    paint: Paint,
    id: Option<&str>,
    project: String,
    title: String,
) -> String {
    let is_narrow = width.is_some_and(|width| width < NARROW);
    let shown = if is_narrow { 8 } else { usize::MAX };
    let id = id.unwrap_or_default().chars().take(shown).collect();
    let columns = [
        (Column::new("").style(Style::Id), id),
        (Column::new("").shrinks_to(8).keeps_end().drop_order(1), project),
        (Column::new("").style(Style::Heading).shrinks_to(8).wide(), title),
    ];
    line(width, paint, columns)
}

/// A line of cells, at most as wide as the terminal.
pub(crate) fn line<const N: usize>(
    width: Option<usize>,
    paint: Paint,
    columns: [(Column, String); N],
) -> String {
    let (columns, cells): (Vec<Column>, Vec<String>) = columns.into_iter().unzip();
    let mut table = Table::new(columns);
    table.row(cells);
    let text = table.render(width, paint);
    // The table has one row, below a line of empty titles.
    text.split_once('\n').map(|(_, row)| row.to_owned()).unwrap_or_default()
}
