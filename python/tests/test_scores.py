"""Scores and trends are those of the command line, whatever library the data come from."""

import json

import duckdb
import polars
import pyarrow
import pyarrow.compute
import pytest

import vigil
from comparison import LAST, ROOT, VALUES, WORKOUTS, assert_same, canonical, read
from vigil._evaluator import Evaluator
from vigil._library import BIRTH_DATES, SCORES

SINCE = "2026-05-01"
FILES = [VALUES, WORKOUTS, "users.csv"]
SCORE_KEY = ("user_id", "score_date")
# Slopes without LAPACK round in another order.
SLOPES = 1e-9


class Data:
    """A database with daily values and people, without doses, and the same as tables."""

    def __init__(self, command, name):
        self.command = command
        folder = command.imported(command.data_set(name, people=40, seed=13), FILES)
        self.values, _, users = (read(folder / name) for name in FILES)
        self.options = {"since": SINCE, "until": LAST, "birth_dates": users.rename_columns(
            ["user_id" if name == "id" else name for name in users.schema.names])}


@pytest.fixture(scope="module", params=["sample", "random"])
def data(request, command_line):
    return Data(command_line(f"scores-{request.param}"), request.param)


@pytest.fixture(scope="module", params=["vitality.v1", "vitality.v2"])
def compared(request, data):
    """The settings of scores, and the command line's scores and insights."""
    command = data.command
    with command.leaving_the_database():
        command.run(
            "backfill", "--from", SINCE, "--to", LAST, "--thresholds", "v1", "--vitality",
            request.param)
        return request.param, command.exported("scores"), command.exported("insights")


def test_scores_are_those_of_the_command_line(data, compared):
    vitality, expected, _ = compared
    found = vigil.scores(data.values, vitality=vitality, **data.options).to_arrow()
    assert found.num_rows > 500
    assert_same(found, expected, {"external_id"}, SCORE_KEY, SLOPES)


def test_insights_are_those_of_the_command_line(data, compared):
    vitality, _, expected = compared
    found = vigil.insights(data.values, vitality=vitality, **data.options).to_arrow()
    assert found.num_rows > 50
    assert_same(found, expected, {"external_id"}, tolerance=SLOPES)


@pytest.mark.parametrize("convert", [
    polars.from_arrow, lambda table: table.to_pandas(), duckdb.from_arrow,
    lambda table: polars.from_arrow(table).sample(fraction=1, shuffle=True, seed=5)])
def test_libraries_and_orders_give_the_same_scores(data, convert):
    expected = vigil.scores(data.values, **data.options).to_arrow()
    options = {**data.options, "birth_dates": convert(data.options["birth_dates"])}
    found = vigil.scores(convert(data.values), **options).to_arrow()
    assert canonical(found, key=SCORE_KEY) == canonical(expected, key=SCORE_KEY)


def test_scores_of_other_programs_are_used_as_they_are(data):
    computed = vigil.scores(data.values, **data.options).to_arrow()
    person = computed.column("person")[0].as_py()
    own = computed.filter(pyarrow.compute.equal(computed.column("person"), person))
    # Those of Vigil itself are computed anew.
    again = vigil.scores(data.values, other_scores=computed, **data.options).to_arrow()
    assert again.equals(computed)
    other = own.set_column(
        own.schema.get_field_index("source"), "source", [["app"] * own.num_rows])
    found = vigil.scores(data.values, other_scores=other, **data.options).to_arrow()
    assert person not in found.column("person").to_pylist()
    assert found.num_rows == computed.num_rows - own.num_rows
    expected = vigil.insights(data.values, **data.options).to_arrow()
    assert vigil.insights(data.values, other_scores=other, **data.options).to_arrow().equals(
        expected)


def test_settings_are_names_files_and_mappings(data):
    path = ROOT / "thresholds/vitality.v2.json"
    expected = vigil.scores(data.values, **data.options).to_arrow()
    assert vigil.scores(data.values, vitality=path, **data.options).to_arrow().equals(expected)
    content = json.loads(path.read_text())
    assert vigil.scores(data.values, vitality=content, **data.options).to_arrow().equals(expected)
    with pytest.raises(vigil.VigilError, match="there are vitality.v1, vitality.v2"):
        vigil.scores(data.values, vitality="vitality.v9")
    with pytest.raises(vigil.VigilError, match="scores") as refusal:
        vigil.scores(data.values, vitality=ROOT / "thresholds/v1.json")
    assert refusal.value.status == 2


@pytest.mark.parametrize("table, words", [
    ({"person": ["a"], "score_date": ["2026-06-01"], "total_score": [101]}, "outside 0 to 100"),
    ({"person": ["a"], "score_date": ["2026-06-01"], "total_score": [0.5]}, "a whole number"),
    ({"person": ["a"], "total_score": [50]}, 'no column "score_date"'),
    ({"person": [None], "score_date": ["2026-06-01"]}, "is null in row 0"),
])
def test_bad_scores_are_refused(data, table, words):
    with pytest.raises(vigil.VigilError, match=words) as refusal:
        vigil.scores(data.values, other_scores=pyarrow.table(table))
    assert refusal.value.status == 3


def test_scores_must_be_asked_for(data):
    evaluator = Evaluator("v1", None, None)
    with pytest.raises(vigil.VigilError, match="call vigil_set_scores"):
        evaluator._push(BIRTH_DATES, data.options["birth_dates"])
    with pytest.raises(vigil.VigilError, match="call vigil_set_scores"):
        evaluator._take(SCORES)
