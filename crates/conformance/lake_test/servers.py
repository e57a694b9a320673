"""The servers of a run, on loopback only: object storage (moto), ClickHouse, Spark.

Each is a process that is ended by its id. Nothing here knows what is tested.
"""

import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

HOST = "127.0.0.1"
# The program behind `SYSTEM START LISTEN` ends with its last statement, so that one never ends.
HOLD = (
    "SYSTEM START LISTEN TCP; SYSTEM START LISTEN HTTP; SELECT sleepEachRow(1) FROM numbers(100000000) "
    "SETTINGS max_block_size=1, function_sleep_max_microseconds_per_block=0 FORMAT Null"
)


def wait(what, is_ready, seconds=60):
    """Waits until something is ready; fails if it takes too long."""
    end = time.time() + seconds
    while time.time() < end:
        try:
            if is_ready():
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise RuntimeError(f"{what} is not ready after {seconds} seconds")


def get(url, timeout=2):
    with urllib.request.urlopen(url, timeout=timeout) as answer:
        return answer.read()


class Process:
    """A process of this run."""

    def __init__(self, arguments, log, env=None):
        self.arguments, self.log, self.env = arguments, log, env
        self.start()

    def start(self):
        out = open(self.log, "ab")
        self.child = subprocess.Popen(
            self.arguments, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            env=self.env, start_new_session=True,
        )
        out.close()

    def kill(self):
        """kill -9, of the process and what it started."""
        if self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()


class ObjectStorage:
    """moto's S3 server with one bucket."""

    BUCKET = "annals-test"

    def __init__(self, folder, port):
        self.endpoint = f"http://{HOST}:{port}"
        program = pathlib.Path(sys.executable).with_name("moto_server")
        self.process = Process([str(program), "-H", HOST, "-p", str(port)], folder / "moto.log")
        wait("moto", lambda: get(f"{self.endpoint}/moto-api/"))
        import boto3

        self.client = boto3.client(
            "s3", endpoint_url=self.endpoint, region_name="us-east-1",
            aws_access_key_id="test", aws_secret_access_key="test",
        )
        self.client.create_bucket(Bucket=self.BUCKET)

    @property
    def url(self):
        return f"s3://{self.BUCKET}?endpoint={self.endpoint}"

    def objects(self):
        """The names and bytes of all objects."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.BUCKET)
        for page in pages:
            for item in page.get("Contents", []):
                body = self.client.get_object(Bucket=self.BUCKET, Key=item["Key"])["Body"]
                yield item["Key"], body.read()

    def mirror(self, folder):
        """Copies all objects into a folder, for engines without access to the server."""
        shutil.rmtree(folder, ignore_errors=True)
        for name, data in self.objects():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


class ClickHouseError(Exception):
    pass


class ClickHouse:
    """Nodes of ClickHouse that form the cluster `team`."""

    def __init__(self, library, folder, users, count=2, first_port=8101):
        self.folder, self.library = folder, library
        folder.mkdir(parents=True)
        (folder / "users.xml").write_text(users)
        self.ports = [first_port + place for place in range(count)]
        shards = "".join(
            f"<shard><internal_replication>true</internal_replication><replica><host>{HOST}</host>"
            f"<port>{port + 1000}</port></replica></shard>"
            for port in self.ports
        )
        self.nodes = []
        for port in self.ports:
            config, data = folder / f"{port}.xml", folder / f"data{port}"
            data.mkdir()
            config.write_text(
                f"<clickhouse><users_config>{folder}/users.xml</users_config>"
                f"<user_directories><users_xml><path>{folder}/users.xml</path></users_xml>"
                f"</user_directories><remote_servers><team><secret>loopback</secret>{shards}"
                f"</team></remote_servers></clickhouse>"
            )
            arguments = [
                sys.executable, __file__, str(library), f"--config-file={config}",
                f"--path={data}", f"--listen_host={HOST}", f"--tcp_port={port + 1000}",
                f"--http_port={port}", f"--query={HOLD}",
            ]
            self.nodes.append(Process(arguments, folder / f"{port}.log"))
        self.wait()

    def wait(self):
        for port in self.ports:
            wait(f"ClickHouse on {port}", lambda: get(f"http://{HOST}:{port}/ping") == b"Ok.\n")

    @property
    def urls(self):
        return [f"http://{HOST}:{port}?cluster=team" for port in self.ports]

    def query(self, statement, user="default", password="", node=0, **settings):
        parameters = urllib.parse.urlencode({"wait_end_of_query": 1, **settings})
        request = urllib.request.Request(
            f"http://{HOST}:{self.ports[node]}/?{parameters}", data=statement.encode(),
            headers={"X-ClickHouse-User": user, "X-ClickHouse-Key": password},
        )
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise ClickHouseError(error.read().decode()) from None

    def rows(self, statement, **more):
        text = self.query(statement, **more)
        return [tuple(line.split("\t")) for line in text.splitlines()]

    def cpu_seconds(self):
        """CPU time of all nodes so far."""
        ticks = 0
        for node in self.nodes:
            fields = pathlib.Path(f"/proc/{node.child.pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def bytes_on_disk(self):
        return sum(
            path.stat().st_size for path in self.folder.glob("data*/**/*") if path.is_file()
        )

    def stop(self):
        for node in self.nodes:
            node.kill()


class Spark:
    """A standalone cluster with two workers."""

    def __init__(self, folder, port=7077):
        import pyspark

        home = pathlib.Path(pyspark.__file__).parent
        folder.mkdir(parents=True)
        self.master = f"spark://{HOST}:{port}"
        program = str(home / "bin" / "spark-class")
        env = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": HOST,
               "SPARK_WORKER_DIR": str(folder / "work")}
        deploy = "org.apache.spark.deploy"
        self.processes = [Process(
            [program, f"{deploy}.master.Master", "--host", HOST, "--port", str(port),
             "--webui-port", "8480"], folder / "master.log", env)]
        wait("Spark", lambda: b"" != get(f"http://{HOST}:8480/"))
        for place in range(2):
            self.processes.append(Process(
                [program, f"{deploy}.worker.Worker", "--host", HOST, "-c", "1", "-m", "1g",
                 "--webui-port", str(8481 + place), "-d", str(folder / f"worker{place}"),
                 self.master], folder / f"worker{place}.log", env))
        wait("Spark's workers", lambda: get(f"http://{HOST}:8480/json/").count(b'"ALIVE"') >= 3)
        os.environ.update({"SPARK_HOME": str(home), "SPARK_LOCAL_IP": HOST})
        from pyspark.sql import SparkSession

        self.session = (
            SparkSession.builder.master(self.master).appName("annals")
            .config("spark.driver.host", HOST).config("spark.driver.bindAddress", HOST)
            .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false").config("spark.sql.session.timeZone", "UTC")
            .config("spark.executor.memory", "512m").config("spark.sql.shuffle.partitions", "4")
            .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
            .getOrCreate()
        )
        self.session.sparkContext.setLogLevel("ERROR")

    def kill_worker(self):
        self.processes[-1].kill()

    def stop(self):
        try:
            self.session.stop()
        finally:
            for process in self.processes:
                process.kill()


def become_clickhouse(library, arguments):
    """In a child: `clickhouse local` with these arguments."""
    call = ctypes.CDLL(library).chdb_query_cmdline
    call.restype = ctypes.c_void_p
    words = [word.encode() for word in ["clickhouse", *arguments]]
    call(len(words), (ctypes.c_char_p * (len(words) + 1))(*words, None))


if __name__ == "__main__":
    become_clickhouse(sys.argv[1], sys.argv[2:])
