//! Searches while another process builds the index, which is held by its lock.

use super::*;
use std::fs::File;
use std::time::{Duration, Instant};

/// Holds the index as another process does that builds it.
fn held(sandbox: &Sandbox) -> File {
    let path = sandbox.annals_home().join("index.db.lock");
    let lock = File::options().write(true).open(path).unwrap();
    lock.lock().unwrap();
    lock
}

/// An index of one session, beside one that it does not have yet.
fn partly_indexed() -> (Sandbox, Settings) {
    let sandbox = Sandbox::new();
    sandbox.session(INSIDE, &id(4), lines(4, INSIDE, vec![user("kelp in the pool")]));
    let settings = settings(&sandbox, false);
    let whole = search(&ToolContext::new(&settings, now(), CancellationToken::default()), "kelp");
    assert!(whole.contains("About 1 hit (index_complete: true)."), "{whole}");
    let later = vec![user("kelp and barnacles")];
    sandbox.session(INSIDE, &id(5), lines(5, INSIDE, later));
    (sandbox, settings)
}

fn search(context: &ToolContext<'_>, query: &str) -> String {
    call_in(context, "search_sessions", &json!({"query": query})).unwrap()
}

#[test]
fn search_waits_for_the_index_within_the_time_of_the_call() {
    let (sandbox, settings) = partly_indexed();
    let lock = held(&sandbox);
    let (send, receive) = channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut context = ToolContext::new(&settings, now(), CancellationToken::default());
            context.answer_by = Instant::now() + Duration::from_hours(1);
            send.send(search(&context, "barnacles")).unwrap();
        });
        assert!(receive.recv_timeout(Duration::from_millis(300)).is_err(), "it waits");
        drop(lock);
        let answer = receive.recv().unwrap();
        assert!(answer.contains("About 1 hit (index_complete: true)."), "{answer}");
    });
}

#[test]
fn search_that_runs_out_of_time_says_that_its_answer_is_incomplete() {
    let (sandbox, settings) = partly_indexed();
    let _lock = held(&sandbox);
    let mut context = ToolContext::new(&settings, now(), CancellationToken::default());
    context.answer_by = Instant::now();
    let found = search(&context, "kelp");
    assert!(found.contains("About 1 hit (index_complete: false; covered since "), "{found}");
    assert!(found.contains("still building, try again"), "{found}");
    let nothing = search(&context, "barnacles");
    assert!(nothing.contains("No hits in what the index has (index_complete: false;"), "{nothing}");
}
