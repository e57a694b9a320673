//! Bytes of the index that change in place: by another program, which the stamps of the file
//! show, and by a failing disk, which only digests show. No answer is wrong without a word.
//!
//! The long form prints how often damage was noticed. Deliberately not here: files that are
//! no index any more (`index_harm.rs`).

use crate::torture::run::{annals, printed};
use crate::torture::streams::Dice;
use crate::torture::{long, report};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use testkit::{Sandbox, assistant, call, damage_index_silently, session_id, user};

const SESSIONS: u32 = 60;

const SQL: &str = "SELECT session_id, count(*) FROM blocks GROUP BY 1 ORDER BY 1";

/// The commands that answer from the index.
const QUESTIONS: [&[&str]; 4] = [
    &["search", "kelp", "--json", "--limit", "0"],
    &["usage", "--json"],
    &["ls", "--json", "--limit", "0"],
    &["sql", SQL, "--json", "--limit", "0"],
];

/// Sessions with a word that all have, their own words, and an API call.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    for number in 1..=SESSIONS {
        let id = session_id(number);
        let words: Vec<String> = (0..400).map(|word| format!("word{number}x{word}")).collect();
        let used = [u64::from(number), 7, 100, 1000];
        let lines = [
            user(&format!("Where is the kelp of {number}?")),
            assistant(&words.join(" ")),
            call(&format!("msg_{number}"), used),
        ];
        sandbox.session("/p", &id, lines.map(|line| line.session(&id)));
    }
    sandbox
}

fn index(sandbox: &Sandbox) -> PathBuf {
    sandbox.annals_home().join("index.db")
}

/// The document a command prints, and its warnings.
fn answer(sandbox: &Sandbox, arguments: &[&str]) -> (Value, String) {
    let output = annals(sandbox, arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", printed(&output));
    let warning = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!warning.contains("panicked"), "{warning}");
    let mut document: Value = serde_json::from_slice(&output.stdout).unwrap();
    document.as_object_mut().unwrap().remove("took_ms");
    (document, warning)
}

/// The long form has a thousand rounds by default.
fn rounds() -> usize {
    long().map_or(12, |rounds| 5 * rounds)
}

/// Changes up to 64 bytes of a file in place. With `keeps_time`, its modification time stays.
fn damage(path: &Path, dice: &mut Dice, keeps_time: bool) {
    let file = fs::OpenOptions::new().read(true).write(true).open(path).unwrap();
    let metadata = file.metadata().unwrap();
    let size = usize::try_from(metadata.len()).unwrap();
    let length = 1 + dice.below(64);
    let at = dice.below(size - length);
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, at as u64).unwrap();
    for byte in &mut bytes {
        *byte ^= u8::try_from(1 + dice.below(255)).unwrap();
    }
    file.write_all_at(&bytes, at as u64).unwrap();
    if keeps_time {
        file.set_modified(metadata.modified().unwrap()).unwrap();
    }
}

/// Whether an answer is the true one. With a warning, what only an index knows may be unknown
/// (`null`).
fn agrees(answer: &Value, truth: &Value, is_warned: bool) -> bool {
    match (answer, truth) {
        (Value::Null, _) if is_warned => true,
        (Value::Object(own), Value::Object(other)) => {
            own.len() == other.len()
                && own.iter().all(|(key, value)| {
                    other.get(key).is_some_and(|other| agrees(value, other, is_warned))
                })
        }
        (Value::Array(own), Value::Array(other)) => {
            own.len() == other.len()
                && own.iter().zip(other).all(|(own, other)| agrees(own, other, is_warned))
        }
        _ => answer == truth,
    }
}

#[test]
fn damage_that_changes_stamps_is_noticed_by_the_next_command() {
    let sandbox = store();
    answer(&sandbox, QUESTIONS[0]);
    let truth = QUESTIONS.map(|question| answer(&sandbox, question).0);
    let mut dice = Dice::new(19);
    for round in 0..rounds() {
        damage(&index(&sandbox), &mut dice, round % 2 == 1);
        for number in 0..QUESTIONS.len() {
            let place = (round + number) % QUESTIONS.len();
            let (out, warning) = answer(&sandbox, QUESTIONS[place]);
            let is_right = agrees(&out, &truth[place], !warning.is_empty());
            assert!(is_right, "round {round}, {:?}: {warning}{out}", QUESTIONS[place]);
            if number == 0 {
                assert!(warning.contains("damaged"), "{:?}: {warning}", QUESTIONS[place]);
            }
        }
    }
    report(&format!("index: {} damages that change stamps, all noticed at once", rounds()));
}

#[test]
fn damage_that_keeps_every_stamp_gives_no_wrong_answer() {
    let sandbox = store();
    let home = sandbox.annals_home();
    answer(&sandbox, QUESTIONS[0]);
    let truth = QUESTIONS.map(|question| answer(&sandbox, question).0);
    let mut dice = Dice::new(23);
    let mut noticed = [0; QUESTIONS.len()];
    let (mut wrong, mut unnoticed) = (Vec::new(), Vec::new());
    for round in 0..rounds() {
        let (length, share) = (1 + dice.below(64), dice.below(1 << 20));
        let mask: Vec<u8> =
            (0..length).map(|_| u8::try_from(1 + dice.below(255)).unwrap()).collect();
        let flip = || {
            let metadata = fs::metadata(index(&sandbox)).unwrap();
            let size = usize::try_from(metadata.len()).unwrap();
            let at = ((size - length) * share) >> 20;
            damage_index_silently(&home, at as u64, length, |bytes| {
                bytes.iter_mut().zip(&mask).for_each(|(byte, mask)| *byte ^= mask);
            });
            metadata.ino()
        };
        // Unless a new index was built, the same again takes the damage away.
        let mend = |damaged| {
            if fs::metadata(index(&sandbox)).unwrap().ino() == damaged {
                flip();
            }
        };
        for (place, question) in QUESTIONS.iter().enumerate() {
            let damaged = flip();
            let (out, warning) = answer(&sandbox, question);
            noticed[place] += usize::from(warning.contains("damaged"));
            if !agrees(&out, &truth[place], !warning.is_empty()) {
                wrong.push((round, place, warning));
            }
            mend(damaged);
        }
        let damaged = flip();
        let (out, _) = answer(&sandbox, &["doctor", "--json"]);
        if !out.to_string().contains("the index is damaged") {
            unnoticed.push(round);
        }
        mend(damaged);
    }
    let asked = rounds() * QUESTIONS.len();
    report(&format!(
        "index: {} silent damages, {asked} answers, {} wrong without a word; noticed by search \
         {}, usage {}, ls {}, sql {}; doctor noticed all but {}",
        rounds(),
        wrong.len(),
        noticed[0],
        noticed[1],
        noticed[2],
        noticed[3],
        unnoticed.len(),
    ));
    assert!(wrong.len() * 1000 <= asked, "{wrong:?}");
    assert_eq!(noticed[3], rounds(), "sql checks the whole file");
    assert!(unnoticed.is_empty(), "doctor checks the whole file: {unnoticed:?}");
}
