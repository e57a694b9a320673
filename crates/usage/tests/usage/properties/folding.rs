//! Properties of the fold: the result does not depend on order, splits or copies.

use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;
use testkit::{PlainCall, call, plain_calls, plain_lines};
use transcript::{Line, LineEnd};
use usage::{
    Call, Calls, CostMode, Counters, Fold, PackedFold, Pricer, Prices, UsageLine, read_line,
};

/// A line before it is written; the ranges are small, so that lines share ids.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) file: usize,
    id: Option<u8>,
    request: Option<u8>,
    uuid: u8,
    tokens: [u64; 4],
    model: u8,
    second: Option<u8>,
    way: u8,
    tool: Option<u8>,
    advised: bool,
}

const MODELS: [&str; 4] = ["claude-opus-5", "claude-sonnet-5", "claude-unknown-9", "<synthetic>"];

impl Written {
    fn text(&self) -> String {
        let model = MODELS[usize::from(self.model) % MODELS.len()];
        let mut line = call("m", self.tokens)
            .model(model)
            .message("id", self.id.map(|id| format!("m{id}")))
            .with("requestId", self.request.map(|id| format!("r{id}")))
            .with("uuid", format!("u{}", self.uuid))
            .with("gitBranch", format!("branch{}", self.uuid % 3))
            .session(&format!("s{}", self.file))
            .with("timestamp", self.second.map(|second| format!("2026-01-02T03:04:{second:02}Z")));
        if let Some(tool) = self.tool {
            line = line.calls_tools(&[(&format!("t{}", tool % 4), &format!("Tool{}", tool % 3))]);
        } else if model == "<synthetic>" {
            line = line
                .message("content", json!([{"type": "text", "text": "limit reached|1767330000"}]));
        }
        if self.advised {
            let advice = json!({"type": "advisor_message", "model": "claude-opus-4-1", "output_tokens": self.tokens[0]});
            line = line.usage("iterations", json!([advice]));
        }
        let line = match self.way {
            0 => line.forked_into("fork"),
            1 => line.replayed_in("background"),
            2 => line.of_agent("a1"),
            3 => line.as_progress(),
            _ => line,
        };
        line.to_string()
    }
}

fn written() -> impl Strategy<Value = Written> {
    let ids = (prop::option::weighted(0.9, 0_u8..4), prop::option::weighted(0.8, 0_u8..3), 0_u8..9);
    let counts = prop::array::uniform4(0_u64..4);
    let rest = (0_u8..9, prop::option::weighted(0.9, 0_u8..5), 0_u8..9);
    let parts = (prop::option::weighted(0.4, 0_u8..9), prop::bool::weighted(0.1));
    (0_usize..4, ids, counts, rest, parts).prop_map(|(file, ids, tokens, rest, parts)| Written {
        file,
        id: ids.0,
        request: ids.1,
        uuid: ids.2,
        tokens,
        model: rest.0,
        second: rest.1,
        way: rest.2,
        tool: parts.0,
        advised: parts.1,
    })
}

pub(crate) fn store() -> impl Strategy<Value = Vec<Written>> {
    prop::collection::vec(written(), 0..24)
}

/// Lines with distinct times, as in real transcripts: only copies share them.
fn timed() -> impl Strategy<Value = Vec<Written>> {
    store().prop_map(|mut lines| {
        for (line, second) in lines.iter_mut().zip(0..) {
            line.second = Some(second);
        }
        lines
    })
}

/// The files that these lines form.
pub(crate) fn files(lines: &[Written]) -> Vec<Vec<u8>> {
    let mut files = vec![Vec::new(); 4];
    for line in lines {
        files[line.file].extend((line.text() + "\n").into_bytes());
    }
    files
}

/// A line with its file and offset.
pub(crate) type Placed<'a> = (u32, u64, &'a [u8]);

pub(crate) fn placed(files: &[Vec<u8>]) -> Vec<Placed<'_>> {
    let mut found = Vec::new();
    for (number, bytes) in (0..).zip(files) {
        found.extend(transcript::lines(bytes).map(|line| (number, line.offset, line.bytes)));
    }
    found
}

fn note(fold: &mut Fold, (file, offset, bytes): Placed<'_>) {
    let line = Line { number: 0, offset, bytes, end: LineEnd::Newline };
    read_line(line, |read| match read {
        UsageLine::Call(call) => fold.note(file, &call),
        UsageLine::Other => {}
        UsageLine::Damaged(offset) => fold.note_damage(file, offset),
    });
}

pub(crate) fn fold(lines: &[Placed<'_>]) -> Fold {
    let mut fold = Fold::default();
    for line in lines {
        note(&mut fold, *line);
    }
    fold
}

pub(crate) fn calls(files: &[Vec<u8>]) -> Calls {
    fold(&placed(files)).finish()
}

/// All details of calls, with texts instead of their numbers.
fn details(calls: &Calls) -> Vec<String> {
    let name = |name| calls.names.get(name);
    let each = calls.calls.iter().map(|call| {
        let Call { id, request, time, counters, terms, logged_cost, file, chosen_line, .. } = call;
        let place = &call.attribution;
        let attribution_names = [place.session, place.cwd, place.branch, place.version, place.agent].map(name);
        let tools: Vec<_> = call.tools.iter().map(|(tool, count)| (name(*tool), count)).collect();
        format!(
            "{id} {request:?} {time:?} {:?} {counters:?} {terms:?} {logged_cost:?} {file} {chosen_line:?} {attribution_names:?} {} {} {tools:?} {}",
            name(call.model),
            call.is_sidechain,
            call.is_advisor_call,
            call.lines
        )
    });
    let mut details: Vec<String> = each.collect();
    let mut naive: Vec<_> = calls.naive.iter().map(|(model, sum)| (name(*model), sum)).collect();
    naive.sort();
    details.push(format!("{:?} {:?} {naive:?} {:?}", calls.tally, calls.duplicates, calls.limits));
    details
}

/// Calls, tokens and money.
fn totals(calls: &Calls) -> (usize, Counters, i128) {
    let prices = Prices::embedded();
    let mut with = Pricer::new(&prices, CostMode::Auto);
    let mut sum = (calls.calls.len(), Counters::default(), 0);
    for call in &calls.calls {
        sum.1 = sum.1.plus(&call.counters);
        sum.2 += with.cost(call, &calls.names).total.unwrap_or_default().0;
    }
    sum
}

/// A call of the reference implementation, as text.
fn expected_text(call: &PlainCall) -> String {
    let tools: BTreeSet<_> = call.tools.iter().collect();
    format!(
        "{} {:?} {:?} {:?} {} {:?} {} {} {}",
        call.id,
        call.time,
        call.chosen.model,
        call.chosen.counts,
        call.owner.file,
        (call.chosen.file, call.chosen.offset),
        call.is_sidechain,
        tools.len(),
        call.lines
    )
}

fn actual_text(calls: &Calls, call: &Call) -> String {
    let used = &call.counters;
    let counts = [
        used.input,
        used.output,
        used.thinking,
        used.write_5m,
        used.write_1h,
        used.read,
        used.web_searches,
    ];
    format!(
        "{} {:?} {:?} {counts:?} {} {:?} {} {} {}",
        call.id,
        call.time,
        calls.names.get(call.model),
        call.file,
        call.chosen_line,
        call.is_sidechain,
        call.tools.iter().map(|(_, count)| count).sum::<u64>(),
        call.lines
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// With any order of lines, any division into folds, any order of merging.
    #[test]
    fn the_fold_is_associative_and_commutative(
        lines in store(),
        order in Just((0..24_usize).collect::<Vec<_>>()).prop_shuffle(),
        thread in prop::collection::vec(0_usize..4, 24),
        merges in prop::collection::vec((0_usize..4, 0_usize..4), 3),
    ) {
        let files = files(&lines);
        let lines = placed(&files);
        let expected = details(&fold(&lines).finish());
        let mut folds = vec![Fold::default(); 4];
        for place in order.into_iter().filter(|place| *place < lines.len()) {
            note(&mut folds[thread[place]], lines[place]);
        }
        for (one, two) in merges {
            if folds.len() > 1 {
                let one = folds.remove(one % folds.len());
                let two = folds.remove(two % folds.len());
                folds.push(one.merge(two));
            }
        }
        let merged = folds.into_iter().reduce(Fold::merge).unwrap();
        prop_assert_eq!(details(&merged.finish()), expected);
    }

    /// With any mixture of packed folds and files that are read.
    #[test]
    fn packed_folds_give_the_calls_of_their_lines(lines in store(), which in 0_u8..16) {
        let files = files(&lines);
        let all = placed(&files);
        let is_packed = |file: u32| which & (1 << file) != 0;
        let own = |file: u32| all.iter().copied().filter(move |line| line.0 == file);
        // A file can have had another number when it was packed.
        let packs: Vec<(u32, Vec<u8>)> = (0..4)
            .filter(|file| is_packed(*file))
            .map(|file| {
                let lines: Vec<Placed<'_>> = own(file).map(|(_, at, bytes)| (7, at, bytes)).collect();
                (file, fold(&lines).pack())
            })
            .collect();
        let read: Vec<Placed<'_>> = all.iter().copied().filter(|line| !is_packed(line.0)).collect();
        let packed: Vec<PackedFold<'_>> =
            packs.iter().map(|(file, bytes)| PackedFold::open(bytes, *file).unwrap()).collect();
        prop_assert_eq!(details(&fold(&read).finish_with(&packed)), details(&calls(&files)));
        let mut absorbed = fold(&read);
        for (file, bytes) in &packs {
            prop_assert!(absorbed.absorb(bytes, *file));
        }
        prop_assert_eq!(details(&absorbed.finish()), details(&calls(&files)));
    }

    /// Bytes that were changed, truncated or extended are rejected.
    #[test]
    fn damaged_packs_give_nothing(lines in store(), at: prop::sample::Index, bit in 0_u8..8) {
        let bytes = fold(&placed(&files(&lines))[..]).pack();
        let mut flipped = bytes.clone();
        flipped[at.index(bytes.len())] ^= 1 << bit;
        prop_assert!(PackedFold::open(&flipped, 0).is_none());
        prop_assert!(PackedFold::open(&bytes[..at.index(bytes.len())], 0).is_none());
        prop_assert!(PackedFold::open(&[&bytes[..], b"\0"].concat(), 0).is_none());
    }

    /// The same calls as the reference implementation.
    #[test]
    fn calls_are_those_of_the_rules(lines in store()) {
        let files = files(&lines);
        let calls = calls(&files);
        let own = calls.calls.iter().filter(|call| !call.is_advisor_call);
        let found: Vec<String> = own.map(|call| actual_text(&calls, call)).collect();
        let plain = plain_calls(&plain_lines(&files));
        prop_assert_eq!(found, plain.iter().map(expected_text).collect::<Vec<_>>());
        let advised: usize = plain.iter().map(|call| call.chosen.advice.len()).sum();
        prop_assert_eq!(calls.calls.iter().filter(|call| call.is_advisor_call).count(), advised);
        let lines = plain.len() as u64 + calls.duplicates.total();
        prop_assert_eq!(lines, calls.tally.lines, "every line is a call or has its reason");
    }

    /// With a file split in two.
    #[test]
    fn splitting_a_file_changes_no_total(lines in store(), at in 0_usize..24) {
        let whole = files(&lines);
        let mut split = Vec::new();
        for bytes in &whole {
            let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
            let (one, two) = lines.split_at(at.min(lines.len()));
            split.extend([one.concat(), two.concat()]);
        }
        let (whole, split) = (calls(&whole), calls(&split));
        prop_assert_eq!(totals(&whole), totals(&split));
        prop_assert_eq!(whole.duplicates.total(), split.duplicates.total());
    }

    /// With a whole copy, before or after all other files.
    #[test]
    fn copying_a_file_changes_no_total(lines in timed(), which in 0_usize..4, first: bool) {
        let own = files(&lines);
        let mut copied = own.clone();
        copied.insert(if first { 0 } else { own.len() }, own[which].clone());
        let (own, copied) = (calls(&own), calls(&copied));
        prop_assert_eq!(totals(&own), totals(&copied));
        let more = copied.tally.lines - own.tally.lines;
        prop_assert_eq!(copied.duplicates.total(), own.duplicates.total() + more);
        prop_assert_eq!(own.limits.len(), copied.limits.len());
    }

    /// With a fork of a whole file: no call moves to it.
    #[test]
    fn forking_a_file_moves_no_call(lines in timed(), which in 0_usize..4) {
        let lines: Vec<Written> = lines.into_iter().filter(|line| line.way > 1).collect();
        let own = files(&lines);
        let forked: Vec<Written> = lines
            .iter()
            .filter(|line| line.file == which && line.way > 3)
            .map(|line| Written { way: 0, ..line.clone() })
            .collect();
        let mut with_fork = own.clone();
        with_fork.push(files(&forked)[which].clone());
        let (own, with_fork) = (calls(&own), calls(&with_fork));
        prop_assert_eq!(with_fork.duplicates.fork, forked.len() as u64);
        let owners = |calls: &Calls| calls.calls.iter().map(|call| call.file).collect::<Vec<_>>();
        prop_assert!(owners(&with_fork).iter().all(|file| *file < 4));
        prop_assert_eq!(own.calls.len(), with_fork.calls.len());
    }

    /// Without the file of its chosen line, a call is still in the others.
    #[test]
    fn a_call_survives_without_the_file_of_its_chosen_line(lines in store()) {
        let whole = files(&lines);
        for call in calls(&whole).calls.iter().filter(|call| !call.is_advisor_call) {
            let mut rest = whole.clone();
            rest[usize::try_from(call.chosen_line.0).unwrap()].clear();
            let is_elsewhere = plain_calls(&plain_lines(&rest)).iter().any(|other| *other.id == *call.id);
            let is_left = calls(&rest).calls.iter().any(|other| other.id == call.id);
            prop_assert_eq!(is_left, is_elsewhere);
        }
    }

    /// While a file grows, counts never exceed the final ones.
    #[test]
    fn a_growing_file_only_adds(lines in store(), at in 0_usize..24) {
        let part = calls(&files(&lines[..at.min(lines.len())]));
        let whole = calls(&files(&lines));
        let ids = |calls: &Calls| calls.calls.iter().map(|call| call.id.clone()).collect::<BTreeSet<_>>();
        let advice = |id: &str| id.contains('#');
        prop_assert!(ids(&part).iter().all(|id| advice(id) || ids(&whole).contains(id)));
        prop_assert!(part.tally.lines <= whole.tally.lines);
    }
}
