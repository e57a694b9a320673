//! How large the context window of a call's model is: the one place that decides it.
//!
//! What the transcript says of it, or the app itself, wins over the table of models
//! (`usage::context_window`). A window that a call exceeded is wrong, so the next thing that
//! is known counts. If nothing is left, the size is unknown: a share of a guess is never shown.

use conversation::ContextCall;
use std::collections::HashMap;
use usage::{context_window, normalized_model};

/// The model name of messages that the app writes in place of the model.
pub(crate) const SYNTHETIC: &str = "<synthetic>";

/// The size of a model's context window, if it is known. `recorded` is what the transcript or
/// the app says, and `largest_prompt` the largest prompt that the model was given there.
fn window_limit(recorded: Option<u64>, model: Option<&str>, largest_prompt: u64) -> Option<u64> {
    let recorded = recorded.filter(|size| *size > 0 && largest_prompt <= *size);
    recorded.or_else(|| context_window(model?, largest_prompt))
}

/// The size of the window that a session has now: that of its last call, unless another model was
/// chosen since. `recorded` and `chosen` are what the app says, and `tokens` is what is in the
/// window.
pub fn present_window_limit(
    recorded: Option<u64>,
    chosen: Option<&str>,
    last: Option<&ContextCall>,
    tokens: u64,
) -> Option<u64> {
    let (of_call, model) = last.map(model_window).unwrap_or_default();
    let is_other = chosen
        .zip(model)
        .is_some_and(|(chosen, model)| normalized_model(chosen) != normalized_model(model));
    if is_other {
        return window_limit(recorded, chosen, tokens);
    }
    // Either name can be the one that ends in `[1m]`.
    let names = [chosen, model].into_iter().flatten();
    let model = names.max_by_key(|name| context_window(name, tokens));
    window_limit(recorded.or(of_call), model, tokens)
}

/// The sizes of the context windows of a conversation's calls. Each call has that of its
/// model.
#[derive(Debug)]
pub struct WindowLimits<'c> {
    largest: HashMap<ModelWindow<'c>, u64>,
}

/// What a call says of its window: the size, and the model.
type ModelWindow<'c> = (Option<u64>, Option<&'c str>);

impl<'c> WindowLimits<'c> {
    /// Of all calls of a conversation.
    pub fn new(calls: impl IntoIterator<Item = &'c ContextCall>) -> WindowLimits<'c> {
        let mut largest: HashMap<ModelWindow<'c>, u64> = HashMap::new();
        for call in calls {
            let largest = largest.entry(model_window(call)).or_default();
            *largest = call.window().max(*largest);
        }
        WindowLimits { largest }
    }

    /// The size of a call's window.
    pub fn of(&self, call: &ContextCall) -> Option<u64> {
        let (recorded, model) = model_window(call);
        let largest = self.largest.get(&(recorded, model)).copied().unwrap_or_default();
        window_limit(recorded, model, largest.max(call.window()))
    }
}

fn model_window(call: &ContextCall) -> ModelWindow<'_> {
    let model = call.model.as_deref();
    // Only the name that was asked for can end in `[1m]`. If another model answered instead, it
    // says nothing.
    let requested = call.requested_model.as_deref().filter(|requested| {
        model.is_none_or(|model| normalized_model(model) == normalized_model(requested))
    });
    (call.recorded_window, requested.or(model))
}

#[cfg(test)]
mod tests {
    use crate::window_limit::{WindowLimits, present_window_limit, window_limit};
    use conversation::ContextCall;

    fn call(model: &str, tokens: u64) -> ContextCall {
        ContextCall {
            model: Some(model.to_owned()),
            input_tokens: tokens,
            ..ContextCall::default()
        }
    }

    fn limits(calls: &[ContextCall]) -> Vec<Option<u64>> {
        let limits = WindowLimits::new(calls);
        calls.iter().map(|call| limits.of(call)).collect()
    }

    #[test]
    fn recorded_size_wins_unless_a_call_exceeded_it() {
        let table = [
            (Some(258_400), Some("gpt-5.1-codex"), 9_000, Some(258_400)),
            (Some(500_000), Some("claude-opus-5"), 9_000, Some(500_000)),
            (Some(100_000), Some("claude-opus-5"), 100_001, Some(1_000_000)),
            (Some(258_400), Some("gpt-5.1-codex"), 258_401, None),
            (Some(0), Some("claude-opus-5"), 9_000, Some(1_000_000)),
            (None, Some("claude-unheard-of"), 9_000, None),
            (None, None, 9_000, None),
        ];
        for (recorded, model, largest, expected) in table {
            assert_eq!(window_limit(recorded, model, largest), expected, "{recorded:?} {model:?}");
        }
    }

    #[test]
    fn present_window_is_that_of_the_last_call_unless_another_model_was_chosen() {
        let last = ContextCall {
            requested_model: Some("claude-opus-4-6[1m]".to_owned()),
            ..call("claude-opus-4-6", 150_000)
        };
        let of_last = |chosen| present_window_limit(None, chosen, Some(&last), 150_000);
        assert_eq!(of_last(None), Some(1_000_000));
        assert_eq!(of_last(Some("claude-opus-4-6")), Some(1_000_000));
        assert_eq!(of_last(Some("claude-haiku-4-5")), Some(200_000));
        assert_eq!(of_last(Some("claude-unheard-of")), None);
        let plain = call("claude-opus-4-6", 150_000);
        let asked = |chosen| present_window_limit(None, chosen, Some(&plain), 150_000);
        assert_eq!(asked(Some("claude-opus-4-6[1m]")), Some(1_000_000));
        assert_eq!(asked(None), Some(200_000));
        let recorded = ContextCall { recorded_window: Some(258_400), ..call("gpt-6", 9_000) };
        assert_eq!(present_window_limit(None, None, Some(&recorded), 9_000), Some(258_400));
        assert_eq!(present_window_limit(Some(500_000), None, Some(&last), 9_000), Some(500_000));
        assert_eq!(present_window_limit(None, Some("claude-opus-5"), None, 0), Some(1_000_000));
    }

    #[test]
    fn each_call_has_the_window_of_its_model() {
        let calls = [
            call("claude-opus-5-5", 150_000),
            call("claude-haiku-4-5", 20_000),
            call("some-other", 20_000),
            call("claude-opus-5-5", 160_000),
        ];
        let million = Some(1_000_000);
        assert_eq!(limits(&calls), [million, Some(200_000), None, million]);
    }

    #[test]
    fn window_that_any_call_of_a_model_exceeded_is_wrong_for_all_of_its_calls() {
        let calls = [call("claude-sonnet-4-5", 9_000), call("claude-sonnet-4-5", 250_000)];
        assert_eq!(limits(&calls), [Some(1_000_000); 2]);
        let calls = [call("claude-opus-4-5", 9_000), call("claude-opus-4-5", 250_000)];
        assert_eq!(limits(&calls), [None; 2]);
    }

    #[test]
    fn model_that_was_asked_for_says_whether_its_window_is_a_million() {
        let asked = |requested: &str, model: &str| ContextCall {
            requested_model: Some(requested.to_owned()),
            ..call(model, 9_000)
        };
        let calls = [
            asked("claude-opus-4-6[1m]", "claude-opus-4-6"),
            asked("claude-opus-4-6", "claude-opus-4-6"),
            asked("claude-opus-4-6[1m]", "claude-haiku-4-5-20251001"),
        ];
        assert_eq!(limits(&calls), [Some(1_000_000), Some(200_000), Some(200_000)]);
    }
}
