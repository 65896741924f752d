"""The C library, loaded by ctypes: `vigil.h` describes its functions."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char_p, c_int, c_int32, c_int64, c_size_t, c_void_p

OBSERVATIONS, WORKOUTS = 0, 1
MEDICATIONS, SCHEDULES, DOSES, TIMEZONE_EVENTS, SCHEDULE_ADJUSTMENTS = 2, 3, 4, 5, 6
BIRTH_DATES, OTHER_SCORES, LABELS = 7, 8, 9
CHECK_INS, CHECK_IN_PLANS, TIME_ZONES, SENSITIVITIES, PERSON_LIMITS = 10, 11, 12, 13, 14
EPISODES, DAYS, ADHERENCE, UNUSABLE, SCORES, INSIGHTS, EVALUATION, NOTES, BROKEN_DAYS = range(9)


class ArrowSchema(ctypes.Structure):
    pass


class ArrowArray(ctypes.Structure):
    pass


class ArrowArrayStream(ctypes.Structure):
    pass


SchemaRelease = ctypes.CFUNCTYPE(None, POINTER(ArrowSchema))
ArrayRelease = ctypes.CFUNCTYPE(None, POINTER(ArrowArray))
StreamRelease = ctypes.CFUNCTYPE(None, POINTER(ArrowArrayStream))

ArrowSchema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", c_void_p),
    ("dictionary", c_void_p),
    ("release", SchemaRelease),
    ("private_data", c_void_p),
]
ArrowArray._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", c_void_p),
    ("children", c_void_p),
    ("dictionary", c_void_p),
    ("release", ArrayRelease),
    ("private_data", c_void_p),
]
ArrowArrayStream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(c_int, POINTER(ArrowArrayStream), POINTER(ArrowSchema))),
    ("get_next", ctypes.CFUNCTYPE(c_int, POINTER(ArrowArrayStream), POINTER(ArrowArray))),
    ("get_last_error", ctypes.CFUNCTYPE(c_char_p, POINTER(ArrowArrayStream))),
    ("release", StreamRelease),
    ("private_data", c_void_p),
]


class VigilError(ValueError):
    """What Vigil cannot use: a profile, a column, a row or an order of calls.

    `status` is the number that `vigil.h` gives the kind of fault.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[type[VigilError], tuple[int, str]]:
        # Other processes raise it again.
        return VigilError, (self.status, str(self))


def _load() -> ctypes.CDLL:
    path = os.path.join(os.path.dirname(__file__), "libvigil.so.0")
    library = ctypes.CDLL(os.environ.get("VIGIL_LIBRARY_PATH", path))
    message = POINTER(c_void_p)
    status = {
        "vigil_open": [c_char_p, c_size_t, c_char_p, POINTER(c_void_p), message],
        "vigil_open_profile": [c_char_p, POINTER(c_void_p), message],
        "vigil_set_days": [c_void_p, c_int32, c_int32, message],
        "vigil_set_together": [c_void_p, c_int32, message],
        "vigil_set_explains_days": [c_void_p, c_int32, message],
        "vigil_set_columns": [c_void_p, POINTER(c_char_p), c_size_t, message],
        "vigil_set_scores": [c_void_p, c_char_p, c_size_t, c_char_p, message],
        "vigil_set_adherence": [c_void_p, c_int32, message],
        "vigil_set_keeps_alerts": [c_void_p, c_int32, message],
        "vigil_compare": [c_void_p, c_void_p, POINTER(ArrowArrayStream), message],
        "vigil_set_evaluated_at": [c_void_p, c_int64, message],
        "vigil_set_zones": [c_void_p, c_char_p, message],
        "vigil_set_broken_days": [c_void_p, c_int32, POINTER(c_int32), c_size_t, message],
        "vigil_push": [c_void_p, c_int32, c_void_p, c_void_p, message],
        "vigil_push_stream": [c_void_p, c_int32, c_void_p, message],
        "vigil_finish_person": [c_void_p, c_char_p, c_size_t, message],
        "vigil_finish": [c_void_p, message],
        "vigil_explain": [
            c_void_p, c_char_p, c_size_t, c_char_p, c_char_p, c_int32, POINTER(c_void_p), message],
        "vigil_explain_doses": [
            c_void_p, c_char_p, c_size_t, c_char_p, c_int32, POINTER(c_void_p), message],
        "vigil_draw": [
            c_void_p, c_char_p, c_size_t, c_char_p, c_char_p, c_int32, c_int32, POINTER(c_void_p),
            message],
        "vigil_take": [c_void_p, c_int32, POINTER(ArrowArrayStream), message],
        "vigil_repeat": [POINTER(ArrowArrayStream), POINTER(ArrowArrayStream), message],
    }
    for name, arguments in status.items():
        function = getattr(library, name)
        function.argtypes, function.restype = arguments, c_int32
    library.vigil_version.argtypes, library.vigil_version.restype = [], c_char_p
    library.vigil_profile_id.argtypes = [c_void_p]
    library.vigil_profile_id.restype = c_char_p
    library.vigil_close.argtypes, library.vigil_close.restype = [c_void_p], None
    library.vigil_free.argtypes, library.vigil_free.restype = [c_void_p], None
    return library


_library = _load()


def call(name: str, *arguments: object) -> None:
    """Calls a function that returns a status; raises `VigilError` for any but 0."""
    message = c_void_p()
    status = getattr(_library, name)(*arguments, ctypes.byref(message))
    if status == 0:
        return
    text = ctypes.cast(message, c_char_p).value or b""
    _library.vigil_free(message)
    raise VigilError(status, text.decode())


def document(name: str, *arguments: object) -> str:
    """Calls a function that gives a text."""
    text = c_void_p()
    call(name, *arguments, ctypes.byref(text))
    try:
        return (ctypes.cast(text, c_char_p).value or b"").decode()
    finally:
        _library.vigil_free(text)


def profile_id(evaluator: c_void_p) -> str:
    return str(_library.vigil_profile_id(evaluator).decode())


def close(evaluator: c_void_p) -> None:
    _library.vigil_close(evaluator)


def library_version() -> str:
    """The version of the library that is loaded.

    >>> vigil.library_version() == vigil.__version__
    True
    """
    return str(_library.vigil_version().decode())
