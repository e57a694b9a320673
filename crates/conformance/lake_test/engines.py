"""The engines behind one interface: a statement goes in, rows come out."""

import re


class DuckDb:
    name = "duckdb"

    def __init__(self, catalog):
        import duckdb

        self.connection = duckdb.connect()
        self.connection.execute("SET TimeZone = 'UTC'")
        self.connection.execute(catalog)

    def rows(self, statement):
        return self.connection.execute(statement).fetchall()


class SparkSql:
    name = "spark"

    def __init__(self, spark, catalog):
        self.session = spark.session
        for statement in re.split(r";\n", re.sub(r"^--.*\n", "", catalog)):
            if statement.strip():
                self.session.sql(statement)

    def rows(self, statement):
        return [tuple(row) for row in self.session.sql(statement).collect()]


class ClickHouseViews:
    """The views over the objects themselves, without loading them."""

    name = "clickhouse"

    def __init__(self, clickhouse, catalog, database="objects"):
        self.clickhouse, self.database = clickhouse, database
        clickhouse.query(f"CREATE DATABASE IF NOT EXISTS {database}")
        for statement in re.split(r";\n", re.sub(r"^--.*\n", "", catalog)):
            if statement.strip():
                clickhouse.query(statement, database=database)

    def rows(self, statement):
        return self.clickhouse.rows(statement, database=self.database)


class ClickHouseTables:
    """What was loaded, as a reader sees it."""

    name = "clickhouse"

    def __init__(self, clickhouse, user, password, node=0):
        self.clickhouse, self.user, self.password, self.node = clickhouse, user, password, node

    def rows(self, statement):
        return self.clickhouse.rows(
            statement, user=self.user, password=self.password, node=self.node, database="annals"
        )
