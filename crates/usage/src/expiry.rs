//! Expired caches: tokens written again because the cache was not read in time.

use crate::fold::{Call, FileNumber};
use crate::names::Name;
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;

/// The lifetime of a cache written for five minutes.
const SHORT: SignedDuration = SignedDuration::from_mins(5);

/// The lifetime of a cache written for an hour.
const LONG: SignedDuration = SignedDuration::from_hours(1);

/// Smaller prompts are not cached.
const SMALLEST: u64 = 4_096;

/// The last call of a conversation, which is identified by sidechain and model.
struct LastCall {
    conversation: (bool, Name),
    time: Timestamp,
    prompt: u64,
    lifetime: SignedDuration,
}

/// For each call, how many of its tokens had been in a cache that expired: there was
/// an earlier prompt, the pause was longer than the lifetime of its cache, and most of
/// it was written again. Calls must be sorted by time.
pub fn expired_tokens(calls: &[Call]) -> Vec<u64> {
    // The last call of each conversation, by file.
    let mut last: HashMap<FileNumber, Vec<LastCall>> = HashMap::new();
    let mut tokens = Vec::with_capacity(calls.len());
    for call in calls {
        let Some(time) = call.time else {
            tokens.push(0);
            continue;
        };
        let counters = &call.counters;
        let conversation = (call.is_sidechain, call.model);
        let own = last.entry(call.file).or_default();
        let place = own.iter().position(|last| last.conversation == conversation);
        let before = place.map(|place| &own[place]);
        let expired = before.filter(|before| {
            before.prompt >= SMALLEST
                && time.duration_since(before.time) > before.lifetime
                && counters.read < before.prompt / 2
        });
        let written = counters.write_5m.saturating_add(counters.write_1h);
        tokens.push(expired.map_or(0, |before| (before.prompt - counters.read).min(written)));
        let lifetime = match (counters.write_1h, counters.write_5m) {
            (1.., _) => LONG,
            (0, 1..) => SHORT,
            // A cache that was only read keeps its lifetime.
            (0, 0) => before.map_or(SHORT, |before| before.lifetime),
        };
        let now = LastCall { conversation, time, prompt: counters.prompt(), lifetime };
        match place {
            Some(place) => own[place] = now,
            None => own.push(now),
        }
    }
    tokens
}
