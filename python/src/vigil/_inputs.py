"""What functions take of people besides their daily values."""

from __future__ import annotations

import ctypes
import datetime
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Union

from ._evaluator import ordinals
from ._library import (
    CHECK_IN_PLANS,
    CHECK_INS,
    DOSES,
    MEDICATIONS,
    OBSERVATIONS,
    PERSON_LIMITS,
    SCHEDULE_ADJUSTMENTS,
    SCHEDULES,
    SENSITIVITIES,
    TIME_ZONES,
    TIMEZONE_EVENTS,
    UNUSABLE,
    WORKOUTS,
    VigilError,
    call,
)

if TYPE_CHECKING:
    from ._evaluator import Date, Evaluator
    from ._table import Table

Instant = Union[datetime.datetime, str]


class Inputs(TypedDict, total=False):
    """The tables that `vigil.detect` describes, by the names of its arguments; each may be left out."""

    workouts: Any
    doses: Any
    medications: Any
    schedules: Any
    timezone_events: Any
    schedule_adjustments: Any
    check_ins: Any
    check_in_plans: Any
    time_zones: Any
    sensitivities: Any
    limits: Any
    evaluated_at: Instant | None
    zones: str | os.PathLike[str] | None
    broken_feed: Sequence[Date] | None
    broken_dose_feed: Sequence[Date] | None


CHECK_IN_TABLES = {
    "check_ins": CHECK_INS, "check_in_plans": CHECK_IN_PLANS, "time_zones": TIME_ZONES}
DOSE_TABLES = {
    "medications": MEDICATIONS, "schedules": SCHEDULES, "timezone_events": TIMEZONE_EVENTS,
    "schedule_adjustments": SCHEDULE_ADJUSTMENTS, "doses": DOSES}
TABLES = {
    "workouts": WORKOUTS, **DOSE_TABLES, **CHECK_IN_TABLES, "sensitivities": SENSITIVITIES,
    "limits": PERSON_LIMITS}
"""The number of each table in the C library, in the order in which they are given."""


def give_inputs(evaluator: Evaluator, inputs: Inputs, evaluated_at: Instant | None = None) -> None:
    """Gives tables to an evaluator; before the observations.

    `evaluated_at` is the instant of evaluation where the inputs have none; None for now.
    """
    given: dict[str, Any] = {name: value for name, value in inputs.items() if value is not None}
    unknown = given.keys() - Inputs.__annotations__.keys()
    if unknown:
        raise TypeError(f"there is no argument {min(unknown)!r}; there are " + ", ".join(TABLES))
    instant = given.pop("evaluated_at", evaluated_at)
    zones = given.pop("zones", None)
    give_broken_days(evaluator, given.pop("broken_feed", None), given.pop("broken_dose_feed", None))
    if given.keys() & (DOSE_TABLES.keys() | CHECK_IN_TABLES.keys()):
        give_instant(evaluator, instant, zones)
    give_tables(evaluator, given)


def give_tables(evaluator: Evaluator, inputs: Mapping[str, Any]) -> None:
    """Gives tables to an evaluator that knows the instant of evaluation, where it is needed."""
    given = {name: table for name, table in inputs.items() if table is not None}
    if given.keys() & DOSE_TABLES.keys() and not {"medications", "schedules"} <= given.keys():
        raise VigilError(1, "doses go together with medications and schedules; give all three")
    for name, number in TABLES.items():
        if name in given:
            evaluator._push(number, given[name])


class DoseTables(NamedTuple):
    """Doses and what they need, as `adherence` describes them."""

    doses: Any = None
    medications: Any = None
    schedules: Any = None
    timezone_events: Any = None
    schedule_adjustments: Any = None

    @property
    def inputs(self) -> Inputs:
        return {
            "doses": self.doses, "medications": self.medications, "schedules": self.schedules,
            "timezone_events": self.timezone_events,
            "schedule_adjustments": self.schedule_adjustments}


def give_instant(
    evaluator: Evaluator, evaluated_at: Instant | None, zones: str | os.PathLike[str] | None
) -> None:
    """Sets what doses and check-ins need."""
    call("vigil_set_evaluated_at", evaluator._pointer, _microseconds(evaluated_at))
    folder = zones if zones is not None else _zone_folder()
    if folder is not None:
        call("vigil_set_zones", evaluator._pointer, os.fsencode(folder))


def give_broken_days(
    evaluator: Evaluator, feed: Sequence[Date] | None, dose_feed: Sequence[Date] | None
) -> None:
    """Sets the days on which a feed was broken; before the observations. None for those that the rows show."""
    for table, days in ((OBSERVATIONS, feed), (DOSES, dose_feed)):
        if days is None:
            continue
        numbers = ordinals(days)
        array = (ctypes.c_int32 * len(numbers))(*numbers)
        call("vigil_set_broken_days", evaluator._pointer, table, array, len(numbers))


class UnusableRowsWarning(UserWarning):
    """Rows were left out; `rows` is a table of them, with their table, reason and key."""

    def __init__(self, message: str, rows: Table) -> None:
        super().__init__(message)
        self.rows = rows


def warn_of_unusable_rows(evaluator: Evaluator, stacklevel: int) -> None:
    rows = evaluator._take(UNUSABLE)
    if rows.num_rows > 0:
        message = "rows were left out; the attribute rows of this warning has them and the reasons"
        warnings.warn(UnusableRowsWarning(message, rows), stacklevel=stacklevel)


def end_of(day: datetime.date) -> datetime.datetime:
    """The instant at which a day ends (UTC)."""
    return datetime.datetime.combine(
        day, datetime.time(), datetime.timezone.utc) + datetime.timedelta(days=1)


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
