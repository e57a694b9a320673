//! The skill: a page that teaches agents when and how to use annals.

use super::generated_file::{Comment, GeneratedFile};
use super::target::SetupTarget;
use crate::SearchPath;
use std::path::Path;
use store::real_path;

const PAGE: &str = include_str!("SKILL.md");

/// The file of the skill in a configuration folder.
pub(super) fn file(search_path: &SearchPath, target: &SetupTarget) -> GeneratedFile {
    let path = target.config.join("skills/annals/SKILL.md");
    let on_path = search_path.find_program("annals").map(|found| real_path(&found));
    let is_on_path = on_path == Some(real_path(Path::new(&target.program)));
    let location = if is_on_path {
        String::new()
    } else {
        let program = render::shell_quoted(&target.program);
        format!(" It is not on PATH:\nrun `{program}` instead of `annals`.")
    };
    let page = PAGE.replace("@where@", &location);
    GeneratedFile::new(path, &page, &Comment("<!-- ", " -->"), 0o600)
}
