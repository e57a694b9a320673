//! Tests of windows without a session.

use super::{Block, Choice, Content, Goto, help};
use crate::action::Mode;
use crate::event::Event;
use crate::testing::{app, drawn, plain, type_keys};
use crate::theme::{Background, Theme, ThemeName};
use render::{Column, Style, Table};

#[test]
fn only_rows_of_a_table_can_be_chosen() {
    let mut table = Table::new(vec![Column::new("NAME").shrinks_to(4).wide()]);
    table.row(["one".to_owned()]);
    table.row(["two".to_owned()]);
    let choice = Choice::Goto(Goto::Branch(2));
    let content = Content::new(vec![
        Block::Line("heading".to_owned(), Style::Heading, None),
        Block::Table(table, vec![None, Some(choice.clone())]),
        Block::Markdown("some *words* that are longer than the window is wide".to_owned()),
    ]);
    let theme = Theme::new(ThemeName::Auto, Background::Dark);
    let lines = content.lines(20, theme);
    let chosen: Vec<String> = lines
        .iter()
        .filter(|(_, own)| own.as_ref() == Some(&choice))
        .map(|(line, _)| line.to_string().trim().to_owned())
        .collect();
    assert_eq!(chosen, ["two"]);
    assert!(lines.iter().all(|(line, _)| render::columns(&line.to_string()) <= 20));
    assert!(content.has_choices());
    assert!(!Content::note("nothing").has_choices());
}

#[test]
fn keys_scroll_and_close() {
    let mut app = app(help(Mode::Session), (60, 12));
    app.handle(&Event::Resize);
    let first = plain(&drawn(&mut app, (60, 12)));
    assert!(first.contains("The next prompt"), "{first}");
    type_keys(&mut app, "j j j");
    let second = plain(&drawn(&mut app, (60, 12)));
    assert_ne!(first, second);
    type_keys(&mut app, "G");
    let last = plain(&drawn(&mut app, (60, 12)));
    assert!(last.contains("Open") && !last.contains("The next prompt"), "{last}");
    type_keys(&mut app, "j pagedown g");
    assert_eq!(plain(&drawn(&mut app, (60, 12))), first);
}
