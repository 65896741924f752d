"""An evaluator of the C library: what `Detector` and the functions have in common."""

from __future__ import annotations

import ctypes
import datetime
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from ctypes import c_void_p
from typing import Any, NamedTuple, Union

from ._capsule import array_pointers, stream_pointer
from ._library import ArrowArrayStream, VigilError, call, close, profile_id
from ._table import Table

Profile = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""A shipped profile (`v1`, `v2`, `v3`, `v3-strict`, `v3-plus`), the path of a thresholds file, or its content."""

Date = Union[datetime.date, str]


class Settings(NamedTuple):
    """A settings file that was read: other machines need not have it."""

    name: str
    content: bytes | None
    """The bytes of the file; None for a shipped one."""


_EPOCH = datetime.date(1970, 1, 1).toordinal()


class Evaluator:
    """Owns an evaluator of the C library. One thread at a time uses it; calls of others wait."""

    def __init__(self, profile: Profile | Settings, since: Date | None, until: Date | None) -> None:
        self._evaluator = _open(profile)
        try:
            if (since is None) != (until is None):
                raise VigilError(1, "since and until go together; give both or none")
            if since is not None and until is not None:
                call("vigil_set_days", self._evaluator, ordinal(since), ordinal(until))
        except BaseException:
            self.close()
            raise

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

    def _profile_id(self) -> str:
        return profile_id(self._pointer)

    def _push(self, table: int, data: Any) -> None:
        _push(self._pointer, table, data)

    def _finish(self, person: str | None = None) -> None:
        if person is None:
            call("vigil_finish", self._pointer)
        else:
            name = person.encode()
            call("vigil_finish_person", self._pointer, name, len(name))

    def _take(self, table: int) -> Table:
        stream = ArrowArrayStream()
        call("vigil_take", self._pointer, table, ctypes.byref(stream))
        return Table(stream)

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


def _open(profile: Profile | Settings) -> c_void_p | None:
    evaluator = c_void_p()
    name, content = settings_of(profile)
    if content is None:
        call("vigil_open_profile", name.encode(), ctypes.byref(evaluator))
    else:
        call("vigil_open", content, len(content), name.encode(), ctypes.byref(evaluator))
    return evaluator


def settings_of(profile: Profile | Settings) -> Settings:
    """Reads the settings file of a profile or of scores."""
    if isinstance(profile, Settings):
        return profile
    if isinstance(profile, Mapping):
        return Settings("profile", json.dumps(dict(profile)).encode())
    if isinstance(profile, str) and not profile.endswith(".json"):
        return Settings(profile, None)
    name = os.fspath(profile)
    with open(name, "rb") as file:
        return Settings(name, file.read())


def date_of(date: Date) -> datetime.date:
    return datetime.date.fromisoformat(date) if isinstance(date, str) else date


def ordinal(date: Date) -> int:
    return date_of(date).toordinal() - _EPOCH


def ordinals(dates: Sequence[Date]) -> list[int]:
    # A text is a sequence of texts, and would be one of letters.
    if isinstance(dates, str):
        raise TypeError(f"a list of dates is wanted, such as [{dates!r}]")
    return [ordinal(date) for date in dates]


def _push(evaluator: c_void_p, table: int, data: Any) -> None:
    if isinstance(data, (str, os.PathLike)):
        data = _parquet(data)
    # A batch of pyarrow has both, and its stream leaves out batches without rows, whose columns are then not checked.
    if hasattr(data, "__arrow_c_array__"):
        schema, array = data.__arrow_c_array__()
        call("vigil_push", evaluator, table, *array_pointers(schema, array))
    elif hasattr(data, "__arrow_c_stream__"):
        capsule = data.__arrow_c_stream__()
        call("vigil_push_stream", evaluator, table, stream_pointer(capsule))
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

    return pyarrow.RecordBatchReader.from_batches(dataset.schema, _read_ahead(batches()))


def _read_ahead(batches: Iterator[Any]) -> Iterator[Any]:
    """The same, the next one read while the last one is used."""
    with ThreadPoolExecutor(1) as reader:
        following = reader.submit(next, batches, None)
        while (batch := following.result()) is not None:
            following = reader.submit(next, batches, None)
            yield batch
