//! Prose with its styles, before it is wrapped.
//!
//! The text and the offsets of its style changes are stored separately, so that lines
//! are measured and wrapped without escape sequences. Untrusted text is added by `push`
//! alone, which makes it harmless.

use crate::style::{Paint, Style};
use crate::untrusted;
use std::ops::Range;

/// A style of a range of prose; several can be combined.
#[derive(Clone, Copy)]
pub(super) enum Mark {
    Strong,
    Emphasis,
    Struck,
    Code,
    Quiet,
}

const STYLES: [Style; 5] = [Style::Strong, Style::Emphasis, Style::Struck, Style::Code, Style::Dim];

/// Prose and its style changes.
pub(super) struct Inline {
    paint: Paint,
    text: String,
    /// The offsets of style changes, with the bits of the active marks.
    turns: Vec<(usize, u8)>,
    /// How often each mark is open: a mark can be nested in itself.
    open: [usize; STYLES.len()],
}

impl Inline {
    pub(super) fn new(paint: Paint) -> Self {
        Inline { paint, text: String::new(), turns: Vec::new(), open: [0; STYLES.len()] }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Adds untrusted text.
    pub(super) fn push(&mut self, text: &str) {
        untrusted::push_line(&mut self.text, text);
    }

    /// Adds trusted text, which may contain line breaks.
    pub(super) fn push_own(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds markup that replaces a style if there are no colours.
    pub(super) fn push_sign(&mut self, sign: &str) {
        if !self.paint.enabled {
            self.text.push_str(sign);
        }
    }

    pub(super) fn begin(&mut self, mark: Mark) {
        self.open[mark as usize] += 1;
        self.turn();
    }

    pub(super) fn end(&mut self, mark: Mark) {
        let open = &mut self.open[mark as usize];
        *open = open.saturating_sub(1);
        self.turn();
    }

    fn turn(&mut self) {
        if !self.paint.enabled {
            return;
        }
        let bits = self.open.iter().rev().fold(0, |bits, open| bits << 1 | u8::from(*open > 0));
        match self.turns.last_mut() {
            Some((at, last)) if *at == self.text.len() => *last = bits,
            _ => self.turns.push((self.text.len(), bits)),
        }
    }

    /// Takes the collected prose and leaves this one empty.
    pub(super) fn take(&mut self) -> Inline {
        std::mem::replace(self, Inline::new(self.paint))
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.turns.clear();
        self.open = [0; STYLES.len()];
    }

    /// Puts trusted text at the beginning.
    pub(super) fn lead_with(&mut self, lead: &str) {
        self.text.insert_str(0, lead);
        for (at, _) in &mut self.turns {
            *at += lead.len();
        }
    }

    /// Writes a range with its styles, all of them closed at its end.
    pub(super) fn write(&self, part: Range<usize>, out: &mut String) {
        let mut next = self.turns.partition_point(|(at, _)| *at <= part.start);
        let mut from = part.start;
        while from < part.end {
            let bits = next.checked_sub(1).map_or(0, |turn| self.turns[turn].1);
            let until = self.turns.get(next).map_or(part.end, |(at, _)| part.end.min(*at));
            write_marked(&self.text[from..until], bits, out);
            from = until;
            next += 1;
        }
    }
}

fn write_marked(text: &str, bits: u8, out: &mut String) {
    if bits == 0 {
        out.push_str(text);
        return;
    }
    let mut before = "\u{1b}[";
    for (mark, style) in STYLES.iter().enumerate() {
        if bits & 1 << mark != 0 {
            out.push_str(before);
            out.push_str(style.parameter());
            before = ";";
        }
    }
    out.push('m');
    out.push_str(text);
    out.push_str("\u{1b}[0m");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(enabled: bool) -> Inline {
        let mut inline = Inline::new(Paint { enabled });
        inline.push("a ");
        inline.begin(Mark::Strong);
        inline.push("b ");
        inline.begin(Mark::Code);
        inline.push("c\u{1b}");
        inline.end(Mark::Code);
        inline.end(Mark::Strong);
        inline.push(" d");
        inline
    }

    #[test]
    fn every_range_opens_and_closes_its_styles() {
        let inline = sample(true);
        let mut out = String::new();
        inline.write(3..6, &mut out);
        assert_eq!(out, "\u{1b}[1m \u{1b}[0m\u{1b}[1;36mc\\\u{1b}[0m");
        out.clear();
        inline.write(0..2, &mut out);
        assert_eq!(out, "a ");
    }

    #[test]
    fn without_colours_there_are_no_styles() {
        let mut inline = sample(false);
        inline.lead_with("- ");
        let mut out = String::new();
        inline.write(0..inline.text().len(), &mut out);
        assert_eq!(out, r"- a b c\u{1b} d");
    }

    #[test]
    fn nested_equal_marks_end_once() {
        let mut inline = Inline::new(Paint { enabled: true });
        for _ in 0..2 {
            inline.begin(Mark::Emphasis);
        }
        inline.push("a");
        inline.end(Mark::Emphasis);
        inline.push("b");
        inline.end(Mark::Emphasis);
        inline.push("c");
        let mut out = String::new();
        inline.write(0..3, &mut out);
        assert_eq!(out, "\u{1b}[3ma\u{1b}[0m\u{1b}[3mb\u{1b}[0mc");
    }
}
