//! Listings in which somebody has put a name that cannot be asked for: with a control character, or
//! with a component that is empty or a dot.
//!
//! The client refuses the whole page such a name is on. Pages are therefore made smaller until the
//! name is alone on one, and the next page begins behind it. So one object does not keep anybody
//! from reading the others.

use super::MAX_NAMES;
use object_store::list::{PaginatedListOptions, PaginatedListStore};
use object_store::{Error, path};

/// The names on a page.
const PAGE: usize = 1000;
/// With more names that cannot be asked for, the listing fails, which is the fault of the
/// owner who wrote them.
const MAX_UNUSABLE: usize = 1000;

/// What is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listed {
    /// The names of all objects.
    Objects,
    /// The folders directly below the prefix, each with a slash at its end.
    Folders,
}

/// Whether a listing failed because of a name in it.
pub(super) fn has_unusable_name(error: &Error) -> bool {
    unusable_name(error).is_some()
}

fn unusable_name(error: &Error) -> Option<&str> {
    match error {
        Error::InvalidPath {
            source: path::Error::BadSegment { path, .. } | path::Error::EmptySegment { path },
        } => Some(path),
        _ => None,
    }
}

/// The names below a prefix that sort behind `after`, with those that cannot be asked for.
pub(super) async fn list(
    pages: &dyn PaginatedListStore,
    prefix: &str,
    after: Option<&str>,
    listed: Listed,
) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    let mut unusable = 0;
    let mut size = PAGE;
    let mut behind = after.map(str::to_owned);
    while names.len() <= MAX_NAMES {
        let options = PaginatedListOptions {
            offset: behind.clone(),
            delimiter: (listed == Listed::Folders).then(|| "/".into()),
            max_keys: Some(size),
            ..PaginatedListOptions::default()
        };
        let prefix = Some(prefix).filter(|prefix| !prefix.is_empty());
        let page = match pages.list_paginated(prefix, options).await {
            Ok(page) => page,
            Err(error) => {
                let Some(name) = unusable_name(&error).map(str::to_owned) else {
                    return Err(error);
                };
                if size > 1 {
                    size /= 2;
                    continue;
                }
                unusable += 1;
                if unusable > MAX_UNUSABLE {
                    return Err(error);
                }
                behind = Some(behind_all_of(&name));
                names.push(name);
                // Who makes one such name makes many, and they sort together: the next request is
                // for one name again, and pages grow as long as they can be read.
                continue;
            }
        };
        let folders = page.result.common_prefixes.iter().map(|folder| format!("{folder}/"));
        let objects = page.result.objects.iter().map(|object| object.location.to_string());
        let found: Vec<String> = folders.chain(objects).collect();
        let last = found.iter().max().map(|last| behind_all_of(last));
        names.extend(found.into_iter().filter(|name| match listed {
            Listed::Objects => true,
            Listed::Folders => name.ends_with('/'),
        }));
        if page.page_token.is_none() || last.is_none() {
            break;
        }
        behind = last;
        size = (size * 2).min(PAGE);
    }
    Ok(names)
}

/// A name behind which the listing goes on: behind everything in a folder.
fn behind_all_of(name: &str) -> String {
    match name.strip_suffix('/') {
        // The character after the slash.
        Some(folder) => format!("{folder}0"),
        None => name.to_owned(),
    }
}
