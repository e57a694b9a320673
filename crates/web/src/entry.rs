//! How a browser gets in: one-time codes, and the sessions they open.
//!
//! A code is valid once, for a minute. It is part of an address, so it ends up in the
//! browser's history and in the list of processes; a program that presents it again within that
//! minute without the cookie it was exchanged for may have taken it first. In that case the
//! session that it opened ends, and the terminal says so.
//!
//! Deliberately not here: HTTP. Time is passed in.

use crate::secret::Secret;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a code is valid.
pub(crate) const CODE_LIFETIME: Duration = Duration::from_mins(1);

/// How many codes can be waiting. More are asked for only by a program in a loop.
const MOST_CODES: usize = 64;

/// How many browsers can be in. The oldest leaves first.
const MOST_SESSIONS: usize = 64;

/// The codes and sessions of a server.
#[derive(Debug, Default)]
pub(crate) struct Entry(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    codes: Vec<Code>,
    /// The browsers that are in.
    browsers: Vec<(Browser, Secret)>,
    /// How many have come in so far.
    count: u64,
}

/// A browser that is in, as other parts of the server know it: they have no use for its cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Browser(u64);

#[cfg(test)]
impl Browser {
    pub(crate) fn numbered(number: u64) -> Browser {
        Browser(number)
    }
}

#[derive(Debug)]
struct Code {
    value: Secret,
    issued: Instant,
    /// The cookie it was exchanged for.
    session: Option<Secret>,
}

/// What happened to a code.
#[derive(Debug)]
pub(crate) enum Presented {
    /// It was exchanged for this cookie.
    Opened(Secret),
    /// It was exchanged before, and the browser has the cookie: a reloaded page.
    Again,
    /// It was exchanged before by another browser, whose session has ended now.
    Stolen,
    /// It is unknown or too old.
    Invalid,
}

impl Entry {
    /// Makes a code.
    pub(crate) fn issue(&self, now: Instant) -> io::Result<Secret> {
        let value = Secret::random()?;
        let mut state = self.lock();
        state.forget_old_codes(now);
        if state.codes.len() >= MOST_CODES {
            state.codes.remove(0);
        }
        state.codes.push(Code { value: value.clone(), issued: now, session: None });
        Ok(value)
    }

    /// Exchanges a code for a cookie. `cookies` are those that the request has.
    pub(crate) fn present(
        &self,
        code: &str,
        cookies: &[&str],
        now: Instant,
    ) -> io::Result<Presented> {
        let fresh = Secret::random()?;
        let mut state = self.lock();
        state.forget_old_codes(now);
        // Every code is compared, so that the time does not depend on which one matches.
        let known = state
            .codes
            .iter_mut()
            .fold(None, |found, known| if known.value.matches(code) { Some(known) } else { found });
        let Some(known) = known else { return Ok(Presented::Invalid) };
        let Some(session) = known.session.clone() else {
            known.session = Some(fresh.clone());
            if state.browsers.len() >= MOST_SESSIONS {
                state.browsers.remove(0);
            }
            state.count += 1;
            let browser = Browser(state.count);
            state.browsers.push((browser, fresh.clone()));
            return Ok(Presented::Opened(fresh));
        };
        if cookies.iter().any(|cookie| session.matches(cookie)) {
            return Ok(Presented::Again);
        }
        state.browsers.retain(|(_, known)| *known != session);
        Ok(Presented::Stolen)
    }

    /// The browser that is in with one of the cookies. All are compared, whichever matches.
    pub(crate) fn browser(&self, cookies: &[&str]) -> Option<Browser> {
        let state = self.lock();
        cookies.iter().fold(None, |found, cookie| {
            state.browsers.iter().fold(found, |found, (browser, session)| {
                if session.matches(cookie) { Some(*browser) } else { found }
            })
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn forget_old_codes(&mut self, now: Instant) {
        self.codes.retain(|code| now.saturating_duration_since(code.issued) < CODE_LIFETIME);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_in(entry: &Entry, cookies: &[&str]) -> bool {
        entry.browser(cookies).is_some()
    }

    fn opened(entry: &Entry, code: &Secret, now: Instant) -> Secret {
        match entry.present(code.expose(), &[], now).unwrap() {
            Presented::Opened(cookie) => cookie,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_code_opens_one_session() {
        let (entry, now) = (Entry::default(), Instant::now());
        let code = entry.issue(now).unwrap();
        assert!(!is_in(&entry, &[code.expose()]), "a code is not a cookie");
        let cookie = opened(&entry, &code, now);
        assert!(is_in(&entry, &["x", cookie.expose()]));
        assert!(!is_in(&entry, &[]) && !is_in(&entry, &["", "x"]));
    }

    #[test]
    fn a_code_is_valid_for_a_minute() {
        let (entry, now) = (Entry::default(), Instant::now());
        let code = entry.issue(now).unwrap();
        let late = entry.present(code.expose(), &[], now + CODE_LIFETIME).unwrap();
        assert!(matches!(late, Presented::Invalid));
        let unknown = entry.present("0", &[], now).unwrap();
        assert!(matches!(unknown, Presented::Invalid));
    }

    #[test]
    fn a_code_presented_again_without_its_cookie_ends_the_session() {
        let (entry, now) = (Entry::default(), Instant::now());
        let other = opened(&entry, &entry.issue(now).unwrap(), now);
        let code = entry.issue(now).unwrap();
        let cookie = opened(&entry, &code, now);
        let later = now + Duration::from_secs(59);
        let reloaded = entry.present(code.expose(), &[cookie.expose()], later).unwrap();
        assert!(matches!(reloaded, Presented::Again));
        assert!(is_in(&entry, &[cookie.expose()]));
        let stolen = entry.present(code.expose(), &[other.expose()], later).unwrap();
        assert!(matches!(stolen, Presented::Stolen));
        assert!(!is_in(&entry, &[cookie.expose()]));
        assert!(is_in(&entry, &[other.expose()]), "sessions of other codes go on");
    }

    #[test]
    fn codes_and_sessions_are_bounded() {
        let (entry, now) = (Entry::default(), Instant::now());
        let first = opened(&entry, &entry.issue(now).unwrap(), now);
        for _ in 0..MOST_SESSIONS {
            opened(&entry, &entry.issue(now).unwrap(), now);
        }
        assert!(!is_in(&entry, &[first.expose()]));
        assert_eq!(entry.lock().codes.len(), MOST_CODES);
    }
}
