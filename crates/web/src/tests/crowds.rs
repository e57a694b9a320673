//! More long work than there is room for: short requests are answered all the same.

use super::time_limits::{ENDLESS, endless, send, until};
use super::*;
use crate::limits::{
    BODIES, CONNECTIONS, HEAVY_PERMITS, LARGE_BODIES, LARGE_SESSION, LIGHT_PERMITS, LONG_ANSWERS,
    STREAMS_OF_CLIENT,
};
use crate::routes::{ROUTES, Run};
use crate::work::Weight;
use base64::Engine as _;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const QUERIES: usize = 40;
const STREAMS: usize = 60;
const EVENTS: &str = "api/1/events?list=1";

/// The rounds of a test: in each, every client that was refused asks again.
#[derive(Default)]
struct Rounds {
    current: AtomicUsize,
    is_over: AtomicBool,
    /// How many were refused, in all rounds.
    refused: AtomicUsize,
}

impl Rounds {
    fn has_ended(&self, round: usize) -> bool {
        self.is_over.load(Ordering::Relaxed) || self.current.load(Ordering::Relaxed) > round
    }
}

/// A client that asks for something long, and again in the next round if it was refused.
fn ask_in_every_round(server: &TestServer, request: &str, rounds: &Rounds) {
    for round in 0.. {
        while round > 0 && !rounds.has_ended(round - 1) {
            std::thread::sleep(Duration::from_millis(5));
        }
        if rounds.is_over.load(Ordering::Relaxed) {
            return;
        }
        let mut stream = server.connect();
        stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let (mut answer, mut bytes) = (Vec::new(), [0; 4096]);
        while !rounds.is_over.load(Ordering::Relaxed) {
            match stream.read(&mut bytes) {
                Ok(0) => break,
                Ok(count) => answer.extend_from_slice(&bytes[..count]),
                Err(error) => {
                    let waits = [ErrorKind::WouldBlock, ErrorKind::TimedOut];
                    assert!(waits.contains(&error.kind()), "it gets an answer: {error}");
                }
            }
        }
        if !rounds.is_over.load(Ordering::Relaxed) {
            let answer = Response::parse(&answer);
            assert_eq!(answer.status, 429, "{answer:?}");
            assert!(answer.json()["retry_after"].is_u64(), "{answer:?}");
            assert!(answer.headers.contains_key("retry-after"), "{answer:?}");
            rounds.refused.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Reads one answer from a connection that stays open.
fn read_one(stream: &mut TcpStream) -> Response {
    let mut header = Vec::new();
    while !header.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        header.extend(byte);
    }
    let mut response = Response::parse(&header);
    response.body = vec![0; response.headers["content-length"].parse().unwrap()];
    stream.read_exact(&mut response.body).unwrap();
    response
}

#[test]
fn short_requests_are_answered_beside_forty_slow_queries_and_sixty_streams() {
    let sandbox = ordinary();
    let server = TestServer::start_within(settings(&sandbox, false), endless());
    let cookie = server.enter();
    let long = |path: &str| {
        format!(
            "GET {}{path} HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}\r\nSec-Fetch-Site: same-origin\r\n\r\n",
            server.base,
            server.host(),
        )
    };
    let (query, events) = (long(ENDLESS), long(EVENTS));
    let rounds = Rounds::default();
    let refused_in_a_round = QUERIES - LONG_ANSWERS + STREAMS - STREAMS_OF_CLIENT;
    std::thread::scope(|scope| {
        for request in [vec![&query; QUERIES], vec![&events; STREAMS]].concat() {
            scope.spawn(|| ask_in_every_round(&server, request, &rounds));
        }
        // Whatever fails below, the others end.
        let answered = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            until("all but the long work that fits is refused", || {
                rounds.refused.load(Ordering::Relaxed) == refused_in_a_round
            });
            let is_short = |run: Run| match run {
                Run::Page(_) | Run::Asset => true,
                Run::Read(weight, _) => weight == Weight::Light,
                _ => false,
            };
            let headers = [("Cookie", cookie.as_str()), ("Sec-Fetch-Site", "same-origin")];
            let short = ROUTES.iter().filter(|route| is_short(route.run));
            for (number, route) in short.enumerate() {
                let path = format!("{}{}", server.base, server.call(route.call));
                if number % 8 == 0 {
                    // The crowd comes again while short requests are on their way.
                    rounds.current.fetch_add(1, Ordering::Relaxed);
                }
                let response = server.request("GET", &path, &headers, "");
                assert!(matches!(response.status, 200 | 404), "{}: {response:?}", route.path);
            }
            let mark = serde_json::json!({"session": id(), "turn": 1, "note": "meanwhile"});
            assert_eq!(server.act("api/1/mark", &mark).status, 200);
            // A browser keeps its connection.
            let mut kept = server.connect();
            for _ in 0..20 {
                kept.write_all(long("api/1/state").as_bytes()).unwrap();
                let response = read_one(&mut kept);
                assert_eq!(response.status, 200, "{response:?}");
            }
        }));
        rounds.is_over.store(true, Ordering::Relaxed);
        if let Err(panic) = answered {
            std::panic::resume_unwind(panic);
        }
    });
    until("the places are free again", || server.app.work.free_places() == LONG_ANSWERS);
    assert_eq!(server.get("api/1/tools").status, 200, "heavy work goes on");
}

#[test]
fn long_work_has_a_share_of_the_connections() {
    let sandbox = ordinary();
    let server = TestServer::start_within(settings(&sandbox, false), endless());
    let queries: Vec<TcpStream> = (0..LONG_ANSWERS).map(|_| send(&server, ENDLESS)).collect();
    until("all places are taken", || server.app.work.free_places() == 0);
    let refused = server.get(ENDLESS);
    assert_eq!(refused.status, 429, "{refused:?}");
    assert_eq!(refused.headers["retry-after"], "2");
    assert_eq!(refused.headers["connection"], "close");
    let mut streams: Vec<_> =
        (0..STREAMS_OF_CLIENT).map(|_| streams::open(&server, "list=1", None)).collect();
    for stream in &mut streams {
        stream.until("event: open");
    }
    let refused = server.get(EVENTS);
    assert_eq!(refused.status, 429, "{refused:?}");
    assert!(refused.text().contains("too many event streams are open"), "{}", refused.text());
    until("the refused ones have ended", || {
        server.app.connections.count() == LONG_ANSWERS + STREAMS_OF_CLIENT
    });
    // What is open goes on while others come and go.
    let silent: Vec<TcpStream> = (0..2 * CONNECTIONS).map(|_| server.connect()).collect();
    assert_eq!(server.get("api/1/home").status, 200);
    server.app.hub.publish("list", None, "7".to_owned());
    for stream in &mut streams {
        stream.until("data: 7");
    }
    assert_eq!(server.app.work.free_places(), 0, "the queries run");
    drop((silent, streams, queries));
    until("the places are free again", || server.app.work.free_places() == LONG_ANSWERS);
    until("the queries have ended", || server.app.work.free().1 == HEAVY_PERMITS);
}

#[test]
fn bodies_that_do_not_come_have_a_share_of_the_connections() {
    let sandbox = ordinary();
    let server = TestServer::start_within(settings(&sandbox, false), endless());
    let token = server.action_token();
    let header = format!(
        "POST {}api/1/mark HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nX-Annals: {token}\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{{",
        server.base,
        server.host(),
        server.bearer.expose()
    );
    let slow: Vec<TcpStream> = (0..CONNECTIONS)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(header.as_bytes()).unwrap();
            stream
        })
        .collect();
    until("the others are refused", || server.app.connections.count() == BODIES);
    assert_eq!(server.get("api/1/state").status, 200);
    drop(slow);
    let mark = serde_json::json!({"session": id(), "turn": 1, "note": "later"});
    until("there is a place again", || server.act("api/1/mark", &mark).status == 200);
}

#[test]
fn an_answer_has_its_place_until_it_is_read() {
    let sandbox = ordinary();
    let server = TestServer::start_within(settings(&sandbox, true), endless());
    // CSV is not divided, and this is more than the kernel keeps for a client.
    let columns = ["hex(zeroblob(480000))"; 8].join(",");
    let mut slow = send(&server, &format!("api/1/sql?format=csv&q=SELECT%20{columns}"));
    // Its header: the work has ended.
    assert_eq!(slow.peek(&mut [0]).unwrap(), 1);
    assert_eq!(server.app.work.free(), (LIGHT_PERMITS, HEAVY_PERMITS), "others may work");
    assert_eq!(server.app.work.free_places(), LONG_ANSWERS - 1);
    let others: Vec<TcpStream> = (0..2 * CONNECTIONS).map(|_| server.connect()).collect();
    assert_eq!(server.get("api/1/state").status, 200);
    let answer = read_one(&mut slow);
    assert_eq!(answer.status, 200);
    let mut zeros = answer.body.iter().filter(|byte| **byte == b'0');
    assert!(zeros.nth(8 * 960_000 - 1).is_some());
    drop(others);
    until("its place is free", || server.app.work.free_places() == LONG_ANSWERS);
}

/// Requests of one session and of none, all short.
const SHORT: [&str; 4] = ["api/1/state", "api/1/sessions", "api/1/search?q=sea", "api/1/home"];

#[test]
fn slow_readers_of_a_large_image_have_a_share_of_the_connections() {
    let sandbox = ordinary();
    // More than the system keeps for a client, in a session that is not large.
    let image = [&b"\x89PNG\r\n\x1a\n"[..], &vec![0; 9 << 20]].concat();
    let source = serde_json::json!({"type": "base64", "media_type": "image/png",
        "data": base64::engine::general_purpose::STANDARD.encode(&image)});
    let content = serde_json::json!({"role": "user",
        "content": [{"type": "image", "source": source}]});
    let own = testkit::session_id(77);
    let line = user("").with("message", content);
    sandbox.session("/home/ada/images", &own, lines(77, "/home/ada/images", vec![line]));
    let server = TestServer::start_within(settings(&sandbox, false), endless());
    let path = format!("image/s/{own}/u1/0");
    let slow: Vec<TcpStream> = (0..CONNECTIONS).map(|_| send(&server, &path)).collect();
    until("all that fit are sent", || {
        let work = &server.app.work;
        work.free_places_to_send() == 0 && work.free() == (LIGHT_PERMITS, HEAVY_PERMITS)
    });
    let refused = server.get(&path);
    assert_eq!((refused.status, &*refused.headers["retry-after"]), (429, "2"), "{refused:?}");
    for path in SHORT {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    assert_eq!(server.app.work.free_places(), LONG_ANSWERS, "long work is another matter");
    drop(slow);
    until("there is a place again", || server.app.work.free_places_to_send() == LARGE_BODIES);
    let answer = server.get(&path);
    assert_eq!((answer.status, answer.body.len()), (200, image.len()));
}

#[test]
fn requests_for_a_large_session_have_a_share_of_the_connections() {
    let sandbox = ordinary();
    let large = testkit::session_id(88);
    let text = "x".repeat(usize::try_from(LARGE_SESSION).unwrap());
    sandbox.session("/home/ada/large", &large, lines(88, "/home/ada/large", vec![user(&text)]));
    let server = TestServer::start_within(settings(&sandbox, false), endless());
    let of_large =
        |route: &crate::routes::Route| server.call(&route.call.replace("SESSION", &large));
    let held = server.app.work.hold_large_sessions();
    let outline = format!("api/1/sessions/{large}/outline");
    let waiting: Vec<TcpStream> = (0..LONG_ANSWERS).map(|_| send(&server, &outline)).collect();
    until("they have all places, and do no other work", || {
        let work = &server.app.work;
        work.free_places() == 0 && work.free() == (LIGHT_PERMITS, HEAVY_PERMITS)
    });
    let of_session = |route: &&crate::routes::Route| {
        route.path.contains("{id}") && matches!(route.run, Run::Read(Weight::Light, _))
    };
    let routes: Vec<_> = ROUTES.iter().filter(of_session).collect();
    assert!(routes.len() > 10, "{} routes", routes.len());
    for route in routes {
        assert_eq!(server.get(&of_large(route)).status, 429, "{}", route.path);
        let status = server.get(&server.call(route.call)).status;
        assert!(matches!(status, 200 | 404), "{}: {status}", route.path);
    }
    let prompts = server.get(&format!("api/1/prompts?session={large}"));
    assert_eq!(prompts.status, 429);
    for path in SHORT {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    drop((held, waiting));
    until("there is a place again", || server.app.work.free_places() == LONG_ANSWERS);
    assert_eq!(server.get(&outline).status, 200);
}
