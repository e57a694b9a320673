"""The checks of a run, and the table that closes it."""

import decimal
import os
import time
import traceback


class Table:
    """What passed, what failed and what was skipped."""

    def __init__(self):
        self.rows = []

    def check(self, name, run):
        """Runs one check. It returns what to say about it."""
        begin = time.time()
        try:
            said = run()
            outcome = "passed"
        except Skipped as reason:
            outcome, said = "skipped", str(reason)
        except Exception as error:  # Everything that goes wrong is a result.
            outcome, said = "FAILED", f"{type(error).__name__}: {error}"
            traceback.print_exc()
        self.rows.append((name, outcome, said or "", time.time() - begin))
        print(f"{outcome:8} {name}: {said or ''} ({time.time() - begin:.1f} s)", flush=True)

    def print(self):
        width = max(len(name) for name, *_ in self.rows)
        print("\n" + f"{'CHECK':{width}}  OUTCOME  SECONDS  RESULT")
        for name, outcome, said, seconds in self.rows:
            print(f"{name:{width}}  {outcome:7}  {seconds:7.1f}  {said}")
        counts = {kind: sum(row[1] == kind for row in self.rows) for kind in ("passed", "FAILED", "skipped")}
        print(f"\n{counts['passed']} passed, {counts['FAILED']} failed, {counts['skipped']} skipped")

    @property
    def has_failed(self):
        return any(outcome == "FAILED" for _, outcome, *_ in self.rows)


class Skipped(Exception):
    """A check that cannot run here, with the reason."""


def equal(what, one, other):
    if one == other:
        return
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [key for key in sorted(set(one) | set(other), key=str) if one.get(key) != other.get(key)]
        shown = ", ".join(f"{key}: {one.get(key)} and {other.get(key)}" for key in keys[:3])
        raise AssertionError(f"{what}: {len(keys)} of {len(one)} differ, {shown}")
    if isinstance(one, (set, frozenset)):
        raise AssertionError(f"{what}: only in the first {sorted(one - other)[:3]}, only in the second {sorted(other - one)[:3]}")
    one, other = str(one), str(other)
    start = max(0, len(os.path.commonprefix([one, other])) - 200)
    raise AssertionError(f"{what}: {one[start:start + 500]} and {other[start:start + 500]}")


def pico(dollars):
    """Trillionths of a dollar."""
    value = decimal.Decimal(dollars).scaleb(12)
    assert value == value.to_integral_value(), dollars
    return int(value)


def local_usage(person, dimension, *more):
    """Cost and tokens by a dimension, as annals counts them here."""
    document = person.json("usage", "--by", dimension, "--timezone", "UTC", "--limit", "0", *more)
    found = {}
    for row in document["rows"]:
        found[row["key"][dimension]] = (
            pico(row["cost_usd"] or 0), row["calls"], row["input_tokens"], row["output_tokens"],
            row["cache_read_tokens"], row["cache_write_5m_tokens"] + row["cache_write_1h_tokens"],
        )
    return found


# The dimensions of `annals usage` that rows of level `usage` carry, as expressions over them.
DIMENSIONS = {
    "model": {"*": "model"},
    "session": {"*": "session_id"},
    "version": {"*": "app_version"},
    "day": {
        "duckdb": "strftime(time AT TIME ZONE 'UTC', '%Y-%m-%d')",
        "spark": "date_format(time, 'yyyy-MM-dd')",
        "clickhouse": "formatDateTime(time, '%Y-%m-%d', 'UTC')",
    },
    "month": {
        "duckdb": "strftime(time AT TIME ZONE 'UTC', '%Y-%m')",
        "spark": "date_format(time, 'yyyy-MM')",
        "clickhouse": "formatDateTime(time, '%Y-%m', 'UTC')",
    },
}


# Answers that no API gave. annals does not count them.
MADE_UP = "coalesce(model, '') <> '<synthetic>'"


def usage_statement(engine, dimension, source):
    source += (" AND " if " WHERE " in source else " WHERE ") + MADE_UP
    expressions = DIMENSIONS[dimension]
    key = expressions.get(engine) or expressions["*"]
    return (
        f"SELECT {key} AS k, sum(coalesce(cost_pico, 0)), count(*), sum(input_tokens), sum(output_tokens), "
        f"sum(cache_read_tokens), sum(cache_write_5m_tokens + cache_write_1h_tokens) FROM {source} GROUP BY {key}"
    )


def as_usage(rows):
    missing = (None, "\\N")
    return {None if row[0] in missing else str(row[0]): tuple(int(value) for value in row[1:]) for row in rows}
