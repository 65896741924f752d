"""A row of observations as an Arrow record batch, without another package."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_double, c_int32, c_void_p
from typing import Any

from ._library import ArrayRelease, ArrowArray, ArrowSchema, SchemaRelease


@SchemaRelease
def _release_schema(schema: ctypes._Pointer[ArrowSchema]) -> None:
    """Does nothing: the object that made the batch owns its memory."""


@ArrayRelease
def _release_array(array: ctypes._Pointer[ArrowArray]) -> None:
    """Does nothing: the object that made the batch owns its memory."""


class Rows:
    """One row, with a person, a day since 1970-01-01 and the value of a metric. Lives as long as it is used."""

    def __init__(self, person: str, day: int, metric: str, value: float) -> None:
        name = person.encode()
        self._kept: list[object] = []
        columns = [
            self._column(b"person", b"u", (c_int32 * 2)(0, len(name)), ctypes.create_string_buffer(name)),
            self._column(b"date", b"tdD", (c_int32 * 1)(day)),
            self._column(metric.encode(), b"g", (c_double * 1)(value)),
        ]
        self._schema = ArrowSchema(format=b"+s", name=b"", release=_release_schema)
        self._array = ArrowArray(length=1, n_buffers=1, release=_release_array)
        schemas = (POINTER(ArrowSchema) * 3)(*(ctypes.pointer(schema) for schema, _ in columns))
        arrays = (POINTER(ArrowArray) * 3)(*(ctypes.pointer(array) for _, array in columns))
        buffers = (c_void_p * 1)(None)
        self._kept += [columns, schemas, arrays, buffers]
        self._schema.n_children = self._array.n_children = 3
        self._schema.children = ctypes.cast(schemas, c_void_p)
        self._array.children = ctypes.cast(arrays, c_void_p)
        self._array.buffers = ctypes.cast(buffers, c_void_p)

    def _column(
        self, name: bytes, format: bytes, *buffers: ctypes.Array[Any]
    ) -> tuple[ArrowSchema, ArrowArray]:
        schema = ArrowSchema(format=format, name=name, release=_release_schema)
        # Without a validity buffer no value is null.
        pointers = (c_void_p * (len(buffers) + 1))(None, *map(ctypes.addressof, buffers))
        array = ArrowArray(length=1, n_buffers=len(buffers) + 1, release=_release_array)
        array.buffers = ctypes.cast(pointers, c_void_p)
        self._kept += [name, format, buffers, pointers]
        return schema, array

    @property
    def pointers(self) -> tuple[object, object]:
        """The addresses of schema and batch, for `vigil_push`."""
        return ctypes.byref(self._schema), ctypes.byref(self._array)
