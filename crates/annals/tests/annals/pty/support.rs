//! annals on a pty.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::ffi::OsString;
use std::io::{Read as _, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use testkit::{Sandbox, assistant, session_id, user};

/// The longest wait for something on the screen. Machines may be busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// A program on a terminal.
pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    pub(crate) child: Box<dyn Child + Send + Sync>,
    parser: Arc<Mutex<vt100::Parser>>,
    bytes: Arc<Mutex<Vec<u8>>>,
}

impl Pty {
    /// Starts annals in a sandbox.
    pub(crate) fn annals(sandbox: &Sandbox, arguments: &[&str]) -> Pty {
        Pty::start(sandbox, Path::new(testkit::program!("annals")), arguments, &[])
    }

    /// Starts a program in the environment of a sandbox, with these variables.
    pub(crate) fn start(
        sandbox: &Sandbox,
        program: &Path,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Pty {
        let size = PtySize { rows: 24, cols: 80, ..PtySize::default() };
        let pair = native_pty_system().openpty(size).unwrap();
        let command = command(sandbox, program, arguments, variables);
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let parser = Arc::new(Mutex::new(vt100::Parser::new(lines(24), lines(80), 0)));
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (screen, raw) = (Arc::clone(&parser), Arc::clone(&bytes));
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count) = reader.read(&mut buffer) {
                if count == 0 {
                    break;
                }
                raw.lock().unwrap().extend_from_slice(&buffer[..count]);
                screen.lock().unwrap().process(&buffer[..count]);
            }
        });
        let writer = pair.master.take_writer().unwrap();
        Pty { master: pair.master, writer, child, parser, bytes }
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.writer.write_all(text.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    pub(crate) fn resize(&self, rows: u16, cols: u16) {
        self.master.resize(PtySize { rows, cols, ..PtySize::default() }).unwrap();
        self.parser.lock().unwrap().screen_mut().set_size(lines(rows), lines(cols));
    }

    /// What the terminal shows.
    pub(crate) fn screen(&self) -> String {
        self.parser.lock().unwrap().screen().contents()
    }

    pub(crate) fn is_alternate(&self) -> bool {
        self.parser.lock().unwrap().screen().alternate_screen()
    }

    pub(crate) fn hides_cursor(&self) -> bool {
        self.parser.lock().unwrap().screen().hide_cursor()
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.bytes.lock().unwrap().clone()
    }

    pub(crate) fn pid(&self) -> i32 {
        self.child.process_id().unwrap().try_into().unwrap()
    }

    /// The modes of the terminal, as `stty -a` prints them.
    pub(crate) fn modes(&self) -> String {
        let name: PathBuf = self.master.tty_name().unwrap();
        let output = std::process::Command::new("stty").arg("-F").arg(name).arg("-a").output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    }

    /// Waits until the screen shows a text.
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(text, || self.screen().contains(text));
    }

    pub(crate) fn wait_until(&self, what: &str, holds: impl Fn() -> bool) {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < PATIENCE, "waited for {what} at\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the program ends; its exit code.
    pub(crate) fn end(&mut self) -> u32 {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                // The last bytes are still on their way.
                std::thread::sleep(Duration::from_millis(100));
                return status.exit_code();
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end at\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A program in the environment of a sandbox, with these variables.
fn command(
    sandbox: &Sandbox,
    program: &Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> CommandBuilder {
    let mut command = CommandBuilder::new(program);
    command.args(arguments);
    command.env_clear();
    for (name, value) in sandbox.command(program).get_envs() {
        command.env(name, value.unwrap());
    }
    command.env("TERM", "xterm-256color");
    command.env("PATH", "/usr/bin:/bin");
    for (name, value) in variables {
        command.env(name, value);
    }
    command.cwd(sandbox.home());
    command
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

fn lines(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a terminal has a size")
}

/// Sends a signal to a process.
pub(crate) fn signal(pid: i32, name: &str) {
    let arguments = [format!("-{name}"), pid.to_string()];
    let sent = std::process::Command::new("kill").args(arguments).status();
    assert!(sent.unwrap().success());
}

/// Starts annals on a terminal that is closed as soon as it shows a text, as when its window
/// is closed; the process.
pub(crate) fn closed_terminal(
    sandbox: &Sandbox,
    program: &Path,
    arguments: &[&str],
    until: &str,
) -> Box<dyn Child + Send + Sync> {
    let size = PtySize { rows: 24, cols: 80, ..PtySize::default() };
    let pair = native_pty_system().openpty(size).unwrap();
    let child = pair.slave.spawn_command(command(sandbox, program, arguments, &[])).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let (mut text, mut buffer) = (String::new(), [0; 4096]);
    while !text.contains(until) {
        let count = reader.read(&mut buffer).unwrap();
        assert!(count > 0, "it ended with\n{text}");
        text += &String::from_utf8_lossy(&buffer[..count]);
    }
    child
}

/// The state of a process, as `/proc` names it: `T` is stopped.
pub(crate) fn process_state(pid: i32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

/// A session with a prompt and an answer, in the home folder of the sandbox.
pub(crate) fn session(sandbox: &Sandbox, number: u32, cwd: &str, prompt: &str) -> PathBuf {
    let id = session_id(number);
    let uuid = |half: u32| format!("{number:08x}-aaaa-4000-8000-{half:012x}");
    let answer = assistant("The clock is moved forward.");
    let lines = [
        user(prompt).with("sessionId", id.clone()).cwd(cwd).link(&uuid(1), None),
        answer.with("sessionId", id.clone()).cwd(cwd).link(&uuid(2), Some(&uuid(1))),
    ];
    sandbox.session(cwd, &id, lines)
}

/// A `claude` that writes down where and how it was started, its environment and the modes of
/// its terminal.
pub(crate) fn stand_in_claude(sandbox: &Sandbox) -> (OsString, PathBuf) {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, log) = (sandbox.path().join("bin"), sandbox.path().join("log"));
    std::fs::create_dir(&folder).unwrap();
    let program = folder.join("claude");
    let script = format!(
        "#!/bin/sh\nstty -a >'{0}.modes'\nenv >'{0}.environment'\n{{ /bin/pwd; for word; do echo \"$word\"; done; }} >'{0}.part'\nmv '{0}.part' '{0}'\n",
        log.display()
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.display());
    (path.into(), log)
}
