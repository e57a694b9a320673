//! Server-sent events: what changes in the sessions, for every page that is open.
//!
//! One thread watches the stores (`watcher`) and publishes to the hub, which numbers events
//! and passes them to the streams (`stream`). The hub keeps the latest ones, so that a
//! browser that was away for a moment misses nothing. Deliberately not here: what an event
//! contains; that is a document.

pub(crate) mod index_keeper;
pub(crate) mod stream;
pub(crate) mod watcher;

use crate::app::Client;
use crate::failure::Failure;
use crate::limits::{STREAMS, STREAMS_OF_CLIENT};
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;

/// How many events, and bytes of them, are kept for browsers that come back.
const KEPT: usize = 1_000;
const KEPT_BYTES: usize = 2 << 20;

/// How many events a stream may be behind before it is ended. Its browser comes back and
/// gets the kept ones.
const BEHIND: usize = 256;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerEvent {
    pub(crate) number: u64,
    /// `watch`, `list`, `running` or `index`.
    pub(crate) name: &'static str,
    /// The session it belongs to; `None` if it is for every page with lists.
    session: Option<String>,
    /// A JSON document on one line.
    pub(crate) data: String,
}

/// Which events a stream gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Subscription {
    /// Events of these sessions; `None` for those of all.
    pub(crate) sessions: Option<BTreeSet<String>>,
    /// Whether lists are shown.
    pub(crate) has_lists: bool,
}

impl Subscription {
    fn wants(&self, event: &ServerEvent) -> bool {
        match (&event.session, &self.sessions) {
            (Some(session), Some(wanted)) => wanted.contains(session),
            (Some(_), None) => true,
            // How far the index is concerns every page.
            (None, _) => self.has_lists || event.name == "index",
        }
    }
}

/// Passes events to streams.
#[derive(Debug, Default)]
pub(crate) struct Hub(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    last: u64,
    kept: VecDeque<Arc<ServerEvent>>,
    kept_bytes: usize,
    streams: Vec<Stream>,
    is_closed: bool,
}

/// An open stream.
#[derive(Debug)]
struct Stream {
    client: Client,
    subscription: Subscription,
    sender: mpsc::Sender<Arc<ServerEvent>>,
}

/// What a new stream begins with.
#[derive(Debug)]
pub(crate) struct Subscribed {
    /// The events since the last one that the browser has; `None` if some are gone, so that
    /// the page must load everything again.
    pub(crate) missed: Option<Vec<Arc<ServerEvent>>>,
    /// The number of the latest event.
    pub(crate) last: u64,
    pub(crate) receiver: mpsc::Receiver<Arc<ServerEvent>>,
}

impl Hub {
    /// Opens a stream. `since` is the number of the last event that the browser has.
    ///
    /// A stream too many is refused. If it replaced the oldest one, that one's page would come
    /// back for it, and the two would replace each other for ever.
    pub(crate) fn subscribe(
        &self,
        client: Client,
        subscription: Subscription,
        since: Option<u64>,
    ) -> Result<Subscribed, Failure> {
        let mut state = self.lock();
        state.streams.retain(|stream| !stream.sender.is_closed());
        let of_client = state.streams.iter().filter(|stream| stream.client == client).count();
        if state.is_closed || state.streams.len() >= STREAMS || of_client >= STREAMS_OF_CLIENT {
            return Err(Failure::full("too many event streams are open").with_retry_after(10));
        }
        let first_kept = state.kept.front().map_or(state.last + 1, |event| event.number);
        let missed = match since {
            None => Some(Vec::new()),
            Some(since) if since > state.last || since + 1 < first_kept => None,
            Some(since) => {
                let later = state.kept.iter().filter(|event| event.number > since);
                Some(later.filter(|event| subscription.wants(event)).cloned().collect())
            }
        };
        let (sender, receiver) = mpsc::channel(BEHIND);
        state.streams.push(Stream { client, subscription, sender });
        Ok(Subscribed { missed, last: state.last, receiver })
    }

    /// Passes an event to the streams that want it.
    pub(crate) fn publish(&self, name: &'static str, session: Option<String>, data: String) {
        let mut state = self.lock();
        state.last += 1;
        let event = Arc::new(ServerEvent { number: state.last, name, session, data });
        // A stream that is too far behind ends, and its browser comes back for the rest.
        state.streams.retain(|stream| {
            !stream.subscription.wants(&event) || stream.sender.try_send(Arc::clone(&event)).is_ok()
        });
        state.kept_bytes += event.data.len();
        state.kept.push_back(event);
        while state.kept.len() > KEPT || state.kept_bytes > KEPT_BYTES {
            let Some(oldest) = state.kept.pop_front() else { break };
            state.kept_bytes -= oldest.data.len();
        }
    }

    /// Ends all streams, and opens no more.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        state.streams.clear();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Browser;
    use axum::http::StatusCode;

    fn of(session: &str) -> Subscription {
        Subscription { sessions: Some(BTreeSet::from([session.to_owned()])), has_lists: false }
    }

    /// A stream of another browser each time.
    fn subscribe(
        hub: &Hub,
        subscription: Subscription,
        since: Option<u64>,
    ) -> Result<Subscribed, Failure> {
        let number = hub.lock().streams.len() as u64;
        hub.subscribe(Client::Browser(Browser::numbered(number)), subscription, since)
    }

    fn publish(hub: &Hub, session: Option<&str>, data: &str) {
        hub.publish("watch", session.map(str::to_owned), data.to_owned());
    }

    fn received(subscribed: &mut Subscribed) -> Vec<String> {
        std::iter::from_fn(|| subscribed.receiver.try_recv().ok())
            .map(|event| event.data.clone())
            .collect()
    }

    #[test]
    fn a_stream_gets_the_events_of_its_sessions() {
        let hub = Hub::default();
        let mut one = subscribe(&hub, of("a"), None).unwrap();
        let lists = Subscription { sessions: Some(BTreeSet::new()), has_lists: true };
        let mut lists = subscribe(&hub, lists, None).unwrap();
        publish(&hub, Some("a"), "1");
        publish(&hub, Some("b"), "2");
        publish(&hub, None, "3");
        assert_eq!(received(&mut one), ["1"]);
        assert_eq!(received(&mut lists), ["3"]);
    }

    #[test]
    fn a_stream_that_comes_back_gets_what_it_missed() {
        let hub = Hub::default();
        for data in ["1", "2", "3"] {
            publish(&hub, Some("a"), data);
        }
        let missed = |since| {
            let subscribed = subscribe(&hub, of("a"), Some(since)).unwrap();
            subscribed
                .missed
                .map(|events| events.iter().map(|it| it.data.clone()).collect::<Vec<_>>())
        };
        assert_eq!(missed(1).unwrap(), ["2", "3"]);
        assert_eq!(missed(0).unwrap(), ["1", "2", "3"]);
        assert!(missed(3).unwrap().is_empty());
        assert_eq!(missed(4), None, "a number of the future");
        for _ in 0..KEPT {
            publish(&hub, Some("a"), "x");
        }
        assert_eq!(missed(2), None, "too long ago");
        assert_eq!(missed(3).unwrap().len(), KEPT);
    }

    #[test]
    fn kept_events_are_bounded_in_bytes() {
        let hub = Hub::default();
        for _ in 0..10 {
            publish(&hub, Some("a"), &"x".repeat(KEPT_BYTES / 4));
        }
        let state = hub.lock();
        assert!(state.kept_bytes <= KEPT_BYTES && state.kept.len() == 4);
    }

    #[test]
    fn a_stream_that_does_not_read_ends_and_the_others_go_on() {
        let hub = Hub::default();
        let mut slow = subscribe(&hub, of("a"), None).unwrap();
        for _ in 0..=BEHIND {
            publish(&hub, Some("a"), "x");
        }
        let mut other = subscribe(&hub, of("a"), None).unwrap();
        publish(&hub, Some("a"), "y");
        assert_eq!(received(&mut other), ["y"]);
        assert_eq!(received(&mut slow).len(), BEHIND);
        assert!(slow.receiver.is_closed());
    }

    #[test]
    fn streams_are_bounded_and_end_when_the_server_stops() {
        let hub = Hub::default();
        let mut all: Vec<_> =
            (0..STREAMS).map(|_| subscribe(&hub, of("a"), None).unwrap()).collect();
        assert_eq!(
            subscribe(&hub, of("a"), None).unwrap_err().status,
            StatusCode::TOO_MANY_REQUESTS
        );
        drop(all.pop());
        all.push(subscribe(&hub, of("a"), None).unwrap());
        hub.close();
        assert!(all.iter().all(|it| it.receiver.is_closed()));
        assert!(subscribe(&hub, of("a"), None).is_err());
    }

    #[test]
    fn a_browser_with_many_streams_leaves_some_for_others() {
        let hub = Hub::default();
        let greedy = Client::Browser(Browser::numbered(1));
        let all: Vec<_> =
            (0..STREAMS_OF_CLIENT).map(|_| hub.subscribe(greedy, of("a"), None).unwrap()).collect();
        let refused = hub.subscribe(greedy, of("a"), None).unwrap_err();
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
        assert!(refused.retry_after.is_some());
        hub.subscribe(Client::Program, of("a"), None).unwrap();
        hub.subscribe(Client::Browser(Browser::numbered(2)), of("a"), None).unwrap();
        assert!(all.iter().all(|it| !it.receiver.is_closed()), "those that are open stay so");
    }
}
