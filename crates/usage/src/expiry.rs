//! Caches that expired: what was written again because nobody read it in time.

use crate::fold::{Call, FileNumber};
use crate::names::Name;
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;

/// How long a cache lives that was written for five minutes.
const SHORT: SignedDuration = SignedDuration::from_mins(5);

/// And one written for an hour.
const LONG: SignedDuration = SignedDuration::from_hours(1);

/// Smaller prompts are not worth a cache.
const SMALLEST: u64 = 4_096;

/// The last call of a conversation: of an agent or not, by a model.
struct Last {
    of: (bool, Name),
    time: Timestamp,
    prompt: u64,
    lives: SignedDuration,
}

/// How many tokens of each call had been in a cache that expired before it: a
/// prompt that was there, a pause longer than its cache lives, and most of it
/// written anew. Calls come in the order of their times.
pub fn expired_tokens(calls: &[Call]) -> Vec<u64> {
    // Of each file the last call of its few conversations.
    let mut last: HashMap<FileNumber, Vec<Last>> = HashMap::new();
    let mut tokens = Vec::with_capacity(calls.len());
    for call in calls {
        let Some(time) = call.time else {
            tokens.push(0);
            continue;
        };
        let counters = &call.counters;
        let of = (call.is_sidechain, call.model);
        let own = last.entry(call.file).or_default();
        let place = own.iter().position(|last| last.of == of);
        let before = place.map(|place| &own[place]);
        let expired = before.filter(|before| {
            before.prompt >= SMALLEST
                && time.duration_since(before.time) > before.lives
                && counters.read < before.prompt / 2
        });
        let written = counters.write_5m.saturating_add(counters.write_1h);
        tokens.push(expired.map_or(0, |before| (before.prompt - counters.read).min(written)));
        let lives = match (counters.write_1h, counters.write_5m) {
            (1.., _) => LONG,
            (0, 1..) => SHORT,
            // What was only read lives as long as it was written for.
            (0, 0) => before.map_or(SHORT, |before| before.lives),
        };
        let now = Last { of, time, prompt: counters.prompt(), lives };
        match place {
            Some(place) => own[place] = now,
            None => own.push(now),
        }
    }
    tokens
}
