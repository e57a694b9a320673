//! Parallel work whose results are delivered in order and piece by piece.
//!
//! The pieces of the item that is next are delivered as they come. Threads that
//! are ahead of it wait once a certain amount is buffered, so that memory does
//! not depend on the total amount of results. The next item was begun before
//! all that wait, and never waits for them, so there is no deadlock.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use store::limits::release_permit;

/// How many pieces of the next item may be buffered.
const NEXT: usize = 8;

/// The order and limits of the work.
pub(super) struct Arrangement {
    /// The order in which items are begun. If it differs from the order of
    /// delivery, their pieces must have size 0.
    pub(super) order: Vec<usize>,
    pub(super) threads: usize,
    /// How much may be buffered.
    pub(super) most: usize,
}

struct State<T> {
    /// The item that is next.
    next: usize,
    /// How much is buffered.
    held: usize,
    pieces: HashMap<usize, VecDeque<(T, usize)>>,
    done: Vec<bool>,
    /// How many threads wait for room.
    waiting: usize,
    is_over: bool,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    /// Signals a piece of the next item, or that it is done.
    came: Condvar,
    /// Signals that there is room again.
    room: Condvar,
    most: usize,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Signals that there is room, if a thread waits; usually none does.
    fn make_room(&self, state: &State<T>) {
        if state.waiting > 0 {
            self.room.notify_all();
        }
    }

    /// Adds a piece once there is room; `false` if no more pieces are wanted.
    fn put(&self, number: usize, piece: T, size: usize) -> bool {
        let mut state = self.lock();
        loop {
            if state.is_over {
                return false;
            }
            let has_room = if number == state.next {
                state.pieces.get(&number).map_or(0, VecDeque::len) < NEXT
            } else {
                size == 0 || state.held.saturating_add(size) <= self.most
            };
            if has_room {
                break;
            }
            // Those that this thread waits for may need it.
            release_permit();
            state.waiting += 1;
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        state.held = state.held.saturating_add(size);
        state.pieces.entry(number).or_default().push_back((piece, size));
        if number == state.next {
            self.came.notify_one();
        }
        true
    }

    /// The next piece; `None` when there are no more.
    fn take(&self) -> Option<(usize, T)> {
        let mut state = self.lock();
        loop {
            let next = state.next;
            if let Some((piece, size)) = state.pieces.get_mut(&next).and_then(VecDeque::pop_front) {
                state.held = state.held.saturating_sub(size);
                self.make_room(&state);
                return Some((next, piece));
            }
            match state.done.get(next) {
                None => return None,
                Some(true) => {
                    state.pieces.remove(&next);
                    state.next += 1;
                    self.make_room(&state);
                }
                Some(false) => {
                    state = self.came.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

/// Marks an item as done when dropped, even if its thread panicked.
struct DoneOnDrop<'a, T>(&'a Shared<T>, usize);

impl<T> Drop for DoneOnDrop<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.done[self.1] = true;
        if self.1 == state.next {
            self.0.came.notify_one();
        }
    }
}

/// Ends all work when dropped, even after a panic.
struct EndOnDrop<'a, T>(&'a Shared<T>);

impl<T> Drop for EndOnDrop<'_, T> {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.room.notify_all();
    }
}

/// Runs `work` for each number of the arrangement, with a state that each
/// thread creates. `work` passes its pieces, with their sizes, to its callback,
/// which returns whether to go on. `take` receives the pieces by number, and
/// stops everything by returning `false`.
pub(super) fn in_order<S, T: Send>(
    arrangement: &Arrangement,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize, &mut dyn FnMut(T, usize) -> bool) + Sync,
    mut take: impl FnMut(usize, T) -> bool,
) {
    let Arrangement { order, threads, most } = arrangement;
    let state = State {
        next: 0,
        held: 0,
        pieces: HashMap::new(),
        done: vec![false; order.len()],
        waiting: 0,
        is_over: false,
    };
    let shared = Shared {
        state: Mutex::new(state),
        came: Condvar::new(),
        room: Condvar::new(),
        most: *most,
    };
    let begun = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let _over = EndOnDrop(&shared);
        for _ in 0..(*threads).clamp(1, order.len().max(1)) {
            scope.spawn(|| {
                let mut own = start();
                while let Some(number) = order.get(begun.fetch_add(1, Ordering::Relaxed)) {
                    let _done = DoneOnDrop(&shared, *number);
                    if shared.lock().is_over {
                        continue;
                    }
                    work(&mut own, *number, &mut |piece, size| shared.put(*number, piece, size));
                }
            });
        }
        while let Some((number, piece)) = shared.take() {
            if !take(number, piece) {
                break;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn pieces_come_in_order_and_few_are_buffered() {
        let alive = AtomicUsize::new(0);
        let largest = AtomicUsize::new(0);
        for threads in [1, 2, 7] {
            let arrangement = Arrangement { order: (0..40).collect(), threads, most: 5 };
            let mut taken = Vec::new();
            in_order(
                &arrangement,
                || (),
                |(), number, put| {
                    for piece in 0..number {
                        let now = alive.fetch_add(1, Ordering::SeqCst) + 1;
                        largest.fetch_max(now, Ordering::SeqCst);
                        assert!(put(piece, 1));
                    }
                },
                |number, piece| {
                    if number % 9 == 0 {
                        std::thread::sleep(Duration::from_micros(50));
                    }
                    alive.fetch_sub(1, Ordering::SeqCst);
                    taken.push((number, piece));
                    true
                },
            );
            let expected: Vec<(usize, usize)> =
                (0..40).flat_map(|number| (0..number).map(move |piece| (number, piece))).collect();
            assert_eq!(taken, expected);
            // The buffered pieces, the next one, and one in each thread.
            let most = 5 + NEXT + threads + 1;
            assert!(largest.load(Ordering::SeqCst) <= most, "{largest:?} of {most}");
        }
    }

    #[test]
    fn pieces_of_size_zero_may_be_made_in_any_order() {
        let arrangement = Arrangement { order: (0..30).rev().collect(), threads: 3, most: 0 };
        let mut taken = Vec::new();
        in_order(
            &arrangement,
            || 0,
            |_, number, put| assert!(put(number, 0)),
            |number, piece| {
                assert_eq!(number, piece);
                taken.push(number);
                true
            },
        );
        assert_eq!(taken, (0..30).collect::<Vec<_>>());
    }

    #[test]
    fn work_stops_when_the_caller_has_enough() {
        let arrangement = Arrangement { order: (0..1000).collect(), threads: 2, most: 3 };
        let mut taken = 0;
        let refused = AtomicUsize::new(0);
        in_order(
            &arrangement,
            || (),
            |(), number, put| {
                while put(number, 1) {}
                refused.fetch_add(1, Ordering::SeqCst);
            },
            |number, _| {
                assert_eq!(number, 0, "the first never ends by itself");
                taken += 1;
                taken < 50
            },
        );
        assert_eq!(taken, 50);
        assert!(refused.load(Ordering::SeqCst) <= 2, "what was not begun is not begun");
    }

    #[test]
    fn panic_in_a_worker_is_propagated() {
        let arrangement = Arrangement { order: (0..9).collect(), threads: 2, most: 1 };
        let ran = std::panic::catch_unwind(|| {
            in_order(
                &arrangement,
                || (),
                |(), number, put| {
                    assert!(number != 4, "on purpose");
                    put(number, 1);
                },
                |_, _| true,
            );
        });
        assert!(ran.is_err());
    }
}
