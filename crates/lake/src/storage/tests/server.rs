//! An S3 server in this process, behind a line that breaks as a test says.

use crate::storage::{ObjectBucket, Patience, StorageOptions, StorageUrl, StorageVariables};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testkit::Sandbox;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const KEY: &str = "AKIDTEST";
const SECRET: &str = "not-a-secret";

/// What becomes of one request. Each has a separate connection.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Fault {
    /// Nothing.
    None,
    /// It does not reach the server.
    Unavailable,
    /// It does not reach the server, which is said to be busy with this name.
    Conflict,
    /// It is carried out, and the answer is lost.
    LostAnswer,
    /// The answer ends in the middle.
    Cut,
    /// The answer comes in small pieces.
    Slow,
    /// The answer never ends.
    Stuck,
}

pub(crate) struct Server {
    line: SocketAddr,
    faults: Arc<Mutex<VecDeque<Fault>>>,
    patience: Patience,
    _folder: Sandbox,
}

impl Server {
    /// Starts it with the faults of the first requests. Later ones have none.
    pub(crate) async fn start(faults: Vec<Fault>) -> Server {
        // The folder `annals` in it is the bucket.
        let folder = Sandbox::new();
        let files = FileSystem::new(folder.path()).expect("a folder");
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(KEY, SECRET));
        let service = service.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let server = listener.local_addr().expect("an address");
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let service = service.clone();
                tokio::spawn(async move {
                    let builder = Builder::new(TokioExecutor::new());
                    let _ = builder.serve_connection(TokioIo::new(socket), service).await;
                });
            }
        });
        let faults = Arc::new(Mutex::new(VecDeque::from(faults)));
        let line = break_line(server, Arc::clone(&faults)).await;
        let patience = Patience {
            connect: Duration::from_secs(5),
            idle: Duration::from_secs(20),
            request: Duration::from_secs(20),
            retries: 2,
            pause: Duration::from_millis(1),
        };
        Server { line, faults, patience, _folder: folder }
    }

    /// The bucket, or a folder in it.
    pub(crate) fn bucket(&self, prefix: &str) -> ObjectBucket {
        let variables = StorageVariables {
            access_key_id: Some(KEY.to_owned()),
            secret_access_key: Some(SECRET.to_owned()),
            ..StorageVariables::default()
        };
        self.open(prefix, &StorageOptions { variables, ..StorageOptions::default() })
    }

    pub(crate) fn open(&self, prefix: &str, options: &StorageOptions) -> ObjectBucket {
        let text = format!("s3://annals/{prefix}?endpoint=http://{}", self.line);
        let url: StorageUrl = text.parse().expect("an address");
        let options =
            StorageOptions { patience: self.patience, closes_connections: true, ..options.clone() };
        ObjectBucket::open(&url, &options).expect("storage")
    }

    /// From here on, requests may take only this long.
    pub(crate) fn hurry(&mut self, request: Duration) {
        self.patience.request = request;
    }

    /// The faults of the next requests.
    pub(crate) fn plan(&self, faults: &[Fault]) {
        *self.faults.lock().expect("no test panics here") = faults.iter().copied().collect();
    }

    /// How many planned faults have not happened.
    pub(crate) fn left(&self) -> usize {
        self.faults.lock().expect("no test panics here").len()
    }
}

async fn break_line(server: SocketAddr, faults: Arc<Mutex<VecDeque<Fault>>>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let fault = faults.lock().expect("no test panics here").pop_front();
            tokio::spawn(carry(client, server, fault.unwrap_or(Fault::None)));
        }
    });
    address
}

async fn carry(mut client: TcpStream, server: SocketAddr, fault: Fault) {
    if let Fault::Unavailable | Fault::Conflict = fault {
        let status = match fault {
            Fault::Conflict => "409 Conflict",
            _ => "503 Service Unavailable",
        };
        // As servers do, after the head of the request: bodies here are small.
        let mut head = [0; 16 << 10];
        let _ = client.read(&mut head).await;
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        let _ = client.write_all(answer.as_bytes()).await;
        let _ = client.shutdown().await;
        // What is left unread would reset the connection before the answer is read.
        while matches!(client.read(&mut head).await, Ok(length) if length > 0) {}
        return;
    }
    let Ok(server) = TcpStream::connect(server).await else { return };
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let up = tokio::spawn(async move { tokio::io::copy(&mut from_client, &mut to_server).await });
    let mut buffer = vec![0; 64 << 10];
    let mut is_first = true;
    while let Ok(length) = from_server.read(&mut buffer).await {
        if length == 0 {
            break;
        }
        let answer = &buffer[..length];
        let sent = match fault {
            Fault::LostAnswer => break,
            Fault::Cut => {
                let _ = to_client.write_all(&answer[..length - 1]).await;
                break;
            }
            Fault::Stuck if is_first => to_client.write_all(&answer[..length - 1]).await,
            Fault::Stuck => Ok(()),
            Fault::Slow => write_slowly(&mut to_client, answer).await,
            _ => to_client.write_all(answer).await,
        };
        is_first = false;
        if sent.is_err() {
            break;
        }
    }
    up.abort();
}

async fn write_slowly(
    to: &mut tokio::net::tcp::OwnedWriteHalf,
    bytes: &[u8],
) -> std::io::Result<()> {
    for piece in bytes.chunks(97) {
        to.write_all(piece).await?;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    Ok(())
}
