"""Comparisons: alerts with changes that are known, and two profiles with each other."""

from __future__ import annotations

import ctypes
from typing import Any

from ._evaluator import Date, Evaluator, Profile
from ._library import EVALUATION, LABELS, OBSERVATIONS, WORKOUTS, ArrowArrayStream, call
from ._notes import warn_of_notes
from ._table import Table


def evaluate(
    data: Any,
    labels: Any,
    profile: Profile = "v3",
    *,
    workouts: Any = None,
    since: Date | None = None,
    until: Date | None = None,
) -> Table:
    """Compares alerts with changes that are known to have happened: the figures of `vigil evaluate`.

    `data`, `profile` and the rest are as for `detect`. `labels` has columns `person`, `first_day`, `last_day`
    and `metric_type`, which may be missing where any metric may show the change.

    The first alert from the first day of a change to 7 days after its last one finds it; there is a row for
    each metric, and one without a metric for all. `precision` is a lower bound where the labels do not name
    every change. Intervals hold the true value in 95 of 100 cases.

    >>> labels = pyarrow.table({
    ...     "person": ["anna"], "metric_type": ["steps"], "first_day": ["2026-05-22"],
    ...     "last_day": ["2026-05-28"]})
    >>> days = [f"2026-05-{day:02}" for day in range(1, 29)]
    >>> rows = pyarrow.table(
    ...     {"person": ["anna"] * 28, "date": days, "steps": [8000.0] * 21 + [2000.0] * 7})
    >>> found = vigil.evaluate(rows, labels, profile="v1").to_polars()
    >>> found.select("metric_type", "labels", "found", "median_delay").rows()
    [('steps', 1, 1, 1.0), (None, 1, 1, 1.0)]
    """
    with _AlertEvaluator(profile, since, until) as evaluator:
        evaluator._push(LABELS, labels)
        evaluator.run(data, workouts)
        warn_of_notes(evaluator, stacklevel=3)
        return evaluator._take(EVALUATION)


def compare(
    data: Any,
    first: Profile,
    second: Profile,
    *,
    workouts: Any = None,
    since: Date | None = None,
    until: Date | None = None,
) -> Table:
    """Puts the episodes of two profiles side by side, as `vigil compare` matches them.

    There is a row for each episode: `found_by` says whether `both`, only the `first` or only the `second`
    profile has it, and `delay_days` by how many days the second knew of it later.

    `data` is read twice; an object that can be read only once, such as a reader of batches, must be a table.

    >>> found = vigil.compare(
    ...     sample, "v1", "v3", since="2026-03-03", until="2026-06-30").to_polars()
    >>> found.group_by("found_by").len().sort("found_by").rows()
    [('both', 13), ('first', 329), ('second', 4)]
    """
    with _AlertEvaluator(first, since, until) as one, _AlertEvaluator(
        second, since, until
    ) as other:
        one.run(data, workouts)
        other.run(data, workouts)
        warn_of_notes(one, stacklevel=3)
        stream = ArrowArrayStream()
        call("vigil_compare", one._pointer, other._pointer, ctypes.byref(stream))
        return Table(stream)


class _AlertEvaluator(Evaluator):
    def __init__(self, profile: Profile, since: Date | None, until: Date | None) -> None:
        super().__init__(profile, since, until)
        call("vigil_set_keeps_alerts", self._pointer, 1)

    def __enter__(self) -> _AlertEvaluator:
        return self

    def run(self, data: Any, workouts: Any) -> None:
        if workouts is not None:
            self._push(WORKOUTS, workouts)
        self._push(OBSERVATIONS, data)
        self._finish()
