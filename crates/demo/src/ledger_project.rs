//! `C:\Users\ada\ledger`, on another machine: a bank import with text that looks like a
//! spreadsheet formula and a value that only looks like a secret, and a transcript
//! damaged by a power cut.

use jiff::Timestamp;

use super::exchange::Piece::Say;
use super::files::{Files, days_before, minutes_before};
use super::identity::{directory, model, project_folder, session};
use super::tools;
use super::transcript::{Setting, Transcript};

const IMPORTER: &str = r"C:\Users\ada\ledger\import.py";
const BANK_ROWS: &str = "\
date;text;amount
02.03.2026;Bakery;-4,80
03.03.2026;=cmd(\"calc\");-12,00
03.03.2026;Salary;2100,00
";

pub(super) fn add_sessions(files: &mut Files, now: Timestamp) {
    import(files, minutes_before(now, 5 * 24 * 60 + 360));
    rounding(files, days_before(now, 8));
}

fn setting(session: &'static str) -> Setting {
    Setting {
        session,
        cwd: directory::LEDGER,
        branch: "main",
        version: "2.1.310",
        slug: None,
        model: model::SONNET,
    }
}

fn import(files: &mut Files, start: Timestamp) {
    let mut log = Transcript::new(setting(session::IMPORT), start);
    log.prompt("Import the bank's CSV into the ledger. Skip rows we already have.");
    log.work(&[], &[tools::read(r"C:\Users\ada\ledger\bank.csv", BANK_ROWS)]);
    log.work(
        &[Say("Semicolons, decimal commas, and one text that looks like a formula. Money \
            should not be a float either.")],
        &[tools::edit(
            IMPORTER,
            2,
            "    return float(text)\n",
            "    return Decimal(text.replace(\".\", \"\").replace(\",\", \".\"))\n",
            "def amount(text):\n    return float(text)\n",
        )],
    );
    log.reply(&[Say("Imported 214 rows, skipped 31 that were there already. Amounts are exact \
        now. The row with `=cmd(\"calc\")` is kept as plain text; quote it before it goes \
        back into a spreadsheet.")]);
    log.wait(180);
    let last = "=cmd(\"calc\") is my landlord's idea of a joke. Also, is AKIAIOSFODNN7EXAMPLE \
        in backup.ini a problem?";
    log.prompt(last);
    log.reply(&[Say("That one is the example key from a manual, so nothing is lost. Still, \
        keys belong in the credential store: I'd take the line out before the folder is \
        shared.")]);
    log.ai_title("Import the bank's CSV");
    log.last_prompt(last);
    let path = format!("{}/{}.jsonl", project_folder(directory::LEDGER), session::IMPORT);
    files.add_transcript(path, log);
}

fn rounding(files: &mut Files, start: Timestamp) {
    let mut log = Transcript::new(setting(session::ROUNDING), start);
    log.prompt("The yearly total is one cent off. Where does it go?");
    log.ai_title("One cent off");
    log.work(
        &[],
        &[tools::bash("python total.py 2025", "Add up the year", "18204.31 (bank says 18204.32)")],
    );
    log.work(
        &[],
        &[tools::grep(
            "round(",
            directory::LEDGER,
            &["total.py:14:    months.append(round(sum(rows), 2))"],
        )],
    );
    log.work(
        &[],
        &[tools::edit(
            r"C:\Users\ada\ledger\total.py",
            14,
            "    months.append(round(sum(rows), 2))\n",
            "    months.append(sum(rows))\n",
            "# total.py, shortened\n",
        )],
    );
    log.reply(&[Say(
        "March was rounded before it was added. Without that the total is 18,204.32, as the \
            bank says.",
    )]);
    log.wait(60);
    let last = "Thank you. Do the same for 2024.";
    log.prompt(last);
    log.last_prompt(last);
    log.reply(&[Say("2024 comes to 17,650.08 now, and the bank says the same.")]);

    let modified = log.now();
    files.add_typed_prompts(&log);
    let path = format!("{}/{}.jsonl", project_folder(directory::LEDGER), session::ROUNDING);
    files.add(path, damaged(&log.into_bytes()), modified);
}

/// Damage by power cuts, full disks and careless tools: a line cut in half, two lines in
/// one, zeros before a line, an empty line, and a missing end.
fn damaged(whole: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    let mut bytes = Vec::new();
    for (position, line) in lines.iter().enumerate() {
        let half = line.split_at(line.len() / 2).0;
        let bare = line.strip_suffix(b"\n").unwrap_or(line);
        match position {
            2 => {
                bytes.extend_from_slice(half);
                bytes.push(b'\n');
            }
            5 => bytes.extend_from_slice(bare),
            8 => {
                bytes.extend_from_slice(&[0; 24]);
                bytes.extend_from_slice(line);
            }
            10 => {
                bytes.push(b'\n');
                bytes.extend_from_slice(line);
            }
            _ if position + 1 == lines.len() => bytes.extend_from_slice(half),
            _ => bytes.extend_from_slice(line),
        }
    }
    bytes
}
