//! A server that answers statements as a test wants it, instead of ClickHouse.

use crate::clickhouse::client::EngineClient;
use crate::clickhouse::{EngineAccount, EngineUrl};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

/// An answer: a text, or the number of an error.
pub(super) type Answer = Result<&'static str, u32>;

/// A client of a server that answers every statement like this, until the process ends.
pub(super) fn client_of(answer: fn(&str) -> Answer) -> EngineClient {
    client_with(move |statement, _| answer(statement))
}

/// The same for a server that also looks at the parameters, as the address of a request has them.
pub(super) fn client_with(answer: impl Fn(&str, &str) -> Answer + Send + 'static) -> EngineClient {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            // A client that went away wants no answer.
            let _ = stream.and_then(|stream| serve(stream, &answer));
        }
    });
    let url: EngineUrl = format!("http://127.0.0.1:{port}").parse().unwrap();
    let account = EngineAccount { user: "ada".to_owned(), password: String::new() };
    EngineClient::new(url, account).unwrap()
}

fn serve(stream: TcpStream, answer: &impl Fn(&str, &str) -> Answer) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut address = String::new();
    reader.read_line(&mut address)?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let line = line.trim().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let (head, text) = match answer(&String::from_utf8_lossy(&body), &address) {
        Ok(text) => ("200 OK".to_owned(), text.to_owned()),
        Err(code) => (
            format!("500 Error\r\nX-ClickHouse-Exception-Code: {code}"),
            format!("Code: {code}. DB::Exception"),
        ),
    };
    let length = text.len();
    let answer =
        format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}");
    reader.into_inner().write_all(answer.as_bytes())
}
