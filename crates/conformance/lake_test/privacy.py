"""Who sees what, and what is left of a session after `forget`."""

import hashlib
import re
import time

from checks import Skipped, as_usage, equal, local_usage, usage_statement
from engines import DuckDb
from people import Failed
from run_parts import tables_with
from servers import ClickHouse, ClickHouseError

# Whose rows a reader sees: their own, the org's, and those of their teams.
ALLOWED = {
    "ada": lambda owner, audience: owner == "ada" or audience in ("org", "team:tides"),
    "bob": lambda owner, audience: owner == "bob" or audience in ("org", "team:tides"),
    "eve": lambda owner, audience: owner == "eve" or audience == "org",
}


def checks(lake):
    yield "row policies, on each node and through Distributed", lambda: policies(lake)
    yield "row policies through the index of words", lambda: policies_of_words(lake)
    yield "readers reach views and nothing else", lambda: rights(lake)
    yield "sums by day hide whose they are", lambda: hidden_owners(lake)
    yield "load refuses a server without policies", lambda: canary(lake)
    yield "forged rows change nobody else's answers", lambda: forged(lake)
    yield "objects that are not segments are refused", lambda: not_segments(lake)
    yield "level usage holds no text", lambda: usage_only(lake)
    yield "forget: no object, row or part", lambda: forget(lake)
    yield "unshare: no row outside private", lambda: unshare(lake)


def owned_tables(lake):
    return [name for name in tables_with(lake, "owner") if name != "days"]


def check_rows(lake, reader, view, node, condition="1"):
    rows = lake.clickhouse.rows(
        f"SELECT owner, audience, count() FROM annals.{view} WHERE {condition} AND object != 'canary' GROUP BY ALL",
        user=reader, password=reader, node=node)
    for owner, audience, _ in rows:
        assert ALLOWED[reader](owner, audience), f"{reader} sees {owner}'s {audience} rows in {view}"
    return sum(int(count) for *_, count in rows)


def policies(lake):
    clickhouse = lake.need_clickhouse()
    seen = 0
    for reader in ALLOWED:
        for name in owned_tables(lake):
            for view in (f"{name}_visible", f"{name}_all"):
                seen += sum(check_rows(lake, reader, view, node) for node in range(2))
    everything = clickhouse.rows("SELECT count() FROM annals.lines_all WHERE audience = 'team:tides'")
    assert int(everything[0][0]) > 0, "bob's rows are missing"
    hidden = clickhouse.rows("SELECT count() FROM annals.lines_all WHERE audience = 'team:tides'",
                             user="eve", password="eve")
    equal("rows of the team that eve sees", hidden, [("0",)])
    private = clickhouse.rows("SELECT count() FROM annals.lines_rows WHERE audience = 'private' AND object != 'canary'")
    equal("private text in the engine", private, [("0",)])
    return f"{seen} rows seen by {len(ALLOWED)} readers"


def policies_of_words(lake):
    lake.need_clickhouse()
    names = tables_with(lake, "words")
    if not names:
        raise Skipped("the lake has no table with words")
    seen = 0
    for reader in ALLOWED:
        for word in ("the", "file"):
            for view in ("_visible", "_all"):
                seen += check_rows(lake, reader, names[0] + view, 0, f"hasAllTokens(words, ['{word}'])")
    return f"{seen} rows"


def rights(lake):
    clickhouse = lake.need_clickhouse()
    refused = [f"SELECT count() FROM annals.{name}_rows" for name in owned_tables(lake)]
    refused += [
        "SELECT * FROM url('http://127.0.0.1:1/', 'TSV', 'x String')",
        "SELECT * FROM file('/etc/passwd', 'TSV', 'x String')",
        "SELECT * FROM s3('http://127.0.0.1:1/b/k', 'TSV', 'x String')",
        "SELECT * FROM remote('127.0.0.1:9101', annals, calls_rows)",
        "SELECT * FROM cluster('team', annals, calls_rows)",
        "SELECT * FROM annals.forgotten", "SELECT * FROM annals.days_by_owner",
        "CREATE TABLE annals.x (a Int8) ENGINE = Memory", "DROP VIEW annals.calls",
        "INSERT INTO annals.calls_rows (owner) VALUES ('ada')",
        "SELECT 1 SETTINGS readonly = 0", "ALTER TABLE annals.calls_rows DELETE WHERE 1",
    ]
    for statement in refused:
        try:
            clickhouse.query(statement, user="eve", password="eve")
        except ClickHouseError:
            continue
        raise AssertionError(f"a reader may {statement}")
    return f"{len(refused)} statements refused"


def hidden_owners(lake):
    clickhouse = lake.need_clickhouse()
    described = {row[0] for row in clickhouse.rows("DESCRIBE annals.days_visible")}
    assert not described & {"owner", "installation", "object"}, described
    rows = clickhouse.rows("SELECT owner, sum(cost_pico) FROM annals.days_by_owner GROUP BY owner",
                           user="fin", password="fin")
    assert {"ada", "bob"} <= {owner for owner, _ in rows}, rows
    return f"finance sees {len(rows)} owners"


# What policies on views allow, where they protect nothing: all conditions of a reader come first.
ON_VIEWS = "audience = 'org' OR audience = 'team:tides' OR (audience = 'private' AND owner = currentUser())"


def with_policies_on_views(users, tables):
    """The accounts with policies of the readers on views, beside those on tables."""
    views = "".join(f"<{name}{end}><filter>{ON_VIEWS}</filter></{name}{end}>"
                    for name in tables for end in ("_visible", "_all"))
    return re.sub(r"</grants>\s*(</(?:ada|bob)>)", rf"</grants><databases><annals>{views}</annals></databases>\1", users)


def canary(lake):
    """Servers whose policies do not hold, although they compare the name of the reader."""
    lake.need_clickhouse()
    users = lake.users_xml()
    shows_all = re.sub(r"<filter>.*?</filter>", "<filter>authenticatedUser() IN (currentUser(), '') AND 1</filter>", users)
    shows_teams = re.sub(r"\(audience = 'team:tides' AND currentUser\(\) IN \([^)]*\)\)", "audience != 'private'", users)
    assert shows_teams != users
    set_ups = {
        "all rows": (shows_all, "ada sees a private row of bob"),
        "policies on views": (with_policies_on_views(shows_all, owned_tables(lake)), "tells ada what is in a private row of bob"),
        "all teams": (shows_teams, "ada sees a row of a team that the account is not in"),
    }
    for name, (accounts, expected) in set_ups.items():
        server = ClickHouse(lake.options.clickhouse, lake.folder / "open" / name.replace(" ", "-"), accounts, 1, 8111)
        try:
            try:
                lake.admin.run("lake", "load", "--to", "http://127.0.0.1:8111", **lake.load_env)
            except Failed as error:
                assert expected in str(error), f"{name}: {error}"
            else:
                raise AssertionError(f"{name}: it loaded")
            rows = server.rows("SELECT count() FROM annals.calls_rows WHERE object != 'canary'")
            equal(f"{name}: rows loaded", rows, [("0",)])
        finally:
            server.stop()
    return f"{len(set_ups)} set-ups refused"


def forged(lake):
    """eve has ada's ids in her own transcripts, and rows with the highest version."""
    clickhouse = lake.need_clickhouse()
    project = lake.projects[0]
    lake.eve.take([project])
    for path in (lake.eve.store / "projects").rglob("*.jsonl"):
        text = path.read_text(errors="surrogateescape")
        text = re.sub(r'"output_tokens":\s*\d+', '"output_tokens":99999999', text)
        path.write_text(text.replace("the ", "evil "), errors="surrogateescape")
    before = answers(lake)
    lake.eve.run("lake", "push")
    lake.load()
    # A forged object could have any version: what the server would make of it.
    for name in owned_tables(lake):
        columns = [row[0] for row in clickhouse.rows(f"DESCRIBE annals.{name}_rows") if not row[2]]
        values = {"owner": "'eve'", "audience": "'org'", "installation": "'i1'",
                  "object": "'forged'", "rules": "4000000000"}
        chosen = ", ".join(values.get(column, column) for column in columns)
        for node in range(2):
            clickhouse.query(
                f"INSERT INTO annals.{name}_rows SELECT {chosen} FROM annals.{name}_rows "
                "WHERE owner = 'ada' AND object != 'canary' LIMIT 5000", node=node)
            clickhouse.query(f"OPTIMIZE TABLE annals.{name}_rows FINAL", node=node)
    try:
        equal("answers with forged rows", before, answers(lake))
    finally:
        for name in owned_tables(lake):
            for node in range(2):
                clickhouse.query(f"DELETE FROM annals.{name}_rows WHERE object = 'forged'", node=node)
    return f"{len(before)} answers"


def answers(lake):
    """What ada and finance are answered about ada."""
    clickhouse = lake.clickhouse
    found = {}
    for reader in ("ada", "fin"):
        for dimension in ("model", "session", "day"):
            source = "annals.calls_by_owner WHERE owner = 'ada'"
            rows = clickhouse.rows(usage_statement("clickhouse", dimension, source), user=reader, password=reader)
            found[reader, dimension] = as_usage(rows)
    found["lines"] = clickhouse.rows(
        "SELECT session_id, count(), sum(cityHash64(text)) FROM annals.lines_by_owner WHERE owner = 'ada' "
        "GROUP BY session_id ORDER BY session_id", user="bob", password="bob")
    equal("usage of ada", local_usage(lake.ada, "model").keys() - {None, "unknown"},
          found["ada", "model"].keys() - {None})
    return found


def not_segments(lake):
    """Objects of another schema, with a column that claims an owner."""
    lake.need_clickhouse()
    import duckdb

    name = next(name for name, _ in lake.storage.objects() if re.search(r"v1/org/eve/.*/d/.*/lines-", name))
    path = lake.folder / "forged.parquet"
    duckdb.sql(f"COPY (SELECT *, 'ada' AS owner FROM read_parquet('{lake.folder}/mirror/{name}')) TO '{path}' (FORMAT parquet)") \
        if (lake.folder / "mirror" / name).exists() else path.write_bytes(b"PAR1 nothing PAR1")
    original = dict(lake.storage.objects())[name]
    lake.storage.client.put_object(Bucket=lake.storage.BUCKET, Key=name, Body=path.read_bytes())
    for node in range(2):
        lake.clickhouse.query(f"DELETE FROM annals.loads WHERE object = '{name}'", node=node)
    try:
        try:
            report = lake.load()
            assert any(name in said for said in report["unusable"]), report
        except Failed as error:
            assert name in str(error), error
    finally:
        lake.storage.client.put_object(Bucket=lake.storage.BUCKET, Key=name, Body=original)
        lake.load()
    return "named and left out"


def usage_only(lake):
    """Nothing of the text of somebody at level usage is in any object."""
    cy = lake.person("cy")
    cy.take(lake.projects[:2])
    cy.run("lake", "push")
    lake.storage.mirror(lake.folder / "mirror")
    import duckdb

    values = set()
    for path in (lake.folder / "mirror" / "v1").glob("*/cy/*/d/*/*.parquet"):
        assert path.name.split("-")[0] in ("calls", "days"), path
        for row in duckdb.sql(f"SELECT * FROM read_parquet('{path}')").fetchall():
            values.update(str(value) for value in row)
    longest = max(len(value) for value in values)
    assert longest < 200, longest
    assert not any(" " in value and not value[:4].isdigit() for value in values), "text"
    return f"{len(values)} values, the longest has {longest} characters"


def rows_of(lake, session, owner):
    """Rows of a session on all nodes, deleted ones that are still on disk included."""
    count = 0
    for name in tables_with(lake, "session_id"):
        for node in range(2):
            rows = lake.clickhouse.rows(
                f"SELECT count() FROM annals.{name}_rows WHERE session_id = '{session}' AND owner = '{owner}'",
                node=node, apply_deleted_mask=0)
            count += int(rows[0][0])
    return count


def forget(lake):
    clickhouse = lake.need_clickhouse()
    # A session that bob has too.
    found = lake.clickhouse.rows(
        "SELECT session_id FROM annals.lines_by_owner GROUP BY session_id HAVING uniq(owner) > 1 ORDER BY count() DESC LIMIT 1")
    assert found, "no session has two owners"
    session = found[0][0]
    bobs = rows_of(lake, session, "bob")
    assert rows_of(lake, session, "ada") > 0 and bobs > 0
    lake.ada.run("lake", "forget", session)
    begin = time.time()
    lake.load()
    seconds = time.time() - begin
    equal("rows of ada", rows_of(lake, session, "ada"), 0)
    equal("rows of bob", rows_of(lake, session, "bob"), bobs)
    for node in range(2):
        # Parts that were merged from purged ones may wait to be deleted; unpurged ones may not.
        for table in ("blocks_rows", "lines_rows"):
            purge = ("SELECT max(arrayMax(block_numbers.number)) FROM system.mutations WHERE database = 'annals' "
                     f"AND table = '{table}' AND command LIKE '%APPLY DELETED MASK%'")
            old = clickhouse.rows(
                f"SELECT count() FROM system.parts WHERE database = 'annals' AND table = '{table}' AND NOT active "
                f"AND data_version < ({purge})", node=node)
            equal(f"unpurged parts of {table}", old, [("0",)])
    lake.storage.mirror(lake.folder / "mirror")
    import duckdb

    for path in (lake.folder / "mirror" / "v1").glob("*/**/*.parquet"):
        if "/ada/" not in str(path):
            continue
        columns = [row[0] for row in duckdb.sql(f"DESCRIBE SELECT * FROM read_parquet('{path}')").fetchall()]
        if "session_id" in columns:
            count = duckdb.sql(f"SELECT count(*) FROM read_parquet('{path}') WHERE session_id = '{session}'").fetchall()
            equal(f"rows in {path.name}", count, [(0,)])
        assert session.encode() not in path.read_bytes(), path
    acknowledged = [name for name, _ in lake.storage.objects() if name.startswith("ack/clickhouse/")]
    assert any("/ada/" in name for name in acknowledged), acknowledged
    lake.__dict__.pop("duckdb", None), lake.__dict__.pop("sparksql", None)
    return f"gone after {seconds:.1f} s; bob's copy stays"


def unshare(lake):
    lake.need_clickhouse()
    session = lake.clickhouse.rows(
        "SELECT session_id FROM annals.lines_by_owner WHERE owner = 'ada' ORDER BY session_id LIMIT 1")[0][0]
    lake.ada.run("lake", "unshare", session)
    lake.load()
    count = 0
    for node in range(2):
        count += int(lake.clickhouse.rows(
            f"SELECT count() FROM annals.lines_rows WHERE session_id = '{session}' AND owner = 'ada'",
            node=node, apply_deleted_mask=0)[0][0])
    equal("rows of its lines", count, 0)
    lake.__dict__.pop("duckdb", None), lake.__dict__.pop("sparksql", None)
    return "its lines are gone from the engine"
