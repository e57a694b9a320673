//! The terminal: its modes, its size, and giving it back as it was.
//!
//! Everything is read from and written to the terminal itself, never standard input or
//! output, so that `$(annals pick)` works. Whatever ends the program, the terminal is
//! restored first: leaving, suspending, a signal, a panic.
//!
//! Deliberately not here: what bytes mean (`input.rs`), and what is drawn.

use ratatui::layout::Size;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::termios::{self, OptionalActions, Termios};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::time::Duration;

/// The alternate screen, bracketed paste, and no cursor.
const ENTER: &str = "\u{1b}[?1049h\u{1b}[?2004h\u{1b}[?25l\u{1b}[2J";

/// Clicks, the wheel and dragging, with positions as text. Shift leaves the mouse to the
/// terminal, which can then select text.
const MOUSE_ON: &str = "\u{1b}[?1000h\u{1b}[?1002h\u{1b}[?1006h";

/// Everything back, in any state.
const LEAVE: &str = "\u{1b}[?2026l\u{1b}[?1006l\u{1b}[?1002l\u{1b}[?1000l\u{1b}[?2004l\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l";

/// What to restore when the program panics: a panic does not reach the owner of the terminal.
static TO_RESTORE: Mutex<Option<(File, Termios)>> = Mutex::new(None);

/// The terminal of this process.
#[derive(Debug)]
pub(crate) struct Terminal {
    file: File,
    before: Termios,
    has_mouse: bool,
}

/// What a wait ended with.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Ready {
    /// The terminal has bytes.
    pub(crate) is_readable: bool,
    /// Somebody woke the thread.
    pub(crate) is_woken: bool,
}

impl Terminal {
    /// Opens the terminal that the person sits at; it stays as it is.
    pub(crate) fn open(has_mouse: bool) -> io::Result<Terminal> {
        let file = open_terminal()?;
        let before = termios::tcgetattr(&file)?;
        Ok(Terminal { file, before, has_mouse })
    }

    /// A handle for writing frames.
    pub(crate) fn writer(&self) -> io::Result<FrameWriter> {
        self.file.try_clone().map(FrameWriter)
    }

    /// The size, in columns and rows.
    pub(crate) fn size(&self) -> Size {
        let size = termios::tcgetwinsize(&self.file);
        size.map_or(Size::new(80, 24), |size| match (size.ws_col, size.ws_row) {
            // A terminal that does not know its size has none.
            (0, _) | (_, 0) => Size::new(80, 24),
            (columns, rows) => Size::new(columns, rows),
        })
    }

    /// Takes the terminal over.
    pub(crate) fn enter(&self) -> io::Result<()> {
        let mut raw = self.before.clone();
        raw.make_raw();
        let file = self.file.try_clone()?;
        *TO_RESTORE.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((file, self.before.clone()));
        termios::tcsetattr(&self.file, OptionalActions::Flush, &raw)?;
        let mut sequence = ENTER.to_owned();
        if self.has_mouse {
            sequence += MOUSE_ON;
        }
        (&self.file).write_all(sequence.as_bytes())
    }

    /// Gives the terminal back as it was. Keys that were typed ahead are dropped with it,
    /// and so are late answers of the terminal: the next program must not read them.
    pub(crate) fn leave(&self) -> io::Result<()> {
        if TO_RESTORE.lock().unwrap_or_else(PoisonError::into_inner).take().is_none() {
            // A panic has given it back, and written something since.
            return Ok(());
        }
        let written = (&self.file).write_all(LEAVE.as_bytes());
        termios::tcsetattr(&self.file, OptionalActions::Flush, &self.before)?;
        written
    }

    /// Reads what there is.
    pub(crate) fn read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match (&self.file).read(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }

    /// Waits until the terminal has bytes, somebody wakes the thread, or the time is over.
    pub(crate) fn wait(
        &self,
        waker: BorrowedFd<'_>,
        longest: Option<Duration>,
    ) -> io::Result<Ready> {
        let mut files = [
            PollFd::new(&self.file, PollFlags::IN),
            PollFd::from_borrowed_fd(waker, PollFlags::IN),
        ];
        let longest = longest.map(|longest| Timespec {
            tv_sec: i64::try_from(longest.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: longest.subsec_nanos().into(),
        });
        match poll(&mut files, longest.as_ref()) {
            Ok(_) => {}
            // A signal; its bell rings in the next round.
            Err(rustix::io::Errno::INTR) => return Ok(Ready::default()),
            Err(error) => return Err(error.into()),
        }
        let [terminal, waker] = files;
        Ok(Ready {
            // A terminal that is gone is readable: reading tells.
            is_readable: !terminal.revents().is_empty(),
            is_woken: !waker.revents().is_empty(),
        })
    }
}

/// Writes frames while the terminal is taken over. A frame that is drawn while another thread
/// panics is dropped: it would hide the cursor of a terminal that was given back.
#[derive(Debug)]
pub(crate) struct FrameWriter(File);

impl io::Write for FrameWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken_over = TO_RESTORE.lock().unwrap_or_else(PoisonError::into_inner);
        if taken_over.is_none() { Ok(bytes.len()) } else { self.0.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Restores the terminal if it was taken over. For the panic hook: a release build aborts
/// right after it.
pub(crate) fn restore_after_panic() {
    // The lock may be held by a thread that writes a frame, or by the one that panicked, which
    // never gives it back.
    for _ in 0..200 {
        let mut restore = match TO_RESTORE.try_lock() {
            Ok(restore) => restore,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(Duration::from_millis(1));
                continue;
            }
        };
        if let Some((mut file, before)) = restore.take() {
            let _ = file.write_all(LEAVE.as_bytes());
            let _ = termios::tcsetattr(&file, OptionalActions::Flush, &before);
        }
        return;
    }
}

/// The terminal, by the name of the device where possible: on macOS nothing can wait for
/// `/dev/tty`.
fn open_terminal() -> io::Result<File> {
    let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    for standard in [stdin.as_fd(), stderr.as_fd(), stdout.as_fd()] {
        if let Ok(name) = termios::ttyname(standard, Vec::new())
            && let Ok(file) = rustix::fs::open(name, flags, Mode::empty())
        {
            return Ok(File::from(file));
        }
    }
    Ok(File::from(rustix::fs::open("/dev/tty", flags, Mode::empty())?))
}
