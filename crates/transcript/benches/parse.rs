//! Throughput of the parser on invented lines of the usual forms.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// A megabyte of tool calls and results, as real transcripts have them.
fn transcript() -> Vec<u8> {
    let result = "some output of a tool\\n\\twith escapes \\\"here\\\" and there\\n".repeat(40);
    let mut lines = String::new();
    while lines.len() < 1 << 20 {
        let envelope = r#""parentUuid":"8a1c","isSidechain":false,"userType":"external","cwd":"/home/ada/tidepool","sessionId":"3f9c","version":"2.1.80","gitBranch":"main""#;
        lines += &format!(
            r#"{{{envelope},"message":{{"model":"claude-sonnet-5","id":"msg_1","type":"message","role":"assistant","content":[{{"type":"tool_use","id":"toolu_1","name":"Bash","input":{{"command":"cargo test"}}}}],"stop_reason":null,"usage":{{"input_tokens":4,"cache_creation_input_tokens":800,"cache_read_input_tokens":30000,"output_tokens":9}}}},"requestId":"req_1","type":"assistant","uuid":"1f","timestamp":"2026-03-01T10:00:00.000Z"}}
"#
        );
        lines += &format!(
            r#"{{{envelope},"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"toolu_1","type":"tool_result","content":"{result}","is_error":false}}]}},"uuid":"2f","timestamp":"2026-03-01T10:00:01.000Z","toolUseResult":{{"stdout":"{result}","stderr":""}}}}
"#
        );
    }
    lines.into_bytes()
}

#[divan::bench]
fn typed_records(bencher: Bencher<'_, '_>) {
    let bytes = transcript();
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench_local(|| transcript::entries(black_box(&bytes)).map(black_box).count());
}

#[divan::bench]
fn kinds_only(bencher: Bencher<'_, '_>) {
    let bytes = transcript();
    bencher.counter(BytesCount::new(bytes.len())).bench_local(|| {
        transcript::lines(black_box(&bytes))
            .filter(|line| {
                transcript::RecordKind::of_line(line.bytes) == transcript::RecordKind::User
            })
            .count()
    });
}

#[divan::bench]
fn searchable_text(bencher: Bencher<'_, '_>) {
    let bytes = transcript();
    bencher.counter(BytesCount::new(bytes.len())).bench_local(|| {
        transcript::entries(black_box(&bytes))
            .map(|entry| transcript::text::of_record(&entry.record).len())
            .sum::<usize>()
    });
}
