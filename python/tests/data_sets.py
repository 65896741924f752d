"""Data sets in files and in a database: the sample, public ones and generated people."""

import dataclasses
import pathlib

import polars
import pytest

from comparison import FIRST, LAST, ROOT, SHARED, VALUES, WORKOUTS
from dose_data import NOW, PILL_BOTTLE, PILL_BOTTLE_DAYS, TABLES, DoseData

# The first and last day without rows of anyone.
BROKEN_FEED, BROKEN_DOSE_FEED = ("2026-06-08", "2026-06-19"), ("2026-05-10", "2026-05-18")
PUBLIC = ["lifesnaps", "welltory_covid", "fitbit2016"]
# The order of additions decides the last digits of a sum, and more of them in a slope.
DIGITS = {"alerts": 10, "scores": 10, "insights": 7, "adherence": 10}


@dataclasses.dataclass
class Data:
    """Files of input, by the library's names of the tables, and where the command line has them."""

    files: dict
    days: tuple
    folder: pathlib.Path

    @property
    def has_doses(self):
        return "doses" in self.files

    @property
    def tables(self):
        """The tables that have rows."""
        lacking = {"scores": "observations" not in self.files, "adherence": not self.has_doses}
        return [name for name in DIGITS if not lacking.get(name)]

    def import_into(self, command):
        if self.folder is None:
            command.run("import", "adheretech", str(PILL_BOTTLE), "--now", NOW)
        else:
            command.run("import", "csv", str(self.folder), "--now", NOW)


def data_of_folder(folder, names, source, days=None, **options):
    """The data of some files of `source`, which `folder` gets."""
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes((source / name).read_bytes())
    files = {"observations": folder / VALUES}
    if WORKOUTS in names:
        files["workouts"] = folder / WORKOUTS
    for name in TABLES:
        if f"{name}.csv" in names:
            files["doses" if name == "dose_history" else name] = folder / f"{name}.csv"
    if "users.csv" in names:
        users = polars.read_csv(folder / "users.csv", infer_schema=False)
        files["birth_dates"] = folder.parent / "birth_dates.csv"
        users.select(polars.col("id").alias("user_id"), "birth_date").write_csv(
            files["birth_dates"])
    if days is None:
        column = polars.read_csv(folder / VALUES, columns=["metric_date"])["metric_date"]
        days = (column.min(), column.max())
    return Data(files, days, folder, **options)


def data_with_broken_feeds(command, folder):
    """People all of whose daily values stop for some days, and all of whose doses stop for others."""
    source = command.folder / "generated"
    command.run(
        "generate", str(source), "--people", "40", "--days", "120", "--seed", "23", "--end-date", LAST)
    names = [VALUES, WORKOUTS, "users.csv", *(
        f"{table}.csv" for table in TABLES if (source / f"{table}.csv").exists())]
    data = data_of_folder(folder, names, source, ("2026-04-20", LAST))
    first, last = (polars.lit(day) for day in BROKEN_DOSE_FEED)
    day = polars.coalesce("scheduled_time", "actual_time").str.slice(0, 10)
    remove(folder / "dose_history.csv", day.is_between(first, last))
    first, last = (polars.lit(day) for day in BROKEN_FEED)
    remove(folder / VALUES, polars.col("metric_date").is_between(first, last))
    return data


def remove(file, rows):
    polars.read_csv(file, infer_schema=False).filter(~rows.fill_null(False)).write_csv(file)


def data_named(name, command):
    folder = command.folder / "data"
    if name.startswith("sample"):
        names = [VALUES, WORKOUTS, "users.csv"]
        if name == "sample-with-doses":
            names += [f"{table}.csv" for table in TABLES]
        return data_of_folder(folder, names, ROOT / "datasets/sample", (FIRST, LAST))
    if name == "random":
        source = command.folder / "generated"
        command.run(
            "generate", str(source), "--people", "1000", "--days", "90", "--seed", "19",
            "--end-date", LAST, "--medications", "0")
        return data_of_folder(folder, [VALUES, WORKOUTS, "users.csv"], source, ("2026-04-02", LAST))
    if name == "broken-feeds":
        return data_with_broken_feeds(command, folder)
    if name in PUBLIC:
        source = SHARED / "datasets" / name
        if not source.exists():
            pytest.skip(f"there is no {source}; VIGIL_SHARED_FOLDER says where data sets are")
        names = [file for file in [VALUES, WORKOUTS] if (source / file).exists()]
        return data_of_folder(folder, names, source)
    if not PILL_BOTTLE.exists():
        pytest.skip(f"there is no {PILL_BOTTLE}; VIGIL_SHARED_FOLDER says where data sets are")
    # The library gets the rows that the command line has made of the file.
    doses = DoseData.of_a_pill_bottle(command)
    files = {
        "doses" if table == "dose_history" else table: doses.folder / f"{table}.csv"
        for table in doses.tables}
    return Data(files, PILL_BOTTLE_DAYS, None)
