"""Detection on Spark gives the rows of `vigil.detect`, also after failures and from batches that cut persons."""

import doctest
import os
import signal
import subprocess
import sys

import polars
import pyarrow
import pyarrow.parquet
import pytest
from pyspark.errors import PythonException
from pyspark.sql import functions

import vigil
from comparison import FIRST, LAST, ROOT, canonical
from vigil import spark as vigil_spark

DAYS = {"since": FIRST, "until": LAST}
pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")


@pytest.fixture(scope="module")
def frames(spark_session, alert_data):
    """A data set with its values and workouts as frames, in no order."""
    made = {}

    def get(name):
        if name not in made:
            data = alert_data(name)
            shuffled = polars.from_arrow(data.values).sample(fraction=1, shuffle=True, seed=3)
            made[name] = (
                data, spark_session.createDataFrame(shuffled.to_arrow()),
                spark_session.createDataFrame(data.workouts))
        return made[name]

    return get


@pytest.mark.parametrize("name, profile", [("sample", "v1"), ("random", "v3")])
def test_rows_are_those_of_detect(frames, name, profile):
    data, values, workouts = frames(name)
    found = vigil_spark.detect(values, profile, workouts=workouts, **data.days).toArrow()
    expected = vigil.detect(
        data.values, profile, workouts=data.workouts, **data.days).to_arrow()
    assert found.num_rows > 0
    assert canonical(found) == canonical(expected)


@pytest.mark.parametrize("has_workouts", [False, True])
def test_person_by_person_gives_the_same(frames, has_workouts):
    data, values, workouts = frames("random")
    expected = vigil.detect(
        data.values, workouts=data.workouts if has_workouts else None, **data.days).to_arrow()
    found = vigil_spark.detect_by_person(
        values, workouts=workouts if has_workouts else None, **data.days).toArrow()
    assert canonical(found) == canonical(expected)


def test_the_schema_is_that_of_the_library(frames):
    _, values, _ = frames("random")
    with vigil.Detector("v1") as detector:
        expected = detector.episodes().to_arrow().schema
    assert vigil_spark.EPISODES == vigil_spark.detect(values, "v1", **DAYS).schema
    names = [field.name for field in vigil_spark.EPISODES]
    assert names == expected.names
    for field in vigil_spark.EPISODES:
        assert field.nullable == expected.field(field.name).nullable, field.name
    assert vigil_spark.detect(values.limit(0), **DAYS).toArrow().schema.equals(expected)


def test_columns_are_those_that_are_asked_for(frames):
    data, values, _ = frames("random")
    columns = ["metric_type", "person", "active_since", "resolved_on"]
    expected = vigil.detect(data.values, "v1", columns=columns, **DAYS).to_arrow()
    for detect in (vigil_spark.detect, vigil_spark.detect_by_person):
        found = detect(values, "v1", columns=columns, **DAYS).toArrow()
        assert found.schema.names == columns
        assert canonical(found, key=columns) == canonical(expected, key=columns)
    with pytest.raises(vigil.VigilError, match="no column"):
        vigil_spark.detect(values, columns=["metric"], **DAYS)


# MARK: Failures


def fails_once(folder, how):
    """A function that lets a few rows pass and then fails, at the first attempt of each partition."""
    def passes(batches):
        from pyspark import TaskContext

        task = TaskContext.get()
        (folder / f"{task.partitionId()}-{task.attemptNumber()}").touch()
        for number, batch in enumerate(batches):
            yield batch
            if number == 2 and task.attemptNumber() == 0:
                if how == "killed":
                    os.kill(os.getpid(), signal.SIGKILL)
                raise RuntimeError("the first attempt fails")

    return passes


@pytest.mark.parametrize("how", ["raised", "killed"])
def test_a_partition_that_is_repeated_gives_its_rows_once(frames, tmp_path, how):
    data, values, _ = frames("random")
    attempts, written = tmp_path / "attempts", tmp_path / "alerts"
    attempts.mkdir()
    # Both functions run in one task, so that detection is in its midst.
    found = vigil_spark.detect(values, "v1", partitions=2, **DAYS).mapInArrow(
        fails_once(attempts, how), vigil_spark.EPISODES)
    found.write.parquet(str(written))
    assert sorted(file.name for file in attempts.iterdir()) == ["0-0", "0-1", "1-0", "1-1"]
    expected = vigil.detect(data.values, "v1", **DAYS).to_arrow()
    assert canonical(pyarrow.parquet.read_table(written)) == canonical(expected)


def test_bad_rows_fail_the_job_with_their_reason(frames):
    _, values, _ = frames("random")
    twice = values.union(values.limit(1))
    with pytest.raises(PythonException, match="has two rows of"):
        vigil_spark.detect(twice, **DAYS).toArrow()


# MARK: What is checked at once


@pytest.mark.parametrize("change, words", [
    (lambda rows: rows.drop("user_id"), "no column 'person'; the columns are metric_date"),
    (lambda rows: rows.drop("metric_date"), "no column 'date'"),
    (lambda rows: rows.withColumn("person", rows.user_id), "there are 2 columns 'person'"),
    (lambda rows: rows.select("user_id", "metric_date", "source"), "no column is a metric of the profile"),
    (lambda rows: rows.withColumn("steps", rows.steps.cast("decimal(9, 2)")), "a metric needs"),
    (lambda rows: rows.withColumn("metric_date", rows.metric_date.cast("timestamp")), "use .*to_date"),
])
def test_columns_are_checked_before_spark_reads_rows(frames, change, words):
    _, values, _ = frames("random")
    with pytest.raises(vigil.VigilError, match=words) as refusal:
        vigil_spark.detect(change(values), "v1", **DAYS)
    assert refusal.value.status == 3


def test_profiles_and_days_are_checked_at_once(frames):
    _, values, _ = frames("random")
    with pytest.raises(vigil.VigilError, match='no profile "v9"'):
        vigil_spark.detect(values, "v9", **DAYS)
    with pytest.raises(vigil.VigilError, match="in their order"):
        vigil_spark.detect(values, since=LAST, until=FIRST)
    with pytest.raises(vigil.VigilError, match='no column "person", whose workouts'):
        vigil_spark.detect(values, workouts=values.drop("user_id"), **DAYS)


def test_columns_and_the_profile_may_have_other_forms(spark_session, frames, tmp_path):
    data, values, _ = frames("random")
    file = tmp_path / "mine.json"
    file.write_bytes((ROOT / "thresholds/v1.json").read_bytes())
    changed = values.select(
        functions.col("user_id").alias("person"), values.metric_date.cast("string").alias("date"),
        functions.struct("source").alias("a struct"), functions.lit("x").alias("a.dot"),
        "source", *(name for name in values.columns if name not in (
            "user_id", "metric_date", "source")))
    found = vigil_spark.detect(changed, file, **DAYS)
    # Workers do not need the file.
    file.unlink()
    assert canonical(found.toArrow()) == canonical(
        vigil.detect(data.values, "v1", **DAYS).to_arrow())


def test_the_package_does_not_need_spark():
    code = "import vigil, sys; assert not {'pyspark', 'pyarrow'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_examples_print_what_they_say(spark_session, sample):
    names = {"session": spark_session, "sample": sample}
    result = doctest.testmod(vigil_spark, extraglobs=names)
    assert result.attempted > 0
    assert result.failed == 0
