//! Work done side by side, whose outcome is handed over in order and piece by
//! piece.
//!
//! The pieces of what is next in turn are handed over as they come. Whoever is
//! ahead of that waits once a certain amount is held, so that the memory needed
//! does not depend on how much there is in all. What is next in turn was begun
//! before all that waits, and never waits for the others: nobody waits for ever.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// So many pieces of what is next in turn may wait for whoever takes them.
const NEXT: usize = 8;

/// How the work is done.
pub(super) struct Arrangement {
    /// The order in which things are begun. If it is not the order in which they
    /// are handed over, their pieces must weigh nothing.
    pub(super) order: Vec<usize>,
    pub(super) threads: usize,
    /// How much may be held.
    pub(super) most: usize,
}

struct State<T> {
    /// What is next in turn.
    next: usize,
    /// How much is held.
    held: usize,
    pieces: HashMap<usize, VecDeque<(T, usize)>>,
    done: Vec<bool>,
    /// How many wait for room.
    waiting: usize,
    is_over: bool,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    /// Something came that is next in turn, or all of it.
    came: Condvar,
    /// There is room again.
    room: Condvar,
    most: usize,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that there is room, if anybody wants to know: mostly nobody does.
    fn make_room(&self, state: &State<T>) {
        if state.waiting > 0 {
            self.room.notify_all();
        }
    }

    /// Adds a piece once there is room; `false` if nobody wants it any more.
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

    /// The next piece; nothing when there are no more.
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

/// Says at its end that something is done, even if a thread panicked over it.
struct Done<'a, T>(&'a Shared<T>, usize);

impl<T> Drop for Done<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.done[self.1] = true;
        if self.1 == state.next {
            self.0.came.notify_one();
        }
    }
}

/// Says at its end that nothing more is wanted, however it ends.
struct Over<'a, T>(&'a Shared<T>);

impl<T> Drop for Over<'_, T> {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.room.notify_all();
    }
}

/// Does `work` for each number of the arrangement, with a state that each thread
/// makes for itself. Work hands its pieces to what it is given, with what each
/// weighs, and is told whether to go on. `take` gets the pieces by number, and
/// ends it all by answering `false`.
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
        let _over = Over(&shared);
        for _ in 0..(*threads).clamp(1, order.len().max(1)) {
            scope.spawn(|| {
                let mut own = start();
                while let Some(number) = order.get(begun.fetch_add(1, Ordering::Relaxed)) {
                    let _done = Done(&shared, *number);
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
    fn pieces_come_in_order_and_few_are_held() {
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
            // What is held, what is next, what is in the hands of each.
            let most = 5 + NEXT + threads + 1;
            assert!(largest.load(Ordering::SeqCst) <= most, "{largest:?} of {most}");
        }
    }

    #[test]
    fn weightless_pieces_may_be_made_in_any_order() {
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
    fn whoever_has_enough_ends_it() {
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
    fn a_panic_is_passed_on_instead_of_waited_for() {
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
