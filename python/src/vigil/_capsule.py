"""The Arrow PyCapsule interface: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html"""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_void_p, py_object

from ._library import ArrowArrayStream

_api = ctypes.pythonapi

_get_pointer = ctypes.PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", _api))
# For a capsule that is being destroyed, which must not become an object of Python again.
_get_pointer_of_dying = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(
    ("PyCapsule_GetPointer", _api)
)
_Destructor = ctypes.PYFUNCTYPE(None, c_void_p)
_new = ctypes.PYFUNCTYPE(py_object, c_void_p, c_char_p, _Destructor)(("PyCapsule_New", _api))

_STREAM = b"arrow_array_stream"
# Streams in capsules that are not destroyed yet, by address.
_exported: dict[int, ArrowArrayStream] = {}


def stream_pointer(capsule: object) -> int:
    """The address of the stream in a capsule of `__arrow_c_stream__`."""
    return int(_get_pointer(capsule, _STREAM))


def array_pointers(schema: object, array: object) -> tuple[int, int]:
    """The addresses in the two capsules of `__arrow_c_array__`."""
    return int(_get_pointer(schema, b"arrow_schema")), int(_get_pointer(array, b"arrow_array"))


@_Destructor
def _destroy(capsule: int) -> None:
    stream = _exported.pop(_get_pointer_of_dying(capsule, _STREAM), None)
    # A consumer that moved the stream has cleared this function.
    if stream is not None and stream.release:
        stream.release(ctypes.byref(stream))


def capsule_of(stream: ArrowArrayStream) -> object:
    """A capsule that owns the stream."""
    address = ctypes.addressof(stream)
    _exported[address] = stream
    return _new(address, _STREAM, _destroy)
