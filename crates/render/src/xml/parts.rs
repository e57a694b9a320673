//! A document as a whole, or split into parts that are documents themselves.
//!
//! Parts end between entries. Elements that contain a split are closed at the end of one
//! part and opened again in the next, marked as continued.

use super::writer::{Item, Opening};
use super::{BYTES_PER_TOKEN, Document};

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const START: &str = "<session format=\"annals/xml/1\"";
const END: &str = "</session>\n";

/// The bytes reserved in a part for the attributes of its root.
const ROOT_ATTRIBUTES: usize = " part=\"1000000\" parts=\"1000000\" oversize=\"true\"".len();

/// One part of a session's document.
#[derive(Clone, Debug)]
pub struct Part {
    /// The complete text of the part.
    pub content: String,
    /// Whether it exceeds the requested size: entries are never split.
    pub is_oversize: bool,
}

impl Document {
    /// The size of the whole document.
    pub fn bytes(&self) -> u64 {
        let mut bytes = DECLARATION.len() + START.len() + ">\n".len() + self.meta.len() + END.len();
        for item in &self.items {
            bytes += match item {
                Item::Open(opening) => opening.start(false).len() + opening.end().len(),
                Item::Close => 0,
                Item::Entry(text) => text.len(),
            };
        }
        bytes as u64
    }

    /// The whole document.
    pub fn text(&self) -> String {
        let whole = self.parts(u64::MAX).into_iter().next();
        whole.map(|part| part.content).unwrap_or_default()
    }

    /// The document in parts of at most `max_tokens` tokens, by the estimate of
    /// [`super::estimated_tokens`], unless a single entry is larger.
    pub fn parts(&self, max_tokens: u64) -> Vec<Part> {
        let max_bytes = max_tokens.saturating_mul(BYTES_PER_TOKEN);
        let mut splitter = Splitter::new(self, usize::try_from(max_bytes).unwrap_or(usize::MAX));
        for item in &self.items {
            match item {
                Item::Open(opening) => splitter.open(opening),
                Item::Close => splitter.close(),
                Item::Entry(text) => splitter.entry(text),
            }
        }
        splitter.finish()
    }
}

/// An open element that contains others.
struct Level<'d> {
    opening: &'d Opening,
    /// Whether it is open in this part.
    is_here: bool,
    /// Whether it was open in an earlier part.
    is_continued: bool,
}

struct Splitter<'d> {
    meta: &'d str,
    max_bytes: usize,
    levels: Vec<Level<'d>>,
    /// The number of levels that are open in this part.
    here: usize,
    /// The bytes of their end tags.
    to_close: usize,
    body: String,
    /// The bodies of finished parts.
    done: Vec<String>,
}

impl<'d> Splitter<'d> {
    fn new(document: &'d Document, max_bytes: usize) -> Self {
        Splitter {
            meta: &document.meta,
            max_bytes,
            levels: Vec::new(),
            here: 0,
            to_close: 0,
            body: String::new(),
            done: Vec::new(),
        }
    }

    fn frame(&self) -> usize {
        DECLARATION.len() + START.len() + ROOT_ATTRIBUTES + 2 + self.meta.len() + END.len()
    }

    fn open(&mut self, opening: &'d Opening) {
        self.levels.push(Level { opening, is_here: false, is_continued: false });
    }

    fn close(&mut self) {
        let Some(level) = self.levels.last() else { return };
        // An empty element is written as well.
        if !level.is_here && !level.is_continued {
            self.entry("");
        }
        let Some(level) = self.levels.pop() else { return };
        if level.is_here {
            self.here -= 1;
            self.to_close -= level.opening.end().len();
            self.body += &level.opening.end();
        }
    }

    fn entry(&mut self, text: &str) {
        let opening: usize = self.levels[self.here..]
            .iter()
            .map(|level| level.opening.start(level.is_continued).len() + level.opening.end().len())
            .sum();
        let size = self.frame() + self.body.len() + self.to_close + opening + text.len();
        if size > self.max_bytes && !self.body.is_empty() {
            self.end_part();
        }
        for level in &mut self.levels[self.here..] {
            self.body += &level.opening.start(level.is_continued);
            self.to_close += level.opening.end().len();
            level.is_here = true;
        }
        self.here = self.levels.len();
        self.body += text;
    }

    /// Ends the part.
    fn end_part(&mut self) {
        for level in self.levels.iter_mut().rev().filter(|level| level.is_here) {
            self.body += &level.opening.end();
            level.is_here = false;
            level.is_continued = true;
        }
        self.here = 0;
        self.to_close = 0;
        self.done.push(std::mem::take(&mut self.body));
    }

    fn finish(mut self) -> Vec<Part> {
        while !self.levels.is_empty() {
            self.close();
        }
        if !self.body.is_empty() || self.done.is_empty() {
            self.done.push(std::mem::take(&mut self.body));
        }
        let count = self.done.len();
        let frame = self.frame();
        let (meta, max_bytes) = (self.meta, self.max_bytes);
        let part = |(number, body): (usize, String)| {
            let is_oversize = frame.saturating_add(body.len()) > max_bytes;
            let mut root = String::new();
            if count > 1 {
                root = format!(" part=\"{number}\" parts=\"{count}\"");
            }
            if is_oversize {
                root += " oversize=\"true\"";
            }
            Part { content: format!("{DECLARATION}{START}{root}>\n{meta}{body}{END}"), is_oversize }
        };
        (1..).zip(self.done).map(part).collect()
    }
}
