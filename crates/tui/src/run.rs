//! The loop: waits for the terminal, signals and answers, and draws after each.
//!
//! Nothing runs while nothing happens: the thread sleeps in `poll`.

use crate::app::{App, Command, Settings};
use crate::backend::TerminalBackend;
use crate::event::Event;
use crate::input::{Decoded, Input};
use crate::screen::{Outcome, Screen};
use crate::signals::Signals;
use crate::terminal::{self, FrameWriter, Terminal};
use crate::theme::{Background, Theme, ThemeName};
use crate::work::Data;
use crate::worker::{NumberedAnswer, Worker};
use base64::Engine as _;
use jiff::Timestamp;
use ratatui::layout::{Rect, Size};
use ratatui::{TerminalOptions, Viewport};
use std::io;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long an escape byte waits for what may follow it.
const ESCAPE_PAUSE: Duration = Duration::from_millis(25);

/// How long the first frame waits for the terminal's colour.
const COLOR_PAUSE: Duration = Duration::from_millis(50);

/// Asks for the background, and then for something that every terminal answers at once, so
/// that a terminal that knows no background is not waited for.
const ASK_BACKGROUND: &str = "\u{1b}]11;?\u{1b}\\\u{1b}[c";

/// The most text that is copied, in bytes: terminals refuse more.
const LONGEST_COPY: usize = 74_000;

/// How the program is run.
pub(crate) struct RunOptions {
    pub(crate) settings: Settings,
    pub(crate) theme: ThemeName,
    pub(crate) has_mouse: bool,
    /// The time, if it is not the real one.
    pub(crate) now: Option<Timestamp>,
}

/// Runs a screen until it ends.
pub(crate) fn run(
    options: RunOptions,
    first: Box<dyn Screen>,
    data: &Data<'_>,
) -> io::Result<Outcome> {
    let terminal = Terminal::open(options.has_mouse)?;
    let signals = Signals::new()?;
    restore_on_panic();
    let (send, answers) = channel();
    std::thread::scope(|scope| {
        let (worker, lanes) = Worker::new();
        for lane in lanes {
            let (send, ringer) = (send.clone(), signals.ringer()?);
            let stop = StopAfterPanic(&signals);
            scope.spawn(move || {
                let _stop = stop;
                let reply = move |answer: NumberedAnswer| {
                    let _ = send.send(answer);
                    ringer.ring();
                };
                lane.run(data, &reply);
            });
        }
        terminal.enter()?;
        let result = Loop::new(&terminal, &signals, &worker, answers, options, first)
            .and_then(|mut running| running.run());
        drop(worker);
        let left = terminal.leave();
        // A terminal that is gone cannot be given back.
        if result.is_ok() && !signals.are_to_stop() {
            left?;
        }
        result
    })
}

/// Ends the program if the thread that has it panics: without the thread, a screen would wait
/// for ever. A release build has ended by then.
struct StopAfterPanic<'s>(&'s Signals);

impl Drop for StopAfterPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// Restores the terminal before the message of a panic is printed.
fn restore_on_panic() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            terminal::restore_after_panic();
            print(panic);
        }));
    });
}

/// What frames are drawn with.
type Drawing = ratatui::Terminal<TerminalBackend<FrameWriter>>;

struct Loop<'l> {
    terminal: &'l Terminal,
    signals: &'l Signals,
    worker: &'l Worker,
    answers: Receiver<NumberedAnswer>,
    input: Input,
    app: App,
    drawing: Drawing,
    theme: ThemeName,
    /// Until when the first frame waits for the terminal's colour.
    color_until: Option<Instant>,
    now: Option<Timestamp>,
}

impl<'l> Loop<'l> {
    fn new(
        terminal: &'l Terminal,
        signals: &'l Signals,
        worker: &'l Worker,
        answers: Receiver<NumberedAnswer>,
        options: RunOptions,
        first: Box<dyn Screen>,
    ) -> io::Result<Self> {
        let size = terminal.size();
        let asks = options.theme == ThemeName::Auto;
        let mut backend = TerminalBackend::new(terminal.writer()?, size);
        if asks {
            backend.push(ASK_BACKGROUND);
        }
        let viewport = Viewport::Fixed(area(size));
        let mut drawing = ratatui::Terminal::with_options(backend, TerminalOptions { viewport })?;
        ratatui::backend::Backend::flush(drawing.backend_mut())?;
        let app = App::new(
            options.settings,
            first,
            area(size),
            options.now.unwrap_or_else(Timestamp::now),
        );
        Ok(Loop {
            terminal,
            signals,
            worker,
            answers,
            input: Input::default(),
            app,
            drawing,
            theme: options.theme,
            color_until: asks.then(|| Instant::now() + COLOR_PAUSE),
            now: options.now,
        })
    }

    fn run(&mut self) -> io::Result<Outcome> {
        let commands = self.app.handle(&Event::Resize);
        if let Some(outcome) = self.carry_out(commands)? {
            return Ok(outcome);
        }
        let mut is_changed = true;
        loop {
            self.color_until = self.color_until.filter(|until| *until > Instant::now());
            if is_changed && self.color_until.is_none() {
                self.app.set_now(self.now.unwrap_or_else(Timestamp::now));
                let app = &mut self.app;
                self.drawing.draw(|frame| app.draw(frame))?;
                is_changed = false;
            }
            let Some(events) = self.wait()? else { return Ok(Outcome::Quit) };
            is_changed |= !events.is_empty();
            for event in events {
                let commands = self.app.handle(&event);
                if let Some(outcome) = self.carry_out(commands)? {
                    return Ok(outcome);
                }
            }
            if self.signals.are_to_suspend() {
                self.suspend()?;
                is_changed = true;
            }
            if self.signals.is_resized() {
                let commands = self.resize(self.terminal.size())?;
                if let Some(outcome) = self.carry_out(commands)? {
                    return Ok(outcome);
                }
                is_changed = true;
            }
        }
    }

    /// Waits for something; `None`: the program has to end.
    fn wait(&mut self) -> io::Result<Option<Vec<Event>>> {
        let color = self.color_until.map(|until| until.saturating_duration_since(Instant::now()));
        let longest = match (self.input.is_waiting(), color) {
            (true, Some(color)) => Some(color.min(ESCAPE_PAUSE)),
            (true, None) => Some(ESCAPE_PAUSE),
            (false, color) => color,
        };
        let ready = self.terminal.wait(self.signals.bell(), longest)?;
        if self.signals.are_to_stop() {
            return Ok(None);
        }
        let mut decoded = Vec::new();
        if ready.is_readable {
            let mut bytes = [0; 4096];
            match self.terminal.read(&mut bytes) {
                // The terminal is gone.
                Ok(0) | Err(_) => return Ok(None),
                Ok(count) => decoded = self.input.feed(&bytes[..count]),
            }
        } else if self.input.is_waiting() && !ready.is_woken {
            decoded = self.input.flush();
        }
        let mut events = Vec::new();
        for decoded in decoded {
            match decoded {
                Decoded::Event(event) => events.push(event),
                Decoded::Attributes => self.color_until = None,
                Decoded::Background(color) => {
                    if let Some(background) = Background::parse(&color)
                        && self.theme == ThemeName::Auto
                        && self.app.settings.theme.has_colors()
                    {
                        self.app.settings.theme = Theme::new(self.theme, background);
                        // Drawn again, however late it came.
                        events.push(Event::Resize);
                    }
                    self.color_until = None;
                }
            }
        }
        if ready.is_woken {
            self.signals.silence();
        }
        let worker = self.worker;
        events.extend(
            self.answers.try_iter().filter_map(|answer| worker.accept(answer)).map(Event::Answer),
        );
        Ok(Some(events))
    }

    /// Carries commands out; the outcome, if one of them ends the program.
    fn carry_out(&mut self, commands: Vec<Command>) -> io::Result<Option<Outcome>> {
        for command in commands {
            match command {
                Command::Ask(request) => self.worker.ask(request),
                Command::Copy(text) => self.copy(&text),
                Command::Suspend => self.suspend()?,
                Command::Redraw => self.drawing.clear()?,
                Command::Finish(outcome) => return Ok(Some(outcome)),
            }
        }
        Ok(None)
    }

    /// Gives text to the terminal's clipboard, with the next frame.
    fn copy(&mut self, text: &str) {
        let mut end = text.len().min(LONGEST_COPY);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let encoded = base64::engine::general_purpose::STANDARD.encode(&text[..end]);
        self.drawing.backend_mut().push(&format!("\u{1b}]52;c;{encoded}\u{7}"));
    }

    fn resize(&mut self, size: Size) -> io::Result<Vec<Command>> {
        self.drawing.backend_mut().resize(size);
        self.drawing.resize(area(size))?;
        Ok(self.app.resize(area(size)))
    }

    /// Gives the terminal back and stops, until the shell goes on with the program.
    fn suspend(&mut self) -> io::Result<()> {
        self.terminal.leave()?;
        rustix::process::kill_current_process_group(rustix::process::Signal::STOP)?;
        self.terminal.enter()?;
        // Everything may be different: also the size.
        let commands = self.resize(self.terminal.size())?;
        self.drawing.clear()?;
        self.carry_out(commands).map(drop)
    }
}

fn area(size: Size) -> Rect {
    Rect::new(0, 0, size.width, size.height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{Action, Mode};
    use crate::screen::{Effect, View};
    use crate::testing::{self, NoHost};
    use crate::work::Operation;
    use crate::worker::Request;
    use jiff::tz::TimeZone;
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use ratatui::Frame;
    use std::io::{Read as _, Write as _};
    use std::path::{Path, PathBuf};

    /// A screen that panics, or makes the worker panic.
    #[derive(Debug)]
    struct PanickingScreen;

    impl Screen for PanickingScreen {
        fn handle(&mut self, input: &crate::Input<'_>, _: &View<'_>) -> Vec<Effect> {
            match input {
                crate::Input::Event(Event::Key(key)) if *key == crate::Key::char('s') => {
                    panic!("the screen panics")
                }
                crate::Input::Event(Event::Key(key)) if *key == crate::Key::char('w') => {
                    let operation = Operation::Export("panic".to_owned());
                    vec![Effect::Ask(Request::Act(operation))]
                }
                _ => Vec::new(),
            }
        }

        fn draw(&self, frame: &mut Frame<'_>, view: &View<'_>) {
            frame.render_widget("here", view.area);
        }

        fn mode(&self) -> Mode {
            Mode::Query
        }

        fn hints(&self) -> Vec<Action> {
            Vec::new()
        }
    }

    /// Not a test by itself: the program that the next test runs on a terminal.
    #[test]
    #[ignore = "the next test starts it"]
    fn program_that_panics() {
        let sandbox = testkit::Sandbox::new();
        let library = library::Library::open(library::Options {
            roots: vec![(sandbox.config(), store::RootOrigin::Flag)],
            no_index: true,
            ..library::Options::default()
        });
        let here = PathBuf::from("/");
        let (host, zone) = (&NoHost, &TimeZone::UTC);
        let data = Data { library: &library, host, zone, here: &here, now: None };
        let settings = testing::settings();
        let options = RunOptions { settings, theme: ThemeName::Auto, has_mouse: true, now: None };
        let _ = run(options, Box::new(PanickingScreen), &data);
    }

    fn modes(tty: &Path) -> String {
        let output = std::process::Command::new("stty").arg("-F").arg(tty).arg("-a").output();
        String::from_utf8(output.expect("stty").stdout).expect("text")
    }

    #[test]
    fn panic_gives_the_terminal_back_before_its_message() {
        for (key, message) in [("s", "the screen panics"), ("w", "the worker panics")] {
            let pair = native_pty_system().openpty(PtySize::default()).expect("a pty");
            let tty = pair.master.tty_name().expect("a name");
            let before = modes(&tty);
            let program = std::env::current_exe().expect("a path");
            let mut command = CommandBuilder::new(program);
            // Otherwise it would start in the home folder, which may not exist.
            command.cwd(std::env::current_dir().expect("a folder"));
            let name = "run::tests::program_that_panics";
            command.args(["--exact", name, "--ignored", "--nocapture", "--test-threads=1"]);
            let mut child = pair.slave.spawn_command(command).expect("the program");
            let mut reader = pair.master.try_clone_reader().expect("a reader");
            let mut writer = pair.master.take_writer().expect("a writer");
            let (mut text, mut bytes) = (String::new(), [0; 4096]);
            let mut is_pressed = false;
            // Its slave is kept, so that the modes can be read; the harness says when it ends.
            while !text.contains("test result:") {
                let count = reader.read(&mut bytes).expect("the terminal");
                text += &String::from_utf8_lossy(&bytes[..count]);
                if text.contains("here") && !is_pressed {
                    is_pressed = true;
                    assert_ne!(modes(&tty), before);
                    writer.write_all(key.as_bytes()).expect("the terminal");
                }
            }
            child.wait().expect("an end");
            assert_eq!(modes(&tty), before);
            let left = text.find("\u{1b}[?1049l").expect("the ordinary screen");
            let said = text.find(message).expect("a message");
            assert!(left < said, "{text:?}");
            assert_eq!(text.matches("\u{1b}[?1049l").count(), 1, "{text:?}");
            assert!(text.rfind("\u{1b}[?25h") > text.rfind("\u{1b}[?25l"), "{text:?}");
        }
    }
}
