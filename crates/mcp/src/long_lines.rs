//! Watches the input for lines that are longer than the server reads.
//!
//! The SDK drops such a line without an answer, and its client would wait for one for ever.
//! This reader passes all bytes on, measures the lines, and reports each line that is too long
//! when it ends, with the id of the request in it. It holds a few bytes of a line at most.

use rmcp::model::RequestId;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, ReadBuf};

/// The longest id that is answered, in bytes.
const LONGEST_ID: usize = 256;

/// A reader that reports the lines that are longer than `longest`.
pub(crate) struct LongLines<R, F> {
    inner: R,
    longest: usize,
    /// The length of the current line so far.
    length: usize,
    id: IdFinder,
    report: F,
}

impl<R, F: FnMut(Option<RequestId>)> LongLines<R, F> {
    pub(crate) fn new(inner: R, longest: usize, report: F) -> Self {
        LongLines { inner, longest, length: 0, id: IdFinder::default(), report }
    }

    fn watch(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.length += 1;
            if *byte != b'\n' {
                self.id.feed(*byte);
                continue;
            }
            let id = std::mem::take(&mut self.id);
            if std::mem::take(&mut self.length) > self.longest {
                (self.report)(id.found());
            }
        }
    }
}

impl<R: AsyncRead + Unpin, F: FnMut(Option<RequestId>) + Unpin> AsyncRead for LongLines<R, F> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let polled = Pin::new(&mut this.inner).poll_read(context, buffer);
        if matches!(polled, Poll::Ready(Ok(()))) {
            this.watch(&buffer.filled()[before..]);
        }
        polled
    }
}

/// Finds the member `id` of an object that arrives byte by byte. Only members of the object
/// itself count, not those of values in it.
#[derive(Default)]
struct IdFinder {
    /// How many objects and arrays are open.
    depth: u64,
    in_string: bool,
    is_escaped: bool,
    /// Whether a member's value is being read, not its name.
    in_value: bool,
    /// The text of the current name or value, as far as it may matter.
    text: Vec<u8>,
    is_id: bool,
    id: Option<Vec<u8>>,
}

impl IdFinder {
    fn feed(&mut self, byte: u8) {
        let is_structure = !self.in_string;
        if self.in_string {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
        } else {
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth = self.depth.saturating_add(1),
                b'}' | b']' => {
                    if self.depth == 1 {
                        self.end_value();
                    }
                    self.depth = self.depth.saturating_sub(1);
                }
                _ => {}
            }
        }
        if self.depth != 1 {
            return;
        }
        match byte {
            b':' if is_structure && !self.in_value => {
                self.is_id = self.text.trim_ascii() == b"\"id\"";
                self.in_value = true;
                self.text.clear();
            }
            b',' if is_structure => self.end_value(),
            b'{' if is_structure => {}
            _ if self.text.len() <= LONGEST_ID => self.text.push(byte),
            _ => {}
        }
    }

    fn end_value(&mut self) {
        if self.in_value && self.is_id && self.id.is_none() {
            self.id = Some(std::mem::take(&mut self.text));
        }
        self.in_value = false;
        self.text.clear();
    }

    fn found(self) -> Option<RequestId> {
        let text = self.id.filter(|text| text.len() <= LONGEST_ID)?;
        serde_json::from_slice(text.trim_ascii()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_of(line: &str) -> Option<RequestId> {
        let mut finder = IdFinder::default();
        line.bytes().for_each(|byte| finder.feed(byte));
        finder.found()
    }

    #[test]
    fn the_id_of_a_request_is_found_wherever_it_stands() {
        let number = |number| Some(RequestId::Number(number));
        let table = [
            (r#"{"jsonrpc":"2.0","id":7,"method":"x","params":{"id":8}}"#, number(7)),
            (r#"{"params":{"id":8,"a":[{"id":9}]},"method":"\"id\":3","id": 7 }"#, number(7)),
            (r#" { "id" : "a,b}" , "method":"x"}"#, Some(RequestId::String("a,b}".into()))),
            (r#"{"method":"notifications/x","params":{"id":1}}"#, None),
            (r#"{"a":"id","id":{"id":1}}"#, None),
            (r#"[{"id":1}]"#, None),
            (r#"{"id":nothing}"#, None),
            ("\"id\":1", None),
            ("", None),
        ];
        for (line, expected) in table {
            assert_eq!(id_of(line), expected, "{line}");
        }
        assert_eq!(id_of(&format!(r#"{{"id":"{}"}}"#, "x".repeat(LONGEST_ID))), None);
    }

    #[tokio::test]
    async fn every_line_that_is_too_long_is_reported_and_all_bytes_pass() {
        let long = format!("{{\"id\":2,\"x\":\"{}\"}}\n", "y".repeat(100));
        let text = format!("{{\"id\":1}}\n{long}{{\"id\":3}}\n{long}");
        let mut reported = Vec::new();
        let mut passed = Vec::new();
        let mut reader = LongLines::new(text.as_bytes(), 50, |id| reported.push(id));
        tokio::io::AsyncReadExt::read_to_end(&mut reader, &mut passed).await.expect("read");
        drop(reader);
        assert_eq!(passed, text.as_bytes());
        let long = || Some(RequestId::Number(2));
        assert_eq!(reported, [long(), long()]);
    }
}
