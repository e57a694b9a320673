//! A program on a separate terminal: for the picture and the measurements of `annals tui`.

use std::io::{Read as _, Write};
use std::num::NonZeroU16;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// The longest wait for something on the screen: an index of a large store takes a while.
const PATIENCE: Duration = Duration::from_mins(10);

/// A program, its terminal, and what the terminal shows.
pub(crate) struct Screen {
    /// Keeps the terminal open.
    _master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    parser: Arc<Mutex<vt100::Parser>>,
}

impl Screen {
    /// Starts a command with the environment that it has, and only that.
    pub(crate) fn start(command: &Command, rows: u16, cols: u16) -> Result<Screen> {
        let size = PtySize { rows, cols, ..PtySize::default() };
        let pair = native_pty_system().openpty(size).context("cannot open a pty")?;
        let mut builder = CommandBuilder::new(command.get_program());
        builder.args(command.get_args());
        builder.env_clear();
        for (name, value) in command.get_envs() {
            if let Some(value) = value {
                builder.env(name, value);
            }
        }
        builder.env("TERM", "xterm-256color");
        if let Some(folder) = command.get_current_dir() {
            builder.cwd(folder);
        }
        let child = pair.slave.spawn_command(builder).context("cannot start the program")?;
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().context("cannot read the pty")?;
        let writer = pair.master.take_writer().context("cannot write to the pty")?;
        let parser = Arc::new(Mutex::new(vt100::Parser::new(size_of(rows)?, size_of(cols)?, 0)));
        let shown = Arc::clone(&parser);
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                let mut parser = shown.lock().unwrap_or_else(PoisonError::into_inner);
                parser.process(&buffer[..count]);
            }
        });
        Ok(Screen { _master: pair.master, writer, child, parser })
    }

    pub(crate) fn send(&mut self, keys: &str) -> Result<()> {
        self.writer.write_all(keys.as_bytes()).context("cannot write to the pty")?;
        self.writer.flush().context("cannot write to the pty")
    }

    /// The text on the screen.
    pub(crate) fn text(&self) -> String {
        self.parser.lock().unwrap_or_else(PoisonError::into_inner).screen().contents()
    }

    /// The lines on the screen with their colour codes.
    pub(crate) fn colored_lines(&self) -> Vec<String> {
        let parser = self.parser.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, cols) = parser.screen().size();
        parser.screen().rows_formatted(0, cols.get()).collect()
    }

    /// Waits until the screen is as wanted; how long it took.
    pub(crate) fn wait(&self, what: &str, holds: impl Fn(&str) -> bool) -> Result<Duration> {
        let begun = Instant::now();
        while !holds(&self.text()) {
            if begun.elapsed() > PATIENCE {
                bail!("waited for {what} in vain; the screen shows\n{}", self.text());
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        Ok(begun.elapsed())
    }

    pub(crate) fn pid(&self) -> Result<u32> {
        self.child.process_id().context("the program has ended")
    }

    /// Ends the program with Ctrl-C and waits for it.
    pub(crate) fn quit(mut self) -> Result<()> {
        self.send("\u{3}")?;
        self.child.wait().context("cannot wait for the program")?;
        Ok(())
    }
}

fn size_of(lines: u16) -> Result<NonZeroU16> {
    NonZeroU16::new(lines).context("a terminal has at least one row and column")
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}
