"""Every row of `vigil.detect` is that of the command line, whatever library the data come from."""

import pathlib

import duckdb
import polars
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest

import vigil
from conftest import FIRST, LAST, ROOT

FOLDERS = ["sample", "random"]
PROFILES = ["v1", "v2", "v3", "v3-strict"]
FILES = ["wearable_daily_metrics.csv", "exercise_sessions.csv"]


@pytest.fixture(scope="module", params=FOLDERS)
def data(request, command_line):
    """A command line, and a folder with daily values and workouts and without doses."""
    command = command_line(request.param)
    source = ROOT / "datasets/sample"
    if request.param == "random":
        source = command.folder / "generated"
        command.run(
            "generate", str(source), "--people", "40", "--days", "120", "--seed", "7",
            "--end-date", LAST)
    folder = command.folder / "data"
    folder.mkdir()
    for name in FILES:
        (folder / name).write_bytes((source / name).read_bytes())
    command.run("import", "csv", str(folder))
    return command, folder


@pytest.fixture(scope="module", params=PROFILES)
def compared(request, data):
    """A profile, the values and workouts, and the rows of the command line."""
    command, folder = data
    database = command.folder / "vigil.sqlite"
    empty = database.read_bytes()
    command.run("backfill", "--from", FIRST, "--to", LAST, "--thresholds", request.param)
    exported = command.folder / f"{request.param}.csv"
    command.run("export", "alerts", "--format", "csv", "--out", str(exported))
    # The next profile begins with the same database.
    for file in command.folder.glob("vigil.sqlite*"):
        file.unlink()
    database.write_bytes(empty)
    values, workouts = (pyarrow.csv.read_csv(folder / name) for name in FILES)
    return request.param, values, workouts, pyarrow.csv.read_csv(
        exported, convert_options=pyarrow.csv.ConvertOptions(strings_can_be_null=True))


def canonical(table, names):
    rows = table.select(names).to_pylist()
    return sorted(rows, key=lambda row: row["id"])


def assert_same(found, expected):
    """Equal but for the rounding of sums, which the order of additions decides."""
    names = [name for name in found.schema.names if name in expected.schema.names]
    # All of the command line's but what only a database knows.
    assert set(expected.schema.names) - set(names) == {
        "external_id", "metric_unit", "last_notified_level", "last_notified_at",
        "shadow_notified_level", "snooze_until", "dismissed_at", "acknowledged_at",
        "acknowledged_by", "thresholds_version", "thresholds_digest"}
    found, expected = canonical(found, names), canonical(expected, names)
    assert [row["id"] for row in found] == [row["id"] for row in expected]
    for one, other in zip(found, expected):
        for name in names:
            if isinstance(one[name], float) and other[name] is not None:
                assert one[name] == pytest.approx(other[name], rel=1e-12, abs=1e-12), (name, one)
            else:
                assert one[name] == other[name], (name, one, other)


def test_rows_are_those_of_the_command_line(compared):
    profile, values, workouts, expected = compared
    found = vigil.detect(
        values, profile=profile, workouts=workouts, since=FIRST, until=LAST).to_arrow()
    assert found.num_rows > 0
    assert_same(found, expected)


def test_libraries_give_the_same_rows(compared, tmp_path):
    profile, values, workouts, _ = compared
    days = {"profile": profile, "since": FIRST, "until": LAST}
    expected = vigil.detect(values, workouts=workouts, **days).to_arrow()
    pyarrow.parquet.write_table(values, tmp_path / "values.parquet", row_group_size=1_000)
    relation = duckdb.from_arrow(values)
    for name, one, other in [
        ("polars", polars.from_arrow(values), polars.from_arrow(workouts)),
        ("pandas", values.to_pandas(), workouts.to_pandas()),
        ("duckdb", relation, duckdb.from_arrow(workouts)),
        ("dictionary", values.set_column(
            0, "user_id", values.column("user_id").dictionary_encode()), workouts),
        ("parquet", tmp_path / "values.parquet", workouts),
    ]:
        found = vigil.detect(one, workouts=other, **days).to_arrow()
        assert found.equals(expected), name


def test_batches_that_cut_persons_change_nothing(compared):
    profile, values, workouts, _ = compared
    days = {"since": FIRST, "until": LAST}
    expected = vigil.detect(values, profile=profile, workouts=workouts, **days).to_arrow()
    values = values.sort_by([("user_id", "ascending"), ("metric_date", "ascending")])
    with vigil.Detector(profile, together=True, **days) as detector:
        detector.push_workouts(workouts)
        parts = []
        for batch in values.to_batches(max_chunksize=7):
            detector.push(batch)
            parts.append(detector.episodes().to_arrow())
        detector.finish()
        parts.append(detector.episodes().to_arrow())
    found = pyarrow.concat_tables(parts)
    names = found.schema.names
    assert canonical(found, names) == canonical(expected, names)


def test_the_order_of_rows_does_not_matter(compared):
    profile, values, workouts, _ = compared
    days = {"profile": profile, "since": FIRST, "until": LAST, "workouts": workouts}
    expected = vigil.detect(values, **days).to_arrow()
    found = vigil.detect(
        polars.from_arrow(values).sample(fraction=1, shuffle=True, seed=3), **days).to_arrow()
    names = found.schema.names
    assert canonical(found, names) == canonical(expected, names)


def test_one_person_after_the_other_gives_the_same(compared):
    profile, values, workouts, _ = compared
    days = {"since": FIRST, "until": LAST}
    expected = vigil.detect(values, profile=profile, workouts=workouts, **days).to_arrow()
    with vigil.Detector(profile, **days) as detector:
        detector.push_workouts(workouts)
        detector.push(values)
        for person in values.column("user_id").unique().to_pylist():
            detector.finish(person)
        detector.finish("of whom there are no rows")
        found = detector.episodes().to_arrow()
    names = found.schema.names
    assert canonical(found, names) == canonical(expected, names)
