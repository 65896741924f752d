"""Random record batches with random damage: each is taken or refused, and the process goes on.

The C data interface does not say how large a buffer is. Damage therefore never makes a length or an offset of a
text larger than its buffer, which no reader could see.
"""

import ctypes
import datetime
import os
import random

import pyarrow
import pytest

import vigil
from test_arrow_faults import Exported
from vigil._evaluator import Evaluator
from vigil._library import call

SEEDS = range(1_500 if os.environ.get("VIGIL_LONG_TESTS") else 100)
BATCHES_OF_A_SEED = 10
ROWS = 12

PERSON, DAY = ("person", "text"), ("date", "day")
TABLES = [
    [PERSON, DAY, ("source", "text"), ("steps", "number"), ("hrv_ms", "number"), ("note", "text")],
    [PERSON, DAY],
    [("id", "text"), PERSON, ("start_date", "day"), ("end_date", "day"), ("is_active", "flag")],
    [("id", "text"), ("medication_id", "text"), ("type", "type"), ("reference_timezone", "zone"),
     ("start_date", "day"), ("time_based_times", "times"), ("interval_based_hours", "number"),
     ("interval_based_first_dose_time", "instant"), ("as_needed_max_doses_per_day", "number")],
    [("id", "text"), ("medication_id", "text"), ("schedule_id", "text"), ("status", "status"),
     ("recorded_timezone", "zone"), ("scheduled_time", "instant"), ("actual_time", "instant"),
     ("created_at", "instant")],
    [("id", "text"), PERSON, ("previous_timezone", "zone"), ("new_timezone", "zone"),
     ("transition_time", "instant"), ("user_confirmed", "flag")],
    [("timezone_event_id", "text"), ("schedule_id", "text"), ("strategy", "strategy"),
     ("new_times", "times")],
    [PERSON, ("birth_date", "day")],
    [PERSON, ("score_date", "day"), ("total_score", "number"), ("source", "text")],
    [PERSON, ("first_day", "day"), ("last_day", "day"), ("metric_type", "text")],
    [PERSON, ("checked_in_at", "instant")],
    [PERSON, ("interval_minutes", "number"), ("grace_minutes", "number"), ("starts_at", "instant")],
    [PERSON, ("timezone", "zone")],
]
WORDS = {
    "text": ["a", "b", "anna", "", "a name of more than 12 bytes", "\u00e4\u20ac\U0001f600", "7"],
    "type": ["timeBased", "intervalBased", "asNeeded", "never"],
    "zone": ["Europe/Berlin", "UTC", "GMT+3", "Europe/Nowhere", "../../etc/passwd", ""],
    "times": ['["08:00"]', "[]", '["24:00"]', "{", '["08:00","20:00"]', "[" * 999, ""],
    "status": ["taken", "skipped", "missed", "plannedSkip", "eaten"],
    "strategy": ["keepLocalTime", "keepAbsoluteTime", "gradualShift", "custom", "none"],
}
DATES = [datetime.date(2026, 6, day) for day in range(1, 31)]
FORMATS = [
    b"u", b"U", b"vu", b"g", b"f", b"e", b"l", b"i", b"s", b"c", b"b", b"n", b"tdD", b"tdm", b"tss:",
    b"tsu:UTC", b"tsn:", b"+s", b"+l", b"z", b"", b"\xff", None]


def texts(choose, kind):
    values = [choose.choice(WORDS[kind]) for _ in range(ROWS)]
    if choose.random() < 0.3:
        values[choose.randrange(ROWS)] = None
    array = pyarrow.array(values, pyarrow.string())
    return choose.choice([
        lambda: array, lambda: array.cast(pyarrow.large_string()),
        lambda: array.cast(pyarrow.string_view()), lambda: array.dictionary_encode()])()


def column(choose, kind):
    if kind in WORDS:
        return texts(choose, kind)
    if kind == "number":
        number = pyarrow.array([
            choose.choice([0, 1, -1, 1e300, float("nan"), float("inf"), 8000, None, 0.5])
            for _ in range(ROWS)], pyarrow.float64())
        return choose.choice([
            lambda: number, lambda: number.cast(pyarrow.float32()),
            lambda: pyarrow.array([choose.randrange(-128, 128) for _ in range(ROWS)], pyarrow.int8()),
            lambda: pyarrow.array([choose.getrandbits(64) for _ in range(ROWS)], pyarrow.uint64()),
            lambda: pyarrow.nulls(ROWS)])()
    if kind == "flag":
        return pyarrow.array([choose.choice([True, False, None]) for _ in range(ROWS)])
    if kind == "day":
        days = pyarrow.array([choose.choice(DATES) for _ in range(ROWS)])
        return choose.choice([
            lambda: days, lambda: days.cast(pyarrow.date64()), lambda: days.cast(pyarrow.string()),
            lambda: pyarrow.array([choose.getrandbits(31) for _ in range(ROWS)], pyarrow.int32())
            .cast(pyarrow.date32())])()
    instants = [choose.choice([0, 1_780_000_000, 1 << 62, -(1 << 62), None]) for _ in range(ROWS)]
    unit = choose.choice(["s", "ms", "us", "ns"])
    return pyarrow.array(instants, pyarrow.int64()).cast(pyarrow.timestamp(unit, "UTC"))


def batch_of(choose, table):
    columns = [(name, column(choose, kind)) for name, kind in TABLES[table]]
    choose.shuffle(columns)
    if choose.random() < 0.2:
        columns.pop()
    names, arrays = zip(*columns)
    batch = pyarrow.record_batch(list(arrays), names=list(names))
    # Slices have an offset, which is within the buffers.
    return batch.slice(choose.randrange(3), choose.randrange(ROWS))


def damaged_bytes(choose, structure, schema):
    """Changes bytes of a buffer; of offsets of texts only within what their bytes allow."""
    buffers = ctypes.cast(structure.buffers, ctypes.POINTER(ctypes.c_void_p))
    present = [index for index in range(structure.n_buffers) if buffers[index]]
    if not present or structure.length == 0:
        return lambda: None
    index = choose.choice(present)
    size = {b"b": 0, b"u": 4, b"U": 8, b"vu": 16}.get(schema.format, 1)
    place = structure.offset + choose.randrange(structure.length)
    address = buffers[index] + (place * size if index == 1 else place // 8 if index == 0 else 0)
    if index == 1 and schema.format in (b"u", b"U"):
        kind = ctypes.c_int32 if size == 4 else ctypes.c_int64
        cell = kind.from_address(address)
        before, value = cell.value, choose.choice([-1, -(1 << 31), 0, cell.value - 1])
    else:
        cell = ctypes.c_uint8.from_address(address)
        before, value = cell.value, choose.getrandbits(8)
    cell.value = value

    def restore():
        cell.value = before

    return restore


def damage(choose, exported):
    """Changes bytes, and then a field of the structures; returns how to undo it, in order."""
    undone = []
    for _ in range(choose.randrange(3) if exported.array.n_children else 0):
        index = choose.randrange(exported.array.n_children)
        undone.append(damaged_bytes(
            choose, exported.child(exported.array, index), exported.child(exported.schema, index)))
    if choose.random() < 0.6:
        undone.append(damaged_field(choose, exported))
    return undone


def damaged_field(choose, exported):
    index = choose.choice([None, *range(exported.array.n_children)])
    schema, array = exported.schema, exported.array
    if index is not None:
        schema, array = exported.child(schema, index), exported.child(array, index)
    structure, field, value = choose.choice([
        (schema, "format", choose.choice(FORMATS)),
        (schema, "name", choose.choice([None, b"", b"person", b"steps", b"\xff\xfe"])),
        (array, "length", choose.choice([0, -1, max(array.length - 1, 0), 1 << 62])),
        (array, "offset", choose.choice([0, -1, 1 << 62])),
        (array, "n_buffers", choose.choice([0, 1, -1])),
        (array, "n_children", choose.choice([0, -1, 1 << 62])),
        (array, "buffers", None), (array, "children", None), (schema, "children", None),
        (array, "dictionary", None), (schema, "dictionary", None),
        (schema, "n_children", choose.choice([0, -1, 1 << 62])),
    ])
    if field == "format" and not fits(schema.format, value):
        return lambda: None
    before = getattr(structure, field)
    setattr(structure, field, value)
    return lambda: setattr(structure, field, before)


def fits(before, after):
    """Whether a buffer of one type is large enough for another, so that only the type is wrong."""
    def width(kind):
        widths = {
            b"g": 8, b"l": 8, b"L": 8, b"tdm": 8, b"f": 4, b"i": 4, b"tdD": 4, b"e": 2, b"s": 2,
            b"c": 1, b"b": 0, b"n": 0}
        return 8 if kind[:2] == b"ts" else widths.get(kind)

    if after in (b"u", b"U", b"vu"):
        return False
    if after is None or width(after) is None:
        return True
    return width(before) is not None and width(before) >= width(after)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_batches_are_taken_or_refused(seed):
    choose = random.Random(seed)
    evaluator = Evaluator("v3", "2026-06-01", "2026-06-30")
    call("vigil_set_evaluated_at", evaluator._pointer, 1_783_000_000_000_000)
    call("vigil_set_scores", evaluator._pointer, None, 0, b"vitality.v2")
    call("vigil_set_keeps_alerts", evaluator._pointer, 1)
    call("vigil_set_adherence", evaluator._pointer, 1)
    for _ in range(BATCHES_OF_A_SEED):
        table = choose.randrange(len(TABLES))
        exported = Exported(batch_of(choose, table))
        restore = damage(choose, exported)
        try:
            call(
                "vigil_push", evaluator._pointer, table, ctypes.addressof(exported.schema),
                ctypes.addressof(exported.array))
        except vigil.VigilError as refusal:
            # Also the message of broken text is text.
            assert str(refusal) and refusal.status in (1, 3)
        finally:
            for undo in reversed(restore):
                undo()
            exported.release()
    try:
        evaluator._finish()
    except vigil.VigilError as refusal:
        assert "two rows of" in str(refusal)
    for table in range(7):
        if table != 1:
            pyarrow.table(evaluator._take(table)).validate(full=True)
    evaluator.close()
