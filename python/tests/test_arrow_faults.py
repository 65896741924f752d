"""Structures of Arrow's C data interface that are wrong: each is refused, and the process goes on."""

import ctypes
import datetime

import pyarrow
import pytest

import vigil
from vigil._library import ArrowArray, ArrowSchema, call

BATCH = pyarrow.record_batch({
    "person": pyarrow.array(["anna"] * 8),
    "date": pyarrow.array([datetime.date(2026, 5, day) for day in range(1, 9)]),
    "steps": pyarrow.array([8000.0] * 8)})
PERSON, DATE, STEPS = range(3)
BIG = 1 << 62


class Exported:
    """A batch in structures of C, whose fields can be changed and are restored."""

    def __init__(self, batch):
        self.array, self.schema = ArrowArray(), ArrowSchema()
        batch._export_to_c(ctypes.addressof(self.array), ctypes.addressof(self.schema))

    def child(self, structure, index):
        kind = type(structure)
        pointers = ctypes.cast(structure.children, ctypes.POINTER(ctypes.POINTER(kind)))
        return pointers[index].contents

    def push(self, detector):
        call(
            "vigil_push", detector._pointer, 0, ctypes.addressof(self.schema),
            ctypes.addressof(self.array))

    def release(self):
        self.array.release(ctypes.byref(self.array))
        self.schema.release(ctypes.byref(self.schema))


@pytest.mark.parametrize("is_schema, index, field, value", [
    (True, None, "format", b"+l"), (True, None, "format", None), (True, None, "n_children", 2),
    (True, None, "n_children", -1), (False, None, "n_children", BIG), (False, None, "length", -1),
    (False, None, "length", 9), (False, None, "length", BIG), (False, None, "offset", 1),
    (False, None, "offset", BIG), (False, None, "offset", -1), (True, None, "children", None),
    (False, None, "children", None),
    *((False, child, "length", value) for child in range(3) for value in [7, -1, BIG]),
    *((False, child, "offset", value) for child in range(3) for value in [-1, BIG]),
    *((False, child, "n_buffers", value) for child in range(3) for value in [0, 1, -1]),
    *((False, child, "buffers", None) for child in range(3)),
    *((True, PERSON, "format", value) for value in [b"", b"zz", b"vu", b"+s", None]),
    *((True, DATE, "format", value) for value in [b"", b"tdX", b"ts", b"ttm", None]),
    *((True, STEPS, "format", value) for value in [b"", b"d:38,2", b"+l", None]),
])
def test_a_wrong_structure_is_refused(is_schema, index, field, value):
    exported = Exported(BATCH)
    whole = exported.schema if is_schema else exported.array
    structure = whole if index is None else exported.child(whole, index)
    before = getattr(structure, field)
    setattr(structure, field, value)
    try:
        with vigil.Detector("v1") as detector, pytest.raises(vigil.VigilError) as refusal:
            exported.push(detector)
        assert refusal.value.status == 3
    finally:
        setattr(structure, field, before)
        exported.release()


@pytest.mark.parametrize("offsets", [[0, -4], [0, 8, 4], [0, 1 << 30], [0, 4, -(1 << 31)]])
def test_offsets_that_fall_are_refused_before_a_byte_is_read(offsets):
    wrong = (ctypes.c_int32 * 9)(*offsets, *[32] * (9 - len(offsets)))
    text = pyarrow.array(["anna"] * 8).buffers()[2]
    persons = pyarrow.Array.from_buffers(
        pyarrow.string(), 8, [None, pyarrow.py_buffer(bytes(wrong)), text])
    batch = pyarrow.record_batch([persons, BATCH["date"], BATCH["steps"]], names=BATCH.schema.names)
    with vigil.Detector("v1") as detector, pytest.raises(vigil.VigilError, match="offsets"):
        detector.push(batch)


@pytest.mark.parametrize("index", [-1, 2, 100, 1 << 30])
def test_an_index_outside_its_dictionary_is_refused(index):
    indices = pyarrow.array([0, 1, index, 0, 0, 0, 0, 0], pyarrow.int32())
    persons = pyarrow.DictionaryArray.from_arrays(indices, ["anna", "berta"], safe=False)
    batch = pyarrow.record_batch([persons, BATCH["date"], BATCH["steps"]], names=BATCH.schema.names)
    with vigil.Detector("v1") as detector, pytest.raises(vigil.VigilError, match="index"):
        detector.push(batch)


@pytest.mark.parametrize("word, value", [(0, -1), (2, 1), (2, -1), (3, -1), (3, 1 << 30)])
def test_a_view_outside_its_buffers_is_refused(word, value):
    persons = pyarrow.array(["a name of more than 12 bytes"] * 8, pyarrow.string_view())
    views = (ctypes.c_int32 * 32).from_buffer_copy(persons.buffers()[1].to_pybytes()[:128])
    views[8 + word] = value
    _, _, *data = persons.buffers()
    wrong = pyarrow.Array.from_buffers(
        pyarrow.string_view(), 8, [None, pyarrow.py_buffer(bytes(views)), *data])
    batch = pyarrow.record_batch([wrong, BATCH["date"], BATCH["steps"]], names=BATCH.schema.names)
    with vigil.Detector("v1") as detector, pytest.raises(vigil.VigilError, match="view outside"):
        detector.push(batch)


@pytest.mark.parametrize("table", [-1, 15, 99])
def test_an_unknown_table_is_refused(table):
    exported = Exported(BATCH)
    with vigil.Detector("v1") as detector, pytest.raises(vigil.VigilError, match="no table"):
        call(
            "vigil_push", detector._pointer, table, ctypes.addressof(exported.schema),
            ctypes.addressof(exported.array))
    exported.release()


def test_null_pointers_are_refused():
    with vigil.Detector("v1") as detector:
        for name, arguments in [
            ("vigil_push", (detector._pointer, 0, None, None)),
            ("vigil_push_stream", (detector._pointer, 0, None)),
            ("vigil_take", (detector._pointer, 0, None)),
            ("vigil_finish_person", (detector._pointer, None, 0)),
            ("vigil_finish", (None,)), ("vigil_set_days", (None, 0, 0)),
            ("vigil_open", (None, 0, None, None)), ("vigil_open_profile", (None, None)),
        ]:
            with pytest.raises(vigil.VigilError, match="is NULL") as refusal:
                call(name, *arguments)
            assert refusal.value.status == 1


def test_a_released_batch_is_refused():
    exported = Exported(BATCH)
    exported.release()
    with vigil.Detector("v1") as detector, pytest.raises(vigil.VigilError, match="released before"):
        exported.push(detector)
