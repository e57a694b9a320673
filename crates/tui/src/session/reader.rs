//! Where a reader is in a conversation: the line at the top of the screen.
//!
//! A position names a piece and a line in it, so that nothing above it has to be laid out:
//! a session of any length opens and scrolls at once. After pieces changed their heights, a
//! position is made valid again by [`Reader::settle`].

use super::layout::Layout;

/// A line of a conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) piece: usize,
    pub(crate) line: usize,
}

/// What has lines, in pieces.
pub(crate) trait Pieces {
    /// How many pieces there are.
    fn count(&self) -> usize;
    /// How many lines a piece has.
    fn height(&self, piece: usize) -> usize;
}

impl Pieces for Layout {
    fn count(&self) -> usize {
        self.pieces()
    }

    fn height(&self, piece: usize) -> usize {
        Layout::height(self, piece)
    }
}

/// The place of a reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reader {
    /// The line at the top of the screen.
    pub(crate) top: Position,
}

impl Reader {
    /// Makes the position valid: a line that is there.
    pub(crate) fn settle(&mut self, pieces: &dyn Pieces) {
        let last = pieces.count().saturating_sub(1);
        self.top.piece = self.top.piece.min(last);
        let height = pieces.height(self.top.piece);
        if self.top.line < height {
            return;
        }
        if height > 0 {
            self.top.line = height - 1;
            return;
        }
        let start = Position { piece: self.top.piece, line: 0 };
        self.top = first_line_from(pieces, self.top.piece)
            .or_else(|| last_line_before(pieces, start.piece))
            .unwrap_or_default();
    }

    /// Goes down, until the last line is at the bottom of the screen.
    pub(crate) fn down(&mut self, pieces: &dyn Pieces, lines: usize, height: usize) {
        let bottom = bottom(pieces, height);
        let target = forward(pieces, self.top, lines);
        self.top = self.top.max(target.min(bottom));
    }

    /// Goes up.
    pub(crate) fn up(&mut self, pieces: &dyn Pieces, lines: usize) {
        self.top = backward(pieces, self.top, lines);
    }

    pub(crate) fn go_to_start(&mut self, pieces: &dyn Pieces) {
        self.top = first_line_from(pieces, 0).unwrap_or_default();
    }

    pub(crate) fn go_to_end(&mut self, pieces: &dyn Pieces, height: usize) {
        self.top = bottom(pieces, height);
    }

    /// Whether the last line is on the screen.
    pub(crate) fn is_at_end(&self, pieces: &dyn Pieces, height: usize) -> bool {
        self.top >= bottom(pieces, height)
    }

    /// Puts a line on the screen, a number of lines below the top.
    pub(crate) fn show(&mut self, pieces: &dyn Pieces, position: Position, below: usize) {
        self.top = position;
        self.settle(pieces);
        self.up(pieces, below);
    }
}

/// The first line at or after a piece.
fn first_line_from(pieces: &dyn Pieces, piece: usize) -> Option<Position> {
    let piece = (piece..pieces.count()).find(|piece| pieces.height(*piece) > 0)?;
    Some(Position { piece, line: 0 })
}

/// The last line before a piece.
fn last_line_before(pieces: &dyn Pieces, piece: usize) -> Option<Position> {
    let piece = (0..piece.min(pieces.count())).rev().find(|piece| pieces.height(*piece) > 0)?;
    Some(Position { piece, line: pieces.height(piece) - 1 })
}

/// The position a number of lines on, or the last line.
pub(crate) fn forward(pieces: &dyn Pieces, from: Position, lines: usize) -> Position {
    let mut at = from;
    let mut left = lines;
    while left > 0 {
        let rest = pieces.height(at.piece).saturating_sub(at.line + 1);
        if left <= rest {
            return Position { line: at.line + left, ..at };
        }
        let Some(next) = first_line_from(pieces, at.piece + 1) else {
            return Position { line: at.line + rest, ..at };
        };
        left -= rest + 1;
        at = next;
    }
    at
}

/// The position a number of lines before, or the first line.
pub(crate) fn backward(pieces: &dyn Pieces, from: Position, lines: usize) -> Position {
    let mut at = from;
    let mut left = lines;
    while left > 0 {
        if left <= at.line {
            return Position { line: at.line - left, ..at };
        }
        let Some(before) = last_line_before(pieces, at.piece) else {
            return Position { line: 0, ..at };
        };
        left -= at.line + 1;
        at = before;
    }
    at
}

/// The top of the last screen.
fn bottom(pieces: &dyn Pieces, height: usize) -> Position {
    let Some(last) = last_line_before(pieces, pieces.count()) else {
        return Position::default();
    };
    backward(pieces, last, height.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Heights(Vec<usize>);

    impl Pieces for Heights {
        fn count(&self) -> usize {
            self.0.len()
        }

        fn height(&self, piece: usize) -> usize {
            self.0.get(piece).copied().unwrap_or_default()
        }
    }

    fn all(heights: &Heights) -> Vec<Position> {
        let lines = |(piece, height): (usize, &usize)| {
            (0..*height).map(move |line| Position { piece, line })
        };
        heights.0.iter().enumerate().flat_map(lines).collect()
    }

    proptest! {
        /// The same as moving in a plain list of lines.
        #[test]
        fn moving_counts_lines_over_pieces(
            heights in proptest::collection::vec(0_usize..4, 1..9),
            start in 0_usize..30,
            lines in 0_usize..30,
            height in 1_usize..12,
        ) {
            let heights = Heights(heights);
            let all = all(&heights);
            prop_assume!(!all.is_empty());
            let start = start % all.len();
            let from = all[start];
            prop_assert_eq!(forward(&heights, from, lines), all[(start + lines).min(all.len() - 1)]);
            prop_assert_eq!(backward(&heights, from, lines), all[start.saturating_sub(lines)]);
            let bottom = all.len().saturating_sub(height);
            let mut reader = Reader { top: from };
            reader.down(&heights, lines, height);
            prop_assert_eq!(reader.top, all[start.max((start + lines).min(bottom))]);
            reader.go_to_end(&heights, height);
            prop_assert_eq!(reader.top, all[bottom]);
            prop_assert!(reader.is_at_end(&heights, height));
        }

        #[test]
        fn settled_position_is_a_line(
            heights in proptest::collection::vec(0_usize..3, 1..9),
            piece in 0_usize..12,
            line in 0_usize..6,
        ) {
            let heights = Heights(heights);
            let mut reader = Reader { top: Position { piece, line } };
            reader.settle(&heights);
            let all = all(&heights);
            prop_assert!(all.contains(&reader.top) || (all.is_empty() && reader.top == Position::default()));
        }
    }
}
