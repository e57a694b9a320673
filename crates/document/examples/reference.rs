//! Prints the reference and the schemas of all documents as one JSON object, from which
//! `cargo xtask generate` writes files. In the binary they would be dead weight.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

fn main() -> io::Result<()> {
    let schemas: BTreeMap<_, _> = document::schema_files().into_iter().collect();
    let all = serde_json::json!({ "reference": document::reference(), "schemas": schemas });
    writeln!(io::stdout(), "{all}")
}
