"""The same rows from the command line on both databases, from C, from Python with each library, and from Spark.

Each way's results become a dump: a line a row, sorted, with one text for each value. The dumps are compared.
`make test-nightly` does that for public data and many people; else the sample stands for all.
"""

import datetime
import os

import polars
import pytest

from comparison import ALERTS_OF_A_DATABASE, CommandLine
from data_sets import DIGITS, PUBLIC, data_named
from dumps import differences, dump
from ways import LIBRARIES, Databases, Postgres, by_c, by_library, by_spark

RECOMMENDED = "v3"
PROFILES = ["v1", "v2", "v3", "v3-strict"]
IS_LONG = "VIGIL_LONG_TESTS" in os.environ
pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")

# Columns that only the command line has.
OF_A_DATABASE = {
    "alerts": ALERTS_OF_A_DATABASE, "scores": {"external_id"}, "insights": {"external_id"},
    "adherence": {"external_id", "evaluated_at"}}


@pytest.fixture(scope="module")
def postgres():
    server = Postgres()
    yield server
    server.close()


@pytest.fixture(scope="module")
def databases(tmp_path_factory, postgres):
    made = {}

    def get(name):
        if name not in made:
            command = CommandLine(tmp_path_factory.mktemp(name))
            made[name] = Databases(name, data_named(name, command), command, postgres)
        return made[name]

    return get


def assert_same_dumps(ways, table):
    """Compares what all ways have found of a table with the first way's rows."""
    schema = ways["pyarrow"][table].schema
    expected = ways["SQLite"][table]
    assert set(expected.schema) - set(schema) == OF_A_DATABASE[table]
    # Both databases agree in the last digit and in every column but the instant of their runs.
    every = {name: kind for name, kind in expected.schema.items() if name != "evaluated_at"}
    assert differences(
        dump(ways["PostgreSQL"][table], every), dump(expected, every)) == [], (
            f"{table} of PostgreSQL")
    schema = {name: kind for name, kind in schema.items() if name in expected.schema}
    lines = dump(expected, schema, DIGITS[table])
    assert lines, f"no row of {table} is compared"
    for way, found in ways.items():
        if table not in found:
            continue
        assert differences(dump(found[table], schema, DIGITS[table]), lines) == [], f"{table} of {way}"


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", ["sample", "sample-with-doses", "broken-feeds", *(
    pytest.param(name, marks=pytest.mark.skipif(not IS_LONG, reason="make test-nightly compares it"))
    for name in [*PUBLIC, "adherence_eamd", "random"])])
def test_all_ways_give_the_same_rows(databases, request, tmp_path, name, profile):
    found_in = databases(name)
    data = found_in.data
    tables = data.tables if profile == RECOMMENDED else ["alerts"]
    ways = found_in.rows(profile, tables)
    ways["C"] = by_c(data, profile, tables, tmp_path)
    for library in LIBRARIES:
        ways[library] = by_library(data, profile, tables, library)
    for table in tables:
        assert_same_dumps(ways, table)
    # Where Spark is missing, the test is skipped, and the other ways have been compared.
    if profile == RECOMMENDED and "observations" in data.files:
        ways["Spark"] = by_spark(data, profile, request.getfixturevalue("spark_session"))
        assert_same_dumps(ways, "alerts")


@pytest.mark.parametrize("column, value", [
    ("text", "A"), ("day", datetime.date(2026, 6, 9)), ("value", 0.3 + 1e-9), ("value", None)])
def test_a_changed_value_is_a_difference(column, value):
    days = [datetime.date(2026, 6, day) for day in (1, 2, 3)]
    columns = {"text": ["a", "b", None], "day": days, "value": [0.1 + 0.2, -0.0, None]}
    rows = polars.DataFrame(columns)
    lines = dump(rows, rows.schema, 9)
    assert lines == ["\t2026-06-03\t", "a\t2026-06-01\t0.3", "b\t2026-06-02\t0.0"]
    other = polars.DataFrame({**columns, column: [value, *columns[column][1:]]})
    assert len(differences(dump(other, rows.schema, 9), lines)) == 2
    assert differences(lines[1:], lines) == ["- \t2026-06-03\t"]
    assert differences(lines + lines[:1], lines) == ["4 rows in the place of 3"]
