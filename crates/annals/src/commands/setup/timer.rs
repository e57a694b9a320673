//! The timer that keeps the archive up to date without Claude Code: a systemd
//! user timer, or a launchd agent on macOS.

use super::own_file::{Comment, OwnFile};
use super::place::Place;
use super::started::Line;
use super::step::{Status, Step};
use crate::context::{Context, absolute};
use crate::failure::Ending;
use amend::{ReplaceError, remove_empty};
use std::path::{Path, PathBuf};

/// What launchd calls it.
const LABEL: &str = "annals.archive";
const TIMER: &str = "annals-archive.timer";

/// The variable that names the configuration folder.
const CONFIG: &str = "CLAUDE_CONFIG_DIR";

/// The files of a timer, and how it is turned on and off.
pub(super) struct Timer {
    files: Vec<OwnFile>,
    turn_on: Vec<Line>,
    turn_off: Vec<Line>,
    reload: Vec<Line>,
    /// What is there while it is on.
    sign: PathBuf,
    /// What the first file may say of the configuration folder if it is of this one.
    config_lines: Vec<Option<String>>,
}

impl Timer {
    pub(super) fn new(context: &Context, place: &Place) -> Result<Timer, Ending> {
        let no_home = || Ending::Misuse("no home is known, where a timer could lie".to_owned());
        let home = context.home.as_deref().ok_or_else(no_home)?;
        let variables = variables(context, place, home)?;
        let mut timer = if cfg!(target_os = "macos") {
            Timer::launchd(home, place, &variables)
        } else {
            let config = context.config_home.as_deref().ok_or_else(no_home)?;
            Timer::systemd(config, place, &variables)
        };
        // Where Claude Code looks anyway need not be named.
        if absolute(&home.join(".claude")) == place.config {
            timer.config_lines.push(None);
        }
        Ok(timer)
    }

    fn systemd(config: &Path, place: &Place, variables: &[(&str, String)]) -> Timer {
        let folder = config.join("systemd/user");
        let comment = Comment("# ", "");
        let file = |name: &str, text: &str| OwnFile::new(folder.join(name), text, &comment, 0o644);
        let line = |words: &[&str]| Line::new(&[&["systemctl", "--user"], words].concat());
        Timer {
            files: vec![
                file("annals-archive.service", &service(&place.program, variables)),
                file(TIMER, TIMER_UNIT),
            ],
            turn_on: vec![line(&["daemon-reload"]), line(&["enable", "--now", TIMER])],
            turn_off: vec![line(&["disable", "--now", TIMER])],
            reload: vec![line(&["daemon-reload"])],
            sign: folder.join("timers.target.wants").join(TIMER),
            config_lines: vec![Some(unit_variable(CONFIG, &place.key))],
        }
    }

    fn launchd(home: &Path, place: &Place, variables: &[(&str, String)]) -> Timer {
        let path = home.join("Library/LaunchAgents").join(format!("{LABEL}.plist"));
        let domain = format!("gui/{}", rustix::process::getuid().as_raw());
        let text = path.to_string_lossy().into_owned();
        let line = |words: &[&str]| Line::new(words);
        let turn_off = line(&["launchctl", "bootout", &format!("{domain}/{LABEL}")]);
        Timer {
            files: vec![OwnFile::new(
                path.clone(),
                &property_list(&place.program, variables),
                &Comment("<!-- ", " -->"),
                0o644,
            )],
            // What is loaded cannot be loaded again.
            turn_on: vec![
                Line { may_fail: true, ..turn_off.clone() },
                line(&["launchctl", "bootstrap", &domain, &text]),
            ],
            turn_off: vec![turn_off],
            reload: vec![],
            sign: path,
            config_lines: vec![Some(list_variable(CONFIG, &place.key))],
        }
    }

    /// Whether any of it is there.
    pub(super) fn is_there(&self) -> bool {
        let is_any = self.files.iter().any(|file| file.path.symlink_metadata().is_ok());
        is_any && self.is_of_another().is_none()
    }

    /// The file that says that the timer is of another configuration folder: there is
    /// one timer for all of them.
    fn is_of_another(&self) -> Option<&Path> {
        let file = self.files.first()?;
        let text = std::fs::read_to_string(&file.path).ok()?;
        let line = text.lines().find(|line| line.contains(CONFIG)).map(str::trim);
        let is_ours = self.config_lines.iter().any(|own| own.as_deref() == line);
        (!is_ours).then_some(&*file.path)
    }

    /// What would be done.
    pub(super) fn propose(&self, step: &mut Step, is_removal: bool) {
        if let Some(path) = self.is_of_another() {
            let said = format!("{} is of another configuration folder", path.display());
            step.add_path(path);
            if is_removal {
                step.detail = format!("{said}, and stays");
            } else {
                step.refuse(format!(
                    "{said}: annals setup --remove --only timer takes it out there"
                ));
            }
            return;
        }
        for file in &self.files {
            file.propose(step, is_removal);
        }
        if !is_removal && self.sign.symlink_metadata().is_err() {
            step.plan();
        }
        if step.status == Status::Planned {
            let lines = if is_removal { &self.turn_off } else { &self.turn_on };
            step.commands = lines.iter().map(Line::shown).collect();
        }
    }

    /// Writes the files and turns it on; says which folders were made.
    pub(super) fn put(&self, step: &mut Step, context: &Context) -> Vec<PathBuf> {
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
        step.status = Status::Done;
        run(&self.turn_on, step, context);
        made
    }

    /// Turns it off and takes the files away.
    pub(super) fn take(&self, step: &mut Step, context: &Context) {
        step.status = Status::Done;
        run(&self.turn_off, step, context);
        let removed: Result<(), ReplaceError> = self.files.iter().try_for_each(OwnFile::remove);
        match removed {
            Ok(()) => run(&self.reload, step, context),
            Err(error) => step.fail(error.to_string()),
        }
    }
}

/// Runs what turns a timer on or off. The files are there in any case: what does
/// not work is left to the person.
fn run(lines: &[Line], step: &mut Step, context: &Context) {
    for line in lines {
        if let Err(reason) = line.run(context)
            && !line.may_fail
        {
            step.status = Status::Manual;
            step.detail = format!("{reason}; run it yourself");
            return;
        }
    }
}

/// What has to be said to a program that is started outside any shell.
fn variables(
    context: &Context,
    place: &Place,
    home: &Path,
) -> Result<Vec<(&'static str, String)>, Ending> {
    let own = context.data_home()?;
    let mut variables = Vec::new();
    if own != home.join(".local/share/annals") {
        variables.push(("ANNALS_HOME", own.to_string_lossy().into_owned()));
    }
    variables.extend(place.timer_variable.clone().map(|config| (CONFIG, config)));
    // What is not to be kept stands in the configuration.
    let config = context.config_home.as_deref().filter(|it| *it != home.join(".config"));
    variables.extend(config.map(|it| ("XDG_CONFIG_HOME", it.to_string_lossy().into_owned())));
    if let Some((name, _)) = variables.iter().find(|(_, value)| value.chars().any(char::is_control))
    {
        return Err(Ending::Misuse(format!("{name} holds a control character")));
    }
    Ok(variables)
}

const TIMER_UNIT: &str = "[Unit]
Description=Keep Claude Code sessions every hour

[Timer]
OnCalendar=hourly
RandomizedDelaySec=5min
Persistent=true

[Install]
WantedBy=timers.target
";

fn service(program: &str, variables: &[(&str, String)]) -> String {
    let mut text = "[Unit]\nDescription=Keep Claude Code sessions\n\n[Service]\nType=oneshot\nNice=15\nIOSchedulingClass=idle\n".to_owned();
    for (name, value) in variables {
        text += &format!("{}\n", unit_variable(name, value));
    }
    // systemd starts no program with these in its name, but hands them on.
    let start = if program.contains(['"', '\'', '\\']) {
        format!("/usr/bin/env {}", unit_quoted(program).replace('$', "$$"))
    } else {
        unit_quoted(program)
    };
    text + &format!("ExecStart={start} archive sync\n")
}

fn unit_variable(name: &str, value: &str) -> String {
    format!("Environment={}", unit_quoted(&format!("{name}={value}")))
}

/// A word in a unit file: in quotes, and without specifiers. `$` is only special
/// in arguments of commands.
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
    fn paths_of_any_kind_stand_in_a_unit_as_they_are() {
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
        Description=Keep Claude Code sessions

        [Service]
        Type=oneshot
        Nice=15
        IOSchedulingClass=idle
        Environment="ANNALS_HOME=/x y"
        ExecStart="/a b/annals" archive sync
        "#);
    }

    #[test]
    fn a_program_that_systemd_would_not_name_is_started_all_the_same() {
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
