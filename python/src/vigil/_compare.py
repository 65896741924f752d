"""Comparisons: alerts with changes that are known, and two profiles with each other."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from ._evaluator import Date, Evaluator, Profile
from ._inputs import Inputs, give_inputs, warn_of_unusable_rows
from ._library import EVALUATION, LABELS, OBSERVATIONS, ArrowArrayStream, call
from ._notes import warn_of_notes
from ._table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack


def evaluate(
    data: Any,
    labels: Any,
    profile: Profile = "v3",
    *,
    since: Date | None = None,
    until: Date | None = None,
    **inputs: Unpack[Inputs],
) -> Table:
    """Compares alerts with changes that are known to have happened: the figures of `vigil evaluate`.

    `data`, `profile` and the rest are as for `detect`; doses and check-ins need `since` and `until`. `labels` has columns `person`, `first_day`, `last_day`
    and `metric_type`, which may be missing where any metric may show the change.

    The first alert from the first day of a change to 7 days after its last one finds it; there is a row for
    each metric, and one without a metric for all. `precision` is a lower bound where the labels do not name
    every change. Intervals hold the true value in 95 of 100 cases. Episodes of daily adherence count where a label names
    `dose_adherence_pct`; those of silence and of single medications do not.

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
        evaluator.run(data, inputs)
        warn_of_unusable_rows(evaluator, stacklevel=3)
        warn_of_notes(evaluator, stacklevel=3)
        return evaluator._take(EVALUATION)


def compare(
    data: Any,
    first: Profile,
    second: Profile,
    *,
    since: Date | None = None,
    until: Date | None = None,
    **inputs: Unpack[Inputs],
) -> Table:
    """Puts the episodes of two profiles side by side, as `vigil compare` matches them.

    There is a row for each episode: `found_by` says whether `both`, only the `first` or only the `second`
    profile has it, and `delay_days` by how many days the second knew of it later.

    `data` and the other tables, which are those of `detect`, are read twice; an object that can be read only once,
    such as a reader of batches, must be a table. Episodes of silence and of daily adherence are compared, too.

    >>> found = vigil.compare(
    ...     sample, "v1", "v3", since="2026-03-03", until="2026-06-30").to_polars()
    >>> found.group_by("found_by").len().sort("found_by").rows()
    [('both', 17), ('first', 573), ('second', 10)]
    """
    with _AlertEvaluator(first, since, until) as one, _AlertEvaluator(
        second, since, until
    ) as other:
        one.run(data, inputs)
        other.run(data, inputs)
        warn_of_unusable_rows(one, stacklevel=3)
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

    def run(self, data: Any, inputs: Inputs) -> None:
        give_inputs(self, inputs)
        self._push(OBSERVATIONS, data)
        self._finish()
