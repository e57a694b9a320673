//! Which sessions leave the machine, how much of them, and for whom.

use crate::names::{Audience, Level};
use globset::GlobMatcher;
use std::path::{Component, Path};

/// A rule for the sessions of some folders.
#[derive(Clone, Debug)]
pub struct ShareRule {
    /// The folders.
    pub folders: GlobMatcher,
    /// How much of their sessions leaves.
    pub level: Level,
    /// Who may read what is above [`Level::Usage`].
    pub audience: Audience,
}

/// What leaves the machine.
#[derive(Clone, Debug, Default)]
pub struct SharingRules {
    /// The folders of the team. Nothing of a session in any other folder leaves.
    pub projects: Vec<GlobMatcher>,
    /// The folders to which an organisation limits them; no limit if there are none.
    pub allowed: Vec<GlobMatcher>,
    /// Folders below them whose sessions stay.
    pub exclude: Vec<GlobMatcher>,
    /// How much leaves of sessions that no rule names.
    pub level: Option<Level>,
    /// Rules for some folders; the last that fits holds.
    pub shares: Vec<ShareRule>,
    /// No rule and no decision sends more than this.
    pub highest_level: Option<Level>,
}

/// Whether a pattern names a folder, or one that it lies in.
fn fits(glob: &GlobMatcher, folder: &str) -> bool {
    Path::new(folder).ancestors().any(|folder| glob.is_match(folder))
}

/// What the rules say about one session.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Shared {
    pub(crate) level: Level,
    pub(crate) audience: Audience,
}

impl SharingRules {
    /// Who reads the text of sessions in this folder: the owner alone if none is shared by a
    /// rule. `None` if nothing of them leaves.
    pub fn readers_of_text(&self, folder: &str) -> Option<Audience> {
        let shared = self.of_folder(folder)?;
        Some(if shared.level == Level::Text { shared.audience } else { Audience::Private })
    }

    /// What they say about a session that was started in this folder. `None` if nothing of
    /// it leaves.
    pub(crate) fn of_folder(&self, folder: &str) -> Option<Shared> {
        // Such a path leads out of a folder that it begins with.
        if Path::new(folder).components().any(|part| part == Component::ParentDir) {
            return None;
        }
        let named_in = |globs: &[GlobMatcher]| globs.iter().any(|glob| fits(glob, folder));
        let is_allowed = self.allowed.is_empty() || named_in(&self.allowed);
        if !named_in(&self.projects) || !is_allowed || named_in(&self.exclude) {
            return None;
        }
        let rule = self.shares.iter().rev().find(|rule| fits(&rule.folders, folder));
        let level = rule.map_or(self.level.unwrap_or(Level::Usage), |rule| rule.level);
        let audience = rule.map_or(Audience::Private, |rule| rule.audience.clone());
        Some(Shared { level: level.min(self.highest()), audience })
    }

    /// The level that nothing goes beyond.
    pub(crate) fn highest(&self) -> Level {
        self.highest_level.unwrap_or(Level::Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use globset::Glob;

    fn glob(pattern: &str) -> GlobMatcher {
        Glob::new(pattern).unwrap().compile_matcher()
    }

    fn rules() -> SharingRules {
        SharingRules {
            projects: vec![glob("/home/ada/work/**")],
            shares: vec![
                ShareRule {
                    folders: glob("/home/ada/work/tides"),
                    level: Level::Text,
                    audience: "team:tides".parse().unwrap(),
                },
                ShareRule {
                    folders: glob("/home/ada/work/tides/secret"),
                    level: Level::Usage,
                    audience: Audience::Private,
                },
            ],
            ..SharingRules::default()
        }
    }

    fn level(rules: &SharingRules, folder: &str) -> Option<Level> {
        rules.of_folder(folder).map(|shared| shared.level)
    }

    #[test]
    fn nothing_leaves_from_folders_outside_the_projects() {
        assert_eq!(level(&rules(), "/home/ada/private"), None);
        assert_eq!(level(&rules(), "/home/ada/work/../private"), None);
        assert_eq!(level(&SharingRules::default(), "/home/ada/work/tides"), None);
    }

    #[test]
    fn excluded_folders_and_those_an_organisation_does_not_allow_stay() {
        let excluding = SharingRules { exclude: vec![glob("/home/ada/work/moon")], ..rules() };
        assert_eq!(level(&excluding, "/home/ada/work/moon/src"), None);
        assert_eq!(level(&excluding, "/home/ada/work/tides"), Some(Level::Text));
        let limited = SharingRules { allowed: vec![glob("/home/ada/work/moon")], ..rules() };
        assert_eq!(level(&limited, "/home/ada/work/moon/src"), Some(Level::Usage));
        assert_eq!(level(&limited, "/home/ada/work/tides"), None);
    }

    #[test]
    fn a_folder_without_a_rule_sends_usage_for_its_owner() {
        let shared = rules().of_folder("/home/ada/work/moon").unwrap();
        assert_eq!(shared, Shared { level: Level::Usage, audience: Audience::Private });
    }

    #[test]
    fn the_last_rule_that_fits_holds() {
        assert_eq!(level(&rules(), "/home/ada/work/tides/src"), Some(Level::Text));
        assert_eq!(level(&rules(), "/home/ada/work/tides/secret/a"), Some(Level::Usage));
    }

    #[test]
    fn no_rule_goes_beyond_the_highest_level() {
        let rules = SharingRules { highest_level: Some(Level::Metadata), ..rules() };
        assert_eq!(level(&rules, "/home/ada/work/tides"), Some(Level::Metadata));
    }
}
