//! API calls of apps, without making transcripts of their sessions.

use crate::stores::Stores;
use crate::stores::apps::view_path::ViewPath;
use ::apps::{ApiCall, App, Header};
use std::borrow::Cow;
use std::io;
use std::path::Path;
use usage::{CallLine, Counters, LineOrigin, PicoUsd};

impl Stores {
    /// The API calls in the transcript that a path shows, as lines of it would report them;
    /// `None` if it is not of another app.
    pub(crate) fn app_calls(&self, path: &Path) -> Option<io::Result<Vec<CallLine<'static>>>> {
        let (found, session) = self.app_session_at(path)?;
        let view = found.view_of(path)?;
        // A sub-agent that writes into the file of its session has only a part of the calls.
        let inline = match view {
            ViewPath::Agent(_, agent) if agent != session.id => Some(agent),
            _ => None,
        };
        let is_agent = matches!(view, ViewPath::Agent(..));
        let app = found.provider.app();
        Some(found.provider.api_calls(session).map(|calls| {
            let own = calls.into_iter().filter(|call| call.agent.as_deref() == inline);
            own.map(|call| line_of(app, &session.header, is_agent, call)).collect()
        }))
    }
}

fn line_of(app: App, header: &Header, is_agent: bool, call: ApiCall) -> CallLine<'static> {
    let id: Cow<'static, str> = Cow::Owned(format!("{}:{}", app.name(), call.key));
    let owned = |text: &Option<String>| text.clone().map(Cow::Owned);
    let tokens = call.tokens;
    let (directory, branch) = match &call.workplace {
        Some(workplace) => (&workplace.directory, &workplace.branch),
        None => (&header.directory, &header.branch),
    };
    let cost = call.reported_cost().and_then(|pico| i128::try_from(pico).ok()).map(PicoUsd);
    CallLine {
        message_id: Some(id.clone()),
        request_id: Some(id),
        time: call.time,
        model: call.model.map(Cow::Owned),
        counters: Counters {
            input: tokens.input,
            output: tokens.output,
            thinking: tokens.reasoning,
            write_5m: tokens.cache_write,
            read: tokens.cache_read,
            ..Counters::default()
        },
        cost,
        origin: LineOrigin {
            cwd: owned(directory),
            branch: owned(branch),
            version: owned(&header.version),
            entrypoint: owned(&header.source),
            is_sidechain: is_agent,
            ..LineOrigin::default()
        },
        is_odd: call.time.is_none(),
        ..CallLine::default()
    }
}
