//! Standard input and output, as the server reads and writes them.
//!
//! The SDK ends with the first message that is no request: one that comes before the
//! greeting says nothing yet, so it is dropped here, as it would be afterwards.

use rmcp::RoleServer;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{Stdin, Stdout};

/// Longer lines are no requests of ours.
const LONGEST_LINE: usize = 1 << 20;

/// Lines of JSON on standard input and output.
pub(crate) struct Lines {
    inner: AsyncRwTransport<RoleServer, Stdin, Stdout>,
    is_greeted: bool,
}

impl Lines {
    pub(crate) fn new() -> Self {
        let (input, output) = rmcp::transport::stdio();
        let inner = AsyncRwTransport::new_server(input, output).with_max_line_length(LONGEST_LINE);
        Lines { inner, is_greeted: false }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.inner.receive().await?;
            self.is_greeted |= matches!(message, JsonRpcMessage::Request(_));
            if self.is_greeted {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}
