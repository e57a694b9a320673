"""Figures: what loading and questions cost."""

import shutil

from servers import ClickHouse

# A question is asked this often; the figure is the mean.
TIMES = 10


def checks(lake):
    yield "figures: load", lambda: load(lake)
    yield "figures: questions", lambda: questions(lake)


def load(lake):
    """A cold load into new servers."""
    old = lake.need_clickhouse()
    old.stop()
    shutil.rmtree(old.folder)
    lake.clickhouse = ClickHouse(lake.options.clickhouse, old.folder, lake.users_xml())
    before = lake.clickhouse.cpu_seconds()
    own, _, _ = lake.admin.cpu_of(*lake.load_arguments(), **lake.load_env)
    servers = lake.clickhouse.cpu_seconds() - before
    stores = sum(path.stat().st_size for person in lake.people for path in person.store.rglob("*.jsonl"))
    rows = lake.clickhouse.rows(
        "SELECT table = 'lines_rows', sum(bytes_on_disk) FROM cluster('team', system.parts) "
        "WHERE active AND database = 'annals' GROUP BY 1 ORDER BY 1")
    disk = {is_lines: int(size) for is_lines, size in rows}
    rate = stores / 1e6 / (servers + own)
    return (f"{stores / 1e6:.0f} MB of transcripts, {servers:.1f} CPU s of the servers and {own:.1f} of the loader "
            f"({rate:.0f} MB per CPU s), on disk {100 * disk.get('0', 0) / stores:.1f} % and "
            f"{100 * disk.get('1', 0) / stores:.1f} % for lines")


def questions(lake):
    clickhouse = lake.need_clickhouse()
    session = clickhouse.rows("SELECT session_id FROM annals.lines_by_owner GROUP BY session_id ORDER BY count() DESC LIMIT 1")[0][0]
    asked = {
        "usage": ("fin", "SELECT toDate(time), model, sum(cost_pico) FROM annals.calls_by_owner GROUP BY ALL"),
        "session": ("ada", "SELECT count(), sum(length(text)) FROM (SELECT text FROM annals.lines_all WHERE "
                           f"session_id = '{session}' ORDER BY rules DESC LIMIT 1 BY owner, agent_id, line, uuid)"),
    }
    names = {row[0] for row in clickhouse.rows("SELECT name FROM system.tables WHERE database = 'annals'")}
    if "blocks_all" in names:
        asked["rare word"] = ("ada", "SELECT session_id, time FROM annals.blocks_all WHERE hasAllTokens(words, ['keychain']) "
                                     "ORDER BY time DESC LIMIT 50 SETTINGS use_top_k_dynamic_filtering = 0")
    if "touches_all" in names:
        file = clickhouse.rows("SELECT file FROM annals.touches_all GROUP BY file ORDER BY count() DESC LIMIT 1")
        asked["file"] = ("ada", f"SELECT count() FROM annals.touches_all WHERE file = '{file[0][0]}'") if file else None
    said = []
    for name, question in asked.items():
        if not question:
            continue
        reader, statement = question
        # Readers may not change settings.
        statement, _, setting = statement.partition(" SETTINGS ")
        reader = "default" if setting else reader
        statement += f" SETTINGS {setting}" if setting else ""
        password = "" if reader == "default" else reader
        clickhouse.query(statement, user=reader, password=password)
        before = clickhouse.cpu_seconds()
        for _ in range(TIMES):
            clickhouse.query(statement, user=reader, password=password)
        said.append(f"{name} {1000 * (clickhouse.cpu_seconds() - before) / TIMES:.0f} ms")
    return "CPU of both nodes: " + ", ".join(said)
