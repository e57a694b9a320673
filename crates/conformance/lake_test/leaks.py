"""Whether a reader learns anything about rows that are hidden: from errors, from counts of rows that
were read, from functions and system tables, and from what an older annals left on a server."""

import json
import re
import time
import urllib.parse
import urllib.request

from checks import equal
from native import STAGES, Native
from people import Failed
from run_parts import tables_with
from servers import HOST, ClickHouse, ClickHouseError

# Each fails for a row of TARGET. COLUMN is text or an id.
EXPRESSIONS = [
    "throwIf({is})",
    "throwIf(startsWith(if({is}, {column}, ''), substring({column}, 1, 1)) AND {is})",
    "intDiv(1, NOT {is}) = 7",
    "1 % (NOT {is}) = 7",
    "toUInt64(if({is}, concat('x', {column}), '0')) = 7",
    "toInt32(if({is}, concat('x', {column}), '0')) = 7",
    "toFloat64(if({is}, concat('x', {column}), '0')) = 7",
    "toDateTime(if({is}, concat('x', {column}), '2000-01-01 00:00:00')) = '2001-01-01 00:00:00'",
    "toUUID(if({is}, concat('x', {column}), '00000000-0000-0000-0000-000000000000')) = generateUUIDv4()",
    "CAST(if({is}, concat('x', {column}), 'a') AS Enum8('a' = 1)) = 'b'",
    "CAST(if({is}, concat('x', {column}), '[]') AS Array(UInt8)) = [7]",
    "accurateCast(if({is}, concat('x', {column}), '0'), 'UInt8') = 7",
    "match('x', if({is}, concat('(', {column}), 'y'))",
    "length(toFixedString(if({is}, concat('xx', {column}), 'x'), 1)) = 7",
]
CLAUSES = [
    "SELECT count() FROM {source} WHERE {trap}",
    "SELECT count() FROM {source} WHERE rules >= 0 AND {trap} AND rules < 1000000000",
    "SELECT sum({trap}) FROM {source}",
    "SELECT countIf({trap}) FROM {source}",
    "SELECT max({trap}) FROM {source} GROUP BY session_id HAVING max({trap}) > 5",
    "SELECT count() FROM {source} GROUP BY {trap} WITH ROLLUP",
    "SELECT session_id FROM {source} ORDER BY {trap} LIMIT 1",
    "SELECT session_id FROM {source} LIMIT 1 BY {trap}",
    "SELECT any({trap}) OVER (PARTITION BY session_id) FROM {source}",
    "SELECT count() FROM numbers(3) AS n JOIN {source} AS s ON n.number = toUInt64({trap})",
    "SELECT count() FROM {source} AS a JOIN (SELECT session_id, {trap} AS t FROM {source}) AS b ON a.session_id = b.session_id AND b.t",
    "SELECT count() FROM numbers(3) WHERE number IN (SELECT toUInt64({trap}) FROM {source})",
    "SELECT (SELECT max({trap}) FROM {source})",
    "WITH c AS (SELECT * FROM {source} WHERE {trap}) SELECT count() FROM c",
    "SELECT count() FROM {source} ARRAY JOIN [{trap}] AS t WHERE t",
    "SELECT session_id FROM {source} WHERE {trap} INTERSECT SELECT 'x'",
]


def checks(lake):
    yield "errors say nothing about hidden rows, on each node", lambda: errors(lake)
    yield "values of hidden rows are in no dictionary, on each node", lambda: dictionaries(lake)
    yield "a claimed name shows nothing, on each node", lambda: claimed_names(lake)
    yield "rows read are the same whatever hidden rows say", lambda: rows_read(lake)
    yield "functions and system tables show no hidden rows", lambda: functions(lake)
    yield "an upgrade takes readable views away first", lambda: upgrade(lake)


def questions(clickhouse):
    """Pairs of a statement and its number."""
    sources = [f"annals.{table}{end}" for table in ("lines", "sessions", "calls", "tool_calls")
               for end in ("_visible", "_all")]
    for row, clause in enumerate(CLAUSES):
        for column, expression in enumerate(EXPRESSIONS):
            source = sources[(row * len(EXPRESSIONS) + column) % len(sources)]
            yield clause, expression, source


def fails(clickhouse, statement, reader, node):
    try:
        clickhouse.query(statement, user=reader, password=reader, node=node)
    except ClickHouseError as error:
        return str(error)
    return None


def errors(lake):
    """About eve, who shares with the org, everything can be asked; about bob's rows for the team only by ada."""
    clickhouse = lake.need_clickhouse()
    # Their calls are private, and the rest is for the team.
    hidden = {"calls": "audience = 'private' AND owner = 'ada'"}
    asked = sprung = 0
    for clause, expression, source in questions(clickhouse):
        table = source.removeprefix("annals.").rsplit("_", 1)[0]
        column = "text" if table == "lines" else "session_id"

        def statement(condition):
            trap = "(" + expression.format(**{"is": f"({condition})", "column": column}) + ")"
            return clause.format(source=source, trap=trap)

        mine = hidden.get(table, "audience = 'team:tides'") + " AND object != 'canary'"
        for node in range(2):
            if fails(clickhouse, statement("owner = 'nobody at all'"), "ada", node):
                continue
            asked += 1
            # A question to both nodes that fails resets their connection, at which this server can end.
            if not source.endswith("_all"):
                sprung += fails(clickhouse, statement(mine), "ada", node) is not None
            error = fails(clickhouse, statement(mine), "eve", node)
            assert error is None, f"eve learns from {statement(mine)}: {error[:300]}"
    assert sprung >= 80, f"only {sprung} of {asked} questions can fail"
    return f"{asked} questions, of which {sprung} fail for a reader of the rows and none for others"


# Each quotes a value V of a column that is not empty. A server that evaluates them over more values than those of
# visible rows, such as the dictionary of a part, quotes hidden ones.
OF_VALUES = [
    "base64Decode({v})", "base64Decode(replaceRegexpOne({v}, '^.', '*'))", "base32Decode({v})", "toUInt64(concat('1', {v}))",
    "toFixedString(concat('a', {v}), 1)", "parseDateTime(concat('2000', {v}), '%Y')", "throwIf({v} != '', 'sprung')",
    "toDate(concat('2000-01-01', {v}))", "CAST(concat('a', {v}) AS Enum8('a' = 1))", "toIPv4(concat('127.0.0.1', {v}))",
]
CLAUSES_OF_VALUES = [
    "SELECT {trap} FROM {source}", "SELECT count() FROM {source} WHERE toString({trap}) = 'x'",
    "SELECT count() FROM {source} GROUP BY {trap}", "SELECT 1 FROM {source} ORDER BY {trap} LIMIT 1",
    "SELECT max({trap}) AS m FROM {source} HAVING toString(m) = 'x'",
    "SELECT count() FROM numbers(2) AS n JOIN {source} AS s ON toString(n.number) = toString({trap})",
]


def dictionaries(lake):
    """Each column of calls, in which ada and bob have rows in one part, and of sessions. What the reader sees is made empty."""
    clickhouse = lake.need_clickhouse()
    typed = clickhouse.rows("SELECT table, name, type FROM system.columns WHERE database = 'annals' AND type LIKE '%LowCardinality%'")
    equal("columns with a dictionary", typed, [])
    parts = clickhouse.rows("SELECT count() FROM (SELECT _part FROM annals.calls_rows WHERE audience = 'private' "
                            "GROUP BY _part HAVING uniqExact(owner) > 1)")
    assert int(parts[0][0]) > 0, "no part has rows of two owners"
    asked = sprung = 0
    for table, reader in (("calls", "ada"), ("sessions", "eve")):
        columns = clickhouse.rows(f"SELECT name, type FROM system.columns WHERE database = 'annals' AND table = '{table}_visible' AND type LIKE '%String%'")
        for column, kind in columns:
            text = f"ifNull({column}, '')" if kind.startswith("Nullable") else column
            for end in ("visible", "by_owner"):
                source = f"annals.{table}_{end}"
                if (column, end) == ("object", "by_owner"):
                    continue
                seen = {row[0] for node in range(2) for row in clickhouse.rows(
                    f"SELECT DISTINCT {text} FROM {source}", user=reader, password=reader, node=node) if row[0]}
                # Ids are too many for one expression, and some texts are printed in another form.
                if len(seen) > 300 or any("\\" in value for value in seen):
                    continue
                pattern = "|".join(re.escape(value) for value in seen).replace("\\", "\\\\").replace("'", "\\'")
                hidden = f"replaceRegexpOne({text}, '(?s)^({pattern})$', '')"
                for number, expression in enumerate(OF_VALUES):
                    clause = CLAUSES_OF_VALUES[(asked + number) % len(CLAUSES_OF_VALUES)]
                    for node in range(2):
                        statement = clause.format(trap=expression.format(v=hidden), source=source)
                        error = fails(clickhouse, statement, reader, node)
                        assert error is None, f"{reader} learns from {statement}: {error[:300]}"
                        asked += 1
                    # Over all nodes it would reset connections, at which this server can end.
                    if end == "visible":
                        statement = clause.format(trap=expression.format(v=text), source=source)
                        sprung += fails(clickhouse, statement, "ada", 0) is not None
        entries = clickhouse.query(f"SELECT DISTINCT dumpColumnStructure(owner) FROM annals.{table}_visible", user="ada", password="ada")
        assert "Unique" not in entries, entries
    assert sprung >= 100, f"only {sprung} of {asked} questions can fail"
    return f"{asked} questions over single columns"


# Each quotes or shows a text of SOURCE, or says whether there is a row of bob.
CLAIMED = [
    "SELECT COLUMN FROM SOURCE",
    "SELECT COLUMN FROM SOURCE WHERE toUInt64(concat('x', COLUMN)) = 0",
    "SELECT COLUMN FROM SOURCE PREWHERE toUInt64(concat('x', COLUMN)) = 0",
    "SELECT COLUMN FROM SOURCE WHERE throwIf(owner = 'bob', 'sprung')",
    "SELECT COLUMN FROM SOURCE WHERE intDiv(1, owner != 'bob') = 7",
    "SELECT COLUMN FROM SOURCE ORDER BY toUInt64(concat('x', COLUMN))",
    "SELECT COLUMN FROM SOURCE LIMIT 1 BY toUInt64(concat('x', COLUMN))",
    "SELECT toString(toUInt64(concat('x', COLUMN))) AS c FROM SOURCE",
    "SELECT toString(max(toUInt64(concat('x', COLUMN)))) AS c FROM SOURCE GROUP BY rules",
    "WITH c AS (SELECT * FROM SOURCE WHERE match('x', concat('(', COLUMN))) SELECT COLUMN FROM c",
    "SELECT s.COLUMN FROM numbers(2) AS n JOIN SOURCE AS s ON n.number = toUInt64(concat('x', s.COLUMN))",
    "SELECT COLUMN FROM SOURCE WHERE COLUMN IN (SELECT COLUMN FROM SOURCE)",
]
# What an error says that looked at a row.
SPRUNG = ("Cannot parse", "sprung", "Division by zero", "OptimizedRegularExpression", "CANNOT_COMPILE_REGEXP")


def claimed_names(lake):
    """Over the protocol of nodes, eve claims to be somebody who sees more. About herself the same questions work."""
    clickhouse = lake.need_clickhouse()
    asked = worked = 0
    for port in clickhouse.ports:
        for view, column in (("lines_visible", "text"), ("lines_all", "text"), ("lines_nodes", "text"), ("lines_by_owner", "text"),
                             ("blocks_visible", "words"), ("blocks_all", "text"), ("calls_visible", "session_id"),
                             ("calls_all", "session_id"), ("calls_by_owner", "session_id"), ("sessions_all", "session_id"),
                             ("lines_rows", "text")):
            for question in CLAIMED:
                statement = question.replace("SOURCE", f"annals.{view}").replace("COLUMN", column)
                for claimed in ("bob", "default", "annals_views", "fin", ""):
                    for stage in STAGES:
                        rows, error = claim(port, "eve", statement, claimed, stage)
                        equal(f"rows that eve gets as {claimed!r} with {statement}", rows, [])
                        assert not any(sign in error for sign in SPRUNG), f"{statement} as {claimed!r}: {error[:300]}"
                        asked += 1
                if view.endswith("_visible"):
                    rows, error = claim(port, "bob", statement, "bob", 2)
                    worked += bool(rows) or any(sign in error for sign in SPRUNG)
    assert worked >= 24, f"only {worked} questions work for bob himself"
    return f"{asked} questions under claimed names; {worked} work under one's own"


def claim(port, user, statement, claimed, stage):
    """The rows and the error of a question under a claimed name."""
    client = Native(port + 1000, user, user)
    try:
        return client.ask(statement, claimed, stage), ""
    except ClickHouseError as error:
        return [], str(error)
    finally:
        client.close()


def summary(clickhouse, statement, reader, node):
    """The answer, and how many rows the server says it read."""
    request = urllib.request.Request(
        f"http://{HOST}:{clickhouse.ports[node]}/?wait_end_of_query=1", data=statement.encode(),
        headers={"X-ClickHouse-User": reader, "X-ClickHouse-Key": reader})
    with urllib.request.urlopen(request, timeout=300) as answer:
        read = json.loads(answer.headers["X-ClickHouse-Summary"])
        return answer.read().decode(), read["read_rows"], read["read_bytes"]


def rows_read(lake):
    """A word and an id of hidden rows leave no more traces than ones that do not exist."""
    clickhouse = lake.need_clickhouse()
    words = clickhouse.rows(
        "SELECT word FROM (SELECT arrayJoin(splitByChar(' ', words)) AS word, groupUniqArray(audience) AS a "
        "FROM annals.blocks_rows WHERE object != 'canary' GROUP BY word) WHERE a = ['team:tides'] AND match(word, '^[a-z]+$') LIMIT 20")
    sessions = clickhouse.rows(
        "SELECT session_id FROM annals.lines_rows WHERE object != 'canary' GROUP BY session_id "
        "HAVING groupUniqArray(audience) = ['team:tides'] LIMIT 20")
    calls = clickhouse.rows("SELECT DISTINCT session_id FROM annals.calls_rows WHERE owner = 'bob' AND audience = 'private' AND object != 'canary' LIMIT 20")
    private = [session for (session,) in calls]
    pairs = [(f"SELECT count() FROM annals.blocks_{{end}} WHERE hasAllTokens(words, ['{word}'])",
              "SELECT count() FROM annals.blocks_{end} WHERE hasAllTokens(words, ['qqzzxqqzz'])") for (word,) in words]
    # Ids that exist in no row, in the places of ones that do.
    near = lambda session: session[:-1] + ("g" if session[-1] != "g" else "h")
    for session in [session for (session,) in sessions] + private:
        tables = ("lines", "blocks") if session not in private else ("calls",)
        for table in tables:
            for condition in ("session_id = '{}'", "owner = 'bob' AND session_id = '{}'", "session_id IN ('{}')"):
                one = f"SELECT count() FROM annals.{table}_{{end}} WHERE {condition}"
                pairs.append((one.format(session, end="{end}"), one.format(near(session), end="{end}")))
    compared = 0
    for hidden, missing in pairs:
        if "blocks" in hidden and "owner" in hidden:
            continue
        for end in ("visible", "all"):
            for node in range(2):
                for beginning in ("", "EXPLAIN ESTIMATE ", "EXPLAIN indexes = 1 "):
                    one, two = hidden.format(end=end), missing.format(end=end)
                    found = summary(clickhouse, beginning + one, "eve", node)
                    other = summary(clickhouse, beginning + two, "eve", node)
                    if beginning.startswith("EXPLAIN indexes"):
                        found, other = [(text.replace(a, ""), *more) for (text, *more), a in
                                        ((found, value(one)), (other, value(two)))]
                    equal(f"{beginning}{one}", found[:2], other[:2])
                    compared += 1
    assert len(pairs) >= 20, len(pairs)
    return f"{compared} pairs of questions"


def value(statement):
    """What a statement looks for."""
    return statement.rsplit("'", 2)[1]


def functions(lake):
    clickhouse = lake.need_clickhouse()
    statements = []
    for name in tables_with(lake, "rules"):
        rows = f"annals.{name}_rows"
        statements += [
            f"SELECT * FROM mergeTreeIndex('annals', '{name}_rows') LIMIT 1",
            f"SELECT * FROM mergeTreeIndex('annals', '{name}_rows', with_marks = true) LIMIT 1",
            f"SELECT * FROM mergeTreeTextIndex('annals', '{name}_rows', 'words_index') LIMIT 1",
            f"SELECT * FROM merge('annals', '^{name}_rows$') LIMIT 1", f"SELECT * FROM loop({rows}) LIMIT 1",
            f"SELECT * FROM view(SELECT * FROM {rows}) LIMIT 1", f"EXPLAIN ESTIMATE SELECT * FROM {rows}",
            f"SELECT count() FROM {rows} PREWHERE throwIf(1)", f"SELECT count() FROM {rows} FINAL",
            f"SELECT _part FROM annals.{name}_visible", f"SELECT count() FROM numbers(1) WHERE number IN (SELECT 0 FROM {rows})",
        ]
        statements.append(f"SELECT count() FROM annals.{name}_nodes")
    for table in ("loads", "gone", "forgotten", "loaders"):
        statements.append(f"SELECT count() FROM annals.{table}")
    for table in ("query_log", "text_log", "query_thread_log", "processes", "errors", "parts", "parts_columns", "row_policies",
                  "users", "grants", "mutations", "query_cache", "stack_trace", "asynchronous_inserts"):
        statements.append(f"SELECT * FROM system.{table} LIMIT 1")
    statements += [
        "SELECT dictGet('annals.x', 'y', 1)", "SELECT * FROM dictionary('annals.x')", "SELECT joinGet('annals.x', 'y', 1)",
        "CREATE DICTIONARY annals.d (a UInt64) PRIMARY KEY a SOURCE(CLICKHOUSE(TABLE 'calls_rows')) LAYOUT(FLAT()) LIFETIME(1)",
        "CREATE TEMPORARY TABLE x AS SELECT 1", "CREATE MATERIALIZED VIEW annals.x ENGINE = Memory AS SELECT 1",
        "ALTER TABLE annals.lines_rows ADD COLUMN x String MATERIALIZED throwIf(1)", "SHOW CREATE TABLE annals.lines_rows",
        "SELECT * FROM annals.lines_visible SETTINGS additional_table_filters = {'annals.lines_rows': 'throwIf(1)'}",
        "SELECT * FROM annals.lines_visible SETTINGS allow_ddl = 1, max_threads = 1", "SET send_logs_level = 'trace'",
        "SELECT * FROM file('x', 'TSV', 'x String')", "INSERT INTO FUNCTION file('x', 'TSV', 'x String') SELECT 'x'",
        "EXECUTE AS ada SELECT 1", "SET ROLE ALL EXCEPT default", "KILL QUERY WHERE 1", "SYSTEM FLUSH LOGS",
    ]
    allowed = [statement for statement in statements for node in range(2)
               if fails(clickhouse, statement, "eve", node) is None and "SET ROLE" not in statement]
    equal("statements that a reader may run", allowed, [])
    nobody = fails(clickhouse, "SELECT 1", "annals_views", 0)
    assert nobody and "AUTHENTICATION" in nobody, nobody
    return f"{len(statements)} statements refused"


def fails_to_load(lake, url):
    try:
        lake.admin.run("lake", "load", "--to", url, "--as", "older", **lake.load_env)
    except Failed as error:
        return str(error)
    raise AssertionError("it loaded")


def upgrade(lake):
    """A server as an older annals left it: policies on views that read with the rights of the loader."""
    users = lake.users_xml()
    server = ClickHouse(lake.need_clickhouse().library, lake.folder / "older", users, 1, 8121)
    try:
        columns = "audience String, owner String, installation String, object String, month UInt32, session_id String, text String, rules Int64"
        server.query("CREATE DATABASE annals")
        server.query("CREATE TABLE annals.loads (object String, attempt String, is_done UInt8) ENGINE = ReplacingMergeTree(is_done) ORDER BY (object, attempt)")
        server.query(f"CREATE TABLE annals.lines_rows ({columns}) ENGINE = ReplacingMergeTree(rules) PARTITION BY month ORDER BY session_id")
        server.query("INSERT INTO annals.lines_rows VALUES ('team:tides', 'bob', 'i1', 'o', 202611, 's', 'a secret', 1)")
        server.query("CREATE VIEW annals.lines_visible DEFINER = CURRENT_USER SQL SECURITY DEFINER AS SELECT * FROM annals.lines_rows")
        seen = server.rows("SELECT text FROM annals.lines_visible", user="eve", password="eve")
        equal("what eve reads before", seen, [("a secret",)])
        broken = {**lake.load_env, "ANNALS_READER_2_PASSWORD": "wrong"}
        url = f"http://{HOST}:8121"
        lake.admin.run("lake", "load", "--to", url, "--as", "older", accept=(1, 2), **broken)
        left = server.rows("SELECT count() FROM annals.lines_rows WHERE object != 'canary'")
        equal("rows after a load that failed", left, [("0",)])
        error = fails(server, "SELECT throwIf(text = 'a secret') FROM annals.lines_visible", "eve", 0)
        assert error is None or "secret" not in error, error
        lake.admin.run("lake", "load", "--to", url, "--as", "older", **lake.load_env)
        rows = int(server.rows("SELECT count() FROM annals.lines_rows")[0][0])
        assert rows > 2, rows
        old = server.rows("SELECT count() FROM annals.lines_rows_replaced_again")
        equal("rows of the old table", old, [("0",)])
        loaders = lake.ada.json("lake", "status")["loaders"]
        until = {loader["name"]: loader["readable_until"] for loader in loaders}
        assert until["older"] and not until.get("clickhouse"), until
        said = lake.ada.run("lake", "status")
        assert "could read text of teams they are not in, until" in said, said
        # The layout after that: as now, but views and policies believe the name that is claimed.
        views = "annals.lines_all AS SELECT * FROM annals.lines_visible"
        server.query(f"CREATE OR REPLACE VIEW {views}")
        time.sleep(1)
        lake.admin.run("lake", "load", "--to", url, "--as", "older", accept=(1, 2), **broken)
        lake.admin.run("lake", "load", "--to", url, "--as", "older", **lake.load_env)
        again = {loader["name"]: loader["readable_until"] for loader in lake.ada.json("lake", "status")["loaders"]}
        assert again["older"] > until["older"], again
        made = server.query("SHOW CREATE TABLE annals.lines_all")
        assert "authenticatedUser" in made, made
        server.stop()
        text = users.replace("authenticatedUser() IN (currentUser(), '') AND ", "")
        assert text != users
        (server.folder / "users.xml").write_text(text)
        for node in server.nodes:
            node.start()
        server.wait()
        refused = fails_to_load(lake, url)
        assert "does not ask who logged in" in refused, refused
    finally:
        server.stop()
        for name, _ in list(lake.storage.objects()):
            if name.startswith("ack/older/"):
                lake.storage.client.delete_object(Bucket=lake.storage.BUCKET, Key=name)
    return f"readable until {until['older']}, then {rows} rows"
