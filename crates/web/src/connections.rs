//! Accepting connections: from whom, how many, and when they are closed.
//!
//! A connection whose peer belongs to another user is closed before a byte of it is read.
//! If all connections are taken, a new one replaces the one that has been idle longest:
//! clients that connect and send nothing cannot keep others out.

use crate::Notice;
use crate::app::App;
use crate::limits::{CONNECTIONS, HEADER_BYTES, HEADER_LINES};
use crate::peer::{Ends, Peer};
use crate::timed_stream::TimedStream;
use axum::Router;
use axum::body::{Body, HttpBody};
use axum::http::{Request, Response};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

/// The open connections.
#[derive(Debug, Default)]
pub(crate) struct Connections(Mutex<Vec<Arc<Connection>>>);

#[derive(Debug)]
struct Connection {
    close: Notify,
    /// Since when it has been idle; `None` while a request is being answered.
    idle_since: Mutex<Option<Instant>>,
}

impl Connection {
    fn idle_since(&self) -> MutexGuard<'_, Option<Instant>> {
        self.idle_since.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connections {
    /// Registers a connection. If there are too many, closes an idle one; `None` if all of
    /// them are busy.
    fn add(&self) -> Option<Arc<Connection>> {
        let mut all = self.lock();
        if all.len() >= CONNECTIONS {
            let idle = all.iter().enumerate().filter_map(|(place, connection)| {
                connection.idle_since().map(|since| (since, place))
            });
            let (_, place) = idle.min()?;
            all.remove(place).close.notify_one();
        }
        let connection = Arc::new(Connection {
            close: Notify::new(),
            idle_since: Mutex::new(Some(Instant::now())),
        });
        all.push(Arc::clone(&connection));
        Some(connection)
    }

    fn remove(&self, connection: &Arc<Connection>) {
        self.lock().retain(|known| !Arc::ptr_eq(known, connection));
    }

    /// How many there are.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Connection>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks a connection as busy until its answer has been sent.
struct Busy(Arc<Connection>);

impl Busy {
    fn new(connection: &Arc<Connection>) -> Busy {
        *connection.idle_since() = None;
        Busy(Arc::clone(connection))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        *self.0.idle_since() = Some(Instant::now());
    }
}

/// An answer's body, during which its connection is busy.
struct BusyBody {
    body: Body,
    _busy: Busy,
}

impl HttpBody for BusyBody {
    type Data = axum::body::Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Serves connections until the server is stopped, then waits for running requests, for a while.
pub(crate) async fn serve(
    listener: TcpListener,
    app: Arc<App>,
    router: Router,
    mut stop: watch::Receiver<bool>,
    patience: Duration,
) {
    let mut tasks = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        // Finished tasks are collected here; nothing else asks for them.
        while tasks.try_join_next().is_some() {}
        match accepted {
            Ok((stream, _)) => {
                let serving =
                    serve_connection(stream, Arc::clone(&app), router.clone(), stop.clone());
                tasks.spawn(serving);
            }
            // Too many open files, or the client has left already.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
    drop(listener);
    let drained = async { while tasks.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(patience, drained).await;
}

async fn serve_connection(
    stream: TcpStream,
    app: Arc<App>,
    router: Router,
    mut stop: watch::Receiver<bool>,
) {
    let (Ok(peer), Ok(local)) = (stream.peer_addr(), stream.local_addr()) else { return };
    let judgement = app.judge.add(Ends { peer, local });
    let judging = Arc::clone(&app);
    // The kernel's list can be long.
    tokio::task::spawn_blocking(move || judging.judge.judge_waiting(judging.settings.user));
    match judgement.await {
        Ok(Peer::Trusted) => {}
        Ok(Peer::Unknown) => app.notify(Notice::PeersUnknown),
        Ok(Peer::OtherUser) => return app.notify(Notice::OtherUser),
        // Browsers open spare connections and close them again.
        Ok(Peer::Gone) | Err(_) => return,
    }
    let Some(connection) = app.connections.add() else { return };
    // Small answers are sent at once.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(|request: Request<Incoming>| {
        let busy = Busy::new(&connection);
        let router = router.clone();
        async move {
            let response = answer(router, request).await;
            Ok::<_, Infallible>(response.map(|body| Body::new(BusyBody { body, _busy: busy })))
        }
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(app.times.header)
        .max_headers(HEADER_LINES)
        .max_buf_size(HEADER_BYTES)
        .half_close(false);
    let io = TokioIo::new(TimedStream::new(stream, app.times.write));
    let mut serving = pin!(builder.serve_connection(io, service));
    let stopping = async { drop(stop.wait_for(|stop| *stop).await) };
    tokio::select! {
        _ = serving.as_mut() => {}
        () = connection.close.notified() => {}
        () = stopping => {
            serving.as_mut().graceful_shutdown();
            let _ = serving.await;
        }
    }
    app.connections.remove(&connection);
}

async fn answer(router: Router, request: Request<Incoming>) -> Response<Body> {
    use hyper::service::Service as _;
    use hyper_util::service::TowerToHyperService;
    let service = TowerToHyperService::new(router);
    match service.call(request.map(Body::new)).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_connection_replaces_the_one_that_was_idle_longest() {
        let connections = Connections::default();
        let all: Vec<_> = (0..CONNECTIONS).map(|_| connections.add().unwrap()).collect();
        let busy = Busy::new(&all[0]);
        let new = connections.add().expect("a place");
        assert_eq!(connections.lock().len(), CONNECTIONS);
        let is_open = |connection: &Arc<Connection>| {
            connections.lock().iter().any(|known| Arc::ptr_eq(known, connection))
        };
        assert!(is_open(&all[0]), "busy");
        assert!(!is_open(&all[1]), "idle longest");
        assert!(is_open(&new));
        let all_busy: Vec<_> = connections.lock().iter().map(Busy::new).collect();
        assert!(connections.add().is_none());
        drop((busy, all_busy));
        assert!(connections.add().is_some());
    }
}
