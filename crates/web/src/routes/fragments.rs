//! Turns of a session as HTML fragments.

use super::session::message_name;
use crate::answer::Answer;
use crate::base::BasePath;
use crate::failure::Failure;
use crate::request::Call;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use document::AgentDetail;
use document::answers::{
    MessageFragmentOptions, ThreadPart, TurnFragmentOptions, message_fragment, turn_fragment,
};
use library::catalog::FoundSession;
use library::sessions::{OpenSession, SelectionError, TurnNumber, View};
use render::{Detail, Fragment, FragmentLink, FragmentPlace};

/// The most turns of a fragment.
const MOST_TURNS: usize = 200;

/// The size at which a fragment ends: a few screens, so that the page of a long session never
/// holds many more nodes than it shows. It ends after the record with which it reaches this
/// size, and no record is longer than 40 kB, so that no fragment has more than 150 kB.
const MOST_BYTES: usize = 64 << 10;

/// The turns that the page of a session begins with.
const FIRST_TURNS: usize = 20;

/// The most steps before and after a message.
const MOST_AROUND: usize = 20;

/// Turns, and where to go on in the headers.
pub(super) fn turns(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    let open = call.open(&found)?;
    let base = call.app.base();
    let url = |link: &FragmentLink<'_>| address(base, &found.session.id, link);
    let options = options(call, &found, &url)?;
    let fragment = turn_fragment(&open, &options).map_err(|error| selection_failure(&error))?;
    let mut answer = Answer { is_tagged: true, ..Answer::html(fragment.html) };
    if let Some(next) = fragment.next {
        let headers =
            [("x-next-turn", next.turn.to_string()), ("x-next-step", next.step.to_string())];
        for (name, value) in headers {
            if let Ok(value) = HeaderValue::from_str(&value) {
                answer = answer.with_header(HeaderName::from_static(name), value);
            }
        }
    }
    Ok(answer)
}

/// The first turns of a session or sub-agent, for its page.
pub(crate) fn first_turns(
    call: &Call<'_>,
    open: &OpenSession,
    agent: Option<&str>,
) -> Result<Fragment, Failure> {
    let (base, id) = (call.app.base(), open.found().session.id.as_str());
    let url = |link: &FragmentLink<'_>| address(base, id, link);
    // What the app shows by default, whatever the address of the page asks for.
    let options = TurnFragmentOptions {
        part: ThreadPart::Main,
        agent,
        view: View::App,
        from: None,
        to: None,
        most_turns: FIRST_TURNS,
        max_bytes: MOST_BYTES,
        thinking: true,
        tools: Detail::Brief,
        agents: AgentDetail::Fold,
        zone: &call.app.settings.zone,
        url: &url,
    };
    turn_fragment(open, &options).map_err(|error| selection_failure(&error))
}

/// A call with its whole result.
pub(super) fn output(call: &Call<'_>) -> Result<Answer, Failure> {
    message_part(call, true, 0)
}

/// All of a message, or a message with what stands around it.
pub(super) fn message(call: &Call<'_>) -> Result<Answer, Failure> {
    let around: usize = call.number("around")?.unwrap_or(0).min(MOST_AROUND);
    message_part(call, around == 0, around)
}

fn message_part(call: &Call<'_>, is_whole: bool, around: usize) -> Result<Answer, Failure> {
    let found = call.session()?;
    let open = call.open(&found)?;
    let base = call.app.base();
    let url = |link: &FragmentLink<'_>| address(base, &found.session.id, link);
    let options = MessageFragmentOptions {
        call: call.text("call"),
        around,
        is_whole,
        tools: if is_whole { Detail::Full } else { Detail::Brief },
        thinking: true,
        zone: &call.app.settings.zone,
        url: &url,
    };
    let html = message_fragment(&open, &message_name(call, &found)?, &options);
    let html = html.ok_or_else(|| Failure::not_found("no part of the session shows this"))?;
    Ok(Answer { is_tagged: true, ..Answer::html(html) })
}

/// The options that a request has.
fn options<'o>(
    call: &'o Call<'_>,
    found: &FoundSession,
    url: &'o dyn Fn(&FragmentLink<'_>) -> String,
) -> Result<TurnFragmentOptions<'o>, Failure> {
    let part = match call.text("part") {
        None => ThreadPart::Main,
        Some(text) => text
            .parse()
            .map_err(|error| Failure::of_message(StatusCode::BAD_REQUEST, &format!("{error}")))?,
    };
    let step: usize = call.number("step")?.unwrap_or(0);
    let from = call.turn("from")?.map(|turn| FragmentPlace { turn, step });
    Ok(TurnFragmentOptions {
        part,
        agent: call.text("agent"),
        view: call.view(found)?,
        from,
        to: call.turn("to")?,
        most_turns: MOST_TURNS,
        max_bytes: MOST_BYTES,
        thinking: call.flag("thinking")?,
        tools: call.choice(
            "tools",
            &[("full", Detail::Full), ("brief", Detail::Brief), ("none", Detail::None)],
        )?,
        agents: call.choice(
            "agents",
            &[
                ("inline", AgentDetail::Inline),
                ("fold", AgentDetail::Fold),
                ("none", AgentDetail::None),
            ],
        )?,
        zone: &call.app.settings.zone,
        url,
    })
}

/// The failure of a selection that matches nothing.
pub(super) fn selection_failure(error: &SelectionError) -> Failure {
    Failure::of_message(StatusCode::NOT_FOUND, &error.to_string())
}

/// The address of what a fragment links to.
fn address(base: &BasePath, session: &str, link: &FragmentLink<'_>) -> String {
    let id = encoded(session);
    let turns = format!("{base}fragment/sessions/{id}/turns");
    let of_agent = |agent: Option<&str>| {
        agent.map_or_else(String::new, |agent| format!("&agent={}", encoded(agent)))
    };
    let at = |from: &FragmentPlace| format!("from={}&step={}", from.turn, from.step);
    match link {
        FragmentLink::Image { agent, uuid, call, number } => {
            let call = call.map_or_else(String::new, |call| format!("&call={}", encoded(call)));
            let query = format!("{}{call}", of_agent(*agent));
            let query = query.strip_prefix('&').map_or_else(String::new, |it| format!("?{it}"));
            format!("{base}image/s/{id}/{}/{number}{query}", encoded(uuid))
        }
        FragmentLink::Output { agent, uuid, call } => format!(
            "{base}fragment/sessions/{id}/output?uuid={}&call={}{}",
            encoded(uuid),
            encoded(call),
            of_agent(*agent)
        ),
        FragmentLink::Message { agent, uuid } => {
            format!(
                "{base}fragment/sessions/{id}/output?uuid={}{}",
                encoded(uuid),
                of_agent(*agent)
            )
        }
        FragmentLink::Agent { id: agent, from } => {
            let from = from.as_ref().map_or_else(String::new, |from| format!("&{}", at(from)));
            format!("{turns}?agent={}{from}", encoded(agent))
        }
        FragmentLink::Branch { number, from } => format!("{turns}?part=b{number}&{}", at(from)),
        FragmentLink::Orphan { number, from } => format!("{turns}?part=o{number}&{}", at(from)),
    }
}

/// Text as a part of a path or query: names in transcripts can be anything.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut address, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                address.push(char::from(byte));
            }
            _ => address.push_str(&format!("%{byte:02X}")),
        }
        address
    })
}

impl Call<'_> {
    /// A turn by its number, such as `12` or `b1.2`.
    pub(super) fn turn(&self, name: &str) -> Result<Option<TurnNumber>, Failure> {
        let parse = |text: &str| {
            text.parse().map_err(|_| Self::invalid(name, text, "use a turn such as 12 or b1.2"))
        };
        self.text(name).map(parse).transpose()
    }

    /// The rules by which a conversation of this session is read.
    pub(super) fn view(&self, found: &FoundSession) -> Result<View, Failure> {
        let view = self.choice("view", &[("app", View::App), ("sdk", View::Sdk)])?;
        let refusal = (view == View::Sdk).then(|| found.refusal_of_sdk_view("view=sdk")).flatten();
        refusal.map_or(Ok(view), |refusal| Err(Failure::bad_request(refusal)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_addresses_cannot_leave_their_place() {
        let base = BasePath::parse(&"0".repeat(32)).unwrap();
        let evil = "../\"><script>?&#é";
        let link = FragmentLink::Output { agent: Some(evil), uuid: evil, call: evil };
        let address = address(&base, "s1", &link);
        assert!(!address.contains(['"', '<', '#', 'é']) && !address.contains("/../"), "{address}");
        assert_eq!(address.matches('?').count(), 1);
        assert_eq!(address.matches('&').count(), 2);
    }
}
