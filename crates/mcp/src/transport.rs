//! Standard input and output, as the server reads and writes them.
//!
//! The SDK ends with the first message that is no request: one that comes before the
//! greeting says nothing yet, so it is dropped here, as it would be afterwards.
//!
//! And it answers what is no message from within its reading, which is given up
//! whenever something else is to be done, the answer with it. So reading writes into
//! something that never waits, and the answers are sent from here.

use rmcp::RoleServer;
use rmcp::model::{ErrorData, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncWrite, Empty, Stdin, Stdout};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Longer lines are no requests of ours.
const LONGEST_LINE: usize = 1 << 20;

/// Lines of JSON on standard input and output.
pub(crate) struct Lines {
    input: AsyncRwTransport<RoleServer, Stdin, Complaints>,
    output: AsyncRwTransport<RoleServer, Empty, Stdout>,
    /// One for each line that is no message.
    complaints: UnboundedReceiver<()>,
    is_greeted: bool,
}

/// Takes what the SDK answers to lines that are no messages.
struct Complaints(UnboundedSender<()>);

impl AsyncWrite for Complaints {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        for _ in bytes.iter().filter(|byte| **byte == b'\n') {
            // Nobody listens at the end.
            let _ = self.0.send(());
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

impl Lines {
    pub(crate) fn new() -> Self {
        let (stdin, stdout) = rmcp::transport::stdio();
        let (complain, complaints) = unbounded_channel();
        let input = AsyncRwTransport::new_server(stdin, Complaints(complain))
            .with_max_line_length(LONGEST_LINE);
        let output = AsyncRwTransport::new_server(tokio::io::empty(), stdout);
        Lines { input, output, complaints, is_greeted: false }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.output.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = tokio::select! {
                biased;
                Some(()) = self.complaints.recv() => {
                    let error = ErrorData::invalid_request("Invalid request", None);
                    tokio::spawn(self.output.send(TxJsonRpcMessage::<RoleServer>::error(error, None)));
                    continue;
                }
                message = self.input.receive() => message?,
            };
            self.is_greeted |= matches!(message, JsonRpcMessage::Request(_));
            if self.is_greeted {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.output.close().await
    }
}
