"""The same answers from annals here and from every engine."""

import hashlib
import json
import re
import time

from checks import DIMENSIONS, MADE_UP, Skipped, as_usage, equal, local_usage, usage_statement
from engines import ClickHouseTables, ClickHouseViews, DuckDb, SparkSql


def checks(lake):
    yield "usage: local = DuckDB", lambda: usage(lake, duckdb(lake), "calls_by_owner WHERE owner = 'ada'")
    yield "usage: local = ClickHouse", lambda: usage(lake, tables(lake), "calls")
    yield "usage: local = ClickHouse over objects", lambda: usage(lake, views(lake), "calls_by_owner WHERE owner = 'ada'")
    yield "usage: local = Spark", lambda: usage(lake, spark(lake), "calls_by_owner WHERE owner = 'ada'")
    yield "usage: local = annals --lake", lambda: embedded_usage(lake)
    yield "sums by day = calls", lambda: sums(lake)
    yield "rows: DuckDB = ClickHouse", lambda: counts(lake, duckdb(lake), tables_of_loader(lake))
    yield "rows: DuckDB = Spark", lambda: counts(lake, duckdb(lake), spark(lake))
    yield "sessions: local = engines", lambda: sessions(lake)
    yield "one session in order", lambda: one_session(lake)
    yield "touched files", lambda: touches(lake)
    yield "search words: local = engines", lambda: words(lake)
    yield "annals --lake: embedded = ClickHouse", lambda: commands(lake)


def duckdb(lake):
    if "duckdb" not in lake.__dict__:
        lake.duckdb = DuckDb(lake.catalog("duckdb"))
    return lake.duckdb


def spark(lake):
    if "sparksql" not in lake.__dict__:
        lake.sparksql = SparkSql(lake.need_spark(), lake.catalog("spark"))
    return lake.sparksql


def views(lake):
    return ClickHouseViews(lake.need_clickhouse(), lake.catalog("clickhouse"))


def tables(lake, reader="ada"):
    return ClickHouseTables(lake.need_clickhouse(), reader, reader)


def tables_of_loader(lake):
    return ClickHouseTables(lake.need_clickhouse(), "default", "")


def engines(lake):
    """All that are here."""
    found = [duckdb(lake)]
    for engine in (tables_of_loader, spark):
        try:
            found.append(engine(lake))
        except Skipped:
            pass
    return found


def usage(lake, engine, source):
    for dimension in DIMENSIONS:
        found = as_usage(engine.rows(usage_statement(engine.name, dimension, source)))
        local = {None if key in (None, "unknown") else key: value
                 for key, value in local_usage(lake.ada, dimension).items()}
        equal(f"usage by {dimension}", local, found)
    total = sum(value[0] for value in found.values())
    return f"{len(DIMENSIONS)} groupings, ${total / 10**12:,.6f}"


# What rows of ada's level carry. Names of folders are not the same: projects have keys, and homes are masked.
EMBEDDED = [*DIMENSIONS, "week", "hour", "block", "branch", "agent", "skill", "plugin", "mcp", "tool", "effort",
            "entrypoint", "turn"]


def embedded_usage(lake):
    for dimension in EMBEDDED:
        equal(f"usage by {dimension}", local_usage(lake.ada, dimension),
              local_usage(lake.ada, dimension, "--lake=mine"))
    # The key of a folder without a git origin is its name.
    here = {}
    for folder, values in local_usage(lake.ada, "project").items():
        name = folder.rsplit("/", 1)[-1]
        here[name] = tuple(map(sum, zip(values, here.get(name, (0,) * len(values)))))
    there = local_usage(lake.ada, "project", "--lake=mine")
    equal("usage by project", sorted(here.values()), sorted(there.values()))
    return ", ".join([*EMBEDDED, "project"])


def sums(lake):
    statement = "SELECT sum(cost_pico), sum(calls) FROM days_by_owner WHERE owner = 'ada' AND " + MADE_UP
    local = local_usage(lake.ada, "model").values()
    expected = (sum(row[0] for row in local), sum(row[1] for row in local))
    for engine in engines(lake):
        found = engine.rows(statement)[0]
        equal(f"sums in {engine.name}", expected, tuple(int(value) for value in found))
    return f"{expected[1]} calls"


def table_names(lake):
    """The tables of the lake, as the catalog names them."""
    document = lake.admin.json("lake", "catalog", "--sql", "duckdb", "--scope", "all")
    return [view["name"] for view in document["views"]
            if not view["name"].endswith(("_rows", "_by_owner")) and "_objects_" not in view["name"]]


def is_loaded(name):
    """Rows that engines hold: what is private above usage stays in the bucket."""
    return "" if name in ("calls", "days") else " WHERE audience <> 'private'"


def counts(lake, one, other):
    total = 0
    for name in table_names(lake):
        statement = f"SELECT owner, count(*) FROM {name}_by_owner{is_loaded(name)} GROUP BY owner"
        first = {str(owner): int(count) for owner, count in one.rows(statement)}
        second = {str(owner): int(count) for owner, count in other.rows(statement.replace(is_loaded(name), ""))
                  } if other.name == "clickhouse" else {
                      str(owner): int(count) for owner, count in other.rows(statement)}
        equal(f"rows of {name}", first, second)
        total += sum(first.values())
    return f"{total} rows"


def local_sessions(person):
    """The sessions with a transcript."""
    return {path.stem for path in person.store.glob("projects/*/*.jsonl")
            if re.fullmatch(r"[0-9a-f-]{36}", path.stem) and path.stat().st_size}


def sessions(lake):
    local = local_sessions(lake.ada)
    for engine in engines(lake):
        rows = engine.rows("SELECT DISTINCT session_id FROM lines_by_owner WHERE owner = 'ada'")
        equal(f"sessions in {engine.name}", local, {row[0] for row in rows})
    return f"{len(local)} sessions"


def one_session(lake):
    statement = ("SELECT session_id FROM lines_by_owner WHERE owner = 'ada' GROUP BY session_id "
                 "ORDER BY count(*) DESC, session_id LIMIT 3")
    chosen = [row[0] for row in duckdb(lake).rows(statement)]
    lines = 0
    for session in chosen:
        statement = ("SELECT coalesce(agent_id, ''), line, coalesce(uuid, ''), md5(text) FROM lines_by_owner "
                     f"WHERE owner = 'ada' AND session_id = '{session}' ORDER BY 1, 2, 3")
        found = []
        for engine in engines(lake):
            own = statement.replace("md5(text)", "lower(hex(MD5(text)))") if engine.name == "clickhouse" else statement
            found.append([tuple(str(value) for value in row) for row in engine.rows(own)])
        for other in found[1:]:
            equal(f"lines of {session}", found[0], other)
        lines += len(found[0])
    return f"{len(chosen)} sessions, {lines} lines"


def need_table(lake, name):
    if name not in table_names(lake):
        raise Skipped(f"the lake has no table {name}")


def touches(lake):
    need_table(lake, "touches")
    statement = ("SELECT project, file, operation, count(*) FROM touches_by_owner WHERE owner = 'ada' "
                 "GROUP BY project, file, operation")
    found = [{tuple(map(str, row)) for row in engine.rows(statement)} for engine in engines(lake)]
    for other in found[1:]:
        equal("touched files", found[0], other)
    return f"{len(found[0])} files and operations"


# Names of homes and addresses, which are masked before they leave.
MASKED = re.compile(rb'(?:Users|home)(?:/|\\+)[^/\\"\s]+|[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+')


def chosen_words(lake):
    """Words of the store that hashing chooses, so that rare and common ones are among them."""
    found, masked = set(), set()
    for path in sorted(lake.ada.store.glob("projects/*/*.jsonl"))[:60]:
        for line in path.read_text(errors="replace").splitlines()[:200]:
            try:
                content = json.loads(line).get("message", {}).get("content")
            except (ValueError, AttributeError):
                continue
            texts = [content] if isinstance(content, str) else [
                block.get("text", "") for block in content or [] if isinstance(block, dict)]
            for text in texts:
                found.update(re.findall(r"\b[a-z]{4,14}\b", text or ""))
    for path in lake.ada.store.glob("projects/**/*.jsonl"):
        masked.update(MASKED.findall(path.read_bytes()))
    found -= set(re.findall(r"[a-z]+", b" ".join(masked).decode(errors="replace").lower()))
    # Masks have words of their own, which only masked text has.
    found -= {"user", "users", "home", "email", "redacted", "masked", "secret", "password", "token", "login"}
    return sorted(found, key=lambda word: hashlib.sha256(word.encode()).digest())[:lake.options.words]


def sessions_by_word(engine, chosen):
    """The sessions of ada in which an engine finds each word."""
    source = "blocks_by_owner WHERE owner = 'ada'"
    if engine.name == "clickhouse":
        # Each by itself, through the index.
        asked = {word: f"SELECT DISTINCT session_id FROM {source} AND hasAllTokens(words, ['{word}'])" for word in chosen}
        return {word: {row[0] for row in engine.rows(statement)} for word, statement in asked.items()}
    # Without an index every question reads everything, so there is one for all words.
    each = {"duckdb": "unnest(string_split(words, ' '))", "spark": "explode(split(words, ' '))"}[engine.name]
    listed = ", ".join(f"'{word}'" for word in chosen)
    found = {word: set() for word in chosen}
    for word, session in engine.rows(
            f"SELECT DISTINCT word, session_id FROM (SELECT session_id, {each} AS word FROM {source}) AS w "
            f"WHERE word IN ({listed})"):
        found[word].add(session)
    return found


def words(lake):
    need_table(lake, "blocks")
    chosen = chosen_words(lake)
    found = {engine.name: sessions_by_word(engine, chosen) for engine in engines(lake)}
    for word in chosen:
        document = lake.ada.json("search", word, "--limit", "0", accept=(0, 1))
        local = {hit["session_id"] for hit in document["hits"]}
        # Sessions with the same text are named by the one hit that is shown.
        local |= {session for hit in document["hits"] for session in hit["duplicates_in"]}
        for name, sessions in found.items():
            equal(f"sessions with {word} in {name}", local, sessions[word])
    return f"{len(chosen)} words in {', '.join(found)}"


def commands(lake):
    """The ordinary commands, once from the objects and once from ClickHouse."""
    clickhouse = lake.need_clickhouse()
    session = next(iter(sorted(local_sessions(lake.ada))))
    questions = [("ls", "--limit", "0"), ("show", session), ("files", "--limit", "0"),
                 ("usage", "--by", "day"), ("usage", "--by", "project")]
    questions += [("search", word, "--limit", "0") for word in chosen_words(lake)[:20]]
    asked = 0
    # Both are asked at one time: ranks depend on the age of hits.
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    try:
        for question in questions:
            answers = []
            for engine in (None, clickhouse.urls[0]):
                lake.bob.configure(engine)
                text = lake.bob.run(*question, "--lake=org", "--json", accept=(0, 1), ANNALS_NOW=now,
                                    ANNALS_ENGINE_USER="bob", ANNALS_ENGINE_PASSWORD="bob")
                answers.append(comparable(text))
            equal(" ".join(question), *answers)
            asked += 1
    finally:
        lake.bob.configure()
    return f"{asked} questions"


def comparable(text):
    """An answer without times of this run and folders of the machine's copy."""
    text = re.sub(r'"took_ms": \d+', "", text)
    return re.sub(r'"[^"]*/lake/read/[^"]*"', '"PATH"', re.sub(r'"as_of": "[^"]*"', "", text))
