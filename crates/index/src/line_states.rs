//! The states and turns of the lines of a transcript whose history is not linear.
//!
//! Only the conversation tells them, and reading it for a few hits of a search takes
//! longer than the search. They are packed when the transcript is indexed, while its
//! conversation is read for the number of turns anyway; a line takes about twelve bytes.
//!
//! Ids of records are stored as hashes. Deliberately not here: what states and turns
//! mean; see `conversation`.

use crate::text::call_hash;
use conversation::{Conversation, LineState, MessageState, TurnNumber};

/// The states and turns of the lines of a transcript, packed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineStates(Vec<u8>);

/// A line with its state and turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Packed {
    line: u64,
    uuid: i64,
    state: Option<MessageState>,
    turn: Option<TurnNumber>,
}

const STATES: [MessageState; 4] =
    [MessageState::Live, MessageState::Abandoned, MessageState::Orphaned, MessageState::Compacted];

impl LineStates {
    pub(crate) fn of(conversation: &Conversation<'_>) -> LineStates {
        let mut packed = LineStates::default();
        let mut before = 0;
        for LineState { line, uuid, state, turn } in conversation.line_states() {
            let uuid = call_hash(uuid);
            packed.push(&Packed { line, uuid, state, turn }, before);
            before = line;
        }
        packed
    }

    pub(crate) fn from_bytes(bytes: Vec<u8>) -> LineStates {
        LineStates(bytes)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The state of the message with a uuid; the last one counts.
    pub fn state(&self, uuid: &str) -> Option<MessageState> {
        let uuid = call_hash(uuid);
        self.iter().filter(|line| line.uuid == uuid).filter_map(|line| line.state).last()
    }

    /// The turn of a line; the first one counts.
    pub fn turn(&self, line: u64) -> Option<TurnNumber> {
        self.iter().filter(|other| other.line == line).find_map(|line| line.turn)
    }

    fn push(&mut self, Packed { line, uuid, state, turn }: &Packed, before: u64) {
        // Nearly all lines are in order.
        let step = line.wrapping_sub(before).cast_signed();
        self.number((step << 1 ^ step >> 63).cast_unsigned());
        self.0.extend(uuid.to_le_bytes());
        let state = state.and_then(|state| STATES.iter().position(|one| *one == state));
        let (kind, numbers) = match turn {
            None => (0, [None, None]),
            Some(TurnNumber::Main(turn)) => (1, [None, Some(*turn)]),
            Some(TurnNumber::Branch { branch, turn }) => (2, [Some(*branch), Some(*turn)]),
            Some(TurnNumber::Orphan { segment, turn }) => (3, [Some(*segment), Some(*turn)]),
        };
        self.number(state.map_or(0, |state| state as u64 + 1) << 2 | kind);
        for number in numbers.into_iter().flatten() {
            self.number(number.into());
        }
    }

    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(u8::try_from(number & 0x7f).unwrap_or_default() | 0x80);
            number >>= 7;
        }
        self.0.push(u8::try_from(number).unwrap_or_default());
    }

    /// The lines; it ends where the bytes are not packed lines.
    fn iter(&self) -> impl Iterator<Item = Packed> {
        let mut rest = self.0.as_slice();
        let mut before = 0_u64;
        std::iter::from_fn(move || {
            let step = number(&mut rest)?;
            let step = (step >> 1).cast_signed() ^ -(step & 1).cast_signed();
            let line = before.wrapping_add_signed(step);
            before = line;
            let (uuid, after) = rest.split_first_chunk()?;
            rest = after;
            let class = number(&mut rest)?;
            let state = match usize::try_from(class >> 2).ok()?.checked_sub(1) {
                None => None,
                Some(state) => Some(*STATES.get(state)?),
            };
            let mut small = || u32::try_from(number(&mut rest)?).ok();
            let turn = match class & 3 {
                0 => None,
                1 => Some(TurnNumber::Main(small()?)),
                2 => Some(TurnNumber::Branch { branch: small()?, turn: small()? }),
                _ => Some(TurnNumber::Orphan { segment: small()?, turn: small()? }),
            };
            Some(Packed { line, uuid: i64::from_le_bytes(*uuid), state, turn })
        })
    }
}

fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for (place, byte) in rest.iter().take(10).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * place);
        if *byte < 0x80 {
            *rest = &rest[place + 1..];
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use conversation::View;
    use proptest::prelude::*;
    use testkit::{assistant, file, user};

    #[test]
    fn packed_lines_have_the_states_and_turns_of_their_conversation() {
        let agent = |line: testkit::Line| line.with("isSidechain", true).with("agentId", "a1");
        let bytes = file(&[
            user("one").link("u1", None),
            assistant("yes").link("u2", Some("u1")).message("id", "m1"),
            user("two").link("u3", Some("u2")),
            assistant("no").link("u4", Some("u3")).message("id", "m2"),
            agent(user("task").link("s1", None)),
            agent(assistant("done").link("s2", Some("s1")).message("id", "m3")),
            user("two, again").link("u5", Some("u2")),
            assistant("yes").link("u6", Some("u5")).message("id", "m4"),
            user("lost").link("u8", Some("u7")),
        ]);
        let conversation = Conversation::read(&bytes, View::App);
        let packed = LineStates::of(&conversation);
        let lines: Vec<_> = ["u1", "u2", "u3", "u4", "s1", "s2", "u5", "u6", "u8"]
            .iter()
            .zip(1..)
            .map(|(uuid, line)| (packed.state(uuid), packed.turn(line)))
            .collect();
        let live = |turn| (Some(MessageState::Live), Some(TurnNumber::Main(turn)));
        let branch = Some(TurnNumber::Branch { branch: 1, turn: 1 });
        let inline = (None, Some(TurnNumber::Main(1)));
        let id = conversation.graph.find("u8").expect("a line");
        let lost = (conversation.state(id), conversation.turn_of(id));
        let undone = (Some(MessageState::Abandoned), branch);
        let expected = [live(1), live(1), undone, undone, inline, inline, live(2), live(2), lost];
        assert_eq!(lines, expected);
        assert_eq!((packed.state("u9"), packed.turn(10)), (None, None));
    }

    fn turns() -> impl Strategy<Value = Option<TurnNumber>> {
        let numbers = (any::<u32>(), any::<u32>(), 0..4_u8);
        numbers.prop_map(|(one, turn, kind)| match kind {
            0 => None,
            1 => Some(TurnNumber::Main(turn)),
            2 => Some(TurnNumber::Branch { branch: one, turn }),
            _ => Some(TurnNumber::Orphan { segment: one, turn }),
        })
    }

    proptest! {
        #[test]
        fn lines_are_unpacked_as_they_were_packed(
            lines in prop::collection::vec((any::<u64>(), any::<i64>(), 0..5_usize, turns()), 0..12),
        ) {
            let mut packed = LineStates::default();
            let mut before = 0;
            let lines: Vec<Packed> = lines
                .into_iter()
                .map(|(line, uuid, state, turn)| Packed {
                    line, uuid, state: STATES.get(state).copied(), turn,
                })
                .collect();
            for line in &lines {
                packed.push(line, before);
                before = line.line;
            }
            prop_assert_eq!(packed.iter().collect::<Vec<_>>(), lines);
        }

        #[test]
        fn arbitrary_bytes_are_read_without_failing(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            prop_assert!(LineStates(bytes).iter().count() <= 60);
        }
    }
}
