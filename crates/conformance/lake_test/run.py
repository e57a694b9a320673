"""`cargo xtask lake-test`: the lake with real engines. Started by lake_test.rs, which installs the parts.

usage: run.py --annals BINARY --store DIR --folder DIR [--clickhouse LIBRARY] [--spark] [--rounds 200]
              [--node-rounds 20] [--words 200]
"""

import argparse
import contextlib
import hashlib
import pathlib
import shutil
import signal
import sys

import faults
import figures
import leaks
import privacy
import same_answers
from checks import Skipped, Table
from people import Person
from servers import ClickHouse, ObjectStorage, Spark

READERS = ["ada:tides", "bob:tides", "eve"]
FINANCE = "fin"


class Lake:
    """Everything of one run."""

    def __init__(self, options):
        self.options = options
        self.folder = options.folder.resolve()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.annals = options.annals.resolve()
        self.store = options.store.resolve()
        self.clickhouse = self.spark = None
        self.storage = ObjectStorage(self.folder, 5055)
        self.storage_env = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
        self.projects = sorted((self.store / "projects").iterdir())
        self.admin = self.person("loader")
        self.ada = self.person("ada", "org", self.projects)
        # Two owners with the same sessions.
        self.bob = self.person("bob", "team:tides", self.projects[:3])
        self.eve = self.person("eve", "org")
        self.people = [self.ada, self.bob, self.eve]

    def person(self, name, share=None, projects=()):
        level = "text" if share else "usage"
        person = Person(name, self.folder, self.annals, self.storage.url, self.storage_env, share, level)
        person.take(projects)
        return person

    def users_xml(self):
        arguments = ["lake", "load", "--print-policy", "users-xml"]
        for reader in READERS:
            arguments += ["--reader", reader]
        text = self.admin.run(*arguments, "--finance", FINANCE)
        for name in [reader.split(":")[0] for reader in READERS] + [FINANCE]:
            digest = hashlib.sha256(name.encode()).hexdigest()
            text = text.replace(f"SHA-256 OF THE PASSWORD OF {name}<", f"{digest}<")
        return with_loader(text)

    def start_clickhouse(self):
        if not self.options.clickhouse:
            raise Skipped("ClickHouse is not installed")
        self.clickhouse = ClickHouse(self.options.clickhouse, self.folder / "clickhouse", self.users_xml())
        return self.clickhouse.query("SELECT version()").strip() + ", 2 nodes"

    def start_spark(self):
        if not self.options.spark:
            raise Skipped("Spark or Java is not installed")
        self.spark = Spark(self.folder / "spark")
        return f"{self.spark.session.version}, 2 workers"

    @property
    def load_env(self):
        return {
            "ANNALS_ENGINE_USER": "default",
            "ANNALS_READER_1_USER": "ada", "ANNALS_READER_1_PASSWORD": "ada",
            "ANNALS_READER_2_USER": "bob", "ANNALS_READER_2_PASSWORD": "bob",
        }

    def load_arguments(self):
        arguments = ["lake", "load"]
        for url in self.need_clickhouse().urls:
            arguments += ["--to", url]
        return arguments

    def load(self):
        return self.admin.json(*self.load_arguments(), **self.load_env)

    def need_clickhouse(self):
        if not self.clickhouse:
            raise Skipped("ClickHouse is not installed")
        return self.clickhouse

    def need_spark(self):
        if not self.spark:
            raise Skipped("Spark or Java is not installed")
        return self.spark

    def catalog(self, engine, location=True):
        """The views over all objects, which are mirrored into a folder."""
        mirror = self.folder / "mirror"
        self.storage.mirror(mirror)
        more = ["--location", f"file://{mirror}"] if location else []
        return self.admin.run("lake", "catalog", "--sql", engine, "--scope", "all", *more)

    def push_all(self):
        for person in self.people:
            person.run("lake", "push")
        objects = sum("/d/" in name for name, _ in self.storage.objects())
        return f"{len(self.people)} people, {objects} objects"

    def stop(self):
        """Ends all servers, also if one cannot be ended."""
        with contextlib.ExitStack() as stack:
            stack.callback(self.storage.process.kill)
            for server in (self.clickhouse, self.spark):
                if server:
                    stack.callback(server.stop)


def with_loader(text):
    """The printed accounts with that of the loader, which is the server's own."""
    text = text.replace("<profiles>", "<profiles><default/>", 1)
    own = ("<default><password></password><networks><ip>127.0.0.1</ip></networks>"
           "<profile>default</profile><quota>default</quota></default>")
    return text.replace("<users>", "<quotas><default/></quotas><users>" + own, 1)


def main():
    parser = argparse.ArgumentParser()
    for name in ("--annals", "--store", "--folder"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    parser.add_argument("--clickhouse", type=pathlib.Path)
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--node-rounds", type=int, default=20)
    parser.add_argument("--words", type=int, default=200)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    table = Table()
    lake = None
    # Servers end with the run, however it ends.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        lake = Lake(options)
        table.check("ClickHouse starts", lake.start_clickhouse)
        table.check("Spark starts", lake.start_spark)
        table.check("push to S3", lake.push_all)
        table.check("load", lambda: "{loaded} objects, {rows} rows".format(**lake.load()))
        for module in (same_answers, leaks, privacy, figures, faults):
            for name, check in module.checks(lake):
                if options.only in f"{module.__name__} {name}":
                    table.check(name, check)
    finally:
        if lake:
            lake.stop()
    table.print()
    return 1 if table.has_failed else 0


if __name__ == "__main__":
    sys.exit(main())
