//! A JSON object whose keys stay in the order they were given.
//!
//! Claude Code's own scanners look at how a line begins (`{"parentUuid":` or
//! `{"type":`), so the order of keys is part of the format, and `serde_json`
//! sorts them. Values whose order does not matter still use `serde_json`.

use serde_json::Value;

/// The members of an object, without its braces.
#[derive(Clone, Default)]
pub(super) struct Object(String);

impl Object {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Adds a pair. Keys are written as they are: none here needs escaping.
    pub(super) fn with(self, key: &str, value: impl Into<Value>) -> Self {
        let value: Value = value.into();
        self.with_json(key, &value.to_string())
    }

    /// Adds a pair if there is a value.
    pub(super) fn with_some(self, key: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    pub(super) fn with_object(self, key: &str, value: &Object) -> Self {
        self.with_json(key, &value.to_json())
    }

    pub(super) fn with_list(self, key: &str, values: &[Object]) -> Self {
        let values: Vec<String> = values.iter().map(Object::to_json).collect();
        self.with_json(key, &format!("[{}]", values.join(",")))
    }

    /// Adds every pair of another object.
    pub(super) fn and(mut self, other: &Object) -> Self {
        if !other.0.is_empty() {
            self.separate();
            self.0.push_str(&other.0);
        }
        self
    }

    pub(super) fn to_json(&self) -> String {
        format!("{{{}}}", self.0)
    }

    fn with_json(mut self, key: &str, json: &str) -> Self {
        self.separate();
        self.0.push('"');
        self.0.push_str(key);
        self.0.push_str("\":");
        self.0.push_str(json);
        self
    }

    fn separate(&mut self) {
        if !self.0.is_empty() {
            self.0.push(',');
        }
    }
}
