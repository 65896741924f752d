"""Every row of `vigil.adherence` is that of the command line, whatever library the data come from."""

import pathlib

import duckdb
import polars
import pyarrow
import pyarrow.compute
import pyarrow.parquet
import pytest
import tzdata

import vigil
from comparison import FIRST, LAST, assert_same, canonical
from dose_data import NOW, DoseData

# What only a database knows; and the instant is an argument. The rest are counts and their quotients, which are equal
# to the last bit.
OF_A_DATABASE = {"external_id", "evaluated_at"}


@pytest.fixture(scope="module", params=["sample", "random"])
def data(request, command_line):
    return DoseData.imported(command_line(f"doses-{request.param}"), request.param)


@pytest.fixture(scope="module")
def expected(data):
    return data.expected("2026-05-25", LAST)


def test_rows_are_those_of_the_command_line(data, expected):
    found = data.found("2026-05-25", LAST)
    assert found.num_rows > 1_000
    assert_same(found, expected, OF_A_DATABASE, tolerance=0)


@pytest.mark.parametrize("convert", [
    polars.from_arrow, lambda table: table.to_pandas(), duckdb.from_arrow])
def test_libraries_give_the_same_rows(data, convert):
    assert data.found(LAST, LAST, convert).equals(data.found(LAST, LAST))


def test_the_order_of_rows_does_not_matter(data):
    def shuffled(table):
        return polars.from_arrow(table).sample(fraction=1, shuffle=True, seed=5)

    expected, found = data.found(LAST, LAST), data.found(LAST, LAST, shuffled)
    assert canonical(found) == canonical(expected)


def test_instants_of_every_kind_are_the_same(data):
    def retyped(kind):
        def convert(table):
            for index, field in enumerate(table.schema):
                if pyarrow.types.is_timestamp(field.type):
                    table = table.set_column(
                        index, field.name, kind(table.column(field.name)))
            return table
        return convert

    expected = data.found(LAST, LAST)
    for kind in [
        *(lambda column, unit=unit: column.cast(pyarrow.timestamp(unit, "Asia/Tokyo"))
          for unit in ["s", "ms", "us", "ns"]),
        lambda column: pyarrow.compute.strftime(
            column.cast(pyarrow.timestamp("s", "UTC")), "%Y-%m-%dT%H:%M:%SZ"),
    ]:
        assert data.found(LAST, LAST, retyped(kind)).equals(expected)


def test_parquet_files_are_read(data, tmp_path):
    def written(table):
        path = tmp_path / f"{id(table)}.parquet"
        pyarrow.parquet.write_table(table, path)
        return path

    assert data.found(LAST, LAST, written).equals(data.found(LAST, LAST))


# MARK: What is refused and left out

MEDICATIONS = pyarrow.table({
    "id": ["tablets"], "person": ["anna"], "start_date": ["2026-06-01"]})
SCHEDULES = pyarrow.table({
    "id": ["mornings"], "medication_id": ["tablets"], "type": ["timeBased"],
    "reference_timezone": ["Europe/Berlin"], "start_date": ["2026-06-01"],
    "time_based_times": ['["08:00"]']})


def doses(**columns):
    table = {
        "medication_id": ["tablets"], "schedule_id": ["mornings"], "status": ["taken"],
        "recorded_timezone": ["Europe/Berlin"], "scheduled_time": ["2026-06-29T06:00:00Z"],
        "actual_time": ["2026-06-29T06:05:00Z"]}
    return pyarrow.table({**table, **columns})


def measured(data, **options):
    tables = {"medications": MEDICATIONS, "schedules": SCHEDULES, **options}
    return vigil.adherence(data, until="2026-06-30", evaluated_at=NOW, **tables).to_arrow()


def test_names_stay_those_of_the_caller():
    rows = measured(doses()).to_pylist()
    assert [row["medication"] for row in rows] == ["tablets"] * 4 + [None] * 4
    assert {row["person"] for row in rows} == {"anna"}
    assert [row["taken_doses"] for row in rows] == [1] * 8


@pytest.mark.parametrize("data, words", [
    (doses().drop(["status"]), 'no column "status"'),
    (doses(status=[None]), 'column "status" of the doses is null in row 0'),
    (doses(actual_time=["yesterday"]), 'holds "yesterday" in row 0, which is no instant'),
    (doses(actual_time=pyarrow.array([0], pyarrow.timestamp("us"))), "without a time zone"),
    (doses(actual_time=[1.5]), "give timestamps"),
    (doses(actual_time=pyarrow.array([1 << 62], pyarrow.timestamp("s", "UTC"))), "years 1 to 9999"),
    (doses(medication_id=[""]), 'column "medication_id" of the doses is null in row 0'),
    (doses(medication_id=["a" * 1001]), "an id of more than 1000 bytes"),
])
def test_bad_doses_are_refused_by_column_and_row(data, words):
    with pytest.raises(vigil.VigilError) as refusal:
        measured(data)
    assert words in str(refusal.value)
    assert refusal.value.status == 3


@pytest.mark.parametrize("name, value, words", [
    ("start_date", "soon", 'holds "soon" in row 0'), ("is_active", "perhaps", "neither true nor"),
    ("is_active", 2, "neither true nor"), ("is_deleted", 0.5, "neither true nor")])
def test_bad_medications_are_refused(name, value, words):
    table = MEDICATIONS
    if name in table.schema.names:
        table = table.drop([name])
    with pytest.raises(vigil.VigilError, match=words):
        measured(doses(), medications=table.append_column(name, [[value]]))


@pytest.mark.parametrize("table, reason", [
    (doses(status=["eaten"]), "impossible_value"),
    (doses(recorded_timezone=["Europe/Nowhere"]), "unknown_timezone"),
    (doses(actual_time=["2027-01-01T00:00:00Z"]), "future_time"),
    (doses(actual_time=pyarrow.array([None], pyarrow.string())), "taken_without_time"),
    (doses(schedule_id=["evenings"]), "unknown_schedule"),
    (doses(medication_id=["drops"]), "unknown_medication"),
])
def test_unusable_doses_are_left_out_with_their_reason(table, reason):
    with pytest.warns(vigil.UnusableRowsWarning) as caught:
        found = measured(table)
    assert found.column("taken_doses").to_pylist() == [0] * 8
    rows = pyarrow.table(caught[0].message.rows).to_pylist()
    assert [(row["table_name"], row["reason"], row["rows"]) for row in rows] == [
        ("dose_history", reason, 1)]


def test_zone_files_may_come_from_a_folder(tmp_path):
    with pytest.raises(vigil.VigilError, match="no zone files in"):
        measured(doses(), zones=tmp_path)
    folder = pathlib.Path(tzdata.__file__).parent / "zoneinfo"
    assert measured(doses(), zones=folder).equals(measured(doses()))


def test_doses_need_days_and_an_instant():
    with pytest.raises(ValueError, match="has no time zone"):
        vigil.adherence(
            doses(), medications=MEDICATIONS, schedules=SCHEDULES, until=LAST,
            evaluated_at="2026-07-01T00:00:00")
    from vigil._evaluator import Evaluator
    from vigil._inputs import give_inputs
    from vigil._library import DOSES

    evaluator = Evaluator("v1", None, None)
    give_inputs(evaluator, {"doses": doses(), "medications": MEDICATIONS, "schedules": SCHEDULES})
    with pytest.raises(vigil.VigilError, match="call vigil_set_days first"):
        evaluator._finish()
    evaluator = Evaluator("v1", FIRST, LAST)
    with pytest.raises(vigil.VigilError, match="call vigil_set_evaluated_at first"):
        evaluator._push(DOSES, doses())
