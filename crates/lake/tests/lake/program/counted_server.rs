//! An S3 server in this process that notes every request.

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::{Arc, Mutex, mpsc};
use testkit::Sandbox;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const KEY: &str = "AKIDTEST";
const SECRET: &str = "not-a-secret";

/// The first lines of requests, in order.
type Requests = Arc<Mutex<Vec<String>>>;

pub(crate) struct Server {
    address: SocketAddr,
    requests: Requests,
    _folder: Sandbox,
}

impl Server {
    /// Starts it in a separate thread, which ends with the tests.
    pub(crate) fn start() -> Server {
        // The folder `annals` in it is the bucket.
        let folder = Sandbox::new();
        let files = FileSystem::new(folder.path()).expect("a folder");
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(KEY, SECRET));
        let service = service.build();
        let requests = Requests::default();
        let noted = Arc::clone(&requests);
        let (send, receive) = mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async move {
                let server = TcpListener::bind("127.0.0.1:0").await.expect("a port");
                let line = TcpListener::bind("127.0.0.1:0").await.expect("a port");
                let behind = server.local_addr().expect("an address");
                send.send(line.local_addr().expect("an address")).expect("a test waits");
                tokio::spawn(async move {
                    while let Ok((socket, _)) = server.accept().await {
                        let service = service.clone();
                        tokio::spawn(async move {
                            let builder = Builder::new(TokioExecutor::new());
                            let _ = builder.serve_connection(TokioIo::new(socket), service).await;
                        });
                    }
                });
                while let Ok((client, _)) = line.accept().await {
                    tokio::spawn(carry(client, behind, Arc::clone(&noted)));
                }
            });
        });
        let address = receive.recv().expect("the server starts");
        Server { address, requests, _folder: folder }
    }

    pub(crate) fn url(&self) -> String {
        format!("s3://annals?endpoint=http://{}", self.address)
    }

    /// Lets a program use the bucket.
    pub(crate) fn admit(command: &mut Command) {
        command.env("AWS_ACCESS_KEY_ID", KEY).env("AWS_SECRET_ACCESS_KEY", SECRET);
    }

    /// The requests since this was last asked.
    pub(crate) fn requests(&self) -> Vec<String> {
        std::mem::take(&mut *self.requests.lock().expect("no test panics here"))
    }
}

async fn carry(client: TcpStream, server: SocketAddr, requests: Requests) {
    let Ok(server) = TcpStream::connect(server).await else { return };
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    tokio::spawn(async move { tokio::io::copy(&mut from_server, &mut to_client).await });
    let mut buffer = vec![0; 64 << 10];
    let mut line: Vec<u8> = Vec::new();
    while let Ok(length) = from_client.read(&mut buffer).await {
        if length == 0 {
            break;
        }
        for byte in &buffer[..length] {
            line.push(*byte);
            if *byte == b'\n' {
                let text = String::from_utf8_lossy(&line);
                if let Some(first) = text.strip_suffix(" HTTP/1.1\r\n") {
                    requests.lock().expect("no test panics here").push(first.to_owned());
                }
                line.clear();
            }
        }
        if to_server.write_all(&buffer[..length]).await.is_err() {
            break;
        }
    }
}
