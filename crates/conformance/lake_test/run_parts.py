"""What several modules ask about the tables of a run."""


def tables_with(lake, column):
    """The tables whose rows have a column, as the engine has them."""
    rows = lake.need_clickhouse().rows(
        f"SELECT table FROM system.columns WHERE database = 'annals' AND name = '{column}' AND table LIKE '%\\_rows'")
    return sorted(name.removesuffix("_rows") for (name,) in rows)
