//! Prompts: everything that was typed, and each of it once.

use crate::cli::support::run::{annals, history};
use testkit::Sandbox;

#[test]
fn a_prompt_typed_twice_is_two_prompts() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "history.jsonl",
        history(&[
            ("continue", 1_767_225_600, 9),
            ("stop", 1_767_229_200, 9),
            ("continue", 1_767_232_800, 9),
        ]),
    );
    for arguments in [&["prompts", "--json"][..], &["prompts", "00000009", "--json"]] {
        assert_eq!(annals(&sandbox, arguments).done().json()["total"], 3, "{arguments:?}");
    }
}
