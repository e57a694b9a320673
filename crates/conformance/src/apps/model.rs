//! The model on loopback: a script that answers what prompts tell it to, and writes into its
//! ledger what every call used.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use ::apps::{ApiCall, TokenCounts};
use anyhow::{Context as _, Result};
use serde_json::Value;

use super::scripts::Scripts;

/// A running model. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct Model {
    child: Child,
    port: u16,
    ledger: PathBuf,
}

impl Model {
    /// Starts a model whose calls all use different numbers of tokens.
    pub(super) fn start(scripts: &Scripts, folder: &Path) -> Result<Model> {
        let ledger = folder.join("ledger.jsonl");
        fs::write(&ledger, "").with_context(|| format!("cannot write {}", ledger.display()))?;
        let mut child = Command::new("python3")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .arg(scripts.path("fake_model.py"))
            .args(["--port", "0", "--vary", "--ledger"])
            .arg(&ledger)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start the model")?;
        let output = child.stdout.take().context("the model has no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).context("the model does not answer")?;
        let port = line.trim().rsplit(':').next().and_then(|port| port.parse().ok());
        let port = port.with_context(|| format!("the model says {line:?} instead of its port"))?;
        Ok(Model { child, port, ledger })
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// How many calls were answered so far.
    pub(super) fn count(&self) -> Result<usize> {
        Ok(self.rows()?.len())
    }

    fn rows(&self) -> Result<Vec<Value>> {
        let text = fs::read_to_string(&self.ledger).context("cannot read the ledger")?;
        text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
    }

    /// What the ledger says of all calls.
    pub(super) fn spent(&self) -> Result<Spent> {
        let mut spent = Spent::default();
        for row in self.rows()? {
            let count = |key: &str| row["usage"][key].as_u64().unwrap_or_default();
            let tokens = TokenCounts {
                input: count("input") - count("cached"),
                cache_read: count("cached"),
                cache_write: 0,
                output: count("output"),
                reasoning: count("reasoning"),
            };
            let is_aside = row["kind"] == "aside";
            let calls = if is_aside { &mut spent.asides } else { &mut spent.calls };
            calls.insert(count("input"), tokens);
        }
        Ok(spent)
    }
}

/// The calls of a ledger, under the numbers of their input tokens, which no two calls share.
#[derive(Clone, Debug, Default)]
pub(super) struct Spent {
    /// Calls that sessions have to record.
    pub(super) calls: BTreeMap<u64, TokenCounts>,
    /// Calls for titles and summaries, of which some programs record some.
    asides: BTreeMap<u64, TokenCounts>,
}

impl Drop for Model {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing else to do about a failure.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What differs between the calls that sessions record, each counted once by its key, and the
/// ledger.
pub(super) fn compare_spent<'a>(
    calls: impl IntoIterator<Item = &'a ApiCall>,
    spent: &Spent,
) -> Vec<String> {
    let (mut differences, lost) = compare_recorded(calls, spent);
    differences.extend(lost.iter().map(|number| format!("{number} input: in the ledger only")));
    differences
}

/// What is wrong with the calls that sessions record, and the input tokens of calls that only
/// the ledger has.
pub(super) fn compare_recorded<'a>(
    calls: impl IntoIterator<Item = &'a ApiCall>,
    spent: &Spent,
) -> (Vec<String>, Vec<u64>) {
    let mut by_key = BTreeMap::new();
    for call in calls {
        by_key.entry(&call.key).or_insert(call);
    }
    let mut rest = spent.clone();
    let mut differences = Vec::new();
    for (key, call) in by_key {
        let number = call.tokens.input + call.tokens.cache_read + call.tokens.cache_write;
        match rest.calls.remove(&number).or_else(|| rest.asides.remove(&number)) {
            Some(tokens) if tokens == call.tokens => {}
            Some(tokens) => {
                differences.push(format!("{key}: annals {:?}, ledger {tokens:?}", call.tokens));
            }
            None => differences.push(format!("{key}: counted twice or never made: {number} input")),
        }
    }
    (differences, rest.calls.into_keys().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_are_missing_or_doubled_are_differences() {
        let tokens = |input| TokenCounts { input, ..TokenCounts::default() };
        let call = |key: &str, input| ApiCall {
            key: key.to_owned(),
            entry: 0,
            time: None,
            model: None,
            agent: None,
            workplace: None,
            tokens: tokens(input),
            context_window: None,
            reported_pico_usd: None,
        };
        let spent = Spent {
            calls: BTreeMap::from([(1, tokens(1)), (2, tokens(2))]),
            asides: BTreeMap::from([(3, tokens(3)), (4, tokens(4))]),
        };
        let calls = [call("a", 1), call("a", 1), call("b", 2), call("c", 3)];
        assert_eq!(compare_spent(&calls, &spent), Vec::<String>::new());
        let calls = [call("a", 1), call("b", 1)];
        assert_eq!(compare_spent(&calls, &spent).len(), 2);
    }
}
