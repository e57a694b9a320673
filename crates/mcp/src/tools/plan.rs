//! `session_plan`: the plans made in a session.

use super::Outcome;
use crate::answer::ToolError;
use crate::arguments::{Arguments, CURSOR};
use crate::tool_context::{ToolContext, note_unread_files, plain_id, with_location};
use crate::{cursor, tool_context};
use library::sessions::Plan;

pub(crate) const NAME: &str = "session_plan";

pub(crate) fn run(context: &ToolContext<'_>, arguments: &Arguments) -> Outcome {
    let found = context.find(arguments.required_text("session")?, arguments)?;
    let list = context.library.sessions().plans(&found);
    // A plan that was only matched by its time may belong to another project.
    let numbered: Vec<(usize, &Plan)> = list.named().collect();
    let id = found.id();
    let total = numbered.len();
    let Some((newest, _)) = numbered.last().copied() else {
        return Err(ToolError::new("not found: this session has no plan"));
    };
    let requested = arguments.number("number").unwrap_or(newest);
    let Some((number, plan)) = numbered.iter().find(|(number, _)| *number == requested).copied()
    else {
        return Err(ToolError::new(format!(
            "not found: the plan has no version {requested}; the latest is {total}"
        )));
    };
    let mut answer = context.answer(arguments)?;
    let body = answer.body(plan.text.trim());
    // The hash identifies the version and detects that the plan has changed.
    let text_hash = cursor::short_hash(&body);
    let from = match arguments.text(CURSOR.name) {
        None => 0,
        Some(text) => {
            let [session, hash, offset] = cursor::decode::<3>(NAME, text)?;
            if session != id || hash != text_hash {
                let text = "this cursor belongs to another plan or another version: omit it to start again";
                return Err(ToolError::new(text));
            }
            cursor::parse_number(&offset)?
        }
    };
    answer.note(&format!("Plan {number} of {total}, {}.", plan.status.name()));
    note_unread_files(&mut answer, &list.read_errors);
    let heading = tool_context::heading(&found.session)
        .with("agent", plan.agent_id.clone())
        .with("role", "plan".to_owned())
        .with("source", plan.origin.name().to_owned())
        .with("at", context.when(plan.timestamp))
        .within("path", plan.path.clone(), 24);
    let heading = with_location(heading, &found.session);
    let mut ending = Vec::new();
    if let Some(quoted) = answer.quote_from(&heading, &body, from)
        && !quoted.is_whole
    {
        let next = cursor::encode(NAME, &[id, &text_hash, &quoted.end.to_string()]);
        ending.push(format!("Next page: {}", arguments.next(NAME, plain_id(id), &next)));
    }
    if total > 1 {
        let others = numbered.iter().rev().filter(|(other, _)| *other != number).take(5);
        let others: Vec<String> = others
            .map(|(other, plan)| {
                let when = context.when(plan.timestamp).unwrap_or_default();
                format!("{other} ({}, {when})", plan.status.name())
            })
            .collect();
        ending.push(format!("Other versions (argument \"number\"): {}", others.join("; ")));
    }
    Ok(answer.finish(&ending))
}
