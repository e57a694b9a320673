//! Segments as Parquet files: what is written is read again, and nothing else is accepted.

use crate::names::Table;
use crate::rows::{CallRow, LineRow, Rows};
use crate::segment::{Entry, Format as _, Piece};
use crate::segment_file::ParquetFormat;
use jiff::Timestamp;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use usage::PicoUsd;

fn moment() -> impl Strategy<Value = Timestamp> {
    (0_i64..4_000_000_000_000_000).prop_map(|time| Timestamp::from_microsecond(time).unwrap())
}

fn money() -> impl Strategy<Value = PicoUsd> {
    any::<i64>().prop_map(|amount| PicoUsd(i128::from(amount) * 1_000_000_007))
}

fn count() -> impl Strategy<Value = u64> {
    0_u64..(1 << 60)
}

prop_compose! {
    fn call()(
        texts in vec(".{0,12}", 4),
        options in (option::of(".{0,9}"), option::of(moment()), option::of(".{0,9}"), option::of(".")),
        counts in vec(count(), 7),
        flags in any::<[bool; 4]>(),
        costs in (option::of(money()), option::of(money())),
    ) -> CallRow {
        let [session_id, app, project, id] = texts.try_into().unwrap();
        CallRow {
            session_id,
            app,
            project,
            id,
            request_id: options.0,
            time: options.1,
            model: options.2,
            input_tokens: counts[0],
            output_tokens: counts[1],
            thinking_tokens: counts[2],
            cache_write_5m_tokens: counts[3],
            cache_write_1h_tokens: counts[4],
            cache_read_tokens: counts[5],
            web_searches: counts[6],
            is_fast: flags[0],
            is_us: flags[1],
            is_batch: flags[2],
            is_advisor_call: flags[3],
            unknown_tier: options.3.clone(),
            logged_cost_pico: costs.0,
            cost_pico: costs.1,
            app_version: options.3,
            rules: 1,
        }
    }
}

prop_compose! {
    fn line()(
        texts in vec(".{0,30}", 4),
        options in (option::of(".{0,9}"), option::of(".{0,9}"), option::of(moment())),
        line in count(),
    ) -> LineRow {
        let [session_id, app, project, text] = texts.try_into().unwrap();
        let (agent_id, uuid, time) = options;
        LineRow { session_id, app, project, agent_id, line, uuid, time, text, rules: 1 }
    }
}

fn entry(session: usize) -> Entry {
    Entry {
        session: format!("s{session}").parse().unwrap(),
        source: String::new(),
        from: 0,
        to: session as u64,
        digest: u64::MAX - session as u64,
        rules: 1,
    }
}

fn pieces(rows: Vec<Rows>) -> Vec<Piece<Rows>> {
    rows.into_iter()
        .enumerate()
        .map(|(session, rows)| Piece { entry: entry(session), rows })
        .collect()
}

fn segment() -> impl Strategy<Value = (Table, Vec<Piece<Rows>>)> {
    let calls = vec(vec(call(), 0..4).prop_map(Rows::Calls), 0..5);
    let lines = vec(vec(line(), 0..4).prop_map(Rows::Lines), 0..5);
    prop_oneof![
        calls.prop_map(|rows| (Table::Calls, pieces(rows))),
        lines.prop_map(|rows| (Table::Lines, pieces(rows))),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read_again((table, pieces) in segment()) {
        let bytes = ParquetFormat.encode(table, &pieces).unwrap();
        prop_assert_eq!(&ParquetFormat.encode(table, &pieces).unwrap(), &bytes);
        prop_assert_eq!(&ParquetFormat.decode(table, &bytes).unwrap(), &pieces);
        let entries: Vec<Entry> = pieces.into_iter().map(|piece| piece.entry).collect();
        prop_assert_eq!(ParquetFormat.entries(table, &bytes).unwrap(), entries);
    }

    #[test]
    fn damaged_files_are_refused_or_read_but_never_panic(
        (table, pieces) in segment(),
        damages in vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        length in any::<prop::sample::Index>(),
    ) {
        let mut bytes = ParquetFormat.encode(table, &pieces).unwrap();
        let cut = &bytes[..length.index(bytes.len())];
        prop_assert!(ParquetFormat.decode(table, cut).is_err());
        for (place, byte) in damages {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let _ = ParquetFormat.decode(table, &bytes);
        let _ = ParquetFormat.entries(table, &bytes);
    }
}

#[test]
fn more_rows_than_a_group_holds_keep_their_pieces() {
    let row = |number: u64| LineRow {
        session_id: "s".to_owned(),
        app: "claude".to_owned(),
        project: "p".to_owned(),
        agent_id: None,
        line: number,
        uuid: None,
        time: None,
        text: String::new(),
        rules: 1,
    };
    let sizes = [10_000, 0, 16_384, 20_000, 0];
    let pieces =
        pieces(sizes.iter().map(|size| Rows::Lines((0..*size).map(row).collect())).collect());
    let bytes = ParquetFormat.encode(Table::Lines, &pieces).unwrap();
    assert_eq!(ParquetFormat.decode(Table::Lines, &bytes).unwrap(), pieces);
}

#[test]
fn a_segment_of_another_table_is_refused() {
    let bytes = ParquetFormat.encode(Table::Lines, &[]).unwrap();
    let error = ParquetFormat.decode(Table::Calls, &bytes).unwrap_err().to_string();
    assert!(error.contains("not a segment of calls"), "{error}");
}

/// What a machine sends at level `usage`, by name: owner and installation are in the
/// object's name, and nothing else leaves.
#[test]
fn the_columns_of_level_usage_are_these() {
    let names =
        |table: Table| -> Vec<&str> { table.columns().iter().map(|column| column.name).collect() };
    assert_eq!(
        names(Table::Calls).join(" "),
        "session_id app project id request_id time model input_tokens output_tokens \
         thinking_tokens cache_write_5m_tokens cache_write_1h_tokens cache_read_tokens \
         web_searches is_fast is_us is_batch unknown_tier is_advisor_call logged_cost_pico \
         cost_pico app_version rules"
    );
}
