"""Check-ins give the alerts of the command line."""

import datetime
import random

import polars
import pyarrow
import pyarrow.csv
import pytest

import vigil
from comparison import LAST, VALUES, WORKOUTS, assert_same, read

NOW = "2026-07-01T05:30:00Z"
SINCE = "2026-05-01"
DAYS = {"since": SINCE, "until": LAST}
FILES = [VALUES, WORKOUTS, "users.csv", "user_profiles.csv"]
UTC = datetime.timezone.utc


def check_ins_and_plans(persons):
    """Check-ins with gaps of days, of people who have plans and others."""
    choose = random.Random(5)
    check_ins, plans = [], []
    for person in persons:
        time = datetime.datetime(2026, 3, 1, choose.randrange(24), 7, tzinfo=UTC)
        if choose.random() < 0.7:
            plans.append({
                "user_id": person, "interval_minutes": choose.choice([720, 1440, 2880]),
                "grace_minutes": choose.choice([0, 120]), "starts_at": time})
        while time < datetime.datetime(2026, 7, 1, 5, tzinfo=UTC):
            check_ins.append({"user_id": person, "checked_in_at": time})
            gap = choose.choice([0, 0, 0, 0, 1, 2, 6]) if choose.random() < 0.4 else 0
            time += datetime.timedelta(days=1 + gap, minutes=choose.randrange(-300, 300))
    return pyarrow.Table.from_pylist(check_ins), pyarrow.Table.from_pylist(plans)


@pytest.fixture(scope="module")
def command(command_line):
    return command_line("check-ins")


@pytest.fixture(scope="module")
def tables(command):
    """Daily values that end early for some people, and check-ins of these and others."""
    source = command.data_set("random", people=40, seed=17)
    folder = command.folder / "data"
    folder.mkdir()
    for name in FILES:
        (folder / name).write_bytes((source / name).read_bytes())
    values = polars.from_arrow(read(folder / VALUES))
    persons = values["user_id"].unique(maintain_order=True).to_list()
    # One after the other, as many at once would be a broken feed to the command line.
    ends = {
        person: datetime.date(2026, 6, 24) - datetime.timedelta(days=5 * place)
        for place, person in enumerate(persons[::4])}
    ends |= {person: datetime.date(2026, 1, 1) for person in persons[1::8]}
    last = values["user_id"].replace_strict(ends, default=datetime.date(2026, 7, 1))
    pyarrow.csv.write_csv(values.filter(values["metric_date"] <= last).to_arrow().cast(
        read(folder / VALUES).schema), folder / VALUES)
    for name, table in zip(
            ["check_ins", "check_in_plans"], check_ins_and_plans(persons[1::2] + persons[::4])):
        pyarrow.csv.write_csv(table.cast(pyarrow.schema([
            field.with_type(pyarrow.timestamp("s", "UTC")).with_nullable(True)
            if pyarrow.types.is_timestamp(field.type) else field
            for field in table.schema])), folder / f"{name}.csv")
    command.run("import", "csv", str(folder))
    return {
        name: read(folder / f"{name}.csv")
        for name in ["check_ins", "check_in_plans", "user_profiles"]} | {
        "values": read(folder / VALUES), "workouts": read(folder / WORKOUTS)}


@pytest.mark.parametrize("profile", ["v1", "v3"])
def test_alerts_are_those_of_the_command_line(command, tables, profile):
    with command.leaving_the_database():
        command.run(
            "backfill", "--from", SINCE, "--to", LAST, "--now", NOW, "--thresholds", profile)
        expected = command.exported("alerts")
    found = vigil.detect(
        tables["values"], profile, workouts=tables["workouts"], check_ins=tables["check_ins"],
        check_in_plans=tables["check_in_plans"], time_zones=tables["user_profiles"],
        evaluated_at=NOW, **DAYS).to_arrow()
    assert_same(found, expected)
    kinds = found["metric_type"].to_pylist()
    if profile == "v3":
        assert kinds.count("check_in_overdue") > 10
        assert kinds.count("inactivity") > 0


# MARK: One person

DATES = polars.date_range(polars.date(2026, 3, 1), polars.date(2026, 6, 10), eager=True)
STEPS = polars.DataFrame({"person": "anna", "date": DATES, "steps": 8000.0})
PLAN = pyarrow.table({
    "person": ["anna"], "interval_minutes": [1440], "starts_at": ["2026-06-01T09:00:00Z"]})


def check_ins(until):
    days = polars.date_range(polars.date(2026, 6, 1), polars.date(2026, 6, until), eager=True)
    return polars.DataFrame({
        "person": "anna", "checked_in_at": [f"{day}T08:00:00Z" for day in days]})


def active(until, **options):
    rows = vigil.detect(
        STEPS, check_ins=check_ins(until), evaluated_at=NOW, **DAYS, **options).to_arrow()
    return {
        row["metric_type"]: str(row["active_since"]) for row in rows.to_pylist()
        if row["episode_status"] == "active"}


def test_a_check_in_is_a_sign_of_life():
    assert active(30) == {}
    assert active(20) == {"inactivity": "2026-06-21"}


def test_an_overdue_check_in_is_an_alert():
    assert active(20, check_in_plans=PLAN) == {
        "inactivity": "2026-06-21", "check_in_overdue": "2026-06-21"}


@pytest.mark.parametrize("name, value, words", [
    ("interval_minutes", [0.5], "give a whole number"), ("starts_at", ["soon"], "no instant such as"),
    ("interval_minutes", pyarrow.array([None], pyarrow.int32()), "is null in row 0")])
def test_bad_plans_are_refused(name, value, words):
    table = PLAN.set_column(PLAN.schema.get_field_index(name), name, [value])
    with pytest.raises(vigil.VigilError, match=words):
        active(20, check_in_plans=table)


def test_plans_that_cannot_be_used_are_left_out():
    table = PLAN.set_column(1, "interval_minutes", [[0]])
    with pytest.warns(vigil.UnusableRowsWarning) as caught:
        assert list(active(20, check_in_plans=table)) == ["inactivity"]
    assert caught[0].message.rows.to_polars()["table_name"].to_list() == ["check_in_plans"]
