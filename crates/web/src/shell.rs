//! The page that loads the app. Every page of the app is this one; a session's also has its
//! first turns, which are readable without JavaScript.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::page::{escaped, json_in_script};
use crate::request::Call;
use crate::routes::state::state;

/// A page without content of its own.
pub(crate) fn plain(call: &Call<'_>) -> Result<Answer, Failure> {
    let note = "<noscript><p>This page needs JavaScript. The pages of sessions do not: \
                their addresses end in <code>s/ID</code>.</p></noscript>";
    page(call, "annals", note)
}

/// The page of a session.
pub(crate) fn of_session(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    let title = found.session.heading().unwrap_or_default().to_owned();
    page(call, &title, "")
}

/// The page with a title and content, which must be HTML.
fn page(call: &Call<'_>, title: &str, content: &str) -> Result<Answer, Failure> {
    let base = call.app.base();
    let state = state(call)?;
    let state = String::from_utf8_lossy(&state.body).into_owned();
    let redactor = call.app.settings.redactor.as_ref();
    let title = redactor.map_or_else(|| title.into(), |redactor| redactor.mask(title));
    let text = format!(
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\
         <meta name=color-scheme content=\"light dark\">\
         <title>{}</title>\
         <link rel=icon href=\"data:,\">\
         <link rel=stylesheet href=\"{base}assets/{}\">\
         <script type=module src=\"{base}assets/{}\"></script></head>\
         <body><div id=app>{content}</div>\
         <script type=application/json id=state>{}</script></body></html>\n",
        escaped(&title),
        call.app.assets.style(),
        call.app.assets.script(),
        json_in_script(&state),
    );
    Ok(Answer::html(text))
}
