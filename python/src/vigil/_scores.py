"""Vitality: scores of days, and the trends in them."""

from __future__ import annotations

from typing import Any

from ._evaluator import Date, Evaluator, Profile, settings_of
from ._library import BIRTH_DATES, INSIGHTS, OBSERVATIONS, OTHER_SCORES, SCORES, call
from ._table import Table


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
    [(73.8, 76.9)]
    """
    with _score_evaluator(data, since, until, vitality, birth_dates, other_scores) as evaluator:
        return evaluator._take(SCORES)


def insights(
    data: Any,
    *,
    since: Date | None = None,
    until: Date | None = None,
    vitality: Profile = "vitality.v2",
    birth_dates: Any = None,
    other_scores: Any = None,
) -> Table:
    """Finds trends in the scores of sleep, movement and stress, for each evaluated day.

    The arguments are those of `scores`. The rows are those of `vigil export insights` that are about
    scores.

    >>> found = vigil.insights(sample, since="2026-06-01", until="2026-06-30").to_polars()
    >>> found.group_by("severity").len().sort("severity").rows()
    [('attention', 246), ('celebrate', 66)]
    """
    with _score_evaluator(data, since, until, vitality, birth_dates, other_scores) as evaluator:
        return evaluator._take(INSIGHTS)


class _ScoreEvaluator(Evaluator):
    def __enter__(self) -> _ScoreEvaluator:
        return self


def _score_evaluator(
    data: Any,
    since: Date | None,
    until: Date | None,
    vitality: Profile,
    birth_dates: Any,
    other_scores: Any,
) -> _ScoreEvaluator:
    # The profile decides about episodes, which are not taken.
    evaluator = _ScoreEvaluator("v1", since, until)
    name, content = settings_of(vitality)
    call(
        "vigil_set_scores", evaluator._pointer, content, len(content or b""), name.encode())
    for table, rows in [
        (BIRTH_DATES, birth_dates),
        (OTHER_SCORES, other_scores),
        (OBSERVATIONS, data),
    ]:
        if rows is not None:
            evaluator._push(table, rows)
    evaluator._finish()
    return evaluator
