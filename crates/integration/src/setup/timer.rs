//! The timer that archives every hour, even while Claude Code is not running: a systemd user timer,
//! or a launchd agent on macOS.

use super::SetupContext;
use super::error::SetupError;
use super::external_command::ExternalCommand;
use super::generated_file::{Comment, GeneratedFile};
use super::step::{Step, StepStatus};
use super::target::SetupTarget;
use crate::SearchPath;
use crate::platform::{System, is_not_loaded};
use amend::{ReplaceError, remove_empty};
use std::path::{Path, PathBuf};
use store::real_path;

/// The launchd label.
const LABEL: &str = "annals.archive";
const TIMER: &str = "annals-archive.timer";

/// The variable that names the configuration folder.
const CONFIG: &str = "CLAUDE_CONFIG_DIR";

/// The files of a timer, and the commands that turn it on and off.
#[derive(Debug)]
pub(super) struct Timer {
    files: Vec<GeneratedFile>,
    turn_on: Vec<ExternalCommand>,
    turn_off: Vec<ExternalCommand>,
    reload: Vec<ExternalCommand>,
    /// The file that exists while it is on. For launchd it only shows that the timer is
    /// installed.
    enabled_file: PathBuf,
    /// The lines with which the first file may name this configuration folder; `None`: no
    /// line, which means the default folder.
    config_lines: Vec<Option<String>>,
}

impl Timer {
    pub(super) fn new(input: &SetupContext<'_>, target: &SetupTarget) -> Result<Timer, SetupError> {
        let home = input.home.ok_or(SetupError::NoTimerHome)?;
        let variables = variables(input, target, home)?;
        let mut timer = if System::current() == System::MacOs {
            Timer::launchd(home, target, &variables)
        } else {
            let config = input.config_home.ok_or(SetupError::NoTimerHome)?;
            Timer::systemd(config, target, &variables)
        };
        // The default folder of Claude Code need not be named.
        if real_path(&home.join(".claude")) == target.config {
            timer.config_lines.push(None);
        }
        Ok(timer)
    }

    fn systemd(config: &Path, target: &SetupTarget, variables: &[(&str, String)]) -> Timer {
        let folder = config.join("systemd/user");
        let comment = Comment("# ", "");
        let file =
            |name: &str, text: &str| GeneratedFile::new(folder.join(name), text, &comment, 0o644);
        let command =
            |words: &[&str]| ExternalCommand::new(&[&["systemctl", "--user"], words].concat());
        Timer {
            files: vec![
                file("annals-archive.service", &service(&target.program, variables)),
                file(TIMER, TIMER_UNIT),
            ],
            turn_on: vec![command(&["daemon-reload"]), command(&["enable", "--now", TIMER])],
            turn_off: vec![command(&["disable", "--now", TIMER])],
            reload: vec![command(&["daemon-reload"])],
            enabled_file: folder.join("timers.target.wants").join(TIMER),
            config_lines: vec![Some(unit_variable(CONFIG, &target.key))],
        }
    }

    fn launchd(home: &Path, target: &SetupTarget, variables: &[(&str, String)]) -> Timer {
        let path = home.join("Library/LaunchAgents").join(format!("{LABEL}.plist"));
        let domain = format!("gui/{}", rustix::process::getuid().as_raw());
        let text = path.to_string_lossy().into_owned();
        let command = |words: &[&str]| ExternalCommand::new(words);
        let turn_off = ExternalCommand {
            // It was unloaded before, or never loaded: nothing is left to do.
            forgives: is_not_loaded,
            ..command(&["launchctl", "bootout", &format!("{domain}/{LABEL}")])
        };
        Timer {
            files: vec![GeneratedFile::new(
                path.clone(),
                &property_list(&target.program, variables),
                &Comment("<!-- ", " -->"),
                0o644,
            )],
            // A loaded agent cannot be loaded again, so it is unloaded first, which fails if
            // it is not loaded.
            turn_on: vec![
                ExternalCommand { forgives: |_| true, ..turn_off.clone() },
                command(&["launchctl", "bootstrap", &domain, &text]),
            ],
            turn_off: vec![turn_off],
            reload: vec![],
            enabled_file: path,
            config_lines: vec![Some(list_variable(CONFIG, &target.key))],
        }
    }

    /// Whether any of its files exists for this configuration folder.
    pub(super) fn exists(&self) -> bool {
        let is_any = self.files.iter().any(|file| file.path.symlink_metadata().is_ok());
        is_any && self.other_folder_file().is_none()
    }

    /// The program that the installed timer runs for this configuration folder.
    pub(super) fn installed_program(&self) -> Option<String> {
        let file = self.files.first().filter(|_| self.exists())?;
        program_in(&std::fs::read_to_string(&file.path).ok()?)
    }

    /// The file of a timer for another configuration folder: there is only one timer
    /// for all of them.
    fn other_folder_file(&self) -> Option<&Path> {
        let file = self.files.first()?;
        let text = std::fs::read_to_string(&file.path).ok()?;
        let line = text.lines().find(|line| line.contains(CONFIG)).map(str::trim);
        let is_ours = self.config_lines.iter().any(|own| own.as_deref() == line);
        (!is_ours).then_some(&*file.path)
    }

    /// Proposes to install or remove it.
    pub(super) fn propose(&self, step: &mut Step, is_removal: bool) {
        if let Some(path) = self.other_folder_file() {
            let problem = format!("{} belongs to another configuration folder", path.display());
            step.add_path(path);
            if is_removal {
                step.detail = format!("{problem}: not removed");
            } else {
                step.refuse(format!(
                    "{problem}\nhint: to remove it, run `annals setup --remove --only timer` with that folder's --root"
                ));
            }
            return;
        }
        for file in &self.files {
            file.propose(step, is_removal);
        }
        if !is_removal && self.enabled_file.symlink_metadata().is_err() {
            step.plan();
        }
        if step.is_planned() {
            let lines = if is_removal { &self.turn_off } else { &self.turn_on };
            step.commands = lines.iter().map(ExternalCommand::shown).collect();
        }
    }

    /// Writes the files and turns it on; returns the folders that were created.
    pub(super) fn install(&self, step: &mut Step, search_path: &SearchPath) -> Vec<PathBuf> {
        let mut made = Vec::new();
        for file in &self.files {
            match file.write() {
                Ok(folders) => made.extend(folders),
                Err(error) => {
                    step.fail(error.to_string());
                    remove_empty(&made);
                    return Vec::new();
                }
            }
        }
        step.status = StepStatus::Done;
        run(&self.turn_on, step, search_path);
        made
    }

    /// Turns it off and removes the files.
    pub(super) fn remove(&self, step: &mut Step, search_path: &SearchPath) {
        step.status = StepStatus::Done;
        run(&self.turn_off, step, search_path);
        let removed: Result<(), ReplaceError> =
            self.files.iter().try_for_each(GeneratedFile::remove);
        match removed {
            Ok(()) => run(&self.reload, step, search_path),
            Err(error) => step.fail(error.to_string()),
        }
    }
}

/// Runs the commands that turn a timer on or off, up to the first that fails. Its files
/// are written or removed in any case: the user has to run a failed command by hand.
fn run(commands: &[ExternalCommand], step: &mut Step, search_path: &SearchPath) {
    for command in commands {
        if let Err(reason) = command.run(search_path)
            && !(command.forgives)(&reason)
        {
            step.status = StepStatus::Manual;
            step.detail = format!("{reason}; run it by hand");
            return;
        }
    }
}

/// The environment variables for a program that starts without a shell.
fn variables(
    input: &SetupContext<'_>,
    target: &SetupTarget,
    home: &Path,
) -> Result<Vec<(&'static str, String)>, SetupError> {
    let own = input.data_home;
    let mut variables = Vec::new();
    if own != home.join(".local/share/annals") {
        variables.push(("ANNALS_HOME", own.to_string_lossy().into_owned()));
    }
    variables.extend(target.timer_variable.clone().map(|config| (CONFIG, config)));
    // The configuration names what is excluded from the archive.
    let config = input.config_home.filter(|it| *it != home.join(".config"));
    variables.extend(config.map(|it| ("XDG_CONFIG_HOME", it.to_string_lossy().into_owned())));
    if let Some((name, _)) = variables.iter().find(|(_, value)| value.chars().any(char::is_control))
    {
        return Err(SetupError::ControlCharacter(name));
    }
    Ok(variables)
}

const TIMER_UNIT: &str = "[Unit]
Description=Archive Claude Code sessions every hour

[Timer]
OnCalendar=hourly
RandomizedDelaySec=5min
Persistent=true

[Install]
WantedBy=timers.target
";

fn service(program: &str, variables: &[(&str, String)]) -> String {
    let mut text = "[Unit]\nDescription=Archive Claude Code sessions\n\n[Service]\nType=oneshot\nNice=15\nIOSchedulingClass=idle\n".to_owned();
    for (name, value) in variables {
        text += &format!("{}\n", unit_variable(name, value));
    }
    // systemd does not accept these in a program name, only in arguments.
    let start = if program.contains(['"', '\'', '\\']) {
        format!("/usr/bin/env {}", unit_quoted(program).replace('$', "$$"))
    } else {
        unit_quoted(program)
    };
    text + &format!("ExecStart={start} archive sync\n")
}

/// The program in a unit or a property list that setup wrote.
fn program_in(text: &str) -> Option<String> {
    let mut lines = text.lines().map(str::trim);
    if let Some(start) = lines.clone().find_map(|line| line.strip_prefix("ExecStart=")) {
        let is_through_env = start.starts_with("/usr/bin/env ");
        let word = start.trim_start_matches("/usr/bin/env ").strip_suffix(" archive sync")?;
        let word = word.strip_prefix('"')?.strip_suffix('"')?;
        let word = word.replace("%%", "%").replace(r#"\""#, "\"").replace(r"\\", r"\");
        return Some(if is_through_env { word.replace("$$", "$") } else { word });
    }
    let array = lines.find_map(|line| line.strip_prefix("<array><string>"))?;
    let (program, _) = array.split_once("</string>")?;
    Some(program.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
}

fn unit_variable(name: &str, value: &str) -> String {
    format!("Environment={}", unit_quoted(&format!("{name}={value}")))
}

/// A word in a unit file: in quotes, with `%` escaped, which would start a specifier. `$`
/// is only special in arguments of commands.
fn unit_quoted(word: &str) -> String {
    let escaped = word.replace('\\', r"\\").replace('"', r#"\""#).replace('%', "%%");
    format!("\"{escaped}\"")
}

fn list_variable(name: &str, value: &str) -> String {
    format!("<key>{name}</key><string>{}</string>", xml_escaped(value))
}

fn property_list(program: &str, variables: &[(&str, String)]) -> String {
    let string = |text: &str| format!("<string>{}</string>", xml_escaped(text));
    let mut environment = String::new();
    for (name, value) in variables {
        environment += &format!("    {}\n", list_variable(name, value));
    }
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>{}
  <key>ProgramArguments</key>
  <array>{}{}{}</array>
  <key>EnvironmentVariables</key>
  <dict>
{environment}  </dict>
  <key>StartInterval</key><integer>3600</integer>
  <key>RunAtLoad</key><true/>
  <key>ProcessType</key><string>Background</string>
  <key>LowPriorityIO</key><true/>
</dict>
</plist>
"#,
        string(LABEL),
        string(program),
        string("archive"),
        string("sync")
    )
}

fn xml_escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_quotes_paths_of_any_kind() {
        let table = [
            ("/usr/bin/annals", r#""/usr/bin/annals""#),
            ("/a b/annals", r#""/a b/annals""#),
            (r#"/50%/"x"\y/$HOME/annals"#, r#""/50%%/\"x\"\\y/$HOME/annals""#),
        ];
        for (path, expected) in table {
            assert_eq!(unit_quoted(path), expected);
        }
        insta::assert_snapshot!(service("/a b/annals", &[("ANNALS_HOME", "/x y".to_owned())]), @r#"
        [Unit]
        Description=Archive Claude Code sessions

        [Service]
        Type=oneshot
        Nice=15
        IOSchedulingClass=idle
        Environment="ANNALS_HOME=/x y"
        ExecStart="/a b/annals" archive sync
        "#);
    }

    #[test]
    fn env_starts_a_program_whose_name_systemd_refuses() {
        let table = [
            ("/a $b/annals", "ExecStart=\"/a $b/annals\" archive sync\n"),
            ("/it's $b/annals", "ExecStart=/usr/bin/env \"/it's $$b/annals\" archive sync\n"),
        ];
        for (program, expected) in table {
            let unit = service(program, &[]);
            assert!(unit.ends_with(expected), "{unit}");
        }
    }

    #[test]
    fn the_program_is_read_back_from_both_kinds_of_timer() {
        for program in [
            "/usr/bin/annals",
            "/a b/50%/annals",
            "/a $b/annals",
            r#"/it's "x"/$b/annals"#,
            r"/back\slash/annals",
            "/a & <b>/annals",
        ] {
            let variables = [("ANNALS_HOME", "/x".to_owned())];
            assert_eq!(program_in(&service(program, &variables)).as_deref(), Some(program));
            assert_eq!(program_in(&property_list(program, &variables)).as_deref(), Some(program));
        }
        assert_eq!(program_in("[Service]\nExecStart=/bin/true\n"), None);
        assert_eq!(program_in(""), None);
    }

    #[test]
    fn a_property_list_holds_any_path() {
        let list = property_list("/a & <b>/annals", &[("ANNALS_HOME", "/x&y".to_owned())]);
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let document = roxmltree::Document::parse_with_options(&list, options).unwrap();
        let strings: Vec<_> =
            document.descendants().filter(|node| node.has_tag_name("string")).collect();
        let texts: Vec<_> = strings.iter().filter_map(roxmltree::Node::text).collect();
        let expected =
            ["annals.archive", "/a & <b>/annals", "archive", "sync", "/x&y", "Background"];
        assert_eq!(texts, expected);
    }
}
