//! What a tool is given: the table of its parameters makes both its schema and what is
//! said of arguments that do not fit.
//!
//! A number may come as its digits in a text, because models send either. From here on
//! it is a number.

use crate::answer::Complaint;
use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// What an argument is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Type {
    /// A text.
    Text,
    /// Yes or no; no unless it is given.
    Flag,
    /// A whole number within bounds.
    Number { least: usize, most: usize },
    /// A whole number that counts from the end if it is below nothing.
    Place,
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
            // Bounds are for numbers, and patterns for texts.
            Type::Number { least, most } => {
                json!({"type": ["integer", "string"], "minimum": least, "maximum": most, "pattern": "^[0-9]+$"})
            }
            Type::Place => json!({"type": ["integer", "string"], "pattern": "^-?[0-9]+$"}),
            Type::Choice(words) => json!({"type": "string", "enum": words}),
        };
        schema["description"] = self.about.into();
        schema
    }
}

/// The longest text that is taken for an argument.
const LONGEST: usize = 8_192;

/// The budget of an answer, for whoever does not say.
pub(crate) const USUAL_TOKENS: usize = 4_000;
const LEAST_TOKENS: usize = 500;
const MOST_TOKENS: usize = 25_000;

/// The parameter that all tools have.
pub(crate) const MAX_TOKENS: Parameter = Parameter::new(
    "max_tokens",
    Type::Number { least: LEAST_TOKENS, most: MOST_TOKENS },
    "The whole answer takes at most about so many tokens; default 4000.",
);

/// What says where to go on.
pub(crate) const CURSOR: Parameter = Parameter::new(
    "cursor",
    Type::Text,
    "Where to go on, exactly as the last answer gave it; the other arguments stay the same.",
);

/// The schema of these parameters.
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

/// The arguments of a call, which fit the parameters of its tool.
#[derive(Clone, Debug)]
pub(crate) struct Arguments(JsonObject);

impl Arguments {
    /// Arguments, if they fit.
    pub(crate) fn new(mut given: JsonObject, parameters: &[Parameter]) -> Result<Self, Complaint> {
        for (name, value) in &mut given {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
                let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
                return Err(Complaint::new(format!(
                    "there is no argument {:?}; those there are: {}",
                    shortened(name),
                    known.join(", ")
                )));
            };
            if matches!(parameter.kind, Type::Number { .. } | Type::Place) {
                read_digits(value);
            }
            check(parameter, value)?;
        }
        let is_there = |name| given.get(name).is_some_and(|value: &Value| !value.is_null());
        if let Some(missing) =
            parameters.iter().find(|parameter| parameter.is_required && !is_there(parameter.name))
        {
            let Parameter { name, about, .. } = missing;
            return Err(Complaint::new(format!("{name} is missing: {about}")));
        }
        Ok(Arguments(given))
    }

    /// A text, if it was given and is not empty.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
    }

    /// A text that must be there.
    pub(crate) fn needed(&self, name: &str) -> Result<&str, Complaint> {
        self.text(name).ok_or_else(|| Complaint::new(format!("{name} is empty")))
    }

    /// Whether a flag is set.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// A number, if it was given.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        usize::try_from(self.0.get(name)?.as_u64()?).ok()
    }

    /// A number that may count from the end, if it was given.
    pub(crate) fn place(&self, name: &str) -> Option<i64> {
        self.0.get(name)?.as_i64()
    }

    /// The budget.
    pub(crate) fn budget(&self) -> usize {
        self.number(MAX_TOKENS.name).unwrap_or(USUAL_TOKENS)
    }

    /// All of them but some, as text.
    pub(crate) fn without(&self, names: &[&str]) -> String {
        let others = self.0.iter().filter(|(name, _)| !names.contains(&name.as_str()));
        let mut others: Vec<String> =
            others.map(|(name, value)| format!("{name:?}: {value}")).collect();
        others.sort();
        others.join(", ")
    }

    /// The call that goes on from here, as it is to be made.
    pub(crate) fn next(&self, tool: &str, session: Option<&str>, cursor: &str) -> String {
        const LONGEST_CALL: usize = 240;
        let mut given = self.0.clone();
        given.remove(CURSOR.name);
        if let Some(session) = session {
            given.insert("session".to_owned(), session.into());
        }
        let mut whole = given.clone();
        whole.insert(CURSOR.name.to_owned(), cursor.into());
        let whole = Value::Object(whole).to_string();
        let whole = render::untrusted::json(&whole);
        if whole.len() - cursor.len() <= LONGEST_CALL && !whole.contains(['<', '>']) {
            return format!("{tool} {whole}");
        }
        format!("{tool} with the same arguments and \"cursor\": \"{cursor}\"")
    }
}

/// Makes a number of a text that is one, and nothing of an empty text.
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

fn check(parameter: &Parameter, value: &Value) -> Result<(), Complaint> {
    let Parameter { name, kind, .. } = parameter;
    let wrong = |expected: String| Err(Complaint::new(format!("{name} is {expected}")));
    match (kind, value) {
        (_, Value::Null) | (Type::Flag, Value::Bool(_)) => Ok(()),
        (Type::Text, Value::String(text)) if text.len() <= LONGEST => Ok(()),
        (Type::Text, Value::String(_)) => {
            wrong(format!("too long: at most {LONGEST} bytes are taken"))
        }
        (Type::Text, _) => wrong("a text".to_owned()),
        (Type::Flag, _) => wrong("true or false".to_owned()),
        (Type::Number { least, most }, value) => {
            let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
            match number.filter(|number| (least..=most).contains(&number)) {
                Some(_) => Ok(()),
                None => wrong(format!("a whole number from {least} to {most}")),
            }
        }
        (Type::Place, value) if value.is_i64() => Ok(()),
        (Type::Place, _) => wrong("a number: 5, or -3 for the third from the end".to_owned()),
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
        Parameter::new("turn", Type::Place, "x"),
        MAX_TOKENS,
        CURSOR,
    ];

    fn arguments(value: &Value) -> Result<Arguments, Complaint> {
        Arguments::new(value.as_object().unwrap().clone(), &PARAMETERS)
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let table = [
            (json!({}), "query is missing: Words."),
            (json!({"query": null}), "query is missing: Words."),
            (
                json!({"query": "x", "limti": 1}),
                "there is no argument \"limti\"; those there are: query, flag, sort, turn, max_tokens, cursor",
            ),
            (json!({"query": 1}), "query is a text"),
            (
                json!({"query": "x".repeat(9_000)}),
                "query is too long: at most 8192 bytes are taken",
            ),
            (json!({"query": "x", "flag": "yes"}), "flag is true or false"),
            (json!({"query": "x", "sort": "worst"}), "sort is one of best, newest"),
            (
                json!({"query": "x", "max_tokens": 0}),
                "max_tokens is a whole number from 500 to 25000",
            ),
            (
                json!({"query": "x", "max_tokens": -1}),
                "max_tokens is a whole number from 500 to 25000",
            ),
            (
                json!({"query": "x", "max_tokens": 1e30}),
                "max_tokens is a whole number from 500 to 25000",
            ),
            (
                json!({"query": "x", "max_tokens": "499"}),
                "max_tokens is a whole number from 500 to 25000",
            ),
            (
                json!({"query": "x", "max_tokens": "4k"}),
                "max_tokens is a whole number from 500 to 25000",
            ),
            (
                json!({"query": "x", "turn": "last"}),
                "turn is a number: 5, or -3 for the third from the end",
            ),
            (
                json!({"query": "x", "turn": 1.5}),
                "turn is a number: 5, or -3 for the third from the end",
            ),
            (
                json!({"query": "x", "turn": u64::MAX}),
                "turn is a number: 5, or -3 for the third from the end",
            ),
            (
                json!({"query": "x", "turn": "-99999999999999999999"}),
                "turn is a number: 5, or -3 for the third from the end",
            ),
        ];
        for (given, expected) in table {
            assert_eq!(arguments(&given).unwrap_err().text, expected, "{given}");
        }
    }

    #[test]
    fn a_number_may_be_a_text_of_digits() {
        let read = |tokens: Value, turn: Value| {
            let given = arguments(&json!({"query": "x", "max_tokens": tokens, "turn": turn}));
            let given = given.unwrap_or_else(|complaint| panic!("{}", complaint.text));
            (given.budget(), given.place("turn"))
        };
        assert_eq!(read(json!(700), json!(5)), (700, Some(5)));
        assert_eq!(read(json!("700"), json!("5")), (700, Some(5)));
        assert_eq!(read(json!(" 700 "), json!("-3")), (700, Some(-3)));
        assert_eq!(read(json!(null), json!(-3)), (USUAL_TOKENS, Some(-3)));
        assert_eq!(read(json!(""), json!(" ")), (USUAL_TOKENS, None));
        // Whoever goes on sends the same as somebody who sent a number.
        let given = arguments(&json!({"query": "x", "max_tokens": "700"})).unwrap();
        assert_eq!(
            given.next("search", None, "new"),
            r#"search {"cursor":"new","max_tokens":700,"query":"x"}"#
        );
    }

    #[test]
    fn the_schema_takes_what_is_taken() {
        let schema = schema(&PARAMETERS);
        for (name, pattern) in [("max_tokens", "^[0-9]+$"), ("turn", "^-?[0-9]+$")] {
            let property = &schema["properties"][name];
            assert_eq!(property["type"], json!(["integer", "string"]), "{name}");
            assert_eq!(property["pattern"], pattern, "{name}");
        }
        assert_eq!(schema["properties"]["query"]["type"], "string");
    }

    #[test]
    fn the_next_call_is_given_whole_unless_it_is_long() {
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
