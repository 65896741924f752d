"""Detection on Spark, for data that one machine does not hold: `pip install vigil-alerts[spark]`."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

try:
    import pyarrow
    import pyarrow.compute
    from pyspark.sql import functions
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
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
from ._evaluator import Date, Profile, date_of, settings_of
from ._inputs import CHECK_IN_TABLES, DOSE_TABLES, TABLES, Inputs
from ._library import VigilError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from typing_extensions import Unpack

    _Batches = Iterator[pyarrow.RecordBatch]

_NUMBERS = (BooleanType, ByteType, ShortType, IntegerType, LongType, FloatType, DoubleType)
# Decimals and texts are sent to the check only, which says that a metric needs numbers.
_CHECKED = (*_NUMBERS, DecimalType, StringType, DateType, TimestampNTZType)
_PERSON, _DATE, _SOURCE = ("person", "user_id"), ("date", "metric_date"), ("source",)
# The table that a row is of, by its number in the C library; nothing for observations. The name is none of a metric.
_TABLE = "vigil: table"
_KEPT = (*_CHECKED, TimestampType)


# The library knows the columns; their types are those of Arrow.
with Detector("v3") as _detector:
    EPISODES: StructType = from_arrow_schema(_detector.episodes().to_arrow().schema)
"""The schema of the results: the columns of `vigil.detect`."""


def detect(
    data: DataFrame,
    profile: Profile = "v3",
    *,
    since: Date,
    until: Date,
    partitions: int | None = None,
    columns: Sequence[str] | None = None,
    **inputs: Unpack[Inputs],
) -> DataFrame:
    """Finds the episodes of people: the rows of `vigil.detect`, in no order, with the schema `EPISODES` or its `columns`.

    `inputs` are those of `vigil.detect`, with a frame for each table, and the columns are those that it knows. A person
    has the same text in all tables. Both days are needed. Doses that cannot be used are left out; `zones` is a folder
    of the workers.

    Spark brings the rows of each person into one partition and sorts them; a worker reads its partition once,
    and holds some hundred people at most. `partitions` says how many there are, by default
    `spark.sql.shuffle.partitions`. A partition that Spark repeats after a failure gives the same rows, and
    Spark keeps those of one attempt.

    No worker sees all people: days with a broken feed are those of `broken_feed` and `broken_dose_feed`.

    Columns and the profile are checked at once; rows when Spark reads them.

    >>> from vigil import spark as vigil_spark
    >>> alerts = vigil_spark.detect(
    ...     session.createDataFrame(sample), "v1", since="2026-03-03", until="2026-06-30", partitions=4)
    >>> alerts.filter("current_level = 21").count()
    3
    """
    detection = _Detection(data, profile, since, until, columns, inputs)
    rows = detection.all_rows()
    rows = rows.repartition("person") if partitions is None else rows.repartition(partitions, "person")
    marks = [functions.desc_nulls_last(_TABLE)] if detection.others is not None else []
    # Other rows come before the days of their person.
    rows = rows.sortWithinPartitions("person", *marks, "date")
    return rows.mapInArrow(detection.of_partition(), detection.schema)


def detect_by_person(
    data: DataFrame,
    profile: Profile = "v3",
    *,
    since: Date,
    until: Date,
    columns: Sequence[str] | None = None,
    **inputs: Unpack[Inputs],
) -> DataFrame:
    """Finds the same as `detect` the simple way: one call of Python for each person, by `applyInArrow`.

    It takes longer, as Vigil evaluates no block of people at a time; use it for few people, or to see which
    person a failure is about.
    """
    detection = _Detection(data, profile, since, until, columns, inputs)
    persons = detection.rows.groupBy("person")
    if detection.others is None:
        return persons.applyInArrow(detection.of_person(), detection.schema)
    others = detection.others.groupBy("person")
    return persons.cogroup(others).applyInArrow(detection.of_person_with_others(), detection.schema)


class _Detection:
    """What is asked for, checked, and the functions that workers run."""

    def __init__(
        self, data: DataFrame, profile: Profile, since: Date, until: Date,
        columns: Sequence[str] | None, inputs: Inputs
    ) -> None:
        given = {name: value for name, value in inputs.items() if value is not None}
        unknown = given.keys() - Inputs.__annotations__.keys()
        if unknown:
            raise TypeError(f"there is no argument {min(unknown)!r}; there are " + ", ".join(TABLES))
        tables: dict[str, DataFrame] = {name: given[name] for name in TABLES if name in given}  # type: ignore[misc]
        # The file of a profile is read here: workers have no such file. Nor have they the same time.
        self.options = {
            "profile": settings_of(profile), "since": date_of(since), "until": date_of(until),
            "columns": None if columns is None else list(columns),
            "evaluated_at": given.get("evaluated_at", datetime.datetime.now(datetime.timezone.utc)),
            "zones": given.get("zones"),
            "broken_feed": _dates(inputs.get("broken_feed")),
            "broken_dose_feed": _dates(inputs.get("broken_dose_feed"))}
        self.follows = [
            "medications" if tables.keys() & DOSE_TABLES.keys() else None,
            "check_ins" if tables.keys() & CHECK_IN_TABLES.keys() else None]
        # A person of another table may have another type.
        self.rows = _selected(data, "data", (_SOURCE,), _NUMBERS, bool(tables))
        with Detector(**self.options) as detector:  # type: ignore[arg-type]
            detector._give({name: _no_rows(table, _KEPT) for name, table in tables.items()})
            detector.push(_no_rows(data, _CHECKED))
        self.schema = EPISODES if columns is None else StructType([EPISODES[name] for name in columns])
        self.others = _others(tables)

    def all_rows(self) -> DataFrame:
        """The observations, and the rows of other tables with the numbers of these."""
        if self.others is None:
            return self.rows
        return self.rows.unionByName(self.others, allowMissingColumns=True)

    def of_partition(self) -> Callable[[_Batches], _Batches]:
        options, follows = self.options, self.follows
        has_others = self.others is not None

        def evaluate(batches: _Batches) -> _Batches:
            with Detector(**options, together=True) as detector:  # type: ignore[arg-type]
                _announce(follows, detector)
                for batch in batches:
                    if has_others:
                        batch = _without_others(batch, detector)
                    detector.push(batch)
                    yield from _found(detector)
                detector.finish()
                yield from _found(detector)

        return evaluate

    def of_person(self) -> Callable[[pyarrow.Table], pyarrow.Table]:
        evaluate = self.of_person_with_others()

        def evaluate_without(rows: pyarrow.Table) -> pyarrow.Table:
            return evaluate(rows, None)

        return evaluate_without

    def of_person_with_others(
        self,
    ) -> Callable[[pyarrow.Table, pyarrow.Table | None], pyarrow.Table]:
        options = self.options

        def evaluate(rows: pyarrow.Table, others: pyarrow.Table | None) -> pyarrow.Table:
            with Detector(**options) as detector:  # type: ignore[arg-type]
                if others is not None:
                    for batch in others.to_batches():
                        _without_others(batch, detector)
                detector.push(rows)
                detector.finish()
                return detector.episodes().to_arrow()

        return evaluate


def _dates(days: Sequence[Date] | None) -> list[datetime.date] | None:
    if isinstance(days, str):
        raise TypeError(f"a list of dates is wanted, such as [{days!r}]")
    return None if days is None else [date_of(day) for day in days]


# MARK: On workers


def _announce(follows: list[str | None], detector: Detector) -> None:
    """Says that doses or check-ins will come, which people may have whose rows come first."""
    columns = {"medications": ["id", "person", "start_date"], "check_ins": ["person", "checked_in_at"]}
    for table in filter(None, follows):
        detector._give_one(table, pyarrow.RecordBatch.from_pylist(
            [], schema=pyarrow.schema([(name, pyarrow.string()) for name in columns[table]])))


def _without_others(batch: pyarrow.RecordBatch, detector: Detector) -> pyarrow.RecordBatch:
    """Gives the rows of other tables in a batch to the detector, and returns its observations."""
    numbers = batch.column(batch.schema.get_field_index(_TABLE))
    for name, number in TABLES.items():
        marks = pyarrow.compute.equal(numbers, number)
        if not pyarrow.compute.any(marks).as_py():
            continue
        rows = batch.filter(marks)
        prefix = _prefix(name)
        columns = {
            column.removeprefix(prefix): rows.column(index)
            for index, column in enumerate(rows.schema.names)
            if column.startswith(prefix) or column == "person"}
        detector._give_one(name, pyarrow.RecordBatch.from_pydict(columns))
    own = [name for name in batch.schema.names if not name.startswith("vigil: ")]
    return batch.filter(pyarrow.compute.is_null(numbers)).select(own)


def _found(detector: Detector) -> Iterable[pyarrow.RecordBatch]:
    return detector.episodes().to_arrow().to_batches()  # type: ignore[no-any-return]


# MARK: Other tables


def _prefix(table: str) -> str:
    return f"vigil: {table}: "


def _others(tables: dict[str, DataFrame]) -> DataFrame | None:
    """The rows of all tables, each with its person, its table's number, and columns that are named after the table."""
    of_medication = ("medication_id", "medication")
    persons: dict[str, DataFrame] = {}
    if "medications" in tables:
        medications = tables["medications"]
        persons["medication"] = medications.select(
            _column(medications, ("id", *of_medication)).alias("vigil: key"),
            _column(medications, _PERSON).cast("string").alias("person"))
        if "schedules" in tables:
            table = tables["schedules"]
            own = _column(table, ("id", "schedule_id", "schedule"))
            persons["schedule"] = table.select(
                own.alias("vigil: own"), _column(table, of_medication).alias("vigil: key")
            ).join(persons["medication"], "vigil: key").select(
                functions.col("`vigil: own`").alias("vigil: key"), "person")
    all_rows = None
    for name, table in tables.items():
        kept = [field.name for field in table.schema.fields if isinstance(field.dataType, _KEPT)]
        columns = [table[_quoted(column)].alias(_prefix(name) + column) for column in kept]
        if name in ("schedules", "doses"):
            key = _column(table, of_medication).alias("vigil: key")
            rows = table.select(key, *columns).join(persons["medication"], "vigil: key")
        elif name == "schedule_adjustments":
            key = _column(table, ("schedule_id",)).alias("vigil: key")
            rows = table.select(key, *columns).join(persons["schedule"], "vigil: key")
        else:
            key = _column(table, _PERSON)
            rows = table.select(key.cast("string").alias("person"), *columns)
        rows = rows.drop("vigil: key").withColumn(_TABLE, functions.lit(TABLES[name]))
        all_rows = rows if all_rows is None else all_rows.unionByName(rows, allowMissingColumns=True)
    return all_rows


def _column(table: DataFrame, names: tuple[str, ...]) -> Column:
    """The first of the columns that there is; that there is one was checked."""
    return table[_quoted(next(name for name in names if name in table.columns))]


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


def _no_rows(data: DataFrame, kinds: tuple[type[DataType], ...]) -> pyarrow.RecordBatch:
    fields = [field for field in data.schema.fields if isinstance(field.dataType, kinds)]
    instants = [field.name for field in fields if isinstance(field.dataType, TimestampType)]
    schema = to_arrow_schema(StructType([field for field in fields if field.name not in instants]))
    for name in instants:
        schema = schema.append(pyarrow.field(name, pyarrow.timestamp("us", "UTC")))
    return pyarrow.RecordBatch.from_pylist([], schema=schema)
