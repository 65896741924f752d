"""Detection: `detect` for a whole table, `Detector` for rows that come in parts."""

from __future__ import annotations

import ctypes
import datetime
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._evaluator import Date, Evaluator, Profile, Settings
from ._inputs import (
    TABLES,
    DoseTables,
    Inputs,
    Instant,
    give_broken_days,
    give_inputs,
    give_instant,
    give_tables,
    warn_of_unusable_rows,
)
from ._library import (
    BROKEN_DAYS,
    DAYS,
    EPISODES,
    OBSERVATIONS,
    PERSON_LIMITS,
    SENSITIVITIES,
    WORKOUTS,
    call,
)
from ._notes import warn_of_notes
from ._table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack


def detect(
    data: Any,
    profile: Profile = "v3",
    *,
    since: Date | None = None,
    until: Date | None = None,
    together: bool = False,
    columns: Sequence[str] | None = None,
    **inputs: Unpack[Inputs],
) -> Table:
    """Finds the episodes of people: what `vigil backfill` finds that starts with an empty database.

    `data` has a row for each person, date and source, in columns `person`, `date`, `source` (may be missing)
    and one for each metric; `user_id` and `metric_date` are known too. It is anything with
    `__arrow_c_stream__` (pyarrow, polars, duckdb, pandas from 2.2 on), or the path of a Parquet file or
    folder. Other numbers of a row, such as `worn_minutes`, say whether a device was worn. `workouts` has
    columns `person` and `date`.

    A `DataWarning` says what looks wrong: columns that are not read, values that count as missing, hours in place of
    minutes.

    All days of the data are evaluated, or those from `since` to `until`, which go together. Where the rows of
    each person follow each other, `together=True` keeps few people in memory; it needs both days.

    With `doses`, `medications` and `schedules`, which need both days, doses are followed too: there are episodes of
    daily adherence (`dose_adherence_pct`), and of medications by themselves, whose `medication` is given: doses that are
    not taken any more (`missed_streak`), a rare dose that is overdue (`missed_dose`), a refill that is due
    (`refill_due`), and a new package that is due (`expiry_due`, by `expires_on`). A dose is a sign of life. These tables,
    `timezone_events`, `schedule_adjustments`, `evaluated_at` and `zones` are those of `adherence`.

    `check_ins` has columns `person` and `checked_in_at`, and `check_in_plans` `person`, `interval_minutes`,
    `grace_minutes` (may be missing) and `starts_at`; they need both days, too. A check-in is a sign of life, and
    one that is overdue is an episode of `check_in_overdue`, by the days of the person's zone: `time_zones` has
    columns `person` and `timezone`, without which it is UTC.

    `sensitivities` has columns `person`, `metric_type` and `sensitivity`: `off`, `lower`, `normal` or `higher` says how
    readily changes of a metric of one person become episodes.

    `limits` has the columns of `person_limits.csv`: `person`, `metric_type`, `direction` (`below` or `above`),
    `limit_value`, `starts_on` and `ends_on`, and `days`, `severity` and `set_by`, which may be missing. A value beyond a
    limit is an episode on the same day, of `critical_value_below` or `critical_value_above`, whatever is usual.

    On days on which what brings the rows of all people in was broken, no silence opens an alert, and a dose without a
    record is none that was missed. These days are found in the rows, as a run of the command line does. With
    `together=True` they are not: give the dates as `broken_feed` and, of the feed of doses, as `broken_dose_feed`. An
    empty list says that the feed was never broken. `broken_days` finds them in the rows of all people.

    `columns` are the wanted columns of the results, in their order; None for all. What no column needs is not computed:
    ids take the longest.

    >>> alerts = vigil.detect(sample, profile="v1", since="2026-03-03", until="2026-06-20")
    >>> alerts.to_arrow().schema.names[:4]
    ['person', 'id', 'event_id', 'profile']
    """
    with Detector(
        profile, since=since, until=until, together=together, columns=columns
    ) as detector:
        give_inputs(detector, inputs)
        detector.push(data)
        detector._finish()
        warn_of_unusable_rows(detector, stacklevel=3)
        warn_of_notes(detector, stacklevel=3)
        return detector.episodes()


def broken_days(
    data: Any,
    profile: Profile = "v3",
    *,
    since: Date,
    until: Date,
    **inputs: Unpack[Inputs],
) -> dict[str, list[datetime.date]]:
    """Finds the days on which what brings the rows of all people in was broken, for functions that see only some people.

    The arguments are those of `detect`. Of daily values, `person`, `date` and one metric are enough. The result has the arguments
    `broken_feed` and `broken_dose_feed`, and the days before `since` that detection looks at, too.

    >>> broken = vigil.broken_days(sample, since="2026-03-03", until="2026-06-30")
    >>> broken
    {'broken_feed': [], 'broken_dose_feed': []}
    >>> found = vigil.detect(sample, since="2026-03-03", until="2026-06-30", together=True, **broken)
    """
    with Detector(profile, since=since, until=until) as detector:
        give_inputs(detector, inputs)
        detector.push(data)
        days: dict[str, list[datetime.date]] = {"observations": [], "doses": []}
        for feed, day in detector._take(BROKEN_DAYS).rows():
            days[feed].append(day)
    return {"broken_feed": days["observations"], "broken_dose_feed": days["doses"]}


def _names(columns: Sequence[str]) -> ctypes.Array[ctypes.c_char_p]:
    # A text is a sequence of texts, and would be one of letters.
    if isinstance(columns, str):
        raise TypeError(f"columns is a list of names, such as [{columns!r}]")
    return (ctypes.c_char_p * len(columns))(*(name.encode() for name in columns))


class Detector(Evaluator):
    """Takes rows in parts, evaluates people, and gives the episodes found so far.

    Belongs to one thread at a time; calls of others wait.

    The first `finish` of all people finds the days with a broken feed in their rows, as `detect` does. With
    `together=True`, and for people who are finished one by one, give them as `broken_feed` and `broken_dose_feed`.

    >>> with vigil.Detector("v1", since="2026-03-03", until="2026-06-30") as detector:
    ...     for batch in sample.to_batches(max_chunksize=7):
    ...         detector.push(batch)
    ...     detector.finish()
    ...     episodes = detector.episodes()
    >>> episodes.to_arrow().equals(vigil.detect(sample, profile="v1").to_arrow())
    True
    """

    def __init__(
        self,
        profile: Profile | Settings = "v3",
        *,
        since: Date | None = None,
        until: Date | None = None,
        together: bool = False,
        columns: Sequence[str] | None = None,
        explain_days: bool = False,
        evaluated_at: Instant | None = None,
        zones: str | os.PathLike[str] | None = None,
        broken_feed: Sequence[Date] | None = None,
        broken_dose_feed: Sequence[Date] | None = None,
    ) -> None:
        super().__init__(profile, since, until)
        self._instant = (evaluated_at, zones)
        self._has_instant = False
        try:
            if together:
                call("vigil_set_together", self._pointer, 1)
            if columns is not None:
                names = _names(columns)
                call("vigil_set_columns", self._pointer, names, len(names))
            if explain_days:
                call("vigil_set_explains_days", self._pointer, 1)
            give_broken_days(self, broken_feed, broken_dose_feed)
        except BaseException:
            self.close()
            raise

    @property
    def profile_id(self) -> str:
        """The version of the profile and the beginning of its digest.

        >>> vigil.Detector("v1").profile_id.split("@")[0]
        'v1'
        """
        return self._profile_id()

    def push(self, data: Any) -> None:
        """Takes observations, as `detect` describes them; none of a person that was evaluated."""
        self._push(OBSERVATIONS, data)

    def push_workouts(self, data: Any) -> None:
        """Takes days of workouts, in columns `person` and `date`; before the person is evaluated."""
        self._push(WORKOUTS, data)

    def push_doses(
        self,
        doses: Any = None,
        medications: Any = None,
        schedules: Any = None,
        timezone_events: Any = None,
        schedule_adjustments: Any = None,
    ) -> None:
        """Takes doses, as `detect` describes them; before their persons are evaluated.

        Where the rows of a person come together, all come before the first `push`. Or only a table of medications without
        rows does, and doses come before the last days of their person.
        """
        self._give(DoseTables(
            doses, medications, schedules, timezone_events, schedule_adjustments).inputs)

    def push_check_ins(
        self, check_ins: Any = None, check_in_plans: Any = None, time_zones: Any = None
    ) -> None:
        """Takes check-ins, as `detect` describes them; at the same time as doses."""
        self._give(
            {"check_ins": check_ins, "check_in_plans": check_in_plans, "time_zones": time_zones})

    def push_sensitivities(self, data: Any) -> None:
        """Takes the sensitivities of people, as `detect` describes them; before the person is evaluated."""
        self._push(SENSITIVITIES, data)

    def push_limits(self, data: Any) -> None:
        """Takes the limits of people, as `detect` describes them; before the person is evaluated."""
        self._push(PERSON_LIMITS, data)

    def _give(self, inputs: Mapping[str, Any]) -> None:
        self._give_instant()
        give_tables(self, inputs)

    def _give_one(self, table: str, data: Any) -> None:
        self._give_instant()
        self._push(TABLES[table], data)

    def _give_instant(self) -> None:
        if not self._has_instant:
            give_instant(self, *self._instant)
            self._has_instant = True

    def finish(self, person: str | None = None) -> None:
        """Evaluates one person, whose rows have all come, or all people that wait.

        Doses that cannot be used are left out, with an `UnusableRowsWarning` that has them. A `DataWarning` says what
        looks wrong about observations.
        """
        self._finish(person)
        warn_of_unusable_rows(self, stacklevel=3)
        warn_of_notes(self, stacklevel=3)

    def episodes(self) -> Table:
        """The episodes of the people evaluated since the last call."""
        return self._take(EPISODES)

    def days(self) -> Table:
        """The values that detection saw on evaluated days, where `explain_days` was true.

        >>> with vigil.Detector("v1", explain_days=True) as detector:
        ...     detector.push(sample)
        ...     detector.finish()
        ...     detector.days().to_arrow().schema.names
        ['person', 'user_id', 'metric_date', 'metric_type', 'value']
        """
        return self._take(DAYS)

    def __enter__(self) -> Detector:
        return self
