"""Processes that are killed at any time."""

import os
import random
import signal
import subprocess
import time

import same_answers
from checks import equal, local_usage, as_usage, usage_statement
from engines import DuckDb
from servers import ClickHouseError


def checks(lake):
    rounds, nodes = lake.options.rounds, lake.options.node_rounds
    yield f"kill -9 of push x{rounds}", lambda: kill_push(lake, rounds)
    yield f"kill -9 of load x{rounds}", lambda: kill_load(lake, rounds)
    yield f"kill -9 of a ClickHouse node x{nodes}", lambda: kill_node(lake, nodes)
    yield "kill -9 of a Spark worker during a query", lambda: kill_spark_worker(lake)


def killed(child, seconds):
    """Kills a process after some time. Returns whether it was still running."""
    try:
        child.wait(timeout=seconds)
        child.communicate()
        return False
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        return True


def grow(person, number):
    """A new session with a call of its own, so that there is always something to push."""
    session = f"{number:08x}-0000-4000-8000-00000000dead"
    folder = person.store / "projects" / "-work-faults"
    folder.mkdir(exist_ok=True)
    time_ = f"2026-10-{1 + number % 28:02}T10:00:00.000Z"
    common = f'"sessionId":"{session}","cwd":"/work/faults","timestamp":"{time_}","version":"2.1.0","isSidechain":false'
    (folder / f"{session}.jsonl").write_text(
        f'{{"type":"user","uuid":"{session[:-4]}0001","parentUuid":null,{common},"message":{{"role":"user","content":"fault number{number}"}}}}\n'
        f'{{"type":"assistant","uuid":"{session[:-4]}0002","parentUuid":"{session[:-4]}0001",{common},"requestId":"req_f{number}",'
        f'"message":{{"id":"msg_f{number}","type":"message","role":"assistant","model":"claude-sonnet-4-5",'
        f'"content":[{{"type":"text","text":"done"}}],"usage":{{"input_tokens":{number + 1},"output_tokens":2}}}}}}\n')
    return session


def kill_push(lake, rounds):
    person = lake.bob
    choose = random.Random(1)
    person.run("lake", "push")
    begin = time.time()
    grow(person, 0)
    person.run("lake", "push")
    usual = time.time() - begin
    forgotten, hits = [], 0
    for number in range(1, rounds + 1):
        session = grow(person, number)
        if number % 10 == 0:
            # Deciding is a push too, and may be killed like one.
            hits += killed(person.start("lake", "forget", session), choose.uniform(0, usual))
            forgotten.append(session)
        else:
            hits += killed(person.start("lake", "push"), choose.uniform(0, usual))
    for session in forgotten:
        person.run("lake", "forget", session)
    person.run("lake", "push")
    engine = DuckDb(lake.catalog("duckdb"))
    rows = engine.rows(usage_statement("duckdb", "session", "calls_by_owner WHERE owner = 'bob'"))
    local = {key: value for key, value in local_usage(person, "session").items() if key not in forgotten}
    equal("usage by session", local, as_usage(rows))
    named = {row[0] for row in engine.rows("SELECT DISTINCT session_id FROM lines_by_owner WHERE owner = 'bob'")}
    assert not named & set(forgotten), named & set(forgotten)
    for name, data in lake.storage.objects():
        if "/bob/" in name and "/d/" in name:
            for session in forgotten:
                assert session.encode() not in data, f"{session} in {name}"
    return f"{hits} killed while running, {len(forgotten)} forgotten, rows = local"


def compare_engine(lake):
    lake.__dict__.pop("duckdb", None)
    return same_answers.counts(lake, same_answers.duckdb(lake), same_answers.tables_of_loader(lake))


def kill_load(lake, rounds):
    lake.need_clickhouse()
    choose = random.Random(2)
    lake.load()
    begin = time.time()
    lake.load()
    usual = 1.5 * (time.time() - begin)
    hits = 0
    for number in range(rounds):
        if number % 5 == 0:
            # New objects, replaced ones and taken back ones.
            session = grow(lake.bob, 100_000 + number)
            lake.bob.run("lake", "push")
            if number % 10 == 0:
                lake.bob.run("lake", "forget", session)
        child = lake.admin.start(*lake.load_arguments(), **lake.load_env)
        hits += killed(child, choose.uniform(0, usual))
    lake.load()
    rows = compare_engine(lake)
    left = lake.clickhouse.rows(
        "SELECT count() FROM annals.lines_rows WHERE (owner, session_id) IN (SELECT owner, session_id FROM annals.forgotten)")
    equal("rows of forgotten sessions", left, [("0",)])
    return f"{hits} killed while running, {rows} = lake"


def kill_node(lake, rounds):
    clickhouse = lake.need_clickhouse()
    choose = random.Random(3)
    partial = 0
    for number in range(rounds):
        grow(lake.bob, 200_000 + number)
        lake.bob.run("lake", "push")
        child = lake.admin.start(*lake.load_arguments(), **lake.load_env)
        time.sleep(choose.uniform(0, 1.5))
        clickhouse.nodes[1].kill()
        try:
            clickhouse.query("SELECT count() FROM annals.calls_all", user="bob", password="bob")
            partial += 1
        except ClickHouseError:
            pass
        child.communicate(timeout=300)
        clickhouse.nodes[1].start()
        clickhouse.wait()
    equal("answers with a node down", partial, 0)
    lake.load()
    return f"every query with a node down failed; {compare_engine(lake)} = lake"


def kill_spark_worker(lake):
    spark = lake.need_spark()
    import threading

    engine = same_answers.SparkSql(spark, lake.catalog("spark"))
    statement = usage_statement("spark", "model", "calls_by_owner WHERE owner = 'ada'")
    expected = as_usage(engine.rows(statement))
    timer = threading.Timer(0.5, spark.kill_worker)
    timer.start()
    found = as_usage(engine.rows(statement))
    timer.join()
    equal("usage", expected, found)
    equal("usage afterwards", expected, as_usage(engine.rows(statement)))
    return "same answer"
