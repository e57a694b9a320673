//! A bucket in memory in which each request is a step that somebody has to allow.

use crate::bucket::{Bucket, BucketError, Created};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// All objects.
#[derive(Default)]
pub(super) struct Objects(pub RefCell<BTreeMap<String, Vec<u8>>>);

/// Runs work whose requests are answered at once.
pub(super) fn finish_at_once<T>(work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("the work waits for something"),
    }
}

/// What one step may do.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Permit {
    /// Nothing yet.
    None,
    /// Any number of requests.
    All,
    /// One request.
    Request,
    /// One request whose answer is lost: it is carried out and reported as failed.
    LostAnswer,
}

/// The bucket as one actor sees it.
pub(super) struct SteppedBucket {
    objects: Rc<Objects>,
    permit: Rc<Cell<Permit>>,
    /// A mistake to make: manifests are replaced.
    replaces: bool,
}

impl SteppedBucket {
    /// A bucket that nobody has to allow anything.
    pub(super) fn free(objects: &Rc<Objects>) -> Self {
        let permit = Rc::new(Cell::new(Permit::All));
        SteppedBucket { objects: Rc::clone(objects), permit, replaces: false }
    }

    /// A step without a request, for what an actor does elsewhere.
    pub(super) async fn pause(&self) -> Result<(), BucketError> {
        self.step("pause", "", |_| ()).await
    }

    async fn step<T>(
        &self,
        request: &'static str,
        name: &str,
        run: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> T,
    ) -> Result<T, BucketError> {
        let permit = poll_fn(|_| match self.permit.get() {
            Permit::None => Poll::Pending,
            Permit::All => Poll::Ready(Permit::All),
            permit => {
                self.permit.set(Permit::None);
                Poll::Ready(permit)
            }
        })
        .await;
        let answer = run(&mut self.objects.0.borrow_mut());
        if permit == Permit::LostAnswer {
            let reason = "the connection was closed".to_owned();
            return Err(BucketError {
                request,
                name: name.to_owned(),
                reason,
                is_fault_of_object: false,
            });
        }
        Ok(answer)
    }
}

impl Bucket for SteppedBucket {
    async fn create(&self, name: &str, bytes: Vec<u8>) -> Result<Created, BucketError> {
        self.step("create", name, |objects| {
            if objects.contains_key(name) && !(self.replaces && name.contains("/m/")) {
                return Created::Exists;
            }
            objects.insert(name.to_owned(), bytes);
            Created::New
        })
        .await
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, BucketError> {
        self.step("get", name, |objects| objects.get(name).cloned()).await
    }

    async fn list(&self, prefix: &str, after: Option<&str>) -> Result<Vec<String>, BucketError> {
        self.step("list", prefix, |objects| {
            let names = objects.keys().filter(|name| name.starts_with(prefix));
            names.filter(|name| after.is_none_or(|after| name.as_str() > after)).cloned().collect()
        })
        .await
    }

    async fn folders(&self, prefix: &str) -> Result<Vec<String>, BucketError> {
        self.step("list", prefix, |objects| {
            let below = objects.keys().filter_map(|name| name.strip_prefix(prefix));
            let folders: BTreeSet<&str> =
                below.filter_map(|rest| Some(rest.split_once('/')?.0)).collect();
            folders.into_iter().map(str::to_owned).collect()
        })
        .await
    }

    async fn delete(&self, name: &str) -> Result<(), BucketError> {
        self.step("delete", name, |objects| drop(objects.remove(name))).await
    }
}

/// Work in progress that goes on by one request at a time and can be dropped between two.
pub(super) struct Actor<T> {
    work: Pin<Box<dyn Future<Output = T>>>,
    permit: Rc<Cell<Permit>>,
}

impl<T> Actor<T> {
    pub(super) fn new<W: Future<Output = T> + 'static>(
        objects: &Rc<Objects>,
        replaces: bool,
        work: impl FnOnce(SteppedBucket) -> W,
    ) -> Self {
        let permit = Rc::new(Cell::new(Permit::None));
        let bucket =
            SteppedBucket { objects: Rc::clone(objects), permit: Rc::clone(&permit), replaces };
        let mut actor = Actor { work: Box::pin(work(bucket)), permit };
        // Up to the first request.
        assert!(actor.poll().is_none(), "work makes at least one request");
        actor
    }

    /// Goes on by one request. Returns the result when the work is finished.
    pub(super) fn step(&mut self, permit: Permit) -> Option<T> {
        self.permit.set(permit);
        self.poll()
    }

    /// Goes on to the end.
    pub(super) fn finish(mut self) -> T {
        for _ in 0..100_000 {
            if let Some(result) = self.step(Permit::Request) {
                return result;
            }
        }
        panic!("the work does not end");
    }

    fn poll(&mut self) -> Option<T> {
        match self.work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        }
    }
}
