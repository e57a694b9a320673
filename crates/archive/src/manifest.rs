//! The manifest: the list of archived files, line by line.
//!
//! `manifest.jsonl` lists the archived files, their versions, and where their
//! frames are. Each line is sealed (see [`crate::sealed`]) and contains the
//! hash of the line before, so a changed, lost or moved line is noticed. Lines
//! are only appended; from time to time the whole file is rewritten without
//! replaced lines, and takes the old one's place by a rename.
//!
//! Reading never fails on a line: an invalid line is reported as damage, and
//! the others count. A last line without a newline was left by an interrupted
//! writer, and was never reported as archived.

use crate::frame::{Frame, Hash, LONGEST, StoredChecksum, is_possible};
use crate::mend;
use crate::name::Name;
use crate::scope::is_archivable;
use crate::sealed::{hash_of, seal, unseal};
use crate::state::{FileStamp, Location, State, StoredBytes};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The version of annals that writes manifests.
pub(crate) const ANNALS: &str = env!("CARGO_PKG_VERSION");

/// The format this crate writes.
pub(crate) const FORMAT: u32 = 1;

/// Larger numbers of packs, roots and versions were not written by annals.
/// Counting on from these cannot overflow.
const LARGEST: u32 = 99_999_999;

/// How many frames all versions together may share with earlier ones. A shared
/// frame is written once but held in memory for every version: a short manifest
/// could demand more memory than there is.
const SHARED: usize = 1 << 20;

/// One line of the manifest. Exactly one member besides `prev` is present. A
/// line with an unknown member is from a newer version with the same format and
/// is kept unchanged.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Line<'a> {
    /// The hash of the line before; empty on the first.
    #[serde(borrow)]
    pub(crate) prev: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) archive: Option<Begin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) root: Option<RootLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(borrow)]
    pub(crate) keep: Option<KeepLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(borrow)]
    pub(crate) spare: Option<StoredBytesLine<'a>>,
}

/// The first line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Begin {
    /// The format of the archive.
    pub(crate) format: u32,
    /// The unique id of this archive.
    pub(crate) id: String,
    /// BLAKE3 of the README beside the manifest.
    pub(crate) readme: String,
    /// The last line of the manifest this one replaced.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) replaces: String,
    /// The version of annals that wrote this manifest: one that cannot read it names this one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) annals: String,
}

/// A root with archived files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RootLine {
    /// Its number here.
    pub(crate) number: u32,
    /// The archive that first archived it: another machine's has another id.
    pub(crate) archive: String,
    /// Its path on that machine.
    pub(crate) path: String,
}

/// The content of a version of a file from a byte on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeepLine<'a> {
    pub(crate) root: u32,
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    /// The version: 1, and one more for every rewrite.
    pub(crate) generation: u32,
    /// Everything before this byte is unchanged: in this generation, or for a
    /// new one, in the one before.
    pub(crate) from: u64,
    #[serde(borrow)]
    pub(crate) frames: Vec<FrameLine<'a>>,
    pub(crate) modified: Timestamp,
    pub(crate) kept: Timestamp,
    /// Identifies the file on disk as the one that was read: inode, device, and
    /// the time of the last status change in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seen: Option<(u64, u64, i64)>,
    /// The session it belongs to, if its name does not show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FrameLine<'a> {
    #[serde(borrow)]
    pub(crate) hash: Cow<'a, str>,
    pub(crate) length: u64,
    #[serde(borrow)]
    pub(crate) spot: StoredBytesLine<'a>,
}

/// Stored bytes: in a pack, or in their own file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredBytesLine<'a> {
    /// The pack; 0 for an own file.
    pub(crate) pack: u32,
    /// The offset in the pack.
    pub(crate) at: u64,
    /// How many bytes.
    pub(crate) stored: u64,
    /// The first 8 bytes of their BLAKE3.
    #[serde(borrow)]
    pub(crate) sum: Cow<'a, str>,
}

impl StoredBytesLine<'_> {
    pub(crate) fn of(spot: &StoredBytes) -> StoredBytesLine<'static> {
        let (pack, at) = match spot.location {
            Location::Loose => (0, 0),
            Location::Pack { number, at } => (number, at),
        };
        StoredBytesLine { pack, at, stored: spot.stored, sum: spot.sum.to_string().into() }
    }

    fn parse(&self) -> Option<StoredBytes> {
        let location = match self.pack {
            0 => Location::Loose,
            number => Location::Pack { number, at: self.at },
        };
        // An end that overflows cannot be reached.
        self.at.checked_add(self.stored)?;
        if self.pack > LARGEST || self.stored > 2 * LONGEST {
            return None;
        }
        Some(StoredBytes { location, stored: self.stored, sum: StoredChecksum::parse(&self.sum)? })
    }
}

/// A damaged line of the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedManifestLine {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong.
    pub reason: String,
    /// The file it describes, if that can still be read.
    pub name: Option<Name>,
    /// Whether its content could be restored from its checksum, so that nothing
    /// is lost.
    pub is_mended: bool,
}

/// The content of a manifest.
#[derive(Debug, Default)]
pub(crate) struct ManifestContent {
    pub(crate) state: State,
    pub(crate) begin: Option<Begin>,
    pub(crate) damaged: Vec<DamagedManifestLine>,
    /// The hashes of the valid lines, in order.
    hashes: Vec<u128>,
    /// The hash of the last line.
    pub(crate) last: String,
    /// The length of its complete lines.
    pub(crate) length: u64,
    /// How many bytes an interrupted writer left after that.
    pub(crate) unfinished: u64,
    /// Lines that this version does not understand.
    pub(crate) unknown: Vec<String>,
    /// How many lines were replaced by later ones.
    pub(crate) replaced: usize,
    pub(crate) lines: usize,
    /// How many frames versions share with earlier ones.
    shared: usize,
}

impl ManifestContent {
    /// Whether any content is lost.
    pub(crate) fn is_damaged(&self) -> bool {
        self.begin.is_none() || self.damaged.iter().any(|line| !line.is_mended)
    }

    fn add_damage(&mut self, reason: impl Into<String>, name: Option<Name>, is_mended: bool) {
        let line = self.lines as u64;
        self.damaged.push(DamagedManifestLine { line, reason: reason.into(), name, is_mended });
    }

    /// Adds a valid line.
    fn take(&mut self, line: &str, after_damage: bool) {
        let hash = hash_of(line).to_owned();
        // Its hash is an ordinary member, and ignored here.
        match serde_json::from_str::<Line<'_>>(line) {
            Ok(said) => {
                if said.prev != self.last && !after_damage {
                    self.add_damage(
                        "a line before it is missing",
                        guess_name(line.as_bytes()),
                        false,
                    );
                }
                apply(said, line, self);
            }
            Err(error) => self.add_damage(error.to_string(), guess_name(line.as_bytes()), false),
        }
        self.hashes.extend(u128::from_str_radix(&hash, 16));
        self.last = hash;
    }

    /// Whether there is no valid line.
    pub(crate) fn is_void(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Whether a line with this hash exists, or was the last line of the
    /// manifest that this one replaced.
    pub(crate) fn knows(&self, hash: &str) -> bool {
        let replaced = self.begin.as_ref().is_some_and(|begin| begin.replaces == hash);
        replaced || u128::from_str_radix(hash, 16).is_ok_and(|hash| self.hashes.contains(&hash))
    }
}

/// Reads a manifest from memory.
#[cfg(test)]
pub(crate) fn read(bytes: &[u8]) -> ManifestContent {
    let mut reading = ManifestReader::default();
    reading.more(bytes);
    reading.finish()
}

/// Reads a manifest in pieces, because it may be large.
#[derive(Default)]
pub(crate) struct ManifestReader {
    content: ManifestContent,
    after_damage: bool,
    budget: mend::HashBudget,
    /// Bytes that are not processed yet: at most one whole line and the start
    /// of another.
    held: Vec<u8>,
}

impl ManifestReader {
    /// Adds a piece.
    pub(crate) fn more(&mut self, bytes: &[u8]) {
        self.held.extend_from_slice(bytes);
        let held = std::mem::take(&mut self.held);
        // The last line waits for the next one, which may be its remainder.
        let whole = memchr::memrchr(b'\n', &held).unwrap_or_default();
        let ready = memchr::memrchr(b'\n', &held[..whole]).map_or(0, |at| at + 1);
        let taken = self.take_lines(&held[..ready], held.get(ready..=whole));
        self.held = held;
        self.held.drain(..taken);
    }

    /// Ends the input.
    pub(crate) fn finish(mut self) -> ManifestContent {
        let held = std::mem::take(&mut self.held);
        let whole = memchr::memrchr(b'\n', &held).map_or(0, |at| at + 1);
        self.take_lines(&held[..whole], None);
        let mut content = self.content;
        // A complete line with another byte in place of its newline was not
        // left by an interrupted writer.
        let end = &held[whole..];
        if let Some((_, line)) = end.split_last()
            && unseal(line).is_ok()
        {
            content.lines += 1;
            content.add_damage("its newline has changed", guess_name(line), true);
            content.take(std::str::from_utf8(line).unwrap_or_default(), self.after_damage);
        }
        content.unfinished = end.len() as u64;
        if content.replaced > 0 {
            content.state.drop_unneeded();
        }
        content
    }

    /// Processes whole lines, which another may follow. Returns how many bytes
    /// were processed, including that other line if it belonged to the last
    /// one.
    fn take_lines(&mut self, bytes: &[u8], behind: Option<&[u8]>) -> usize {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let mut lines = lines.chain(behind.filter(|behind| behind.ends_with(b"\n"))).peekable();
        let mut taken = 0;
        while taken < bytes.len()
            && let Some(line) = lines.next()
        {
            taken += line.len();
            let text = &line[..line.len() - 1];
            let content = &mut self.content;
            content.lines += 1;
            let Err(damaged) = unseal(text) else {
                content.take(std::str::from_utf8(text).unwrap_or_default(), self.after_damage);
                self.after_damage = false;
                continue;
            };
            // A byte may have become a newline: then the next line is the
            // remainder.
            let next = lines.peek().map(|next| &next[..next.len() - 1]);
            let joined = next.and_then(|next| mend::join(text, next, &mut self.budget));
            let mended = joined
                .clone()
                .map_or_else(|| mend::mend(text, &mut self.budget), |line| vec![line]);
            let name = mended.first().map_or(text, |line| line.as_bytes());
            content.add_damage(damaged.to_string(), guess_name(name), !mended.is_empty());
            if joined.is_some() {
                taken += lines.next().map_or(0, <[u8]>::len);
            }
            self.after_damage |= mended.is_empty();
            for line in &mended {
                content.take(line, self.after_damage);
                self.after_damage = false;
            }
        }
        self.content.length += taken as u64;
        taken
    }
}

fn apply(line: Line<'_>, text: &str, content: &mut ManifestContent) {
    if let Some(begin) = line.archive {
        content.state.id.clone_from(&begin.id);
        content.begin = Some(begin);
    } else if let Some(root) = line.root {
        if root.number > LARGEST {
            content.add_damage("it has an impossible root number", None, false);
            return;
        }
        content.state.roots.insert(root.number, root);
    } else if let Some(spare) = line.spare {
        match spare.parse() {
            Some(spot) => content.state.spare.push(spot),
            None => content.add_damage("it lists impossible bytes", None, false),
        }
    } else if let Some(keep) = line.keep {
        let Some(name) = Name::parse(&keep.name).filter(is_archivable) else {
            content.add_damage(
                format!("{:?} is not a file that is archived", keep.name),
                None,
                false,
            );
            return;
        };
        match parse_keep(&keep, &mut content.state) {
            Some(frames) => {
                let key = (keep.root, name.clone());
                let known = content.state.newest(&key);
                let is_next = known.is_some_and(|known| known.number < keep.generation);
                let shared = known.filter(|_| is_next && keep.from > 0);
                content.shared += shared.map_or(0, |known| known.frames.len());
                if keep.generation > LARGEST || content.shared > SHARED {
                    content.add_damage("it lists impossible versions", Some(name), false);
                    return;
                }
                let seen = FileStamp {
                    modified: keep.modified,
                    kept: keep.kept,
                    identity: keep.seen,
                    session: keep.session,
                };
                let is_new = content.state.keep(key, keep.generation, keep.from, &frames, seen);
                match is_new {
                    Some(true) => {}
                    Some(false) => content.replaced += 1,
                    None => {
                        content.add_damage(
                            "the version it continues is missing",
                            Some(name),
                            false,
                        );
                    }
                }
            }
            None => content.add_damage("it lists impossible frames", Some(name), false),
        }
    } else {
        content.unknown.push(text.to_owned());
    }
}

/// The frames of a line; their locations are added to the state.
fn parse_keep(keep: &KeepLine<'_>, state: &mut State) -> Option<Vec<Frame>> {
    let mut frames = Vec::with_capacity(keep.frames.len());
    for line in &keep.frames {
        let frame = Frame { hash: Hash::parse(&line.hash)?, length: line.length };
        let spot = line.spot.parse().filter(|spot| is_possible(frame.length, spot.stored))?;
        state.place(frame, spot);
        frames.push(frame);
    }
    Some(frames)
}

/// The name in a damaged line, if it can still be read.
fn guess_name(line: &[u8]) -> Option<Name> {
    const KEY: &[u8] = b"\"name\":\"";
    let at = memchr::memmem::find(line, KEY)? + KEY.len();
    let length = memchr::memchr(b'"', &line[at..])?;
    let text = std::str::from_utf8(&line[at..at + length]).ok()?;
    Name::parse(text)
}

/// Writes a line that follows the one with this hash.
pub(crate) fn write(mut line: Line<'_>, prev: &str) -> String {
    line.prev = prev.to_owned().into();
    let text = serde_json::to_string(&line).unwrap_or_default();
    seal(text.get(1..).unwrap_or_default())
}

/// Chains a line of a newer version to the one with this hash.
pub(crate) fn chain(line: &str, prev: &str) -> Option<String> {
    let mut members: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(line).ok()?;
    members.remove("hash");
    members.insert("prev".to_owned(), prev.into());
    let text = serde_json::to_string(&members).ok()?;
    Some(seal(text.get(1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panicking(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let content = read(&bytes);
            prop_assert!(content.length + content.unfinished == bytes.len() as u64);
        }

        #[test]
        fn reading_in_pieces_gives_the_same_as_reading_whole(
            cuts in prop::collection::vec(1_usize..40, 1..60),
            flip in any::<prop::sample::Index>(),
        ) {
            let mut text = String::new();
            let mut last = String::new();
            for number in 0..5 {
                let root = RootLine { number, archive: "a".to_owned(), path: "/p".to_owned() };
                let line = write(Line { root: Some(root), ..Line::default() }, &last);
                hash_of(&line).clone_into(&mut last);
                text.push_str(&line);
                text.push('\n');
            }
            let mut bytes = text.into_bytes();
            let at = flip.index(bytes.len());
            bytes[at] ^= 4;
            let whole = read(&bytes);
            let mut pieces = ManifestReader::default();
            let mut rest = bytes.as_slice();
            for cut in cuts.iter().cycle() {
                let (piece, behind) = rest.split_at((*cut).min(rest.len()));
                pieces.more(piece);
                rest = behind;
                if rest.is_empty() {
                    break;
                }
            }
            let pieces = pieces.finish();
            prop_assert_eq!(&pieces.damaged, &whole.damaged);
            prop_assert_eq!((pieces.lines, pieces.length), (whole.lines, whole.length));
            prop_assert_eq!(pieces.unfinished, whole.unfinished);
            prop_assert_eq!(&pieces.last, &whole.last);
            prop_assert_eq!(&pieces.state.roots, &whole.state.roots);
        }

        #[test]
        fn any_sealed_members_are_read_without_panicking(members in "\"prev\":\"\",\"(keep|root|spare|archive|other)\":.{0,80}") {
            let line = seal(&format!("{members}}}")) + "\n";
            let content = read(line.as_bytes());
            prop_assert_eq!(content.lines, 1);
            prop_assert!(content.state.files().count() <= 1);
        }
    }

    #[test]
    fn lines_of_a_newer_version_are_kept_and_chained_again() {
        let first = write(Line { archive: Some(Begin::default()), ..Line::default() }, "");
        let newer =
            seal(&format!("\"prev\":\"{}\",\"weather\":{{\"sky\":\"clear\"}}}}", hash_of(&first)));
        let content = read(format!("{first}\n{newer}\n").as_bytes());
        assert!(content.damaged.is_empty());
        assert_eq!(content.unknown, std::slice::from_ref(&newer));
        let chained = chain(&newer, "abc").unwrap();
        assert!(unseal(chained.as_bytes()).is_ok_and(|rest| rest.contains("\"prev\":\"abc\"")));
        assert!(chained.contains("clear"));
    }
}
