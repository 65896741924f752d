"""Comparisons with labels and between profiles are those of the command line."""

import ctypes
import json

import polars
import pyarrow
import pytest

import vigil
from comparison import FIRST, LAST, ROOT, VALUES, WORKOUTS, read
from vigil._compare import _AlertEvaluator
from vigil._library import ArrowArrayStream, call

DAYS = {"since": FIRST, "until": LAST}


@pytest.fixture(scope="module")
def database(command_line):
    """A command line with the values and workouts of the sample, and both as tables."""
    command = command_line("compare")
    folder = command.imported(ROOT / "datasets/sample", [VALUES, WORKOUTS])
    return command, read(folder / VALUES), read(folder / WORKOUTS)


@pytest.mark.parametrize("profile", ["v1", "v3"])
def test_the_evaluation_is_that_of_the_command_line(database, profile):
    command, values, workouts = database
    file = ROOT / "datasets/sample/labels.csv"
    with command.leaving_the_database():
        command.run("backfill", "--from", FIRST, "--to", LAST, "--thresholds", profile)
        printed = command.output(
            "evaluate", "--labels", str(file), "--labels-complete", "--format", "json")
    expected = json.loads(printed)
    labels = read(file)
    found = vigil.evaluate(values, labels, profile, workouts=workouts, **DAYS).to_arrow()
    rows = found.to_pylist()
    assert rows[-1]["labels"] > 10 and rows[-1]["found"] > 0
    assert_same_evaluation(rows, expected)


def assert_same_evaluation(rows, expected):
    """Compares rows of the library with the document of `vigil evaluate`."""
    documents = [*expected["metrics"], expected["total"]]
    assert [row["metric_type"] for row in rows] == [one["metric_type"] for one in documents]
    for row, document in zip(rows, documents):
        for key, value in document.items():
            if key in ("recall", "precision", "alerts_per_person_year"):
                of = value or {"estimate": None, "lower": None, "upper": None}
                assert [row[key], row[f"{key}_lower"], row[f"{key}_upper"]] == [
                    pytest.approx(of[end], rel=1e-12) if of[end] is not None else None
                    for end in ["estimate", "lower", "upper"]]
            else:
                assert row[key.replace("reached", "reached_")] == value, key
    assert (rows[-1]["events"], rows[-1]["other_events"]) == (
        expected["events"]["events"], expected["events"]["others"])
    assert rows[-1]["limit_alerts"] == expected["limit_alerts"]


def test_the_comparison_is_that_of_the_command_line(database):
    command, values, workouts = database
    expected = json.loads(command.output(
        "compare", "--thresholds", "v1", "--thresholds", "v3", "--from", FIRST, "--to", LAST,
        "--format", "json"))
    found = vigil.compare(values, "v1", "v3", workouts=workouts, **DAYS).to_polars()
    assert_same_comparison(found, expected)
    assert expected["total"]["both"] > 0


def assert_same_comparison(found, expected):
    """Compares rows of the library with the document of `vigil compare`."""
    by = dict(found.group_by("found_by").len().iter_rows())
    total = expected["total"]
    counts = {"both": total["both"], "first": total["only"]["first"],
              "second": total["only"]["second"]}
    assert by == {kind: count for kind, count in counts.items() if count > 0}
    assert found.filter(polars.col("delay_days") < 0).height == total["earlier"]
    assert found.filter(polars.col("delay_days") > 0).height == total["later"]
    differences = found.filter(~polars.col("same"))
    assert differences.height == len(expected["differences"])
    for row, document in zip(differences.iter_rows(named=True), expected["differences"]):
        assert (row["user_id"], row["metric_type"], row["pattern_type"], row["delay_days"]) == (
            document["user_id"], document["metric_type"], document["pattern_type"],
            document["days_later"])
        for side in ["first", "second"]:
            episode = document[side]
            if episode is None:
                assert row[f"{side}_active_since"] is None
                continue
            assert [
                str(row[f"{side}_active_since"]), str(row[f"{side}_opened_on"]),
                row[f"{side}_level"], row[f"{side}_resolution"]
            ] == [
                episode["active_since"], episode["opened_on"], episode["level"],
                episode["resolution_reason"]]
            if episode["resolved_on"] is not None:
                assert str(row[f"{side}_last_day"]) == episode["resolved_on"]


def test_a_profile_does_not_differ_from_itself(database):
    _, values, workouts = database
    found = vigil.compare(values, "v2", "v2", workouts=workouts, **DAYS).to_polars()
    assert found.height > 0
    assert found["same"].all() and (found["found_by"] == "both").all()
    assert (found["delay_days"] == 0).all()


@pytest.mark.parametrize("table, message", [
    ({"person": ["a"], "first_day": ["2026-06-02"]}, 'no column "last_day"'),
    ({"person": ["a"], "first_day": ["2026-06-02"], "last_day": ["2026-06-01"]}, "before its first"),
    ({"person": ["a"], "first_day": ["soon"], "last_day": ["2026-06-01"]}, 'holds "soon"'),
])
def test_bad_labels_are_refused(database, table, message):
    with pytest.raises(vigil.VigilError, match=message) as refusal:
        vigil.evaluate(database[1], pyarrow.table(table), "v1")
    assert refusal.value.status == 3


def test_profiles_are_compared_over_the_same_days(database):
    with _AlertEvaluator("v1", FIRST, LAST) as one, _AlertEvaluator("v1", FIRST, FIRST) as other:
        with pytest.raises(vigil.VigilError, match="have other days"):
            call("vigil_compare", one._pointer, other._pointer, ctypes.byref(ArrowArrayStream()))
    with vigil.Detector("v1", **DAYS) as plain, _AlertEvaluator("v1", FIRST, LAST) as other:
        with pytest.raises(vigil.VigilError, match="call vigil_set_keeps_alerts"):
            call("vigil_compare", plain._pointer, other._pointer, ctypes.byref(ArrowArrayStream()))
