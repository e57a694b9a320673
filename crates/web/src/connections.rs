//! Accepting connections: from whom, how many, and when they are closed.
//!
//! A connection whose peer belongs to another user is closed before a byte of it is read.
//! If all connections are taken, a new one replaces the one that has been idle longest:
//! clients that connect and send nothing cannot keep others out. If all of them are busy, a new
//! one waits until one is not; what keeps a connection for long has a bounded share of them
//! (`limits`), so that comes soon. A connection with a request is never closed for another one.

use crate::Notice;
use crate::app::App;
use crate::holding_body::HoldingBody;
use crate::limits::{CONNECTIONS, HEADER_BYTES, HEADER_LINES, WAITING};
use crate::peer::{Ends, Peer};
use crate::timed_stream::TimedStream;
use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::os::fd::AsFd as _;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore, watch};
use tokio::task::JoinSet;

/// The open connections.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    all: Mutex<Vec<Arc<Connection>>>,
    /// Whose turn it is to wait for a place, in the order of arrival.
    turn: tokio::sync::Mutex<()>,
    /// Tells the one that waits that a connection has ended or may be idle.
    freed: Arc<Notify>,
}

#[derive(Debug)]
struct Connection {
    close: Notify,
    /// Since when it has been idle; `None` while a request is being answered.
    idle_since: Mutex<Option<Instant>>,
    /// Whether bytes of an answer wait for the client to read.
    is_writing: Arc<AtomicBool>,
    /// The socket, to see whether a request has arrived that is not read yet.
    socket: Option<std::net::TcpStream>,
    freed: Arc<Notify>,
}

impl Connection {
    fn idle_since(&self) -> MutexGuard<'_, Option<Instant>> {
        self.idle_since.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it can be closed without anybody missing an answer.
    fn is_unused(&self) -> bool {
        let has_unread = || {
            let peeked = self.socket.as_ref().map(|socket| socket.peek(&mut [0]));
            matches!(peeked, Some(Ok(1)))
        };
        self.idle_since().is_some() && !self.is_writing.load(Ordering::Relaxed) && !has_unread()
    }
}

impl Connections {
    /// Registers a connection. If there are too many, closes the one that has been unused longest,
    /// or waits for one.
    async fn add(&self, stream: &TcpStream) -> Arc<Connection> {
        let socket = stream.as_fd().try_clone_to_owned().ok().map(Into::into);
        self.add_socket(socket).await
    }

    async fn add_socket(&self, socket: Option<std::net::TcpStream>) -> Arc<Connection> {
        let connection = Arc::new(Connection {
            close: Notify::new(),
            idle_since: Mutex::new(Some(Instant::now())),
            is_writing: Arc::default(),
            socket,
            freed: Arc::clone(&self.freed),
        });
        let _turn = self.turn.lock().await;
        while !self.has_place_for(&connection) {
            self.freed.notified().await;
        }
        connection
    }

    /// Registers a connection if there is a place, or one can be made.
    fn has_place_for(&self, connection: &Arc<Connection>) -> bool {
        let mut all = self.lock();
        if all.len() >= CONNECTIONS {
            let unused = all.iter().enumerate().filter(|(_, known)| known.is_unused());
            let oldest = unused.min_by_key(|(place, known)| (*known.idle_since(), *place));
            let Some((place, _)) = oldest else { return false };
            all.remove(place).close.notify_one();
        }
        all.push(Arc::clone(connection));
        true
    }

    fn remove(&self, connection: &Arc<Connection>) {
        self.lock().retain(|known| !Arc::ptr_eq(known, connection));
        self.freed.notify_one();
    }

    /// How many there are.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Connection>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.0.freed.notify_one();
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
    let places = Arc::new(Semaphore::new(CONNECTIONS + WAITING));
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (listener.accept().await, place)
        };
        let (accepted, place) = tokio::select! {
            next = next => next,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        // Finished tasks are collected here; nothing else asks for them.
        while tasks.try_join_next().is_some() {}
        match accepted {
            Ok((stream, _)) => {
                let (app, router, stop) = (Arc::clone(&app), router.clone(), stop.clone());
                tasks.spawn(async move {
                    serve_connection(stream, app, router, stop).await;
                    drop(place);
                });
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
    let connection = tokio::select! {
        connection = app.connections.add(&stream) => connection,
        _ = stop.wait_for(|stop| *stop) => return,
    };
    // Small answers are sent at once.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(|request: Request<Incoming>| {
        let busy = Busy::new(&connection);
        let router = router.clone();
        async move {
            let response = answer(router, request).await;
            Ok::<_, Infallible>(response.map(|body| HoldingBody::hold(body, busy)))
        }
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(app.times.header)
        .max_headers(HEADER_LINES)
        .max_buf_size(HEADER_BYTES)
        .half_close(false);
    let (is_writing, freed) = (Arc::clone(&connection.is_writing), Arc::clone(&connection.freed));
    let io = TokioIo::new(TimedStream::new(stream, app.times.write, is_writing, freed));
    let mut serving = pin!(builder.serve_connection(io, service));
    let stopping = async { drop(stop.wait_for(|stop| *stop).await) };
    tokio::select! {
        // First, so that a request that has arrived is begun before the connection is closed.
        biased;
        _ = serving.as_mut() => {}
        () = connection.close.notified() => {
            if connection.idle_since().is_none() {
                serving.as_mut().graceful_shutdown();
                let _ = serving.await;
            }
        }
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
    use std::io::Write as _;
    use std::net;

    /// Registers a connection if that needs no waiting.
    fn add(connections: &Connections, socket: Option<net::TcpStream>) -> Option<Arc<Connection>> {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match pin!(connections.add_socket(socket)).poll(&mut context) {
            std::task::Poll::Ready(connection) => Some(connection),
            std::task::Poll::Pending => None,
        }
    }

    fn is_open(connections: &Connections, connection: &Arc<Connection>) -> bool {
        connections.lock().iter().any(|known| Arc::ptr_eq(known, connection))
    }

    #[test]
    fn a_new_connection_replaces_the_one_that_was_idle_longest() {
        let connections = Connections::default();
        let all: Vec<_> = (0..CONNECTIONS).map(|_| add(&connections, None).unwrap()).collect();
        let busy = Busy::new(&all[0]);
        all[1].is_writing.store(true, Ordering::Relaxed);
        let new = add(&connections, None).expect("a place");
        assert_eq!(connections.count(), CONNECTIONS);
        assert!(is_open(&connections, &all[0]), "busy");
        assert!(is_open(&connections, &all[1]), "its client reads an answer");
        assert!(!is_open(&connections, &all[2]), "idle longest");
        assert!(is_open(&connections, &new));
        drop(busy);
    }

    #[test]
    fn a_new_connection_waits_while_all_others_are_busy() {
        let connections = Connections::default();
        let all: Vec<_> = (0..CONNECTIONS).map(|_| add(&connections, None).unwrap()).collect();
        let mut busy: Vec<_> = all.iter().map(Busy::new).collect();
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let mut first = pin!(connections.add_socket(None));
        let mut second = pin!(connections.add_socket(None));
        assert!(first.as_mut().poll(&mut context).is_pending());
        assert!(second.as_mut().poll(&mut context).is_pending());
        assert_eq!(all.iter().filter(|one| is_open(&connections, one)).count(), CONNECTIONS);
        drop(busy.swap_remove(7));
        assert!(second.as_mut().poll(&mut context).is_pending(), "the first has its turn");
        assert!(first.as_mut().poll(&mut context).is_ready());
        assert!(!is_open(&connections, &all[7]));
        connections.remove(&all[3]);
        assert!(second.as_mut().poll(&mut context).is_ready());
    }

    #[test]
    fn a_connection_with_a_request_that_is_not_read_yet_is_not_replaced() {
        let connections = Connections::default();
        let listener = net::TcpListener::bind((net::Ipv4Addr::LOCALHOST, 0)).unwrap();
        let mut client = net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (server, _) = listener.accept().unwrap();
        client.write_all(b"GET").unwrap();
        assert_eq!(server.peek(&mut [0]).unwrap(), 1, "it has arrived");
        server.set_nonblocking(true).unwrap();
        let asking = add(&connections, Some(server)).unwrap();
        let others: Vec<_> = (1..=CONNECTIONS).map(|_| add(&connections, None).unwrap()).collect();
        assert!(is_open(&connections, &asking));
        assert!(!is_open(&connections, &others[0]));
    }
}
