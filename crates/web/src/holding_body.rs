//! A body that holds something until it has been sent: the mark that its connection is busy, a
//! place among the long answers.
//!
//! It is passed on in small parts. Of a single large part the connection would take all at once,
//! and the body would be dropped long before a slow client has it.

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// How many bytes are passed on at once.
const PART: usize = 64 << 10;

/// A body, and what it holds.
pub(crate) struct HoldingBody<T> {
    body: Body,
    /// What was taken from the body and is not passed on yet.
    rest: Bytes,
    _held: T,
}

impl<T: Send + Unpin + 'static> HoldingBody<T> {
    pub(crate) fn hold(body: Body, held: T) -> Body {
        Body::new(HoldingBody { body, rest: Bytes::new(), _held: held })
    }
}

impl<T: Unpin> HttpBody for HoldingBody<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            let frame = match ready!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => frame,
                end => return Poll::Ready(end),
            };
            match frame.into_data() {
                Ok(data) => self.rest = data,
                Err(frame) => return Poll::Ready(Some(Ok(frame))),
            }
        }
        let length = self.rest.len().min(PART);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (inner, rest) = (self.body.size_hint(), self.rest.len() as u64);
        let mut hint = SizeHint::new();
        hint.set_lower(inner.lower() + rest);
        if let Some(upper) = inner.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn body_comes_whole_in_small_parts_and_is_held_until_the_last() {
        let bytes: Vec<u8> = (0..251).cycle().take(3 * PART + 5).collect();
        let held = Arc::new(());
        let mut body = HoldingBody::hold(Body::from(bytes.clone()), Arc::clone(&held));
        let mut context = Context::from_waker(std::task::Waker::noop());
        let mut parts = Vec::new();
        assert_eq!(body.size_hint().exact(), Some(bytes.len() as u64));
        while !body.is_end_stream() {
            assert_eq!(Arc::strong_count(&held), 2);
            let Poll::Ready(Some(Ok(frame))) = Pin::new(&mut body).poll_frame(&mut context) else {
                panic!("a part");
            };
            parts.push(frame.into_data().unwrap());
            let left = bytes.len() - parts.iter().map(Bytes::len).sum::<usize>();
            assert_eq!(body.size_hint().exact(), Some(left as u64));
        }
        assert_eq!(parts.iter().map(Bytes::len).collect::<Vec<_>>(), [PART, PART, PART, 5]);
        assert_eq!(parts.concat(), bytes);
        drop(body);
        assert_eq!(Arc::strong_count(&held), 1);
    }
}
