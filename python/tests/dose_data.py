"""Doses in a database and the same doses as tables."""

import sqlite3

import pyarrow
import pyarrow.csv

import vigil
from comparison import SHARED, VALUES, WORKOUTS, read

TABLES = ["medications", "schedules", "timezone_events", "schedule_adjustments", "dose_history"]
NOW = "2026-07-02T01:00:00Z"
PILL_BOTTLE = SHARED / "datasets/adherence_eamd/raw/test_adheretech_2.csv"
PILL_BOTTLE_DAYS = ("2021-11-05", "2023-02-09")


class DoseData:
    """A command line whose database has doses, and the same rows as tables."""

    def __init__(self, command, folder):
        self.command, self.folder = command, folder
        self.tables = {
            name: read(folder / f"{name}.csv")
            for name in TABLES if (folder / f"{name}.csv").exists()}

    @classmethod
    def imported(cls, command, name):
        """The sample, or 60 people that are generated."""
        folder = command.data_set(name, people=60, seed=11)
        command.run("import", "csv", str(folder))
        return cls(command, folder)

    @classmethod
    def of_a_pill_bottle(cls, command):
        """Doses as a real bottle recorded them, of people without any daily values."""
        command.run("import", "adheretech", str(PILL_BOTTLE))
        folder = command.folder / "tables"
        folder.mkdir()
        with sqlite3.connect(command.folder / "vigil.sqlite") as connection:
            for name in TABLES:
                rows = connection.execute(f"SELECT * FROM {name}")
                names = [column[0] for column in rows.description]
                columns = list(zip(*rows.fetchall())) or [[] for _ in names]
                pyarrow.csv.write_csv(
                    pyarrow.table([list(column) for column in columns], names=names),
                    folder / f"{name}.csv")
        return cls(command, folder)

    @property
    def values(self):
        return read(self.folder / VALUES)

    @property
    def workouts(self):
        return read(self.folder / WORKOUTS)

    @property
    def users(self):
        return read(self.folder / "users.csv")

    def doses(self, convert=lambda table: table):
        """The arguments that give the doses to a function of the package."""
        tables = {name: convert(table) for name, table in self.tables.items()}
        return {"doses": tables.pop("dose_history"), "evaluated_at": NOW, **tables}

    def backfill(self, since, until, *arguments):
        self.command.run("backfill", "--from", since, "--to", until, "--now", NOW, *arguments)

    def expected(self, since, until):
        """The rows of `vigil export adherence`."""
        self.backfill(since, until)
        return self.command.exported("adherence")

    def found(self, since, until, convert=lambda table: table):
        return vigil.adherence(since=since, until=until, **self.doses(convert)).to_arrow()
