//! A stream of events as the body of an answer.

use super::{ServerEvent, Subscribed, Subscription};
use crate::answer::{Cache, POLICY, secure};
use crate::app::{App, Client};
use crate::failure::Failure;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use hyper::body::Frame;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Interval, MissedTickBehavior};

/// How often a silent stream says that it is alive.
const PING: Duration = Duration::from_secs(20);

/// Opens a stream.
pub(crate) fn open(
    app: &App,
    client: Client,
    subscription: Subscription,
    headers: &HeaderMap,
) -> Result<Response, Failure> {
    let last_id = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    // The number of an event of this process; events of another one are gone.
    let since = last_id.map(|id| {
        let number = id.strip_prefix(app.process.as_str())?.strip_prefix('-')?;
        number.parse::<u64>().ok()
    });
    // A number that never was leads to a reset.
    let since = since.map(|since| since.unwrap_or(u64::MAX));
    let subscribed = app.hub.subscribe(client, subscription, since)?;
    let mut response = Response::new(Body::new(EventBody::new(&app.process, subscribed)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    secure(headers, Cache::NoStore, POLICY);
    Ok(response)
}

/// The events as text.
struct EventBody {
    process: String,
    waiting: VecDeque<Bytes>,
    receiver: mpsc::Receiver<Arc<ServerEvent>>,
    ping: Interval,
}

impl EventBody {
    fn new(process: &str, subscribed: Subscribed) -> EventBody {
        let mut ping = tokio::time::interval_at(tokio::time::Instant::now() + PING, PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let last = subscribed.last;
        // A browser comes back after two seconds, and begins with the events after this one.
        let begin = |name: &str| {
            format!("retry: 2000\nid: {process}-{last}\nevent: {name}\ndata: {{}}\n\n").into()
        };
        let waiting = match subscribed.missed {
            None => VecDeque::from([begin("reset")]),
            Some(missed) => {
                let missed = missed.iter().map(|event| text(process, event));
                missed.chain([begin("open")]).collect()
            }
        };
        EventBody { process: process.to_owned(), waiting, receiver: subscribed.receiver, ping }
    }
}

/// An event as text. Its data is JSON on one line, so it cannot end the event.
fn text(process: &str, event: &ServerEvent) -> Bytes {
    let ServerEvent { number, name, data, .. } = event;
    format!("id: {process}-{number}\nevent: {name}\ndata: {data}\n\n").into()
}

impl HttpBody for EventBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Some(bytes) = self.waiting.pop_front() {
            return Poll::Ready(Some(Ok(Frame::data(bytes))));
        }
        match self.receiver.poll_recv(context) {
            Poll::Ready(Some(event)) => {
                let bytes = text(&self.process, &event);
                return Poll::Ready(Some(Ok(Frame::data(bytes))));
            }
            Poll::Ready(None) => return Poll::Ready(None),
            Poll::Pending => {}
        }
        match self.ping.poll_tick(context) {
            Poll::Ready(_) => Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b": ping\n\n"))))),
            Poll::Pending => Poll::Pending,
        }
    }
}
