"""Vitality: scores of days, and the trends in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._evaluator import Date, Evaluator, Profile, settings_of
from ._inputs import Inputs, give_inputs, warn_of_unusable_rows
from ._library import BIRTH_DATES, INSIGHTS, OBSERVATIONS, OTHER_SCORES, SCORES, call
from ._notes import warn_of_notes
from ._table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack


def scores(
    data: Any,
    *,
    since: Date | None = None,
    until: Date | None = None,
    vitality: Profile = "vitality.v2",
    birth_dates: Any = None,
    other_scores: Any = None,
) -> Table:
    """Scores the days of people from 0 to 100: what `vigil backfill` writes to `vitality_scores`.

    `data` is as for `detect`; the metrics that count are those of sleep, movement and stress. A score stands
    for the seven days up to its day. There are scores for all days of the data, or those from `since` to
    `until`, which go together, and for those before them that trends look at.

    `birth_dates` has columns `person` and `birth_date`. `other_scores` are those of another program, with
    columns such as `person`, `score_date`, `total_score` and `source`: Vigil uses them as they are, and
    computes none for their days.

    `vitality` is `vitality.v1`, `vitality.v2`, the path of a vitality file or its content.

    >>> found = vigil.scores(sample, since="2026-06-01", until="2026-06-30").to_polars()
    >>> found.select(polars.col("total_score", "sleep_score").mean().round(1)).rows()
    [(66.5, 64.3)]
    """
    # The profile decides about episodes, which are not taken.
    with _ScoreEvaluator("v1", since, until) as evaluator:
        evaluator.ask(vitality, birth_dates, other_scores)
        evaluator._push(OBSERVATIONS, data)
        evaluator._finish()
        warn_of_notes(evaluator, stacklevel=3)
        return evaluator._take(SCORES)


def insights(
    data: Any,
    *,
    since: Date | None = None,
    until: Date | None = None,
    vitality: Profile = "vitality.v2",
    birth_dates: Any = None,
    other_scores: Any = None,
    profile: Profile = "v3",
    **inputs: Unpack[Inputs],
) -> Table:
    """Finds trends in the scores of sleep, movement and stress, for each evaluated day.

    The rows are those of `vigil export insights`, and the arguments those of `scores` and `detect`. With `doses`,
    `medications` and `schedules` there are trends in adherence too, days with doses missed in a row, refills that are
    due, and episodes of adherence that share days with others of the person. Only the latter depend on the
    `profile`, the `workouts` and the `sensitivities`.

    >>> found = vigil.insights(sample, since="2026-06-01", until="2026-06-30").to_polars()
    >>> found.group_by("severity").len().sort("severity").rows()
    [('attention', 296), ('celebrate', 144)]
    """
    with _ScoreEvaluator(profile, since, until) as evaluator:
        evaluator.ask(vitality, birth_dates, other_scores)
        give_inputs(evaluator, inputs)
        evaluator._push(OBSERVATIONS, data)
        evaluator._finish()
        warn_of_unusable_rows(evaluator, stacklevel=3)
        warn_of_notes(evaluator, stacklevel=3)
        return evaluator._take(INSIGHTS)


class _ScoreEvaluator(Evaluator):
    def __enter__(self) -> _ScoreEvaluator:
        return self

    def ask(self, vitality: Profile, birth_dates: Any, other_scores: Any) -> None:
        name, content = settings_of(vitality)
        call("vigil_set_scores", self._pointer, content, len(content or b""), name.encode())
        for table, rows in [(BIRTH_DATES, birth_dates), (OTHER_SCORES, other_scores)]:
            if rows is not None:
                self._push(table, rows)
