"""`cargo xtask bench --only lake`: figures of the lake. Started by bench/lake.rs, which makes a table of them.

usage: bench.py --annals BINARY --store DIR --folder DIR [--clickhouse LIBRARY] [--runs 5] [--copies 8] [--people 20]

The last line of the output is JSON: rows with name, unit, value, budget and whether the budget is a minimum.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

from people import Failed, Person
from run import with_loader
from servers import ClickHouse, ObjectStorage

STORAGE_ENV = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}


class Figures:
    def __init__(self):
        self.rows = []

    def add(self, name, unit, value, budget=None, at_least=False):
        print(f"{name}: {value:.3g} {unit}", file=sys.stderr, flush=True)
        self.rows.append({"name": name, "unit": unit, "value": value, "budget": budget, "at_least": at_least})


class Storage(ObjectStorage):
    """Object storage whose requests can be counted: its log has a line for each."""

    BUCKET = "annals-bench"

    def __init__(self, folder, port):
        self.log = folder / "moto.log"
        super().__init__(folder, port)

    def requests(self):
        return len(re.findall(rf'"[A-Z]+ /{self.BUCKET}', self.log.read_text(errors="replace")))

    def sizes(self):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.BUCKET)
        return {item["Key"]: item["Size"] for page in pages for item in page.get("Contents", [])}


def measure(person, *arguments, **env):
    """CPU seconds, wall seconds and memory of a command, with the program it starts."""
    with open(person.home / "out", "w+b") as out, open(person.home / "err", "w+b") as err:
        begin = time.monotonic()
        child = subprocess.Popen([str(person.annals), *arguments], env={**person.env, **env},
                                 stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            err.seek(0)
            raise Failed(f"annals {' '.join(arguments)}: {err.read().decode(errors='replace')[:1000]}")
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024


def by_table(sizes, owner):
    found = collections.Counter()
    for name, size in sizes.items():
        if f"/{owner}/" in name and "/d/" in name:
            found[name.rsplit("/", 1)[1].split("-")[0]] += size
    return found


class Bench:
    def __init__(self, options):
        self.options, self.figures = options, Figures()
        self.folder = options.folder.resolve()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.annals = options.annals.resolve()
        self.storage = Storage(self.folder, 5056)
        self.clickhouse = None
        self.ada = self.person("ada", "org", "text")
        print("copying the store", file=sys.stderr, flush=True)
        self.ada.take(sorted((options.store.resolve() / "projects").iterdir()))
        self.transcripts = sum(path.stat().st_size for path in self.ada.store.rglob("*.jsonl"))

    def person(self, name, share=None, level="usage"):
        return Person(name, self.folder, self.annals, self.storage.url, STORAGE_ENV, share, level)

    def push(self):
        add = self.figures.add
        cpu, _, memory = measure(self.ada, "lake", "push")
        add("push, level text, cold", "MB per CPU s", self.transcripts / 1e6 / cpu, 45, True)
        add("push, level text, memory", "MB", memory / 1e6, 200)
        tables = by_table(self.storage.sizes(), "ada")
        share = lambda size: 100 * size / self.transcripts
        bob = self.person("bob")
        bob.env["CLAUDE_CONFIG_DIR"] = str(self.ada.store)
        bob.run("lake", "push")
        add("bytes sent, level usage", "% of the transcripts", share(sum(by_table(self.storage.sizes(), "bob").values())), 0.3)
        add("bytes sent, level text without lines", "% of the transcripts", share(sum(tables.values()) - tables["lines"]), 9)
        add("bytes sent, level text", "% of the transcripts", share(sum(tables.values())), 25)

    def idle(self):
        cpus, walls = [], []
        for _ in range(self.options.runs):
            before = self.storage.requests()
            cpu, wall, _ = measure(self.ada, "lake", "push")
            cpus.append(1000 * cpu)
            walls.append(1000 * wall)
            requests = self.storage.requests() - before
        self.figures.add("push with nothing new, CPU", "ms", statistics.median(cpus), 50)
        self.figures.add("push with nothing new, wall", "ms", statistics.median(walls))
        self.figures.add("push with nothing new, requests", "requests", requests, 1)

    def appended(self):
        paths = sorted(self.ada.store.glob("projects/*/*.jsonl"), key=lambda path: (path.stat().st_size, path.name))
        path = paths[len(paths) // 2]
        for line in reversed(path.read_text(errors="surrogateescape").splitlines()):
            record = json.loads(line)
            if record.get("type") == "user" and record.get("cwd"):
                break
        record.update(parentUuid=record["uuid"], uuid="00000000-0000-4000-8000-0000000000aa",
                      message={"role": "user", "content": "one more line about the tide"})
        with open(path, "a") as out:
            out.write(json.dumps(record) + "\n")
        before, objects = self.storage.requests(), self.storage.sizes()
        listing = self.storage.requests() - before
        measure(self.ada, "lake", "push")
        requests = self.storage.requests() - before - listing
        new = {name: size for name, size in self.storage.sizes().items() if name not in objects}
        tables = {name.rsplit("/", 1)[1].split("-")[0] for name in new if "/d/" in name}
        self.figures.add(f"one appended line ({len(tables)} tables), requests", "requests", requests, 4 + len(tables))
        sent = sum(size for name, size in new.items() if "/d/" in name)
        self.figures.add("one appended line, beside the manifest", "kB", sent / 1e3, 20)

    def start_clickhouse(self):
        arguments = ["lake", "load", "--print-policy", "users-xml", "--reader", "ada", "--reader", "bob", "--finance", "fin"]
        text = self.ada.run(*arguments)
        import hashlib
        for name in ("ada", "bob", "fin"):
            text = text.replace(f"SHA-256 OF THE PASSWORD OF {name}<", f"{hashlib.sha256(name.encode()).hexdigest()}<")
        self.clickhouse = ClickHouse(self.options.clickhouse, self.folder / "clickhouse", with_loader(text), 1, 8121)

    def settle(self):
        """Waits until nothing is merged."""
        quiet = 0
        while quiet < 3:
            count = self.clickhouse.query("SELECT count() FROM system.merges").strip()
            quiet = quiet + 1 if count == "0" else 0
            time.sleep(1)

    def load(self):
        env = {"ANNALS_ENGINE_USER": "default", "ANNALS_READER_1_USER": "ada", "ANNALS_READER_1_PASSWORD": "ada",
               "ANNALS_READER_2_USER": "bob", "ANNALS_READER_2_PASSWORD": "bob"}
        server = self.clickhouse
        before = server.cpu_seconds()
        own, wall, memory = measure(self.ada, "lake", "load", "--to", f"http://127.0.0.1:{server.ports[0]}", **env)
        loading = server.cpu_seconds() - before
        self.settle()
        merged = server.cpu_seconds() - before
        add = self.figures.add
        rate = lambda cpu: self.transcripts / 1e6 / (cpu + own)
        add("load", "MB per CPU s", rate(loading), 80, True)
        add("load, with all merges afterwards", "MB per CPU s", rate(merged))
        add("load, loader alone, CPU", "s", own)
        rows = server.rows("SELECT table, sum(bytes_on_disk), count() FROM system.parts WHERE active AND database = 'annals' GROUP BY table")
        sizes = {table: int(size) for table, size, _ in rows}
        lines = sizes.pop("lines_rows", 0)
        add("on disk without lines", "% of the transcripts", 100 * sum(sizes.values()) / self.transcripts, 11)
        add("on disk, lines", "% of the transcripts", 100 * lines / self.transcripts)
        idle = measure(self.ada, "lake", "load", "--to", f"http://127.0.0.1:{server.ports[0]}", **env)
        add("load with nothing new, wall", "s", idle[1])

    def copy_rows(self):
        """More people with ids of their own, made in the server."""
        server = self.clickhouse
        changed = {"id", "request_id", "uuid", "tool_use_id", "call_id", "object"}
        for (table,) in server.rows("SELECT name FROM system.tables WHERE database = 'annals' AND name LIKE '%\\_rows'"):
            columns = [row[0] for row in server.rows(f"SELECT name FROM system.columns WHERE database = 'annals' AND table = '{table}' AND default_kind = '' ORDER BY position")]
            for number in range(2, self.options.copies + 1):
                values = {"owner": f"'p{number}'", "session_id": f"concat('{number}', substring(session_id, 2))"}
                values.update({name: f"concat({name}, '-{number}')" for name in changed})
                chosen = ", ".join(values.get(column, f"`{column}`") for column in columns)
                server.query(f"INSERT INTO annals.{table} SELECT {chosen} FROM annals.{table} WHERE owner = 'ada' AND object != 'canary'")
        self.settle()

    def questions(self):
        server = self.clickhouse
        word = server.rows("SELECT arrayJoin(splitByChar(' ', words)) AS word, count() AS hits FROM annals.blocks_rows WHERE owner = 'ada' "
                           "GROUP BY word HAVING hits BETWEEN 100 AND 300 AND match(word, '^[a-z]{5,12}$') ORDER BY word LIMIT 1")
        session = server.rows("SELECT session_id FROM annals.lines_rows WHERE owner = 'ada' GROUP BY session_id ORDER BY abs(count() - 1500) LIMIT 1")
        file = server.rows("SELECT file FROM annals.touches_rows WHERE owner = 'ada' GROUP BY file ORDER BY count() DESC LIMIT 1")
        self.copy_rows()
        megabytes = self.options.copies * self.transcripts / 1e6
        quoted = lambda found: "'" + (found[0][0] if found else "").replace("'", "\\'") + "'"
        asked = [
            ("usage by day and model", 150, "fin",
             "SELECT toDate(time), model, sum(cost_pico) FROM annals.calls_by_owner GROUP BY ALL"),
            ("sessions with a rare word", 120, "bob",
             f"SELECT DISTINCT owner, session_id FROM annals.blocks_all WHERE audience = 'org' AND object != 'canary' AND hasAllTokens(words, [{quoted(word)}])"),
            ("lines of a session", 100, "bob",
             f"SELECT owner, agent_id, line, text FROM annals.lines_all WHERE audience = 'org' AND session_id IN [{quoted(session)}] AND object != 'canary'"),
            ("history of a file", 50, "bob",
             f"SELECT owner, session_id, operation, time FROM annals.touches_all WHERE audience = 'org' AND file = {quoted(file)}"),
        ]
        for name, budget, reader, statement in asked:
            ask = lambda: server.query(statement, user=reader, password=reader)
            ask()
            before = server.cpu_seconds()
            for _ in range(2 * self.options.runs):
                ask()
            cpu = (server.cpu_seconds() - before) / (2 * self.options.runs)
            self.figures.add(f"{name}, {megabytes:.0f} MB, CPU", "ms", 1000 * cpu, budget)

    def embedded(self):
        """The sums of many people, copied from one."""
        objects = [name for name in self.storage.sizes() if name.startswith("v1/org/ada/") and ("/m/" in name or "/days-" in name)]
        for number in range(self.options.people - 1):
            for name in objects:
                self.storage.client.copy_object(
                    Bucket=self.storage.BUCKET, Key=name.replace("/ada/", f"/p{number:03}/", 1),
                    CopySource={"Bucket": self.storage.BUCKET, "Key": name})
        question = ("usage", "--lake=org", "--by", "owner,project", "--limit", "0")
        eve = self.person("eve")
        first, _, _ = measure(eve, *question)
        self.figures.add(f"embedded usage of {self.options.people} people, first, CPU", "s", first, 10)
        warm = [measure(eve, *question) for _ in range(self.options.runs)]
        self.figures.add("embedded usage, warm, wall", "s", statistics.median(wall for _, wall, _ in warm), 2)
        self.figures.add("embedded usage, warm, CPU", "s", statistics.median(cpu for cpu, _, _ in warm))

    def run(self):
        self.push()
        self.idle()
        self.appended()
        if self.options.clickhouse:
            self.start_clickhouse()
            self.load()
            self.questions()
        # Last, because its people have manifests without most of their objects.
        self.embedded()
        size = self.annals.with_name("annals-lake").stat().st_size
        self.figures.add("annals-lake", "MB", size / 1e6, 20)

    def stop(self):
        if self.clickhouse:
            self.clickhouse.stop()
        self.storage.process.kill()


def main():
    parser = argparse.ArgumentParser()
    for name in ("--annals", "--store", "--folder"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    parser.add_argument("--clickhouse", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--copies", type=int, default=8)
    parser.add_argument("--people", type=int, default=20)
    bench = Bench(parser.parse_args())
    try:
        bench.run()
    finally:
        bench.stop()
    print(json.dumps({"megabytes": bench.transcripts / 1e6, "rows": bench.figures.rows}))


if __name__ == "__main__":
    main()
