"""Detection on Spark, for data that one machine does not hold: `pip install vigil-alerts[spark]`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

try:
    import pyarrow
    import pyarrow.compute
    from pyspark.sql import functions
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import (
        BooleanType,
        ByteType,
        DataType,
        DateType,
        DecimalType,
        DoubleType,
        FloatType,
        IntegerType,
        LongType,
        ShortType,
        StringType,
        StructField,
        StructType,
        TimestampNTZType,
        TimestampType,
    )
except ImportError as error:
    # On a worker, it may be another Python than the one where the package was installed.
    raise ImportError(
        f"vigil.spark needs pyspark and pyarrow in {sys.executable}: pip install vigil-alerts[spark]"
    ) from error

from ._detect import Detector
from ._evaluator import Date, Profile, Settings, date_of, settings_of
from ._library import VigilError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    _Batches = Iterator[pyarrow.RecordBatch]

_NUMBERS = (BooleanType, ByteType, ShortType, IntegerType, LongType, FloatType, DoubleType)
# Decimals and texts are sent to the check only, which says that a metric needs numbers.
_CHECKED = (*_NUMBERS, DecimalType, StringType, DateType, TimestampNTZType)
_PERSON, _DATE, _SOURCE = ("person", "user_id"), ("date", "metric_date"), ("source",)
# Marks the rows that are workouts; the name is none of a metric.
_IS_WORKOUT = "vigil: workout"


def _fields(kind: DataType, names: str, nullable: bool = False) -> list[StructField]:
    return [StructField(name, kind, nullable) for name in names.split()]


EPISODES = StructType(
    [
        *_fields(StringType(), "person id event_id profile user_id metric_type pattern_type"),
        *_fields(StringType(), "episode_status"),
        *_fields(DateType(), "active_since last_evaluated_date"),
        *_fields(IntegerType(), "consecutive_true_days current_level"),
        *_fields(StringType(), "severity"),
        *_fields(DateType(), "baseline_start baseline_end"),
        *_fields(IntegerType(), "baseline_days"),
        *_fields(DoubleType(), "baseline_value"),
        *_fields(DateType(), "recent_start recent_end"),
        *_fields(DoubleType(), "recent_value"),
        *_fields(DoubleType(), "deviation_percent", nullable=True),
        *_fields(DateType(), "opened_on", nullable=True),
        *_fields(IntegerType(), "window_days", nullable=True),
        *_fields(DoubleType(), "evidence evidence_threshold shift_spreads", nullable=True),
        *_fields(IntegerType(), "longest_pause_days", nullable=True),
        *_fields(DateType(), "resolved_on", nullable=True),
        *_fields(StringType(), "resolution_reason", nullable=True),
    ]
)
"""The schema of the results: the columns of `vigil.detect`."""


def detect(
    data: DataFrame,
    profile: Profile = "v3",
    *,
    since: Date,
    until: Date,
    workouts: DataFrame | None = None,
    partitions: int | None = None,
) -> DataFrame:
    """Finds the episodes of people: the rows of `vigil.detect`, in no order, with the schema `EPISODES`.

    The columns of `data` and `workouts` are those that `vigil.detect` knows. Both days are needed.

    Spark brings the rows of each person into one partition and sorts them; a worker reads its partition once,
    and holds some hundred people at most. `partitions` says how many there are, by default
    `spark.sql.shuffle.partitions`. A partition that Spark repeats after a failure gives the same rows, and
    Spark keeps those of one attempt.

    Columns and the profile are checked at once; rows when Spark reads them.

    >>> from vigil import spark as vigil_spark
    >>> alerts = vigil_spark.detect(
    ...     session.createDataFrame(sample), "v1", since="2026-03-03", until="2026-06-30", partitions=4)
    >>> alerts.filter("current_level = 21").count()
    1
    """
    detection = _Detection(data, profile, since, until, workouts)
    rows = detection.rows_with_workouts()
    rows = rows.repartition("person") if partitions is None else rows.repartition(partitions, "person")
    marks = [functions.desc(_IS_WORKOUT)] if workouts is not None else []
    # Workouts come before the days of their person.
    rows = rows.sortWithinPartitions("person", *marks, "date")
    return rows.mapInArrow(detection.of_partition(), EPISODES)


def detect_by_person(
    data: DataFrame,
    profile: Profile = "v3",
    *,
    since: Date,
    until: Date,
    workouts: DataFrame | None = None,
) -> DataFrame:
    """Finds the same as `detect` the simple way: one call of Python for each person, by `applyInArrow`.

    It takes longer, as Vigil evaluates no block of people at a time; use it for few people, or to see which
    person a failure is about.
    """
    detection = _Detection(data, profile, since, until, workouts)
    persons = detection.rows.groupBy("person")
    if detection.workouts is None:
        return persons.applyInArrow(detection.of_person(), EPISODES)
    of_workouts = detection.workouts.groupBy("person")
    return persons.cogroup(of_workouts).applyInArrow(detection.of_person_with_workouts(), EPISODES)


class _Detection:
    """What is asked for, checked, and the functions that workers run."""

    def __init__(
        self,
        data: DataFrame,
        profile: Profile,
        since: Date,
        until: Date,
        workouts: DataFrame | None,
    ) -> None:
        # The file of a profile is read here: workers have no such file.
        self.settings: Settings = settings_of(profile)
        self.since, self.until = date_of(since), date_of(until)
        # A person of workouts may have another type.
        self.rows = _selected(data, "data", (_SOURCE,), _NUMBERS, workouts is not None)
        self.workouts = None if workouts is None else _selected(workouts, "workouts", (), (), True)
        with Detector(self.settings, since=self.since, until=self.until) as detector:
            detector.push(_no_rows(data))

    def rows_with_workouts(self) -> DataFrame:
        """The observations, and the workouts as rows with a mark."""
        if self.workouts is None:
            return self.rows
        marked = self.workouts.withColumn(_IS_WORKOUT, functions.lit(True))
        rows = self.rows.withColumn(_IS_WORKOUT, functions.lit(False))
        return rows.unionByName(marked, allowMissingColumns=True)

    def of_partition(self) -> Callable[[_Batches], _Batches]:
        settings, since, until = self.settings, self.since, self.until
        has_workouts = self.workouts is not None

        def evaluate(batches: _Batches) -> _Batches:
            with Detector(settings, since=since, until=until, together=True) as detector:
                for batch in batches:
                    if has_workouts:
                        batch = _without_workouts(batch, detector)
                    detector.push(batch)
                    yield from _found(detector)
                detector.finish()
                yield from _found(detector)

        return evaluate

    def of_person(self) -> Callable[[pyarrow.Table], pyarrow.Table]:
        evaluate = self.of_person_with_workouts()

        def evaluate_without(rows: pyarrow.Table) -> pyarrow.Table:
            return evaluate(rows, None)

        return evaluate_without

    def of_person_with_workouts(
        self,
    ) -> Callable[[pyarrow.Table, pyarrow.Table | None], pyarrow.Table]:
        settings, since, until = self.settings, self.since, self.until

        def evaluate(rows: pyarrow.Table, workouts: pyarrow.Table | None) -> pyarrow.Table:
            with Detector(settings, since=since, until=until) as detector:
                if workouts is not None:
                    detector.push_workouts(workouts)
                detector.push(rows)
                detector.finish()
                return detector.episodes().to_arrow()

        return evaluate


# MARK: On workers


def _without_workouts(batch: pyarrow.RecordBatch, detector: Detector) -> pyarrow.RecordBatch:
    """Gives the workouts of a batch to the detector, and returns its observations."""
    marks = batch.column(batch.schema.get_field_index(_IS_WORKOUT))
    batch = batch.drop_columns([_IS_WORKOUT])
    if marks.true_count == 0:
        return batch
    detector.push_workouts(batch.filter(marks))
    return batch.filter(pyarrow.compute.invert(marks))


def _found(detector: Detector) -> Iterable[pyarrow.RecordBatch]:
    return detector.episodes().to_arrow().to_batches()  # type: ignore[no-any-return]


# MARK: Columns


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _named(data: DataFrame, what: str, names: tuple[str, ...]) -> StructField | None:
    fields = [field for field in data.schema.fields if field.name in names]
    if len(fields) > 1:
        raise VigilError(3, f"{what}: there are {len(fields)} columns {names[0]!r}; give one")
    return fields[0] if fields else None


def _selected(
    data: DataFrame,
    what: str,
    optional: tuple[tuple[str, ...], ...],
    kinds: tuple[type[DataType], ...],
    persons_are_texts: bool,
) -> DataFrame:
    """The columns that workers need, with the names that `vigil.detect` gives first."""
    columns: list[Column] = []
    keys = []
    for names in (_PERSON, _DATE, *optional):
        field = _named(data, what, names)
        if field is None:
            if names in optional:
                continue
            raise VigilError(3, f"{what}: there is no column {names[0]!r}; the columns are "
                                + ", ".join(data.columns))
        if names == _DATE and isinstance(field.dataType, TimestampType):
            raise VigilError(3, f"{what}: column {field.name!r} holds instants, whose date depends on "
                                "the time zone of the session; use pyspark.sql.functions.to_date")
        column = data[_quoted(field.name)]
        if names == _PERSON and persons_are_texts:
            column = column.cast("string")
        columns.append(column.alias(names[0]))
        keys.append(field.name)
    numbers = [
        field.name
        for field in data.schema.fields
        if isinstance(field.dataType, kinds) and field.name not in keys
    ]
    return data.select(*columns, *(data[_quoted(name)] for name in numbers))


def _no_rows(data: DataFrame) -> pyarrow.RecordBatch:
    fields = [field for field in data.schema.fields if isinstance(field.dataType, _CHECKED)]
    return pyarrow.RecordBatch.from_pylist([], schema=to_arrow_schema(StructType(fields)))
