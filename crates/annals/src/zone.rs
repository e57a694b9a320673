//! The time zone of whoever asks.
//!
//! The system names it by a link. Looking the name up in the database of zones
//! would list all of that first, which takes longer than most commands do; the file
//! that the link leads to says the same.

use crate::environment::Environment;
use crate::failure::CliError;
use jiff::tz::TimeZone;
use std::path::Path;

const SYSTEM: &str = "/etc/localtime";

/// The zone of the system, or of the environment; UTC if neither says one.
pub(crate) fn of_system(environment: &Environment) -> TimeZone {
    let linked = if environment.has_zone { None } else { linked(Path::new(SYSTEM)) };
    linked.unwrap_or_else(|| TimeZone::try_system().unwrap_or(TimeZone::UTC))
}

/// The zone of a name.
pub(crate) fn named(name: &str) -> anyhow::Result<TimeZone> {
    TimeZone::get(name).map_err(|_| {
        CliError::Misuse(format!(
            "unknown time zone {name:?}\nhint: use a name such as Europe/Berlin or UTC"
        ))
        .into()
    })
}

/// The zone that a link leads to, by the name it has there.
fn linked(link: &Path) -> Option<TimeZone> {
    let target = std::fs::read_link(link).ok()?;
    let (_, name) = target.to_str()?.rsplit_once("zoneinfo/")?;
    // Other ways of counting, of which the names mean the same zones.
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
    fn a_link_says_what_the_database_says_of_its_name() {
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
    fn what_is_no_link_to_a_zone_is_none() {
        let sandbox = testkit::Sandbox::new();
        let text = sandbox.write("zoneinfo/Nowhere/Here", "no zone");
        let broken = sandbox.link("broken", &text);
        let gone = sandbox.link("gone", Path::new("/usr/share/zoneinfo/No/Such"));
        for path in [&text, &broken, &gone, &sandbox.config().join("none")] {
            assert!(linked(path).is_none(), "{}", path.display());
        }
    }
}
