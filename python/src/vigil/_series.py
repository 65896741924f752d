"""One series, day by day."""

from __future__ import annotations

import datetime
import math

from ._evaluator import Date, Evaluator, Profile, date_of, ordinal
from ._explanation import Episode, Explanation
from ._library import OBSERVATIONS, VigilError, call, document
from ._rows import Rows

_PERSON = "person"


class SeriesDetector(Evaluator):
    """Follows one metric of one person, as its values come.

    Each `update` takes the value of a day and gives the decision about it: the figures of `explain`. It looks at
    all days so far, some tens of microseconds for a year; for many people or past years take `detect`.

    >>> steps = vigil.SeriesDetector("steps", "v1")
    >>> for day in range(1, 29):
    ...     found = steps.update(datetime.date(2026, 5, day), 8000 if day <= 22 else 2000)
    ...     if found.change in ("opened", "escalated"):
    ...         print(found.date, "level", found.after.current_level)
    2026-05-23 level 3
    2026-05-27 level 7
    >>> steps.episode.active_since
    datetime.date(2026, 5, 21)
    """

    def __init__(self, metric: str, profile: Profile = "v3") -> None:
        super().__init__(profile, None, None)
        self.metric = metric
        """The name of the metric, one of the profile's."""
        self.episode: Episode | None = None
        """The episode that is active at the end of the last day; None where there is none."""
        self._last: datetime.date | None = None

    def update(self, day: Date, value: float | None) -> Explanation:
        """Takes the value of a day, None where it is missing; days come in their order, and may be left out."""
        date = date_of(day)
        if self._last is not None and date <= self._last:
            raise VigilError(4, f"{date} is not after {self._last}; days come in their order")
        rows = Rows(_PERSON, ordinal(date), self.metric, math.nan if value is None else float(value))
        call("vigil_push", self._pointer, OBSERVATIONS, *rows.pointers)
        self._last = date
        name = _PERSON.encode()
        text = document(
            "vigil_explain", self._pointer, name, len(name), self.metric.encode(), None,
            ordinal(date))
        found = Explanation.from_json(text)
        self.episode = found.after if found.is_alert else None
        return found

    def __enter__(self) -> SeriesDetector:
        return self
