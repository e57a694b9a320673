//! A text that is searched in place of another one, such as the text without its
//! colours, and where its pieces are in that text. Only used to find positions.

use std::ops::Range;

/// A text made of pieces of another.
#[derive(Default)]
pub(crate) struct View {
    pub(crate) text: String,
    /// The start of each piece, here and in the whole text.
    pieces: Vec<(usize, usize)>,
}

impl View {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), pieces: Vec::new() }
    }

    /// Appends a piece that starts at `at` in the whole text.
    pub(crate) fn push(&mut self, piece: &str, at: usize) {
        if !piece.is_empty() {
            self.pieces.push((self.text.len(), at));
            self.text.push_str(piece);
        }
    }

    /// The corresponding range of the whole text, from its first to its last
    /// byte.
    pub(crate) fn source_range(&self, range: Range<usize>) -> Range<usize> {
        let source = |at: usize| {
            let next = self.pieces.partition_point(|(start, _)| *start <= at);
            self.pieces.get(next.wrapping_sub(1)).map_or(at, |(start, whole)| whole + (at - start))
        };
        if range.is_empty() {
            return source(range.start)..source(range.start);
        }
        source(range.start)..source(range.end - 1) + 1
    }
}
