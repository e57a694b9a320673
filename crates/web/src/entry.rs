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
    /// The cookies of the browsers that are in.
    sessions: Vec<Secret>,
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
            if state.sessions.len() >= MOST_SESSIONS {
                state.sessions.remove(0);
            }
            state.sessions.push(fresh.clone());
            return Ok(Presented::Opened(fresh));
        };
        if cookies.iter().any(|cookie| session.matches(cookie)) {
            return Ok(Presented::Again);
        }
        state.sessions.retain(|known| *known != session);
        Ok(Presented::Stolen)
    }

    /// Whether one of the cookies belongs to a browser that is in.
    pub(crate) fn is_open(&self, cookies: &[&str]) -> bool {
        let state = self.lock();
        cookies.iter().fold(false, |open, cookie| {
            state.sessions.iter().fold(open, |open, session| open | session.matches(cookie))
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
        assert!(!entry.is_open(&[code.expose()]), "a code is not a cookie");
        let cookie = opened(&entry, &code, now);
        assert!(entry.is_open(&["x", cookie.expose()]));
        assert!(!entry.is_open(&[]) && !entry.is_open(&["", "x"]));
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
        assert!(entry.is_open(&[cookie.expose()]));
        let stolen = entry.present(code.expose(), &[other.expose()], later).unwrap();
        assert!(matches!(stolen, Presented::Stolen));
        assert!(!entry.is_open(&[cookie.expose()]));
        assert!(entry.is_open(&[other.expose()]), "sessions of other codes go on");
    }

    #[test]
    fn codes_and_sessions_are_bounded() {
        let (entry, now) = (Entry::default(), Instant::now());
        let first = opened(&entry, &entry.issue(now).unwrap(), now);
        for _ in 0..MOST_SESSIONS {
            opened(&entry, &entry.issue(now).unwrap(), now);
        }
        assert!(!entry.is_open(&[first.expose()]));
        assert_eq!(entry.lock().codes.len(), MOST_CODES);
    }
}
