//! `session_plan`: what was planned in a session.

use super::Outcome;
use crate::answer::Complaint;
use crate::arguments::{Arguments, CURSOR};
use crate::cursor;
use crate::desk::{self, Desk, plain_id, say_troubles, with_place};
use library::{Plan, PlanOrigin};

pub(crate) const NAME: &str = "session_plan";

pub(crate) fn run(desk: &Desk<'_>, arguments: &Arguments) -> Outcome {
    let found = desk.find(arguments.needed("session")?, arguments)?;
    let mut list = desk.library.catalog().plans(&found);
    // A guess by time may be another project's.
    list.plans.retain(|plan| plan.origin != PlanOrigin::NewestFile);
    let id = found.id();
    let total = list.plans.len();
    let numbered: Vec<(usize, &Plan)> = (1..).zip(&list.plans).collect();
    let Some((newest, _)) = numbered.last().copied() else {
        return Err(Complaint::new("not found: no plan was made in that session"));
    };
    let wanted = arguments.number("number").unwrap_or(newest);
    let Some((number, plan)) = numbered.iter().find(|(number, _)| *number == wanted).copied()
    else {
        return Err(Complaint::new(format!("there is no version {wanted}: the last is {total}")));
    };
    let mut answer = desk.answer(arguments)?;
    let body = answer.body(plan.text.trim());
    // Which version it is, and that it still is, is told by its text.
    let own = cursor::short(&body);
    let from = match arguments.text(CURSOR.name) {
        None => 0,
        Some(text) => {
            let [session, hash, offset] = cursor::open::<3>(NAME, text)?;
            if session != id || hash != own {
                let text = "the cursor is one of another plan, or of another version: begin again without it";
                return Err(Complaint::new(text));
            }
            cursor::number(&offset)?
        }
    };
    answer.say(&format!("Plan {number} of {total}, {}.", plan.status.name()));
    say_troubles(&mut answer, &list.troubles);
    let heading = desk::heading(&found.session)
        .with("agent", plan.agent_id.clone())
        .with("role", "plan".to_owned())
        .with("source", plan.origin.name().to_owned())
        .with("at", desk.when(plan.timestamp))
        .within("path", plan.path.clone(), 24);
    let heading = with_place(heading, &found.session);
    let mut ending = Vec::new();
    if let Some(quoted) = answer.quote_from(&heading, &body, from)
        && !quoted.is_whole
    {
        let next = cursor::seal(NAME, &[id, &own, &quoted.end.to_string()]);
        ending.push(format!("There is more: {}", arguments.next(NAME, plain_id(id), &next)));
    }
    if total > 1 {
        let others = numbered.iter().rev().filter(|(other, _)| *other != number).take(5);
        let others: Vec<String> = others
            .map(|(other, plan)| {
                let when = desk.when(plan.timestamp).unwrap_or_default();
                format!("{other} ({}, {when})", plan.status.name())
            })
            .collect();
        ending.push(format!("Other versions, by \"number\": {}", others.join("; ")));
    }
    Ok(answer.finish(&ending))
}
