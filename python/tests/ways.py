"""The ways from input to rows: the command line on a database of either kind, C, Python with a library, and Spark.

Each gives a frame of polars for each table of results.
"""

import datetime
import os
import pathlib
import subprocess

import duckdb
import polars
import pyarrow
import pytest

import vigil
from comparison import ROOT, CommandLine, read
from dose_data import NOW

C_PROGRAM = pathlib.Path(os.environ.get("VIGIL_C_ROWS", ROOT / ".build-library/rows"))


class Postgres:
    """A server that ends with the tests."""

    def __init__(self):
        program = pathlib.Path(CommandLine(ROOT).program).parent / "postgres-for-tests"
        if not program.exists():
            pytest.fail(f"there is no {program}; run make build-tests")
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._url = self._process.stdout.readline().strip()
        folder = subprocess.run(
            [ROOT / "scripts/find-postgres"], capture_output=True, text=True, check=True).stdout
        self._psql = pathlib.Path(folder.strip()) / "psql"

    def database(self, name, template="template1"):
        """The URL of a new database, which is a copy of another one."""
        statement = f'CREATE DATABASE "{name}" OWNER vigil TEMPLATE "{template}"'
        subprocess.run(
            [self._psql, "--no-psqlrc", "--quiet", "--dbname",
             self._url.replace("user=vigil", "user=postgres"), "--command", statement],
            check=True, capture_output=True)
        return self._url.replace("/vigil?", f"/{name}?")

    def close(self):
        self._process.stdin.close()
        self._process.wait()


class Databases:
    """The data in a database of either kind, each copied for every profile."""

    def __init__(self, name, data, sqlite, postgres):
        self._name, self.data, self._sqlite, self._postgres = name, data, sqlite, postgres
        # Doses of a pill bottle are there already, as the library's tables come from the database.
        if data.folder is not None:
            data.import_into(sqlite)
        command = CommandLine(sqlite.folder, postgres.database(name))
        command.run("migrate")
        self.data.import_into(command)

    def rows(self, profile, tables):
        """The rows of both databases after a backfill, by way and table."""
        with self._sqlite.leaving_the_database():
            found = {"SQLite": self._backfilled(self._sqlite, profile, tables)}
        url = self._postgres.database(f"{self._name}-{profile}", template=self._name)
        found["PostgreSQL"] = self._backfilled(CommandLine(self._sqlite.folder, url), profile, tables)
        return found

    def _backfilled(self, command, profile, tables):
        since, until = self.data.days
        only = ["--only", "patterns", "--only", "adherence"] if tables == ["alerts"] else []
        command.run(
            "backfill", "--from", since, "--to", until, "--thresholds", profile, "--vitality",
            "vitality.v2", "--now", NOW, *only)
        return {table: exported(command, table) for table in tables}


def exported(command, table):
    file = command.export(table)
    rows = csv(file)
    file.unlink()
    return rows


def csv(file):
    return polars.read_csv(file, infer_schema=False)


def by_c(data, profile, tables, folder):
    first, last = (
        str((datetime.date.fromisoformat(day) - datetime.date(1970, 1, 1)).days)
        for day in data.days)
    instant = datetime.datetime.fromisoformat(NOW.replace("Z", "+00:00")).timestamp()
    subprocess.run(
        [C_PROGRAM, folder, profile, first, last, str(int(instant) * 1_000_000),
         "alerts" if tables == ["alerts"] else "all",
         *(f"{table}={file}" for table, file in data.files.items()
           if table != "birth_dates" or "scores" in tables)], check=True)
    return {table: csv(folder / f"{table}.csv") for table in tables}


# What brings a table of pyarrow into a library, and the library's own back to polars.
LIBRARIES = {
    "pyarrow": (lambda table: table, lambda found: polars.from_arrow(found.to_arrow())),
    "polars": (polars.from_arrow, lambda found: found.to_polars()),
    "pandas": (
        lambda table: table.to_pandas(), lambda found: polars.from_pandas(found.to_pandas())),
    "duckdb": (duckdb.from_arrow, lambda found: duckdb.from_arrow(found.to_arrow()).pl()),
}
NO_VALUES = pyarrow.table({
    "person": pyarrow.array([], pyarrow.string()), "date": pyarrow.array([], pyarrow.date32()),
    "steps": pyarrow.array([], pyarrow.float64())})


def by_library(data, profile, tables, library):
    convert, back = LIBRARIES[library]
    inputs = {name: convert(read(file)) for name, file in data.files.items()}
    values = inputs.pop("observations", NO_VALUES)
    birth_dates = inputs.pop("birth_dates", None)
    workouts = {"workouts": inputs.pop("workouts")} if "workouts" in inputs else {}
    days = dict(zip(["since", "until"], data.days))
    doses = {**inputs, "evaluated_at": NOW} if data.has_doses else {}
    found = {"alerts": vigil.detect(values, profile, **workouts, **doses, **days)}
    if "scores" in tables:
        found["scores"] = vigil.scores(values, birth_dates=birth_dates, **days)
    if "insights" in tables:
        found["insights"] = vigil.insights(
            values, birth_dates=birth_dates, profile=profile, **workouts, **doses, **days)
    if "adherence" in tables:
        found["adherence"] = vigil.adherence(**doses, **days)
    return {table: back(rows) for table, rows in found.items()}


def broken_days(data, profile, days):
    """The days with a broken feed, which no worker can find."""
    inputs = {
        name: read(file) for name, file in data.files.items() if name != "birth_dates"}
    return vigil.broken_days(
        inputs.pop("observations"), profile, evaluated_at=NOW, **inputs, **days)


def by_spark(data, profile, session):
    from vigil import spark as vigil_spark

    session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "1000")
    frames = {
        name: session.createDataFrame(read(file)) for name, file in data.files.items()
        if name != "birth_dates"}
    days = dict(zip(["since", "until"], data.days))
    found = vigil_spark.detect(
        frames.pop("observations"), profile, evaluated_at=NOW, **frames, **days,
        **broken_days(data, profile, days)).toArrow()
    session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "7")
    return {"alerts": polars.from_arrow(found)}
