//! A search on a terminal while another process builds the index.

use crate::pty::support::{Pty, session};
use index::Index;
use testkit::Sandbox;

#[test]
fn search_shows_what_there_is_and_the_whole_answer_when_the_index_is_built() {
    for (word, before, after) in
        [("kelp", "1 of 1 hit", "2 of 2 hits"), ("barnacles", "No hits in", "1 of 1 hit")]
    {
        let sandbox = Sandbox::new();
        session(&sandbox, 1, "/home/ada/pool", "kelp in the pool");
        let mut first = Pty::annals(&sandbox, &["search", "kelp"]);
        assert_eq!(first.end(), 0, "{}", first.screen());
        assert!(!first.screen().contains("With the whole index"), "{}", first.screen());
        session(&sandbox, 2, "/home/ada/pool", "kelp and barnacles");
        let other = Index::new(sandbox.annals_home()).ingest(16 << 20).unwrap().unwrap();
        let mut pty = Pty::annals(&sandbox, &["search", word]);
        pty.wait_for("the whole answer follows");
        pty.wait_for(before);
        assert!(!pty.screen().contains("With the whole index"), "{}", pty.screen());
        drop(other);
        pty.wait_for("With the whole index:");
        assert_eq!(pty.end(), 0, "{}", pty.screen());
        let screen = pty.screen();
        let (_, whole) = screen.split_once("With the whole index:").unwrap();
        assert!(whole.contains(after), "{screen}");
    }
}
