"""Adherence: how many of the expected doses people took."""

from __future__ import annotations

import datetime
import os
import warnings
from typing import Any, NamedTuple, Union

from ._evaluator import Date, Evaluator
from ._library import (
    ADHERENCE,
    DOSES,
    MEDICATIONS,
    SCHEDULE_ADJUSTMENTS,
    SCHEDULES,
    TIMEZONE_EVENTS,
    UNUSABLE,
    VigilError,
    call,
)
from ._table import Table

Instant = Union[datetime.datetime, str]


class UnusableRowsWarning(UserWarning):
    """Rows were left out; `rows` is a table of them, with their table, reason and key."""

    def __init__(self, message: str, rows: Table) -> None:
        super().__init__(message)
        self.rows = rows


def adherence(
    doses: Any,
    *,
    medications: Any,
    schedules: Any,
    until: Date,
    since: Date | None = None,
    timezone_events: Any = None,
    schedule_adjustments: Any = None,
    evaluated_at: Instant | None = None,
    zones: str | os.PathLike[str] | None = None,
) -> Table:
    """Measures adherence: what `vigil backfill` writes to `dose_analytics` that starts with an empty database.

    There is a row for each medication and each person, for each of the 7, 30 and 90 days that end on a day
    from `since` to `until` (by default only `until`), and for the last calendar month that was over.

    The tables are anything with `__arrow_c_stream__`, or paths of Parquet files. Their columns are those of
    Vigil's CSV files: `doses` are the rows of `dose_history.csv`, and so on. A column may be left out that may
    be empty there; `person` stands for `user_id`. Instants have a time zone, or are texts such as
    `2026-06-30T08:00:00Z`.

    A dose without a record is missed, or pending if its time is not over at `evaluated_at`: by default now.
    Rules of time zones come from the folder `zones`: by default `TZDIR`, that of the system, or the package
    `tzdata`. Rows that cannot be used are left out, with an `UnusableRowsWarning` that has them.

    >>> medications = pyarrow.table({"id": ["tablets"], "person": ["anna"], "start_date": ["2026-06-01"]})
    >>> schedules = pyarrow.table({
    ...     "id": ["mornings"], "medication_id": ["tablets"], "type": ["timeBased"],
    ...     "reference_timezone": ["Europe/Berlin"], "start_date": ["2026-06-01"],
    ...     "time_based_times": ['["08:00"]']})
    >>> taken = [f"2026-06-{day:02}T06:10:00Z" for day in range(1, 22)]
    >>> doses = pyarrow.table({
    ...     "medication_id": ["tablets"] * 21, "schedule_id": ["mornings"] * 21, "status": ["taken"] * 21,
    ...     "recorded_timezone": ["Europe/Berlin"] * 21, "actual_time": taken})
    >>> found = vigil.adherence(
    ...     doses, medications=medications, schedules=schedules, until="2026-06-30",
    ...     evaluated_at="2026-07-01T01:00:00Z").to_polars()
    >>> month = found.filter(medication="tablets", period_kind="30_days")
    >>> month.select("taken_doses", "missed_doses", "adherence_rate", "current_gap_days").rows()
    [(21, 9, 0.7, 9)]
    """
    tables = DoseTables(doses, medications, schedules, timezone_events, schedule_adjustments)
    # Adherence does not depend on the profile.
    with _DoseEvaluator("v1", until if since is None else since, until) as evaluator:
        call("vigil_set_adherence", evaluator._pointer, 1)
        give_instant(evaluator, evaluated_at, zones)
        tables.push(evaluator)
        evaluator._finish()
        warn_of_unusable_rows(evaluator, stacklevel=3)
        return evaluator._take(ADHERENCE)


class _DoseEvaluator(Evaluator):
    def __enter__(self) -> _DoseEvaluator:
        return self


class DoseTables(NamedTuple):
    """Doses and what they need, as `adherence` describes them."""

    doses: Any = None
    medications: Any = None
    schedules: Any = None
    timezone_events: Any = None
    schedule_adjustments: Any = None

    @property
    def is_given(self) -> bool:
        return any(table is not None for table in self)

    def push(self, evaluator: Evaluator) -> None:
        if self.medications is None or self.schedules is None:
            raise VigilError(1, "doses go together with medications and schedules; give all three")
        for number, table in [
            (MEDICATIONS, self.medications),
            (SCHEDULES, self.schedules),
            (TIMEZONE_EVENTS, self.timezone_events),
            (SCHEDULE_ADJUSTMENTS, self.schedule_adjustments),
            (DOSES, self.doses),
        ]:
            if table is not None:
                evaluator._push(number, table)


def give_instant(
    evaluator: Evaluator, evaluated_at: Instant | None, zones: str | os.PathLike[str] | None
) -> None:
    """Sets what doses and check-ins need."""
    call("vigil_set_evaluated_at", evaluator._pointer, _microseconds(evaluated_at))
    folder = zones if zones is not None else _zone_folder()
    if folder is not None:
        call("vigil_set_zones", evaluator._pointer, os.fsencode(folder))


def warn_of_unusable_rows(evaluator: Evaluator, stacklevel: int) -> None:
    rows = evaluator._take(UNUSABLE)
    if rows.num_rows > 0:
        message = "rows were left out; the attribute rows of this warning has them and the reasons"
        warnings.warn(UnusableRowsWarning(message, rows), stacklevel=stacklevel)


def _microseconds(instant: Instant | None) -> int:
    if instant is None:
        instant = datetime.datetime.now(datetime.timezone.utc)
    elif isinstance(instant, str):
        # Python before 3.11 does not know Z.
        instant = datetime.datetime.fromisoformat(instant.replace("Z", "+00:00"))
    if instant.tzinfo is None:
        raise ValueError(f"{instant} has no time zone; give evaluated_at with one")
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (instant - epoch) // datetime.timedelta(microseconds=1)


def _zone_folder() -> str | None:
    """The folder of `TZDIR`; none for that of the system; where there is none, that of `tzdata`."""
    folder = os.environ.get("TZDIR")
    if folder or os.path.exists("/usr/share/zoneinfo/UTC"):
        return folder or None
    try:
        import tzdata
    except ImportError:
        return None
    return os.path.join(os.path.dirname(tzdata.__file__), "zoneinfo")
