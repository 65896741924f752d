"""Explanations of single decisions and doses, and drawings of a person's days."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ._evaluator import Date, Evaluator, Profile, date_of, ordinal
from ._explanation import (
    CombinedExplanation,
    DoseExplanation,
    Explanation,
    LimitExplanation,
    SilenceExplanation,
)
from ._inputs import DoseTables, Inputs, Instant, end_of, give_inputs, warn_of_unusable_rows
from ._library import OBSERVATIONS, VigilError, document

if TYPE_CHECKING:
    from typing_extensions import Unpack

_NOT_GIVEN = -(2**31)


def explain(
    data: Any,
    person: str,
    metric: str,
    day: Date,
    profile: Profile = "v3",
    *,
    since: Date | None = None,
    limit: str | None = None,
    **inputs: Unpack[Inputs],
) -> Explanation | CombinedExplanation | SilenceExplanation | LimitExplanation:
    """Says why there is, or is not, an alert on a day: the figures of `vigil explain`.

    `data`, `profile` and the other tables are as for `detect`; rows of other people are not looked at. Episodes are
    followed from the first row of the person on, or from `since`. The metric is one of the profile's that have
    a column, `dose_adherence_pct` with doses, `combined` for all metrics together, of which there is a
    `CombinedExplanation`, or `inactivity` or `check_in_overdue`, of which there is a `SilenceExplanation`.
    `vigil.explain_doses` explains a medication by itself. Doses are missed or pending as of `evaluated_at`: by default
    the end of the day.

    `limit`, `below` or `above`, explains the limits of the metric on that side instead: a `LimitExplanation`.

    >>> found = vigil.explain(sample, sample["user_id"][0].as_py(), "steps", "2026-06-12", "v1")
    >>> found.is_alert, found.change
    (False, 'none')
    >>> round(found.means.baseline.value), found.means.recent.value
    (5769, 6019.0)
    >>> found.opposite.condition, round(found.opposite.value)
    ('value_at_most', 926)
    """
    with _DayEvaluator(profile, since, None if since is None else day) as evaluator:
        give_inputs(evaluator, inputs, end_of(date_of(day)))
        evaluator._push(OBSERVATIONS, data)
        name = person.encode()
        text = document(
            "vigil_explain", evaluator._pointer, name, len(name), metric.encode(), _encoded(limit),
            ordinal(day))
        warn_of_unusable_rows(evaluator, stacklevel=3)
    if limit is not None:
        return LimitExplanation.from_json(text)
    return _KINDS.get(metric, Explanation).from_json(text)


_KINDS: dict[str, type[CombinedExplanation] | type[SilenceExplanation]] = {
    "combined": CombinedExplanation, "inactivity": SilenceExplanation,
    "check_in_overdue": SilenceExplanation}


def explain_doses(
    doses: Any,
    person: str,
    medication: str,
    day: Date,
    *,
    medications: Any,
    schedules: Any,
    timezone_events: Any = None,
    schedule_adjustments: Any = None,
    evaluated_at: Instant | None = None,
    zones: str | os.PathLike[str] | None = None,
) -> DoseExplanation:
    """Lists the expected doses of a medication with their outcomes: the figures of `vigil explain --medication`.

    There are the doses of the seven days up to `day`, and the measures of the periods that end on it. The tables are
    those of `adherence`; rows of other people are not looked at. Doses are missed or pending as of `evaluated_at`: by
    default the end of the day.

    >>> medications = pyarrow.table({"id": ["tablets"], "person": ["anna"], "start_date": ["2026-06-01"]})
    >>> schedules = pyarrow.table({
    ...     "id": ["mornings"], "medication_id": ["tablets"], "type": ["timeBased"],
    ...     "reference_timezone": ["Europe/Berlin"], "start_date": ["2026-06-01"],
    ...     "time_based_times": ['["08:00"]']})
    >>> doses = pyarrow.table({
    ...     "medication_id": ["tablets"], "schedule_id": ["mornings"], "status": ["taken"],
    ...     "recorded_timezone": ["Europe/Berlin"], "actual_time": ["2026-06-02T06:10:00Z"]})
    >>> found = vigil.explain_doses(
    ...     doses, "anna", "tablets", "2026-06-03", medications=medications, schedules=schedules)
    >>> [(str(dose.date), dose.outcome, dose.timing) for dose in found.doses]
    [('2026-06-01', 'missed', None), ('2026-06-02', 'taken', 'on time'), ('2026-06-03', 'missed', None)]
    """
    tables = DoseTables(doses, medications, schedules, timezone_events, schedule_adjustments)
    # Doses do not depend on the profile.
    with _DayEvaluator("v1", None, None) as evaluator:
        given: Inputs = {**tables.inputs, "evaluated_at": evaluated_at, "zones": zones}
        give_inputs(evaluator, given, end_of(date_of(day)))
        name = person.encode()
        text = document(
            "vigil_explain_doses", evaluator._pointer, name, len(name), medication.encode(),
            ordinal(day))
        warn_of_unusable_rows(evaluator, stacklevel=3)
    return DoseExplanation.from_json(text)


def plot(
    data: Any,
    person: str,
    metric: str | None = None,
    profile: Profile = "v3",
    *,
    since: Date | None = None,
    until: Date | None = None,
    limit: str | None = None,
    **inputs: Unpack[Inputs],
) -> Chart:
    """Draws the days of a person with their alerts, as `vigil explain` and `vigil report` draw them.

    A notebook shows the result. Dots are the values of days and the line is their mean of seven days; green is
    what is usual, and alerts are shaded, with the days on which they reached a level. Without a `metric`, all
    that have an alert, alone or together with others, are drawn, doses, silence and limits among them, or all metrics where
    none has one. Silence is drawn as the silent days in a row, and `combined` as its metrics in personal spreads. With a
    `limit`, `below` or `above`, the alerts of the metric's limits are drawn.

    The arguments are those of `explain`. The days are those from `since` to `until`: by default the 60 days up
    to the last row of the person.

    >>> chart = vigil.plot(sample, sample["user_id"][0].as_py(), "sleep_minutes")
    >>> chart.svg.startswith("<svg xmlns")
    True
    """
    with _DayEvaluator(profile, None, None) as evaluator:
        give_inputs(evaluator, inputs, None if until is None else end_of(date_of(until)))
        evaluator._push(OBSERVATIONS, data)
        name = person.encode()
        days = (_NOT_GIVEN if day is None else ordinal(day) for day in (since, until))
        text = document(
            "vigil_draw", evaluator._pointer, name, len(name),
            _encoded(metric), _encoded(limit), *days)
    return Chart(text)


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


class Chart:
    """A drawing, which a notebook shows."""

    def __init__(self, svg: str) -> None:
        self.svg = svg
        """The text of an SVG file."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the drawing to a file, whose name ends in `.svg`, or in `.html` for a page that holds it.

        >>> vigil.Chart("<svg/>").save("steps.png")
        Traceback (most recent call last):
        vigil._library.VigilError: steps.png: a chart is saved as .svg or .html; a browser or Inkscape makes other formats of it
        """
        ending = os.path.splitext(os.fspath(path))[1].lower()
        if ending == ".html":
            text = f'<!DOCTYPE html>\n<meta charset="utf-8">\n<title>Vigil</title>\n{self.svg}\n'
        elif ending == ".svg":
            text = self.svg
        else:
            raise VigilError(
                1, f"{os.fspath(path)}: a chart is saved as .svg or .html; a browser or Inkscape makes other "
                "formats of it")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def __repr__(self) -> str:
        return "<vigil.Chart>"

    def _repr_svg_(self) -> str:
        return self.svg


class _DayEvaluator(Evaluator):
    def __enter__(self) -> _DayEvaluator:
        return self
