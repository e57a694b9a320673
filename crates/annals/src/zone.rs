//! The time zone of the user.
//!
//! The system names it with a symbolic link, the environment by its name. Looking a name
//! up in the time zone database would list the whole database first, which takes longer
//! than some commands; the file of the zone has the same data.

use crate::environment::Environment;
use crate::failure::CliError;
use jiff::tz::TimeZone;
use std::path::Path;

const SYSTEM: &str = "/etc/localtime";
const DATABASE: &str = "/usr/share/zoneinfo";

/// Whether the days of a zone are those of UTC.
pub(crate) fn is_utc(zone: &TimeZone) -> bool {
    matches!(zone.iana_name(), Some("UTC" | "Etc/UTC" | "Zulu" | "Etc/Zulu" | "Etc/UCT"))
}

/// The zone of the environment, otherwise of the system; UTC if neither has one.
pub(crate) fn of_system(environment: &Environment) -> TimeZone {
    let zone = match &environment.zone {
        Some(name) if !environment.has_zone_database => in_database(name.to_str()),
        Some(_) => None,
        None => linked(Path::new(SYSTEM)),
    };
    zone.unwrap_or_else(|| TimeZone::try_system().unwrap_or(TimeZone::UTC))
}

/// The zone with exactly this name in the database: UTC, or a name of several parts, which
/// cannot be a rule such as `EST5EDT`.
fn in_database(name: Option<&str>) -> Option<TimeZone> {
    let is_part = |part: &str| part.starts_with(|first: char| first.is_ascii_uppercase());
    let name = name?;
    if name == "UTC" {
        return Some(TimeZone::UTC);
    }
    if !name.contains('/') || !name.split('/').all(is_part) {
        return None;
    }
    TimeZone::tzif(name, &std::fs::read(Path::new(DATABASE).join(name)).ok()?).ok()
}

/// The zone with this name.
pub(crate) fn named(name: &str) -> anyhow::Result<TimeZone> {
    TimeZone::get(name).map_err(|_| {
        CliError::Misuse(format!(
            "unknown time zone {name:?}\nhint: use a name such as Europe/Berlin or UTC"
        ))
        .into()
    })
}

/// The zone that a link points to, named after its path in the database.
fn linked(link: &Path) -> Option<TimeZone> {
    let target = std::fs::read_link(link).ok()?;
    let (_, name) = target.to_str()?.rsplit_once("zoneinfo/")?;
    // Variants of the database that use the same names.
    if name.starts_with("posix/") || name.starts_with("right/") {
        return None;
    }
    TimeZone::tzif(name, &std::fs::read(link).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    #[test]
    fn linked_zone_matches_the_zone_database() {
        let sandbox = testkit::Sandbox::new();
        let mut seen = 0;
        for name in ["Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/UTC", "UTC"] {
            let target = Path::new("/usr/share/zoneinfo").join(name);
            let (true, Ok(known)) = (target.is_file(), TimeZone::get(name)) else { continue };
            let link = sandbox.link(&format!("link-{seen}"), &target);
            let zone = linked(&link).expect("a zone");
            assert_eq!(zone.iana_name(), known.iana_name());
            for time in ["2024-01-01T00:00:00Z", "2026-07-01T12:00:00Z"] {
                let time: Timestamp = time.parse().expect("a time");
                assert_eq!(zone.to_offset(time), known.to_offset(time), "{name}");
            }
            seen += 1;
        }
        // A machine without the database has nothing to compare.
        let has_database = Path::new("/usr/share/zoneinfo/UTC").exists();
        assert!(seen > 0 || !has_database);
    }

    #[test]
    fn zone_named_by_the_environment_matches_the_zone_database() {
        let mut seen = 0;
        for name in ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/UTC"] {
            let (Some(zone), Ok(known)) = (in_database(Some(name)), TimeZone::get(name)) else {
                continue;
            };
            assert_eq!(zone.iana_name(), known.iana_name());
            for time in ["2024-01-01T00:00:00Z", "2026-07-01T12:00:00Z"] {
                let time: Timestamp = time.parse().expect("a time");
                assert_eq!(zone.to_offset(time), known.to_offset(time), "{name}");
            }
            seen += 1;
        }
        assert!(seen > 0);
        for name in ["EST5EDT", "europe/berlin", "../etc/passwd", "/etc/localtime", "No/Such", ""] {
            assert!(in_database(Some(name)).is_none(), "{name}");
        }
    }

    #[test]
    fn links_outside_the_zone_database_are_ignored() {
        let sandbox = testkit::Sandbox::new();
        let text = sandbox.write("zoneinfo/Nowhere/Here", "no zone");
        let broken = sandbox.link("broken", &text);
        let gone = sandbox.link("gone", Path::new("/usr/share/zoneinfo/No/Such"));
        for path in [&text, &broken, &gone, &sandbox.config().join("none")] {
            assert!(linked(path).is_none(), "{}", path.display());
        }
    }
}
