//! The database schema, as migrations; a released migration never changes.
//!
//! Tables are internal and may change; the views are public (`annals sql`), documented
//! in `views.rs`, and created for each query.

use rusqlite::Connection;

/// The application id of an annals index among SQLite files: `anls`.
pub(crate) const APPLICATION: i32 = 0x616e_6c73;

/// Deletes all rows, because files are now read differently.
macro_rules! read_again {
    () => {
        "
DELETE FROM file;
DELETE FROM used;
DELETE FROM checkpoint;
DELETE FROM name;
DELETE FROM block;
DELETE FROM text;
DELETE FROM touch;
DELETE FROM deed;
DELETE FROM listing;
DELETE FROM folder;
INSERT INTO word (word) VALUES ('delete-all');
"
    };
}

/// Each migration upgrades from the schema version before it.
pub(crate) const MIGRATIONS: &[&str] = &[
    "
CREATE TABLE setting (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE file (
  id INTEGER PRIMARY KEY,
  path BLOB NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  session TEXT,
  agent TEXT,
  agent_type TEXT,
  -- `is_archive_only` in the code.
  is_kept INTEGER NOT NULL,
  -- Its stamp when it was read to its end; NULL while it is being read.
  bytes INTEGER, modified INTEGER, inode INTEGER, device INTEGER, changed INTEGER,
  provisional INTEGER NOT NULL DEFAULT 0,
  -- The packed history of its lines, if it is linear.
  shape BLOB,
  -- The offset of the last compaction; everything before it is compacted.
  compacted INTEGER,
  prompts INTEGER NOT NULL DEFAULT 0,
  first INTEGER, last INTEGER,
  -- Metadata from the head and tail of a session's transcript.
  title TEXT, first_prompt TEXT, cwd TEXT, project TEXT, branch TEXT, tag TEXT, created INTEGER,
  -- The name of the session's plan, or of this plan.
  slug TEXT
);
CREATE INDEX file_session ON file(session);

-- The fold of a file's API calls.
CREATE TABLE used (file INTEGER PRIMARY KEY, fold BLOB NOT NULL);

CREATE TABLE checkpoint (
  file INTEGER NOT NULL, offset INTEGER NOT NULL, line INTEGER NOT NULL, hash BLOB NOT NULL,
  PRIMARY KEY (file, offset)
) WITHOUT ROWID;

CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);

CREATE TABLE block (
  file INTEGER NOT NULL, offset INTEGER NOT NULL, number INTEGER NOT NULL,
  line INTEGER NOT NULL, time INTEGER, what INTEGER NOT NULL,
  tool INTEGER, model INTEGER, branch INTEGER, prompt INTEGER NOT NULL, call INTEGER, text INTEGER,
  PRIMARY KEY (file, offset, number)
) WITHOUT ROWID;
CREATE INDEX block_text ON block(text, what, tool, time) WHERE text IS NOT NULL;
CREATE INDEX block_call ON block(call) WHERE call IS NOT NULL;

CREATE TABLE text (id INTEGER PRIMARY KEY, hash BLOB NOT NULL);
CREATE UNIQUE INDEX text_hash ON text(hash);

CREATE VIRTUAL TABLE word USING fts5(
  words, wholes,
  content='', contentless_delete=1, tokenize='ascii'
);

CREATE TABLE touch (
  file INTEGER NOT NULL, offset INTEGER NOT NULL, number INTEGER NOT NULL,
  path INTEGER NOT NULL, operation TEXT NOT NULL,
  added INTEGER NOT NULL, removed INTEGER NOT NULL, time INTEGER, prompt INTEGER NOT NULL,
  PRIMARY KEY (file, offset, number, path)
) WITHOUT ROWID;
CREATE INDEX touch_path ON touch(path);

CREATE TABLE deed (
  file INTEGER NOT NULL, offset INTEGER NOT NULL, number INTEGER NOT NULL,
  kind TEXT NOT NULL, name TEXT, url TEXT, branch TEXT, subject TEXT, time INTEGER,
  prompt INTEGER NOT NULL
);
CREATE INDEX deed_place ON deed(file, offset);
CREATE INDEX deed_name ON deed(name);
",
    concat!(
        "
-- The stamps of folders when they were last searched for files, by the key of the
-- search; NULL for a folder that did not exist.
CREATE TABLE listing (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
CREATE TABLE folder (
  listing INTEGER NOT NULL, path BLOB NOT NULL,
  modified INTEGER, changed INTEGER, inode INTEGER, device INTEGER,
  PRIMARY KEY (listing, path)
) WITHOUT ROWID;

-- The packing of folds changed.
",
        read_again!()
    ),
    concat!(
        "
-- Folders are stored with their files and all stamps, packed, so that nothing else has
-- to be read to see that nothing changed. Folder ids are grouped by listing.
DROP TABLE listing;
DROP TABLE folder;
CREATE TABLE listing (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, is_all INTEGER NOT NULL);
CREATE TABLE folder (id INTEGER PRIMARY KEY, path BLOB NOT NULL, roll BLOB NOT NULL);
CREATE INDEX folder_path ON folder(path);

-- Parts of the hashes of all lines, for the history in `shape`.
ALTER TABLE file ADD COLUMN seen BLOB;
",
        read_again!()
    ),
    concat!(
        "
-- Names of branches, tools and paths are stored without their secrets.
-- The number of turns of a session; NULL if only reading the file would tell. The
-- history in `shape` has compactions of version 1.0.x and the lines that begin turns, and
-- lines of sub-agents that progress records repeat have rows too.
ALTER TABLE file ADD COLUMN turns INTEGER;

-- Facts that callers derive from files, packed, by the digest of a file's path.
CREATE TABLE fact (
  kind INTEGER NOT NULL, file BLOB NOT NULL, origin BLOB NOT NULL, packed BLOB NOT NULL,
  PRIMARY KEY (kind, file)
) WITHOUT ROWID;
",
        read_again!()
    ),
    concat!(
        "
-- Folds of API calls are stored without the secrets in names.
",
        read_again!()
    ),
    concat!(
        "
-- The states and turns of the lines of a transcript whose history is not linear, packed.
CREATE TABLE line_state (file INTEGER PRIMARY KEY, packed BLOB NOT NULL);
-- The sub-agent that each line belongs to which a progress record repeats: the names of
-- its id and of its type.
CREATE TABLE line_agent (
  file INTEGER NOT NULL, offset INTEGER NOT NULL, agent INTEGER NOT NULL, agent_type INTEGER,
  PRIMARY KEY (file, offset)
) WITHOUT ROWID;
",
        read_again!()
    ),
    concat!(
        "
-- Paths are stored in the form of `path_bytes.rs`, which is the same on every platform.
DELETE FROM line_state;
DELETE FROM line_agent;
",
        read_again!()
    ),
    concat!(
        "
-- A cost of 0 that another app recorded is not the cost of a call any more.
DELETE FROM line_state;
DELETE FROM line_agent;
",
        read_again!()
    ),
    "
-- Lines that were too large to be read, and the files that have them.
CREATE TABLE large_line (
  file INTEGER NOT NULL, path BLOB NOT NULL, offset INTEGER NOT NULL,
  line INTEGER NOT NULL, bytes INTEGER NOT NULL,
  PRIMARY KEY (file, path, offset)
) WITHOUT ROWID;
",
    concat!(
        "
-- A value that is masked once is masked everywhere in its session: `masked` distinguishes
-- the values without which a file's texts were stored, and the key is that of their digests.
-- Facts may quote such values too.
-- A call has effects also if its result stands before it. A queued command and the message
-- that it becomes are one prompt. Transcripts made of other apps' sessions have exit codes.
ALTER TABLE file ADD COLUMN masked BLOB;
INSERT INTO setting (name, value) VALUES ('value key', randomblob(32));
DELETE FROM fact;
DELETE FROM line_state;
DELETE FROM line_agent;
",
        read_again!()
    ),
    concat!(
        "
-- The records of a transcript's prompts, packed: `prompts` counts each prompt once, whether
-- it is recorded as a message, in the queue, or both.
ALTER TABLE file ADD COLUMN prompt_records BLOB;
DELETE FROM fact;
DELETE FROM line_state;
DELETE FROM line_agent;
",
        read_again!()
    ),
    concat!(
        "
-- More values of a session are masked in it, and in its plans; facts have none of them.
DELETE FROM fact;
DELETE FROM line_state;
DELETE FROM line_agent;
",
        read_again!()
    ),
];

/// Upgrades the database to the newest schema version.
pub(crate) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    let version = version(connection)?;
    if version == MIGRATIONS.len() {
        return Ok(());
    }
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    // Another process may have done it meanwhile.
    let version: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    for migration in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or_default()) {
        transaction.execute_batch(migration)?;
    }
    transaction.execute(
        "INSERT OR REPLACE INTO setting (name, value) VALUES (?1, ?2)",
        [WRITER, env!("CARGO_PKG_VERSION")],
    )?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    let newest = i64::try_from(MIGRATIONS.len()).unwrap_or_default();
    transaction.pragma_update(None, "user_version", newest)?;
    transaction.commit()
}

/// The setting with the key of digests of masked values.
const VALUE_KEY: &str = "value key";

/// The key of digests of masked values. It is as secret as the index, which only its owner
/// may read.
pub(crate) fn value_key(connection: &Connection) -> rusqlite::Result<[u8; 32]> {
    let query = "SELECT value FROM setting WHERE name = ?1";
    connection.query_row(query, [VALUE_KEY], |row| row.get(0))
}

/// The setting with the version of annals that brought the schema up to date.
const WRITER: &str = "annals";

/// The version of annals that brought the schema up to date, if the database says. Older
/// versions of annals name it when they cannot read the file.
pub(crate) fn find_writer(connection: &Connection) -> Option<String> {
    let query = "SELECT value FROM setting WHERE name = ?1";
    connection.query_row(query, [WRITER], |row| row.get(0)).ok()
}

/// The schema version of a database: 0 for an empty one.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<usize> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migration_deletes_rows_of_an_older_version() {
        let mut connection = Connection::open_in_memory().expect("memory");
        connection.execute_batch(MIGRATIONS[0]).expect("the first schema");
        connection.pragma_update(None, "user_version", 1).expect("a version");
        connection
            .execute_batch(
                "INSERT INTO file (id, path, kind, is_kept, bytes) VALUES (1, x'2f', 'main', 0, 7);
                 INSERT INTO used VALUES (1, x'01');
                 INSERT INTO word (rowid, words, wholes) VALUES (5, 'tide', '');
                 INSERT INTO text VALUES (5, x'00');
                 INSERT INTO block (file, offset, number, line, what, prompt, text)
                 VALUES (1, 0, 0, 1, 0, 0, 5);",
            )
            .expect("rows");
        migrate(&mut connection).expect("the newest schema");
        assert_eq!(version(&connection).expect("a version"), MIGRATIONS.len());
        assert_eq!(find_writer(&connection).as_deref(), Some(env!("CARGO_PKG_VERSION")));
        let count = |from: &str| -> i64 {
            let sql = format!("SELECT count(*) FROM {from}");
            connection.query_row(&sql, [], |row| row.get(0)).expect("a count")
        };
        for rows in ["file", "used", "text", "block", "word WHERE word MATCH 'tide'"] {
            assert_eq!(count(rows), 0, "{rows}");
        }
    }
}
