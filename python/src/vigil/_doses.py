"""Adherence: how many of the expected doses people took."""

from __future__ import annotations

import os
from typing import Any

from ._evaluator import Date, Evaluator
from ._inputs import DoseTables, Instant, give_inputs, warn_of_unusable_rows
from ._library import ADHERENCE, call
from ._table import Table


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
        give_inputs(evaluator, {**tables.inputs, "evaluated_at": evaluated_at, "zones": zones})
        evaluator._finish()
        warn_of_unusable_rows(evaluator, stacklevel=3)
        return evaluator._take(ADHERENCE)


class _DoseEvaluator(Evaluator):
    def __enter__(self) -> _DoseEvaluator:
        return self
