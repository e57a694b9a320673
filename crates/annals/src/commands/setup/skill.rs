//! The skill: a page that tells an agent when and how to ask annals.

use super::own_file::{Comment, OwnFile};
use super::place::Place;
use crate::commands::resume::find_program;
use crate::context::{Context, absolute};
use std::path::Path;

const PAGE: &str = include_str!("SKILL.md");

/// The file of the skill in a configuration folder.
pub(super) fn file(context: &Context, place: &Place) -> OwnFile {
    let path = place.config.join("skills/annals/SKILL.md");
    let on_path = find_program(context, "annals").map(|found| absolute(&found));
    let is_on_path = on_path == Some(absolute(Path::new(&place.program)));
    let whereabouts = if is_on_path {
        String::new()
    } else {
        let program = render::shell_quoted(&place.program);
        format!(" It is not on PATH:\nwrite `{program}` wherever `annals` stands below.")
    };
    let page = PAGE.replace("@where@", &whereabouts);
    OwnFile::new(path, &page, &Comment("<!-- ", " -->"), 0o600)
}
