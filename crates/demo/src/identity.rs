//! The identities in the made-up store: session ids, agent ids, models and paths.
//!
//! Everything that names a session is a constant, so two runs, a screenshot and
//! a test all have the same ids. Ids of single messages are derived from a seed and
//! a counter: a fork or a copy that replays a conversation with the same seed gets
//! the same ids, as in Claude Code.

/// Main transcripts, one constant a session.
pub(super) mod session {
    pub(crate) const LOGIN: &str = "3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645";
    pub(crate) const ENDPOINT: &str = "a17e60b2-94cd-4f3a-8b15-2d6c7e90f1a4";
    pub(crate) const PASSKEYS: &str = "5d17fa94-c08e-4b3d-8265-e7f9016ab4cd";
    pub(crate) const MIGRATION: &str = "c52b8f06-1e7d-4c9a-b3f4-60a9d2e5178b";
    pub(crate) const MIGRATION_FORK: &str = "d80a35e1-7c42-4b6f-9e08-f4517bc3a2d9";
    pub(crate) const AUDIT: &str = "7be4920f-a6d8-4135-8c7e-19f2b05e6dc3";
    pub(crate) const DASHBOARD: &str = "91d3c7a8-0f5b-4e62-a947-b38e61d0f25c";
    pub(crate) const DASHBOARD_NEXT: &str = "b6f8142c-d39e-4a07-8f5b-c0e7a92164d3";
    pub(crate) const STATIONS: &str = "e4a9d05f-628b-4d1c-97e3-5a0bf8c4712e";
    pub(crate) const SKETCH: &str = "0c6d7b3a-f914-4285-b0e6-83d1a5c72f9e";
    pub(crate) const SOURDOUGH: &str = "f2c80b6d-47e1-4d95-a3cb-9160e8f7d254";
    pub(crate) const READING: &str = "68b0e4d7-2f9a-4c18-b5d6-a7e3c1f09248";
    pub(crate) const EMPTY: &str = "1e0b93c5-d7a2-4f46-9b8c-05f6e2a4d817";
    pub(crate) const IMPORT: &str = "b93e7f1a-05c6-4d82-8ea9-d41f6b07c35e";
    pub(crate) const ROUNDING: &str = "4ac15d90-e8b7-4236-9fd1-7c0e38a5b6f2";
    pub(crate) const UNDERSCORE: &str = "29f5a8c3-6b0d-4e71-84fa-d2c91e7035b6";
    pub(crate) const HYPHEN: &str = "8d640e2b-a1f7-4c59-9037-6eb8f5d1c4a2";
    /// Its prompts are in `history.jsonl`; it has no transcript.
    pub(crate) const KITES_PROMPTS: &str = "d3b17c45-0e9f-4a62-b8d1-47f5c6e0a938";
    /// Its prompts are in `history.jsonl`; it has no transcript.
    pub(crate) const HARBOUR_PROMPTS: &str = "77aaf0e2-3c5d-4918-8be6-f0d4927c1b53";
}

/// Working directories.
pub(super) mod directory {
    pub(crate) const TIDEPOOL: &str = "/home/ada/tidepool";
    pub(crate) const WORKTREE: &str = "/home/ada/tidepool-worktrees/login";
    pub(crate) const NOTES: &str = "/home/ada/notes";
    pub(crate) const LEDGER: &str = r"C:\Users\ada\ledger";
    pub(crate) const UNDERSCORE: &str = "/home/ada/a_b";
    pub(crate) const HYPHEN: &str = "/home/ada/a-b";
    pub(crate) const KITES: &str = "/home/ada/kites";
}

pub(super) mod model {
    pub(crate) const OPUS: &str = "claude-opus-5-5";
    pub(crate) const SONNET: &str = "claude-sonnet-5";
    pub(crate) const HAIKU: &str = "claude-haiku-4-5-20251001";
    pub(crate) const SONNET_OF_2_0: &str = "claude-sonnet-4-5-20250929";
    pub(crate) const SONNET_OF_1_0: &str = "claude-sonnet-4-20250514";
    /// Has no price: reports have to say so.
    pub(crate) const UNPRICED: &str = "claude-nova-7";
}

/// The folder with a working directory's transcripts. All paths here are far below 200
/// characters, from which on a hash is appended.
pub(super) fn project_folder(cwd: &str) -> String {
    let name: String = cwd
        .encode_utf16()
        .map(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
            _ => '-',
        })
        .collect();
    format!("projects/{name}")
}

/// A source of ids; the same name gives the same ids.
#[derive(Clone)]
pub(super) struct Ids {
    seed: u64,
    drawn: u64,
}

impl Ids {
    pub(super) fn named(name: &str) -> Self {
        // FNV-1a: short, and spread enough to distinguish a few dozen names.
        let seed = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self { seed, drawn: 0 }
    }

    /// The next number of the sequence (splitmix64).
    pub(super) fn number(&mut self) -> u64 {
        self.drawn += 1;
        let mut mixed = self.seed.wrapping_add(self.drawn.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Shaped like a random (version 4) UUID.
    pub(super) fn uuid(&mut self) -> String {
        let (high, low) = (self.number(), self.number());
        format!(
            "{:08x}-{:04x}-4{:03x}-{:x}{:03x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xffff,
            high & 0xfff,
            8 + (low >> 62),
            (low >> 48) & 0xfff,
            low & 0xffff_ffff_ffff
        )
    }

    /// An API id such as `msg_01…` or `toolu_01…`.
    pub(super) fn labelled(&mut self, prefix: &str, length: usize) -> String {
        const LETTERS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
        let mut id = String::from(prefix);
        let mut rest = 0;
        for position in 0..length {
            if position % 8 == 0 {
                rest = self.number();
            }
            let letter = usize::try_from(rest % 58).map_or(b'1', |index| LETTERS[index]);
            id.push(char::from(letter));
            rest /= 58;
        }
        id
    }
}
