"""Limits of values, which hold without a baseline."""

import datetime
import json
import pathlib

import pyarrow
import pytest

import vigil
from comparison import ROOT

FIRST = datetime.date(2026, 6, 1)
DAYS = [FIRST + datetime.timedelta(days=day) for day in range(10)]
VALUES = [80, 101, 102, None, 104, 105, 90, 103, 90, 90]


def days(person="anna"):
    return pyarrow.table({
        "person": [person] * 10, "date": DAYS, "resting_hr": pyarrow.array(VALUES, pyarrow.float64())})


def limits(**columns):
    row = {
        "person": ["anna"], "metric_type": ["resting_hr"], "direction": ["above"], "limit_value": [100.0],
        "days": [3], "severity": ["critical"], "starts_on": [FIRST], "ends_on": [DAYS[-1]]}
    return pyarrow.table({**row, **columns})


def found(**arguments):
    rows = vigil.detect(days(), since=FIRST, until=DAYS[-1], **arguments).to_arrow().to_pylist()
    return [
        (row["active_since"], row["opened_on"], row["current_level"]) for row in rows
        if row["pattern_type"] == "critical_value_above"]


def test_the_example_of_the_specification():
    """limits.md section 6."""
    assert found(limits=limits()) == [(DAYS[1], DAYS[4], 14)]
    explanation = vigil.explain(days(), "anna", "resting_hr", DAYS[4], limit="above", limits=limits())
    assert (explanation.change, explanation.value) == ("opened", 104)
    assert explanation.limits[0].limit_value == 100 and explanation.limits[0].ends_on == DAYS[-1]
    below = vigil.explain(days(), "anna", "resting_hr", DAYS[4], limit="below", limits=limits())
    assert not below.is_alert and below.limits == ()


def test_limits_of_a_thresholds_file_hold_for_everybody(tmp_path):
    profile = json.loads((pathlib.Path(ROOT) / "thresholds/v3.json").read_text())
    profile["critical_limits"] = [
        {"metric": "resting_hr", "above": 100, "days": 3, "severity": "critical"}]
    file = tmp_path / "own.json"
    file.write_text(json.dumps(profile))
    assert found(profile=str(file)) == [(DAYS[1], DAYS[4], 14)]


def test_columns_that_may_be_missing_have_the_defaults_of_an_import():
    few = limits().drop_columns(["days", "severity"])
    assert found(limits=few)[0] == (DAYS[1], DAYS[1], 7)


@pytest.mark.parametrize("column", [
    {"limit_value": [900.0]}, {"limit_value": [None]}, {"direction": ["near"]}, {"days": [8]},
    {"severity": ["red"]}, {"ends_on": [FIRST - datetime.timedelta(days=1)]},
    {"metric_type": ["inactivity"]}])
def test_rows_that_cannot_be_are_left_out(column):
    with pytest.warns(vigil.UnusableRowsWarning) as warnings:
        assert found(limits=limits(**column)) == []
    rows = warnings[0].message.rows.to_arrow().to_pylist()
    assert [row["reason"] for row in rows] == ["impossible_value"]


def test_a_metric_that_the_profile_does_not_follow_is_named():
    with pytest.warns(vigil.UnusableRowsWarning) as warnings:
        assert found(limits=limits(metric_type=["spo2_avg_pct"], limit_value=[90.0])) == []
    rows = warnings[0].message.rows.to_arrow().to_pylist()
    assert [row["reason"] for row in rows] == ["unfollowed_metric"]


def test_the_later_of_two_rows_of_one_key_counts():
    both = pyarrow.concat_tables([limits(), limits(limit_value=[200.0])])
    assert found(limits=both) == []
    other = pyarrow.concat_tables([limits(), limits(limit_value=[200.0], days=[2])])
    assert len(found(limits=other)) == 1
