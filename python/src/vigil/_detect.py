"""Detection: `detect` for a whole table, `Detector` for rows that come in parts."""

from __future__ import annotations

import ctypes
import datetime
import json
import os
from collections.abc import Iterator, Mapping
from ctypes import c_void_p
from typing import Any, Union

from ._capsule import array_pointers, stream_pointer
from ._library import (
    DAYS,
    EPISODES,
    OBSERVATIONS,
    WORKOUTS,
    ArrowArrayStream,
    VigilError,
    call,
    close,
    profile_id,
)
from ._table import Table

Profile = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""A shipped profile (`v1`, `v2`, `v3`, `v3-strict`), the path of a thresholds file, or its content."""

Date = Union[datetime.date, str]

_EPOCH = datetime.date(1970, 1, 1).toordinal()


def detect(
    data: Any,
    profile: Profile = "v3",
    *,
    workouts: Any = None,
    since: Date | None = None,
    until: Date | None = None,
    together: bool = False,
) -> Table:
    """Finds the episodes of people: what `vigil backfill` finds that starts with an empty database.

    `data` has a row for each person, date and source, in columns `person`, `date`, `source` (may be missing)
    and one for each metric; `user_id` and `metric_date` are known too. It is anything with
    `__arrow_c_stream__` (pyarrow, polars, duckdb, pandas from 2.2 on), or the path of a Parquet file or
    folder. `workouts` has columns `person` and `date`.

    All days of the data are evaluated, or those from `since` to `until`, which go together. Where the rows of each person follow
    each other, `together=True` keeps few people in memory; it needs both days.

    >>> alerts = vigil.detect(sample, profile="v1", since="2026-03-03", until="2026-06-20")
    >>> alerts.to_arrow().schema.names[:4]
    ['person', 'id', 'event_id', 'profile']
    """
    with Detector(profile, since=since, until=until, together=together) as detector:
        if workouts is not None:
            detector.push_workouts(workouts)
        detector.push(data)
        detector.finish()
        return detector.episodes()


class Detector:
    """Takes rows in parts, evaluates people, and gives the episodes found so far.

    Belongs to one thread at a time; calls of others wait.

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
        profile: Profile = "v3",
        *,
        since: Date | None = None,
        until: Date | None = None,
        together: bool = False,
        explain_days: bool = False,
    ) -> None:
        self._evaluator = _open(profile)
        try:
            if (since is None) != (until is None):
                raise VigilError(1, "since and until go together; give both or none")
            if since is not None and until is not None:
                call("vigil_set_days", self._evaluator, _ordinal(since), _ordinal(until))
            if together:
                call("vigil_set_together", self._evaluator, 1)
            if explain_days:
                call("vigil_set_explains_days", self._evaluator, 1)
        except BaseException:
            self.close()
            raise

    @property
    def profile_id(self) -> str:
        """The version of the profile and the beginning of its digest.

        >>> vigil.Detector("v1").profile_id.split("@")[0]
        'v1'
        """
        return profile_id(self._pointer)

    def push(self, data: Any) -> None:
        """Takes observations, as `detect` describes them."""
        _push(self._pointer, OBSERVATIONS, data)

    def push_workouts(self, data: Any) -> None:
        """Takes days of workouts, in columns `person` and `date`; before the person is evaluated."""
        _push(self._pointer, WORKOUTS, data)

    def finish(self, person: str | None = None) -> None:
        """Evaluates one person, whose rows have all come, or all people that wait."""
        if person is None:
            call("vigil_finish", self._pointer)
        else:
            name = person.encode()
            call("vigil_finish_person", self._pointer, name, len(name))

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

    def _take(self, table: int) -> Table:
        stream = ArrowArrayStream()
        call("vigil_take", self._pointer, table, ctypes.byref(stream))
        return Table(stream)

    def close(self) -> None:
        """Gives the memory back; results that were taken stay."""
        evaluator, self._evaluator = getattr(self, "_evaluator", None), None
        if evaluator is not None:
            close(evaluator)

    @property
    def _pointer(self) -> c_void_p:
        if self._evaluator is None:
            raise VigilError(4, "the detector is closed")
        return self._evaluator

    def __enter__(self) -> Detector:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


def _open(profile: Profile) -> c_void_p | None:
    evaluator = c_void_p()
    if isinstance(profile, Mapping):
        content, name = json.dumps(dict(profile)).encode(), "profile"
    elif isinstance(profile, str) and not profile.endswith(".json"):
        call("vigil_open_profile", profile.encode(), ctypes.byref(evaluator))
        return evaluator
    else:
        name = os.fspath(profile)
        with open(name, "rb") as file:
            content = file.read()
    call("vigil_open", content, len(content), name.encode(), ctypes.byref(evaluator))
    return evaluator


def _ordinal(date: Date) -> int:
    if isinstance(date, str):
        date = datetime.date.fromisoformat(date)
    return date.toordinal() - _EPOCH


def _push(evaluator: c_void_p, table: int, data: Any) -> None:
    if isinstance(data, (str, os.PathLike)):
        data = _parquet(data)
    if hasattr(data, "__arrow_c_stream__"):
        capsule = data.__arrow_c_stream__()
        call("vigil_push_stream", evaluator, table, stream_pointer(capsule))
    elif hasattr(data, "__arrow_c_array__"):
        schema, array = data.__arrow_c_array__()
        call("vigil_push", evaluator, table, *array_pointers(schema, array))
    else:
        raise TypeError(
            f"{type(data).__name__} gives no Arrow data; use a table of pyarrow, polars (collected), "
            "duckdb or pandas 2.2 and later, or the path of a Parquet file or folder"
        )


def _parquet(path: str | os.PathLike[str]) -> Any:
    try:
        import pyarrow
        import pyarrow.dataset
    except ImportError as error:
        raise ImportError("reading Parquet needs pyarrow: pip install pyarrow") from error
    dataset = pyarrow.dataset.dataset(os.fspath(path), format="parquet")

    def batches() -> Iterator[Any]:
        # One row group after the other, as a scan of the whole would read many ahead.
        for fragment in dataset.get_fragments():
            for group in fragment.split_by_row_group():
                yield from group.to_batches(schema=dataset.schema, batch_size=32_768)

    return pyarrow.RecordBatchReader.from_batches(dataset.schema, batches())
