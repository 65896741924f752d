"""Comparisons of the package's tables with the rows that the command line exports."""

import contextlib
import os
import pathlib
import subprocess

import pyarrow.csv
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Public data sets, which lie beside the repository where there are any.
SHARED = pathlib.Path(os.environ.get("VIGIL_SHARED_FOLDER", ROOT.parent / "shared"))
# The days of the compared runs; those of the sample and of the generated people.
FIRST, LAST = "2026-03-03", "2026-06-30"

VALUES, WORKOUTS = "wearable_daily_metrics.csv", "exercise_sessions.csv"


class CommandLine:
    """The executable that the tests of the engine have built, on a database of its own."""

    def __init__(self, folder, database=None):
        self.folder = folder
        self.program = os.environ.get("VIGIL_PROGRAM", str(ROOT / ".build-tests/release/vigil"))
        self.database = database or f"sqlite:{folder}/vigil.sqlite"

    def run(self, *arguments):
        self.output(*arguments)

    def output(self, *arguments):
        """What the command prints."""
        return subprocess.run(
            [self.program, *arguments, "--quiet"], cwd=self.folder,
            env={**os.environ, "VIGIL_DATABASE": self.database}, check=True, capture_output=True,
            text=True).stdout

    def exported(self, table):
        """The rows of a table of results."""
        file = self.export(table)
        rows = read(file)
        file.unlink()
        return rows

    def export(self, table):
        """The file that `vigil export` writes."""
        file = self.folder / f"{table}.csv"
        self.run("export", table, "--format", "csv", "--out", str(file))
        return file

    @contextlib.contextmanager
    def leaving_the_database(self):
        """Brings the database back to what it was, for the next profile."""
        database = self.folder / "vigil.sqlite"
        content = database.read_bytes()
        yield
        for file in self.folder.glob("vigil.sqlite*"):
            file.unlink()
        database.write_bytes(content)

    def imported(self, source, names):
        """The folder with some files of a data set, after their import."""
        folder = self.folder / "data"
        folder.mkdir()
        for name in names:
            (folder / name).write_bytes((source / name).read_bytes())
        self.run("import", "csv", str(folder))
        return folder

    def data_set(self, name, people, seed):
        """The folder of the sample, or of people that are generated from a seed."""
        if name == "sample":
            return ROOT / "datasets/sample"
        folder = self.folder / "generated"
        self.run(
            "generate", str(folder), "--people", str(people), "--days", "120", "--seed", str(seed),
            "--end-date", LAST)
        return folder


class AlertData:
    """Daily values and workouts, without doses, in a database and as tables."""

    def __init__(self, command, name):
        self.command = command
        self.days = {"since": FIRST, "until": LAST}
        source = command.data_set(name, people=40, seed=7)
        folder = command.imported(source, [VALUES, WORKOUTS])
        self.values, self.workouts = read(folder / VALUES), read(folder / WORKOUTS)


def read(path):
    return pyarrow.csv.read_csv(
        path, convert_options=pyarrow.csv.ConvertOptions(strings_can_be_null=True))


def canonical(table, names=None, key=("id",)):
    rows = table.select(names or table.schema.names).to_pylist()
    return sorted(rows, key=lambda row: tuple(str(row[name]) for name in key))


# What only a database knows of an alert.
ALERTS_OF_A_DATABASE = {
    "external_id", "metric_unit", "last_notified_level", "last_notified_at",
    "shadow_notified_level", "snooze_until", "dismissed_at", "acknowledged_at",
    "acknowledged_by", "thresholds_version", "thresholds_digest"}


def assert_same(found, expected, missing=ALERTS_OF_A_DATABASE, key=("id",), tolerance=1e-12):
    """Equal but for the rounding of sums, which the order of additions decides.

    The table has all columns of the command line's but `missing`.
    """
    names = [name for name in found.schema.names if name in expected.schema.names]
    assert set(expected.schema.names) - set(names) == missing
    found, expected = canonical(found, names, key), canonical(expected, names, key)
    assert [[row[name] for name in key] for row in found] == [
        [row[name] for name in key] for row in expected]
    for one, other in zip(found, expected):
        for name in names:
            if tolerance and isinstance(one[name], float) and other[name] is not None:
                assert one[name] == pytest.approx(
                    other[name], rel=tolerance, abs=tolerance), (name, one)
            else:
                assert one[name] == other[name], (name, one, other)
