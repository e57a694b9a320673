//! The arguments of a tool call. One table of parameters defines both the JSON schema
//! of a tool and the errors for arguments that do not match it.
//!
//! A number may also be given as a string of digits, because models send either. It is
//! converted here.

use crate::answer::ToolError;
use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// The type of an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Type {
    /// A string.
    Text,
    /// True or false; false by default.
    Flag,
    /// An integer within bounds.
    Number { min: usize, max: usize },
    /// An integer that counts from the end if it is negative.
    Position,
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// A parameter of a tool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) kind: Type,
    pub(crate) about: &'static str,
    pub(crate) is_required: bool,
}

impl Parameter {
    pub(crate) const fn new(name: &'static str, kind: Type, about: &'static str) -> Self {
        Parameter { name, kind, about, is_required: false }
    }

    pub(crate) const fn required(self) -> Self {
        Parameter { is_required: true, ..self }
    }

    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Type::Text => json!({"type": "string"}),
            Type::Flag => json!({"type": "boolean", "default": false}),
            // The bounds apply to integers, the pattern applies to strings.
            Type::Number { min, max } => {
                json!({"type": ["integer", "string"], "minimum": min, "maximum": max, "pattern": "^[0-9]+$"})
            }
            Type::Position => json!({"type": ["integer", "string"], "pattern": "^-?[0-9]+$"}),
            Type::Choice(words) => json!({"type": "string", "enum": words}),
        };
        schema["description"] = self.about.into();
        schema
    }
}

/// The longest accepted string.
const MAX_TEXT_BYTES: usize = 8_192;

/// The token budget of an answer if `max_tokens` is not given.
pub(crate) const DEFAULT_TOKENS: usize = 4_000;
const MIN_TOKENS: usize = 500;
const TOKENS_LIMIT: usize = 25_000;

/// The token budget. All tools have this parameter.
pub(crate) const MAX_TOKENS: Parameter = Parameter::new(
    "max_tokens",
    Type::Number { min: MIN_TOKENS, max: TOKENS_LIMIT },
    "Maximum size of the whole answer in tokens (approximate); default 4000.",
);

/// Where the next page begins.
pub(crate) const CURSOR: Parameter = Parameter::new(
    "cursor",
    Type::Text,
    "The cursor from the last answer, unchanged, to get the next page. Keep the other arguments the same.",
);

/// The JSON schema of these parameters.
pub(crate) fn schema(parameters: &[Parameter]) -> JsonObject {
    let mut properties = JsonObject::new();
    let mut required = Vec::new();
    for parameter in parameters {
        properties.insert(parameter.name.to_owned(), parameter.schema());
        if parameter.is_required {
            required.push(Value::from(parameter.name));
        }
    }
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}

/// The arguments of a call, checked against the parameters of its tool.
#[derive(Clone, Debug)]
pub(crate) struct Arguments {
    given: JsonObject,
    /// The names that were asked for, with which a test shows that every parameter is used.
    #[cfg(test)]
    asked: std::sync::Arc<std::sync::Mutex<std::collections::BTreeSet<String>>>,
}

impl Arguments {
    /// Checks arguments against the parameters.
    pub(crate) fn new(mut given: JsonObject, parameters: &[Parameter]) -> Result<Self, ToolError> {
        for (name, value) in &mut given {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
                let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
                return Err(ToolError::new(format!(
                    "unknown argument {:?}; available arguments: {}",
                    shortened(name),
                    known.join(", ")
                )));
            };
            if matches!(parameter.kind, Type::Number { .. } | Type::Position) {
                read_digits(value);
            }
            check(parameter, value)?;
        }
        let is_given = |name| given.get(name).is_some_and(|value: &Value| !value.is_null());
        if let Some(missing) =
            parameters.iter().find(|parameter| parameter.is_required && !is_given(parameter.name))
        {
            let Parameter { name, about, .. } = missing;
            return Err(ToolError::new(format!("missing argument {name}: {about}")));
        }
        Ok(Arguments {
            given,
            #[cfg(test)]
            asked: std::sync::Arc::default(),
        })
    }

    fn get(&self, name: &str) -> Option<&Value> {
        #[cfg(test)]
        self.asked.lock().unwrap().insert(name.to_owned());
        self.given.get(name)
    }

    /// A string argument, if it was given and is not blank.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
    }

    /// A string argument that must not be blank.
    pub(crate) fn required_text(&self, name: &str) -> Result<&str, ToolError> {
        self.text(name).ok_or_else(|| ToolError::new(format!("{name} must not be empty")))
    }

    /// Whether a flag is set.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// A number, if it was given.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        usize::try_from(self.get(name)?.as_u64()?).ok()
    }

    /// A number that may count from the end, if it was given.
    pub(crate) fn position(&self, name: &str) -> Option<i64> {
        self.get(name)?.as_i64()
    }

    /// The names that were asked for.
    #[cfg(test)]
    pub(crate) fn asked(&self) -> std::collections::BTreeSet<String> {
        self.asked.lock().unwrap().clone()
    }

    /// The token budget of the answer.
    pub(crate) fn budget(&self) -> usize {
        self.number(MAX_TOKENS.name).unwrap_or(DEFAULT_TOKENS)
    }

    /// All arguments except these, as text.
    pub(crate) fn without(&self, names: &[&str]) -> String {
        let others = self.given.iter().filter(|(name, _)| !names.contains(&name.as_str()));
        let mut others: Vec<String> =
            others.map(|(name, value)| format!("{name:?}: {value}")).collect();
        others.sort();
        others.join(", ")
    }

    /// The call that returns the next page, ready to be made.
    pub(crate) fn next(&self, tool: &str, session: Option<&str>, cursor: &str) -> String {
        const MAX_CALL_BYTES: usize = 240;
        let mut given = self.given.clone();
        given.remove(CURSOR.name);
        if let Some(session) = session {
            given.insert("session".to_owned(), session.into());
        }
        given.insert(CURSOR.name.to_owned(), cursor.into());
        let call = Value::Object(given).to_string();
        let call = render::untrusted::json(&call);
        if call.len() - cursor.len() <= MAX_CALL_BYTES && !call.contains(['<', '>']) {
            return format!("{tool} {call}");
        }
        format!("{tool} with the same arguments and \"cursor\": \"{cursor}\"")
    }
}

/// Converts a string of digits to a number, and a blank string to null.
fn read_digits(value: &mut Value) {
    let Some(text) = value.as_str().map(str::trim) else { return };
    let digits = text.strip_prefix('-').unwrap_or(text);
    if text.is_empty() {
        *value = Value::Null;
    } else if digits.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(number) = text.parse::<i64>()
    {
        *value = number.into();
    }
}

fn check(parameter: &Parameter, value: &Value) -> Result<(), ToolError> {
    let Parameter { name, kind, .. } = parameter;
    let wrong = |expected: String| Err(ToolError::new(format!("{name} must be {expected}")));
    match (kind, value) {
        (_, Value::Null) | (Type::Flag, Value::Bool(_)) => Ok(()),
        (Type::Text, Value::String(text)) if text.len() <= MAX_TEXT_BYTES => Ok(()),
        (Type::Text, Value::String(_)) => wrong(format!("at most {MAX_TEXT_BYTES} bytes long")),
        (Type::Text, _) => wrong("a string".to_owned()),
        (Type::Flag, _) => wrong("true or false".to_owned()),
        (Type::Number { min, max }, value) => {
            let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
            match number.filter(|number| (min..=max).contains(&number)) {
                Some(_) => Ok(()),
                None => wrong(format!("an integer from {min} to {max}")),
            }
        }
        (Type::Position, value) if value.is_i64() => Ok(()),
        (Type::Position, _) => {
            wrong("an integer, such as 5, or -3 for the third from the end".to_owned())
        }
        (Type::Choice(words), Value::String(word)) if words.contains(&word.as_str()) => Ok(()),
        (Type::Choice(words), _) => wrong(format!("one of {}", words.join(", "))),
    }
}

fn shortened(name: &str) -> String {
    name.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: [Parameter; 6] = [
        Parameter::new("query", Type::Text, "Words.").required(),
        Parameter::new("flag", Type::Flag, "x"),
        Parameter::new("sort", Type::Choice(&["best", "newest"]), "x"),
        Parameter::new("turn", Type::Position, "x"),
        MAX_TOKENS,
        CURSOR,
    ];

    fn arguments(value: &Value) -> Result<Arguments, ToolError> {
        Arguments::new(value.as_object().unwrap().clone(), &PARAMETERS)
    }

    #[test]
    fn invalid_arguments_are_explained() {
        let table = [
            (json!({}), "missing argument query: Words."),
            (json!({"query": null}), "missing argument query: Words."),
            (
                json!({"query": "x", "limti": 1}),
                "unknown argument \"limti\"; available arguments: query, flag, sort, turn, max_tokens, cursor",
            ),
            (json!({"query": 1}), "query must be a string"),
            (json!({"query": "x".repeat(9_000)}), "query must be at most 8192 bytes long"),
            (json!({"query": "x", "flag": "yes"}), "flag must be true or false"),
            (json!({"query": "x", "sort": "worst"}), "sort must be one of best, newest"),
            (
                json!({"query": "x", "max_tokens": 0}),
                "max_tokens must be an integer from 500 to 25000",
            ),
            (
                json!({"query": "x", "max_tokens": -1}),
                "max_tokens must be an integer from 500 to 25000",
            ),
            (
                json!({"query": "x", "max_tokens": 1e30}),
                "max_tokens must be an integer from 500 to 25000",
            ),
            (
                json!({"query": "x", "max_tokens": "499"}),
                "max_tokens must be an integer from 500 to 25000",
            ),
            (
                json!({"query": "x", "max_tokens": "4k"}),
                "max_tokens must be an integer from 500 to 25000",
            ),
            (
                json!({"query": "x", "turn": "last"}),
                "turn must be an integer, such as 5, or -3 for the third from the end",
            ),
            (
                json!({"query": "x", "turn": 1.5}),
                "turn must be an integer, such as 5, or -3 for the third from the end",
            ),
            (
                json!({"query": "x", "turn": u64::MAX}),
                "turn must be an integer, such as 5, or -3 for the third from the end",
            ),
            (
                json!({"query": "x", "turn": "-99999999999999999999"}),
                "turn must be an integer, such as 5, or -3 for the third from the end",
            ),
        ];
        for (given, expected) in table {
            assert_eq!(arguments(&given).unwrap_err().text, expected, "{given}");
        }
    }

    #[test]
    fn number_may_be_given_as_a_string_of_digits() {
        let read = |tokens: Value, turn: Value| {
            let given = arguments(&json!({"query": "x", "max_tokens": tokens, "turn": turn}));
            let given = given.unwrap_or_else(|error| panic!("{}", error.text));
            (given.budget(), given.position("turn"))
        };
        assert_eq!(read(json!(700), json!(5)), (700, Some(5)));
        assert_eq!(read(json!("700"), json!("5")), (700, Some(5)));
        assert_eq!(read(json!(" 700 "), json!("-3")), (700, Some(-3)));
        assert_eq!(read(json!(null), json!(-3)), (DEFAULT_TOKENS, Some(-3)));
        assert_eq!(read(json!(""), json!(" ")), (DEFAULT_TOKENS, None));
        // The call for the next page always has a number.
        let given = arguments(&json!({"query": "x", "max_tokens": "700"})).unwrap();
        assert_eq!(
            given.next("search", None, "new"),
            r#"search {"cursor":"new","max_tokens":700,"query":"x"}"#
        );
    }

    #[test]
    fn schema_accepts_integers_and_strings_of_digits() {
        let schema = schema(&PARAMETERS);
        for (name, pattern) in [("max_tokens", "^[0-9]+$"), ("turn", "^-?[0-9]+$")] {
            let property = &schema["properties"][name];
            assert_eq!(property["type"], json!(["integer", "string"]), "{name}");
            assert_eq!(property["pattern"], pattern, "{name}");
        }
        assert_eq!(schema["properties"]["query"]["type"], "string");
    }

    #[test]
    fn next_call_is_complete_unless_it_is_long() {
        let given = arguments(&json!({"query": "a \u{202e}b", "cursor": "old"})).unwrap();
        assert_eq!(
            given.next("search", None, "new"),
            r#"search {"cursor":"new","query":"a \u202eb"}"#
        );
        let long = arguments(&json!({"query": "x".repeat(600)})).unwrap();
        assert_eq!(
            long.next("search", None, "new"),
            r#"search with the same arguments and "cursor": "new""#
        );
    }
}
