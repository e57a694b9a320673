//! Reads the API calls of any lines, and folds them in any order.

#![no_main]

use libfuzzer_sys::fuzz_target;
use usage::{CostMode, Fold, Pricer, Prices, UsageLine, read_line};

fuzz_target!(|bytes: &[u8]| {
    let prices = Prices::embedded();
    let (mut whole, mut even, mut odd) = (Fold::default(), Fold::default(), Fold::default());
    for (number, line) in (0_u32..).zip(transcript::lines(bytes)) {
        read_line(line, |read| {
            if let UsageLine::Call(call) = read {
                let file = number % 3;
                whole.note(file, &call);
                let half = if number % 2 == 0 { &mut even } else { &mut odd };
                half.note(file, &call);
            }
        });
    }
    let (whole, merged) = (whole.finish(), odd.merge(even).finish());
    assert_eq!(whole.calls.len(), merged.calls.len());
    assert_eq!(whole.duplicates, merged.duplicates);
    let mut pricer = Pricer::new(&prices, CostMode::Auto);
    for (one, two) in whole.calls.iter().zip(&merged.calls) {
        assert_eq!((&one.id, one.counters, one.time), (&two.id, two.counters, two.time));
        let _ = pricer.cost(one, &whole.names);
    }
});
