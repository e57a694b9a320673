//! The bytes of a transcript as they are, as a stream: also those of lines that are too large to be
//! read, in pieces.

use crate::lines::ReadError;
use crate::redaction::masking::Masking;
use crate::sessions::Sessions;
use std::cell::RefCell;
use std::io;
use std::path::Path;
use store::{LineReader, LineSource};
use transcript::{Line, LineEnd, large_line_bytes};

/// What a transcript consists of, in its order.
#[derive(Debug)]
pub enum RawPart<'a> {
    /// A line, without its line break.
    Line(Line<'a>),
    /// The next bytes of a line that is too large.
    Piece(&'a [u8]),
    /// The end of such a line.
    EndOfPieces(LineEnd),
}

impl Sessions {
    /// Passes everything in a transcript to `each`, or in the file that an app wrote for the session
    /// that the path shows. `each` stops the reading by returning `Ok(false)` or an error; that
    /// error is returned inside. If secrets are masked, lines that are too large are left out.
    pub fn read_raw<E>(
        &self,
        path: &Path,
        each: impl FnMut(RawPart<'_>) -> Result<bool, E>,
    ) -> Result<Result<(), E>, ReadError> {
        let masking = self.redaction.masking_of(path);
        let read = if let Some(content) = self.stores.apps().open_original(path) {
            content.and_then(|mut file| read(&mut file, &masking, each))
        } else {
            let file = self.stores.all.open(path);
            file.and_then(|mut file| read(&mut file, &masking, each))
        };
        read.map_err(|error| ReadError::new(path, &error))
    }
}

fn read<E>(
    file: &mut impl LineSource,
    masking: &Masking,
    each: impl FnMut(RawPart<'_>) -> Result<bool, E>,
) -> io::Result<Result<(), E>> {
    let parts = RefCell::new(Parts { each, stopped: None });
    let masks = masking.redactor().is_some();
    LineReader::default().read_with_pieces(
        file,
        |piece| {
            if !masks {
                parts.borrow_mut().add(RawPart::Piece(piece));
            }
        },
        |line| {
            let mut parts = parts.borrow_mut();
            match large_line_bytes(line.bytes) {
                None => {
                    let bytes = &*masking.line(line.bytes);
                    parts.add(RawPart::Line(Line { bytes, ..line }));
                }
                Some(_) if masks => {}
                Some(_) => parts.add(RawPart::EndOfPieces(line.end)),
            }
            parts.stopped.is_none()
        },
    )?;
    Ok(parts.into_inner().stopped.unwrap_or(Ok(())))
}

/// Passes parts on until one is not wanted.
struct Parts<F, E> {
    each: F,
    stopped: Option<Result<(), E>>,
}

impl<E, F: FnMut(RawPart<'_>) -> Result<bool, E>> Parts<F, E> {
    fn add(&mut self, part: RawPart<'_>) {
        if self.stopped.is_none() {
            match (self.each)(part) {
                Ok(true) => {}
                Ok(false) => self.stopped = Some(Ok(())),
                Err(error) => self.stopped = Some(Err(error)),
            }
        }
    }
}
