"""Reads result streams without another package: the types that the library's tables have."""

from __future__ import annotations

import ctypes
import datetime
from collections.abc import Iterator
from ctypes import POINTER, c_double, c_int32, c_uint8, c_void_p
from typing import Any

from ._library import ArrowArray, ArrowArrayStream, ArrowSchema

Row = tuple[Any, ...]


def column_names(stream: ArrowArrayStream) -> list[str]:
    return [name for name, _ in _columns(stream)]


def _columns(stream: ArrowArrayStream) -> list[tuple[str, str]]:
    """The names and formats of the columns."""
    schema = ArrowSchema()
    stream.get_schema(ctypes.byref(stream), ctypes.byref(schema))
    children = ctypes.cast(schema.children, POINTER(POINTER(ArrowSchema)))
    columns = [
        (children[index].contents.name.decode(), children[index].contents.format.decode())
        for index in range(schema.n_children)]
    schema.release(ctypes.byref(schema))
    return columns


def batch_lengths(stream: ArrowArrayStream) -> Iterator[int]:
    for batch in _batches(stream):
        yield batch.length


def rows(stream: ArrowArrayStream) -> Iterator[Row]:
    formats = [format for _, format in _columns(stream)]
    for batch in _batches(stream):
        children = ctypes.cast(batch.children, POINTER(POINTER(ArrowArray)))
        values = [
            _values(children[index].contents, format) for index, format in enumerate(formats)]
        yield from zip(*values)


def _batches(stream: ArrowArrayStream) -> Iterator[ArrowArray]:
    """The batches, each of which is released when the next one is asked for."""
    try:
        batch = ArrowArray()
        while stream.get_next(ctypes.byref(stream), ctypes.byref(batch)) == 0 and batch.release:
            try:
                yield batch
            finally:
                batch.release(ctypes.byref(batch))
    finally:
        stream.release(ctypes.byref(stream))


def _values(array: ArrowArray, format: str) -> Iterator[Any]:
    """The values of a column, None for null; columns of results begin at the first element of their buffers."""
    buffers = ctypes.cast(array.buffers, POINTER(c_void_p))
    validity = ctypes.cast(buffers[0], POINTER(c_uint8)) if buffers[0] else None
    value = _reader(buffers, format)
    for row in range(array.length):
        is_null = validity is not None and not validity[row >> 3] >> (row & 7) & 1
        yield None if is_null else value(row)


def _reader(buffers: Any, format: str) -> Any:
    if format == "u":
        ends = ctypes.cast(buffers[1], POINTER(c_int32))
        start = buffers[2] or 0
        return lambda row: ctypes.string_at(start + ends[row], ends[row + 1] - ends[row]).decode()
    if format == "b":
        bits = ctypes.cast(buffers[1], POINTER(c_uint8))
        return lambda row: bool(bits[row >> 3] >> (row & 7) & 1)
    if format == "g":
        numbers = ctypes.cast(buffers[1], POINTER(c_double))
        return lambda row: numbers[row]
    integers = ctypes.cast(buffers[1], POINTER(c_int32))
    if format == "i":
        return lambda row: integers[row]
    if format == "tdD":
        epoch = datetime.date(1970, 1, 1).toordinal()
        return lambda row: datetime.date.fromordinal(epoch + integers[row])
    raise AssertionError(f"a result has Arrow's format {format}")
