//! Where exports go, and what their files are called.

use super::{Args, Format};
use crate::context::{Context, store_around};
use crate::failure::CliError;
use crate::whole_file::{self, is_there};
use document::short_ids;
use jiff::tz::TimeZone;
use library::catalog::FoundSession;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Where the sessions go.
pub(super) enum Target {
    /// Standard output.
    Output,
    /// One file.
    File(PathBuf),
    /// Files in a folder, one for each session.
    Folder { folder: PathBuf, paths: Vec<PathBuf>, has_index: bool },
}

impl Target {
    pub(super) fn new(
        context: &Context,
        args: &Args,
        format: Format,
        found: &[FoundSession],
        is_several: bool,
    ) -> anyhow::Result<Self> {
        let asked = args.output.as_deref();
        if asked == Some(Path::new("-")) {
            if is_several {
                let message = "cannot write several sessions to standard output\nhint: pass -o DIR";
                return Err(CliError::Misuse(message.to_owned()).into());
            }
            return Ok(Target::Output);
        }
        let is_folder =
            |path: &Path| path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/");
        let target = match asked {
            Some(path) if !is_several && !is_folder(path) => Target::File(path.to_owned()),
            _ => {
                let folder = asked.unwrap_or(Path::new("."));
                let names = names(found, &context.settings.zone, format);
                let paths = names.iter().map(|name| folder.join(name)).collect();
                Target::Folder { folder: folder.to_owned(), paths, has_index: is_several }
            }
        };
        target.check(context, args, format)?;
        Ok(target)
    }

    /// Checks before anything is written that the target can be written.
    fn check(&self, context: &Context, args: &Args, format: Format) -> anyhow::Result<()> {
        let folder = match self {
            Target::Output => return Ok(()),
            Target::File(path) => path.parent().unwrap_or(path),
            Target::Folder { folder, .. } => folder,
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let real = store::real_path(folder);
        if let Some(root) = store_around(&real, &context.library).filter(|_| !context.is_demo()) {
            return Err(CliError::Misuse(format!(
                "{} is inside the Claude Code folder {}, where annals never writes\nhint: pass -o DIR to choose another folder",
                folder.display(),
                root.display()
            ))
            .into());
        }
        let mut there = self.paths();
        there.extend(self.index(format));
        let is_other = |path: &&PathBuf| {
            let metadata = path.symlink_metadata();
            metadata.is_ok_and(|it| !it.is_file() && !it.is_symlink())
        };
        if let Some(other) = there.iter().find(is_other) {
            return Err(CliError::Misuse(format!(
                "{} is not a regular file\nhint: pass -o - to write to standard output",
                other.display()
            ))
            .into());
        }
        if args.xml.is_cut() {
            there.extend(self.paths().iter().map(|path| part_path(path, 1, 9)));
        }
        there.retain(|path| !args.force && path.symlink_metadata().is_ok());
        match (there.as_slice(), self) {
            ([], Target::Folder { folder, .. }) => whole_file::make_folder(folder),
            ([], _) => Ok(()),
            ([one], _) => Err(is_there(one).into()),
            ([one, rest @ ..], _) => Err(CliError::Misuse(format!(
                "{} and {} more files already exist\nhint: pass --force to overwrite them",
                one.display(),
                rest.len()
            ))
            .into()),
        }
    }

    /// The files, in the order of the sessions.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        match self {
            Target::Output => Vec::new(),
            Target::File(path) => vec![path.clone()],
            Target::Folder { paths, .. } => paths.clone(),
        }
    }

    /// The index page, if there is one.
    pub(super) fn index(&self, format: Format) -> Option<PathBuf> {
        match self {
            Target::Folder { folder, has_index: true, .. } => {
                Some(folder.join(format!("index.{}", format.index_ending())))
            }
            _ => None,
        }
    }
}

/// The name of a part: `a-part2.xml` for `a.xml`, with as many digits as the last
/// part has.
pub(super) fn part_path(path: &Path, number: usize, of: usize) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    let width = of.to_string().len();
    name.push(format!("-part{number:0width$}"));
    if let Some(ending) = path.extension() {
        name.push(".");
        name.push(ending);
    }
    path.with_file_name(name)
}

/// Names of files: `<date>-<slug>-<id8>`, the ids long enough to differ.
fn names(found: &[FoundSession], zone: &TimeZone, format: Format) -> Vec<String> {
    let ids: Vec<&str> = found.iter().map(FoundSession::id).collect();
    let mut taken: HashMap<String, usize> = HashMap::new();
    let named = found.iter().zip(short_ids(&ids)).map(|(found, id)| {
        let facts = &found.session.metadata;
        let day =
            facts.created.unwrap_or(facts.modified).to_zoned(zone.clone()).strftime("%Y-%m-%d");
        let slug = slug(found.session.heading().unwrap_or_default());
        let id = slug_of(&id, 64);
        let parts = [day.to_string(), slug, id];
        let parts: Vec<&str> =
            parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        let name = parts.join("-");
        // Ids of other tools may differ only in characters that a file name drops.
        let count = taken.entry(name.clone()).or_default();
        *count += 1;
        match count {
            1 => format!("{name}.{}", format.ending()),
            again => format!("{name}-{again}.{}", format.ending()),
        }
    });
    named.collect()
}

/// The beginning of a title as part of a file name.
fn slug(title: &str) -> String {
    slug_of(title, 48)
}

/// Lowercase letters and digits of every script, and single hyphens between them. A
/// word that does not fit is dropped, unless it is most of the text. The length is in
/// bytes, because file systems limit those.
fn slug_of(text: &str, longest: usize) -> String {
    let mut slug = String::new();
    for character in text.chars().flat_map(char::to_lowercase) {
        // A mark belongs to the letter before it: in many scripts vowels are marks.
        let is_mark = !slug.is_empty() && !slug.ends_with('-') && is_mark(character);
        if character.is_alphanumeric() || is_mark {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() > longest {
            let word = slug.rfind('-').filter(|at| *at > longest / 2);
            slug.truncate(word.unwrap_or_else(|| slug.floor_char_boundary(longest)));
            break;
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// Whether a character is combined with the one before it, and shows something.
fn is_mark(character: char) -> bool {
    render::columns(character.encode_utf8(&mut [0; 4])) == 0
        && !render::untrusted::is_harmful(character)
        && !matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        && !character.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_letters_of_every_script_digits_and_hyphens() {
        let table = [
            ("Fix the login!", "fix-the-login"),
            ("../../etc/passwd", "etc-passwd"),
            ("  ÄÖ  ", "äö"),
            ("Grüße, Welt", "grüße-welt"),
            ("修正登录测试", "修正登录测试"),
            ("Исправить тест", "исправить-тест"),
            ("हिन्दी", "हिन्दी"),
            ("a\u{200b}b", "a-b"),
            (&"日本".repeat(20), &"日本".repeat(8)),
            ("-rf \u{202e}x\0", "rf-x"),
            (&"a b ".repeat(40), "a-b-a-b-a-b-a-b-a-b-a-b-a-b-a-b-a-b-a-b-a-b-a-b"),
            (
                "let's start working our way through the PR feedback today",
                "let-s-start-working-our-way-through-the-pr",
            ),
            (&"x".repeat(60), &"x".repeat(48)),
        ];
        for (title, expected) in table {
            assert_eq!(slug(title), expected, "{title:?}");
        }
    }
}
