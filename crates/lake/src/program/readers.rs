//! Who can read something, in words.

use lake::{Audience, StorageUrl};

/// Who can read what is for these readers, if the bucket has the policies that
/// `annals lake init --print-policy` prints.
pub(super) fn readers(url: &StorageUrl, audience: &Audience) -> String {
    match audience {
        _ if url.is_folder() => "everyone with access to the folder".to_owned(),
        Audience::Private => "you and the loaders of your organisation".to_owned(),
        Audience::Team(name) => format!("team {name}"),
        Audience::Org => "everyone in your organisation".to_owned(),
    }
}
