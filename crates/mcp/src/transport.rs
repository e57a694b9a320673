//! Standard input and output as the server's transport.
//!
//! The SDK stops at the first message that is not a request. A notification that arrives
//! before `initialize` has no effect, so it is dropped here; the SDK itself ignores one
//! that arrives later.
//!
//! The SDK answers an invalid line from inside its read future. That future is dropped
//! whenever other work is ready, and the answer would be lost with it. So the read side
//! writes to a sink that never blocks, and this module sends the answers. The SDK does not
//! answer a line that is too long at all; this module does (`long_lines`).

use crate::long_lines::LongLines;
use rmcp::RoleServer;
use rmcp::model::{ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncWrite, Empty, Stdin, Stdout};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Lines longer than this are rejected.
const MAX_LINE_BYTES: usize = 1 << 20;

/// JSON lines on standard input and output.
pub(crate) struct StdioTransport {
    input: AsyncRwTransport<RoleServer, LongLines<Stdin, ReportLong>, InvalidLines>,
    output: AsyncRwTransport<RoleServer, Empty, Stdout>,
    /// Receives one item for each line that is refused.
    refused_lines: UnboundedReceiver<Refused>,
    is_initialized: bool,
}

/// Why a line is refused.
enum Refused {
    /// It is not a message.
    Invalid,
    /// It is too long. The id is that of the request in it.
    TooLong(Option<RequestId>),
}

impl Refused {
    fn answer(self) -> TxJsonRpcMessage<RoleServer> {
        let (message, id) = match self {
            Refused::Invalid => ("Invalid request", None),
            Refused::TooLong(id) => ("the request is longer than 1 MiB (1048576 bytes)", id),
        };
        TxJsonRpcMessage::<RoleServer>::error(ErrorData::invalid_request(message, None), id)
    }
}

/// Passes on the id of a line that is too long.
type ReportLong = Box<dyn FnMut(Option<RequestId>) + Send + Sync + Unpin>;

/// A sink for the SDK's answers to invalid lines. It counts them.
struct InvalidLines(UnboundedSender<Refused>);

impl AsyncWrite for InvalidLines {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        for _ in bytes.iter().filter(|byte| **byte == b'\n') {
            // During shutdown the receiver may be gone.
            let _ = self.0.send(Refused::Invalid);
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

impl StdioTransport {
    pub(crate) fn new() -> Self {
        let (stdin, stdout) = rmcp::transport::stdio();
        let (report, refused_lines) = unbounded_channel();
        let report_long = report.clone();
        let report_long: ReportLong = Box::new(move |id| {
            // During shutdown the receiver may be gone.
            let _ = report_long.send(Refused::TooLong(id));
        });
        let stdin = LongLines::new(stdin, MAX_LINE_BYTES, report_long);
        let input = AsyncRwTransport::new_server(stdin, InvalidLines(report))
            .with_max_line_length(MAX_LINE_BYTES);
        let output = AsyncRwTransport::new_server(tokio::io::empty(), stdout);
        StdioTransport { input, output, refused_lines, is_initialized: false }
    }
}

impl Transport<RoleServer> for StdioTransport {
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
                Some(refused) = self.refused_lines.recv() => {
                    tokio::spawn(self.output.send(refused.answer()));
                    continue;
                }
                message = self.input.receive() => message?,
            };
            self.is_initialized |= matches!(message, JsonRpcMessage::Request(_));
            if self.is_initialized {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.output.close().await
    }
}
