//! The limits of a client, in one place.
//!
//! A slow or greedy client must not stop the others: everything it can hold on to, a
//! connection, memory, a thread, is bounded in number and in time. What keeps a connection for
//! long, an event stream, an answer that reads much, a large body that is being sent or a body that is
//! being received, may have a part of the connections and no more, so that there is always one for a
//! short request.

use std::time::Duration;

/// How many connections are open at once. A browser opens six to a server.
pub(crate) const CONNECTIONS: usize = 64;

/// How many connections may wait for one of them to end or to be idle. More wait in the system's
/// queue.
pub(crate) const WAITING: usize = 64;

/// How many answers that read much are waited for, worked on or sent at once: more than a browser
/// can ask for. One beyond that is refused at once.
pub(crate) const LONG_ANSWERS: usize = 8;

/// From how many bytes on a session is large: a route that reads it as a whole reads much. Smaller
/// ones take a fraction of a second.
pub(crate) const LARGE_SESSION: u64 = 16 << 20;

/// From how many bytes on the body of an answer is large. Of smaller ones, the system keeps what a
/// client does not read.
pub(crate) const LARGE_BODY: u64 = 256 << 10;

/// How many large bodies are sent at once: more than a browser can ask for. One beyond that is
/// refused at once.
pub(crate) const LARGE_BODIES: usize = 8;

/// How many bodies of requests are received at once. One beyond that is refused at once.
pub(crate) const BODIES: usize = 4;

/// How many bytes of header lines a request may have.
pub(crate) const HEADER_BYTES: usize = 16 << 10;

/// How many header lines a request may have.
pub(crate) const HEADER_LINES: usize = 64;

/// How many bytes the body of a request may have.
pub(crate) const BODY_BYTES: usize = 64 << 10;

/// How many ordinary answers are worked on at once; others wait.
pub(crate) const LIGHT_PERMITS: usize = 3;

/// How many answers that read much are worked on at once. They have separate permits,
/// so that lists and sessions do not wait for them.
pub(crate) const HEAVY_PERMITS: usize = 1;

/// How many answers that read a large session are worked on at once, beside those.
pub(crate) const LARGE_SESSION_PERMITS: usize = 1;

/// How many event streams are open at once. One beyond that is refused at once.
pub(crate) const STREAMS: usize = 12;

/// How many of them a browser has, or all programs together. The tabs of a browser share one.
pub(crate) const STREAMS_OF_CLIENT: usize = 6;

/// Half of the connections and more are for short requests, whatever runs.
const _: () = assert!(STREAMS + LONG_ANSWERS + LARGE_BODIES + BODIES <= CONNECTIONS / 2);

/// How long the server waits for running requests when it stops.
pub(crate) const SHUTDOWN_TIME: Duration = Duration::from_millis(1_500);

/// Answers beyond this size are compressed for clients that accept it.
pub(crate) const COMPRESSED_FROM: usize = 16 << 10;

/// How much memory an update of the index may use.
pub(crate) const INDEX_MEMORY: usize = 64 << 20;

/// How long an answer waits for an update of the index.
pub(crate) const INDEX_PATIENCE: Duration = Duration::from_secs(1);

/// How much memory sessions that stay open between requests may take.
pub(crate) const OPENED_BYTES: u64 = 64 << 20;

/// How long a client, or work for it, may take. Tests have shorter ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeLimits {
    /// To send the header of a request, or to stay idle between two.
    pub(crate) header: Duration,
    /// To send the body of a request.
    pub(crate) body: Duration,
    /// To leave an answer unread.
    pub(crate) write: Duration,
    /// For the library, to work on an answer.
    pub(crate) work: Duration,
}

impl Default for TimeLimits {
    fn default() -> TimeLimits {
        let seconds = Duration::from_secs;
        TimeLimits { header: seconds(10), body: seconds(10), write: seconds(20), work: seconds(10) }
    }
}
