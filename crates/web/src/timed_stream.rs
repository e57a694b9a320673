//! A connection that ends when its client does not read.
//!
//! A client that asks for an answer and never takes it would hold its connection, and the
//! answer, for ever. Deliberately not here: clients that do not send, which hyper's header
//! time limit covers.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{Instant, Sleep};

/// A TCP connection whose writes fail after a time without progress.
pub(crate) struct TimedStream {
    stream: TcpStream,
    limit: Duration,
    /// Runs while a write waits.
    deadline: Option<Pin<Box<Sleep>>>,
    /// Says for others whether one does.
    is_writing: Arc<AtomicBool>,
    /// Notified when bytes were read or a write no longer waits: the connection can be unused
    /// since then.
    changed: Arc<Notify>,
}

impl TimedStream {
    pub(crate) fn new(
        stream: TcpStream,
        limit: Duration,
        is_writing: Arc<AtomicBool>,
        changed: Arc<Notify>,
    ) -> TimedStream {
        TimedStream { stream, limit, deadline: None, is_writing, changed }
    }

    /// Turns a write that waits for too long into an error.
    fn limited<T>(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        let was_writing = self.is_writing.swap(result.is_pending(), Ordering::Relaxed);
        if result.is_ready() {
            if was_writing {
                self.changed.notify_one();
            }
            self.deadline = None;
            return result;
        }
        let until = Instant::now() + self.limit;
        let deadline =
            self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until)));
        ready!(deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.changed.notify_one();
        }
        read
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limited(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.limited(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.limited(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    /// Who waits for a place sees a connection with unread bytes as one in use. Once they are
    /// read and are only a part of a request, nothing else would say that it is unused.
    #[test]
    fn reading_bytes_wakes_the_one_that_waits_for_a_place() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let (stream, _) = listener.accept().await.unwrap();
            let changed = Arc::new(Notify::new());
            let limit = Duration::from_mins(1);
            let mut timed = TimedStream::new(stream, limit, Arc::default(), Arc::clone(&changed));
            client.write_all(b"GET / HT").await.unwrap();
            let mut bytes = [0; 8];
            timed.read_exact(&mut bytes).await.unwrap();
            changed.notified().await;
        });
    }
}
