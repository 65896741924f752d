"""Warnings about observations that can be read and look wrong."""

from __future__ import annotations

import difflib
import warnings

from ._evaluator import Evaluator
from ._library import NOTES

COLUMNS = (
    "steps", "sleep_minutes", "hrv_ms", "resting_hr", "sleep_efficiency_pct", "movement_minutes",
    "deep_sleep_minutes", "rem_sleep_minutes", "light_sleep_minutes", "awake_minutes",
    "active_calories", "breathing_rate", "spo2_avg_pct", "skin_temperature_c", "worn_minutes",
)
"""The columns of numbers that Vigil knows."""


class DataWarning(UserWarning):
    """Something about the observations looks wrong, such as a column that is not read or hours in place of minutes."""


def warn_of_notes(evaluator: Evaluator, stacklevel: int) -> None:
    for column, note, rows in evaluator._take(NOTES).rows():
        warnings.warn(DataWarning(_words(str(column), str(note), rows)), stacklevel=stacklevel)


def _words(column: str, note: str, rows: object) -> str:
    values = f'{rows} value{"" if rows == 1 else "s"} of "{column}"'
    are, count = ("is", "counts") if rows == 1 else ("are", "count")
    if note == "not_read":
        return f'column "{column}" holds no numbers and is not read'
    if note == "not_finite":
        return f"{values} {are} infinite and {count} as missing"
    if note == "implausible":
        return f"{values} {are} negative or not plausible, and {count} as missing"
    if note == "hours":
        return f"all {values} are at most 24: are they hours? The column is in minutes; multiply by 60"
    known = difflib.get_close_matches(column.lower().replace(" ", "_"), COLUMNS, 1, 0.5)
    meant = f'; did you mean "{known[0]}"?' if known else ""
    return (
        f'column "{column}" is no metric that Vigil knows: its values only show that a device was worn{meant}')
