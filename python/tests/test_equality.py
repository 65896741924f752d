"""The rows of `vigil.detect` are the same in whatever layout, batches and order the data come."""

import polars
import pyarrow
import pyarrow.parquet
import pytest

import vigil
from comparison import canonical

PROFILES = ["v1", "v2", "v3", "v3-strict"]


@pytest.fixture(params=["sample", "random"])
def data(request, alert_data):
    return alert_data(request.param)


@pytest.fixture(params=PROFILES)
def profile(request):
    return request.param


def test_layouts_of_columns_change_nothing(data, profile, tmp_path):
    values = data.values
    days = {"profile": profile, "workouts": data.workouts, **data.days}
    expected = vigil.detect(values, **days).to_arrow()
    assert expected.num_rows > 0
    file = tmp_path / "values.parquet"
    pyarrow.parquet.write_table(values, file, row_group_size=1_000)
    assert vigil.detect(file, **days).to_arrow().equals(expected)
    persons = values.column("user_id").dictionary_encode()
    found = vigil.detect(values.set_column(0, "user_id", persons), **days).to_arrow()
    assert found.equals(expected)


def test_batches_that_cut_persons_change_nothing(data, profile):
    values, workouts, days = data.values, data.workouts, data.days
    expected = vigil.detect(values, profile=profile, workouts=workouts, **days).to_arrow()
    values = values.sort_by([("user_id", "ascending"), ("metric_date", "ascending")])
    with vigil.Detector(profile, together=True, **days) as detector:
        detector.push_workouts(workouts)
        parts = []
        for batch in values.to_batches(max_chunksize=7):
            detector.push(batch)
            parts.append(detector.episodes().to_arrow())
        detector.finish()
        parts.append(detector.episodes().to_arrow())
    found = pyarrow.concat_tables(parts)
    assert canonical(found) == canonical(expected)


def test_the_order_of_rows_does_not_matter(data, profile):
    values, workouts = data.values, data.workouts
    days = {"profile": profile, "workouts": workouts, **data.days}
    expected = vigil.detect(values, **days).to_arrow()
    found = vigil.detect(
        polars.from_arrow(values).sample(fraction=1, shuffle=True, seed=3), **days).to_arrow()
    assert canonical(found) == canonical(expected)


def test_one_person_after_the_other_gives_the_same(data, profile):
    values, workouts, days = data.values, data.workouts, data.days
    expected = vigil.detect(values, profile=profile, workouts=workouts, **days).to_arrow()
    with vigil.Detector(profile, **days) as detector:
        detector.push_workouts(workouts)
        detector.push(values)
        for person in values.column("user_id").unique().to_pylist():
            detector.finish(person)
        detector.finish("of whom there are no rows")
        found = detector.episodes().to_arrow()
    assert canonical(found) == canonical(expected)
