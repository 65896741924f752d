"""Alerts and insights about doses are those of the command line."""

import polars
import pyarrow
import pyarrow.compute
import pytest

import vigil
from comparison import LAST, assert_same, canonical
from dose_data import NOW, DoseData

SINCE = "2026-04-20"
DAYS = {"since": SINCE, "until": LAST}
# Slopes without LAPACK round in another order.
SLOPES = 1e-9


@pytest.fixture(scope="module", params=["sample", "random"])
def data(request, command_line):
    return DoseData.imported(command_line(f"dose-alerts-{request.param}"), request.param)


@pytest.fixture(scope="module", params=["v1", "v2", "v3"])
def compared(request, data):
    """A profile, and the command line's alerts and insights."""
    with data.command.leaving_the_database():
        data.backfill(SINCE, LAST, "--thresholds", request.param, "--vitality", "vitality.v2")
        return (
            request.param, data.command.exported("alerts"), data.command.exported("insights"))


def counts(rows, name):
    return {row["values"]: row["counts"] for row in rows[name].value_counts().to_pylist()}


def test_alerts_are_those_of_the_command_line(data, compared):
    profile, expected, _ = compared
    found = vigil.detect(
        data.values, profile, workouts=data.workouts, **data.doses(), **DAYS).to_arrow()
    assert counts(found, "metric_type")["dose_adherence_pct"] > 3
    assert_same(found, expected)


def test_insights_are_those_of_the_command_line(data, compared):
    profile, _, expected = compared
    birth_dates = data.users.rename_columns(
        ["user_id" if name == "id" else name for name in data.users.schema.names])
    found = vigil.insights(
        data.values, profile=profile, workouts=data.workouts, birth_dates=birth_dates,
        **data.doses(), **DAYS).to_arrow()
    assert counts(found, "rule")["missed_streak"] > 5
    assert counts(found, "rule")["concurrent_episodes"] > 0
    assert counts(found, "pillar")["adherence"] > counts(found, "rule")["missed_streak"]
    assert_same(found, expected, {"external_id"}, tolerance=SLOPES)


def test_people_come_in_any_order_and_one_by_one(data):
    values = data.values
    expected = vigil.detect(values, **data.doses(), **DAYS).to_arrow()
    shuffled = vigil.detect(
        polars.from_arrow(values).sample(fraction=1, shuffle=True, seed=3),
        **data.doses(lambda table: polars.from_arrow(table).sample(
            fraction=1, shuffle=True, seed=5)), **DAYS).to_arrow()
    assert canonical(shuffled) == canonical(expected)
    by_person = values.sort_by([("user_id", "ascending"), ("metric_date", "ascending")])
    doses = data.doses()
    options = {"evaluated_at": doses.pop("evaluated_at"), **DAYS}
    with vigil.Detector(together=True, **options) as detector:
        detector.push_doses(**doses)
        for batch in by_person.to_batches(max_chunksize=7):
            detector.push(batch)
        detector.finish()
        assert canonical(detector.episodes().to_arrow()) == canonical(expected)
    with vigil.Detector(**options) as detector:
        detector.push(values)
        detector.push_doses(**doses)
        for person in values.column("user_id").unique().to_pylist():
            detector.finish(person)
        detector.finish()
        assert canonical(detector.episodes().to_arrow()) == canonical(expected)


# MARK: One person

MEDICATIONS = pyarrow.table({
    "id": ["tablets"], "person": ["anna"], "start_date": ["2026-03-01"]})
SCHEDULES = pyarrow.table({
    "id": ["mornings"], "medication_id": ["tablets"], "type": ["timeBased"],
    "reference_timezone": ["UTC"], "start_date": ["2026-03-01"], "time_based_times": ['["08:00"]']})
DATES = polars.date_range(polars.date(2026, 3, 1), polars.date(2026, 6, 30), eager=True)
STEPS = polars.DataFrame({"person": "anna", "date": DATES, "steps": 8000.0})


def doses(until):
    taken = [f"{day}T08:05:00Z" for day in DATES if str(day) <= until]
    return polars.DataFrame({
        "medication_id": "tablets", "schedule_id": "mornings", "status": "taken",
        "recorded_timezone": "UTC", "actual_time": taken})


def found(data, taken_until, profile="v3", **options):
    tables = {"medications": MEDICATIONS, "schedules": SCHEDULES, "evaluated_at": NOW}
    rows = vigil.detect(
        data, profile, doses=doses(taken_until), since="2026-05-01", until=LAST,
        **{**tables, **options}).to_arrow()
    return {
        row["metric_type"]: str(row["active_since"]) for row in rows.to_pylist()
        if row["episode_status"] == "active"}


def test_doses_that_are_missed_are_an_alert():
    assert list(found(STEPS, "2026-06-10", "v1")) == ["dose_adherence_pct", "missed_streak"]
    assert found(STEPS, LAST, "v1") == {}


def test_a_refill_is_due():
    counted = MEDICATIONS.append_column("refill_reminder_enabled", [[True]])
    for name, value in [
            ("refill_remaining_quantity", 30), ("refill_reminder_days", 7),
            ("refill_counted_at", "2026-06-01T00:00:00Z")]:
        counted = counted.append_column(name, [[value]])
    assert found(STEPS, LAST, medications=counted) == {"refill_due": "2026-06-23"}
    days = vigil.insights(
        STEPS, doses=doses(LAST), medications=counted, schedules=SCHEDULES, evaluated_at=NOW,
        since="2026-06-20", until=LAST).to_polars().filter(rule="refill_due")
    assert [str(day) for day in days["insight_date"]] == [f"2026-06-{day}" for day in range(23, 31)]


def test_a_new_package_is_due():
    expiring = MEDICATIONS.append_column("expires_on", [["2026-06-25"]])
    assert found(STEPS, LAST, medications=expiring) == {"expiry_due": "2026-06-18"}
    lasting = MEDICATIONS.append_column("expires_on", [["2027-06-25"]])
    assert found(STEPS, LAST, medications=lasting) == {}


def test_a_person_may_be_told_less():
    early = STEPS.filter(polars.col("date") <= polars.date(2026, 6, 10))
    own = pyarrow.table({
        "person": ["anna", "anna"], "metric_type": ["inactivity", "missed_streak"],
        "sensitivity": ["off", "sometimes"]})
    with pytest.warns(vigil.UnusableRowsWarning) as caught:
        assert "inactivity" not in found(early, "2026-06-10", sensitivities=own)
    rows = caught[0].message.rows.to_polars().rows()
    assert [row[:2] for row in rows] == [("sensitivity_overrides", "impossible_value")]


def test_a_dose_is_a_sign_of_life():
    early = STEPS.filter(polars.col("date") <= polars.date(2026, 6, 10))
    assert found(early, LAST) == {}
    assert found(early, "2026-06-20")["inactivity"] == "2026-06-21"
    assert found(early, "2026-06-05")["inactivity"] == "2026-06-11"


def test_doses_that_cannot_be_used_are_left_out_with_their_reason():
    with pytest.warns(vigil.UnusableRowsWarning) as caught:
        found(STEPS, LAST, schedules=SCHEDULES.set_column(
            3, "reference_timezone", [["Europe/Nowhere"]]))
    assert "unknown_timezone" in caught[0].message.rows.to_polars()["reason"].to_list()
    assert caught[0].filename == __file__


def test_doses_need_days_and_the_tables_that_explain_them():
    with pytest.raises(vigil.VigilError, match="give all three"):
        vigil.detect(STEPS, doses=doses(LAST), since=SINCE, until=LAST)
    with pytest.raises(vigil.VigilError, match="vigil_set_days"):
        vigil.detect(
            STEPS, doses=doses(LAST), medications=MEDICATIONS, schedules=SCHEDULES)


def test_doses_of_people_that_come_together_may_come_with_their_rows():
    options = {"evaluated_at": NOW, "since": "2026-05-01", "until": LAST}
    tables = {"medications": MEDICATIONS, "schedules": SCHEDULES}
    expected = vigil.detect(STEPS, doses=doses("2026-06-10"), **tables, **options).to_arrow()
    assert expected.num_rows > 0
    with vigil.Detector(together=True, **options) as detector:
        detector.push_doses(medications=MEDICATIONS.slice(0, 0), schedules=SCHEDULES.slice(0, 0))
        detector.push(STEPS.with_columns(person=polars.lit("berta")))
        detector.push_doses(doses("2026-06-10"), **tables)
        detector.push(STEPS)
        detector.finish()
        found = detector.episodes().to_arrow()
    assert found.filter(pyarrow.compute.equal(found["person"], "anna")).equals(expected)


def test_doses_come_before_the_rows_of_people_that_come_together():
    with vigil.Detector(together=True, **DAYS) as detector:
        detector.push(STEPS)
        with pytest.raises(vigil.VigilError, match="come before the first observations"):
            detector.push_doses(doses(LAST), medications=MEDICATIONS, schedules=SCHEDULES)


def test_measures_of_adherence_must_be_asked_for():
    from vigil._library import ADHERENCE

    with vigil.Detector(**DAYS) as detector:
        with pytest.raises(vigil.VigilError, match="vigil_set_adherence"):
            detector._take(ADHERENCE)
