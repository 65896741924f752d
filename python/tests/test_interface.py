"""What the package takes and refuses, and what it says then."""

import datetime
import gc
import json
import multiprocessing
import pickle
import threading

import pyarrow
import pytest

import vigil
from comparison import FIRST, LAST, ROOT

DAYS = [datetime.date(2026, 5, 1) + datetime.timedelta(days=day) for day in range(28)]


def rows(**columns):
    table = {"person": ["anna"] * 28, "date": DAYS, "steps": [8000.0] * 22 + [2000.0] * 6}
    return pyarrow.table({**table, **columns})


def found(data, **options):
    return vigil.detect(data, profile="v1", **options).to_arrow()


EXPECTED = found(rows())


def test_there_is_an_episode():
    assert EXPECTED.select(["metric_type", "active_since"]).to_pylist() == [
        {"metric_type": "steps", "active_since": datetime.date(2026, 5, 21)}]


@pytest.mark.parametrize("kind", [
    pyarrow.float64(), pyarrow.float32(), pyarrow.float16(), pyarrow.int16(), pyarrow.uint16(),
    pyarrow.int32(), pyarrow.uint32(), pyarrow.int64(), pyarrow.uint64()])
def test_values_of_every_width_are_read(kind):
    steps = pyarrow.array([8000] * 22 + [2000] * 6, pyarrow.int64())
    if kind == pyarrow.float16():
        steps = steps.cast(pyarrow.float32())
    assert found(rows(steps=steps.cast(kind))).equals(EXPECTED)


@pytest.mark.parametrize("dates", [
    pyarrow.array(DAYS, pyarrow.date32()), pyarrow.array(DAYS, pyarrow.date64()),
    pyarrow.array([str(day) for day in DAYS]),
    pyarrow.array([str(day) for day in DAYS]).dictionary_encode(),
    *(pyarrow.array(DAYS).cast(pyarrow.timestamp(unit)) for unit in ["s", "ms", "us", "ns"])])
def test_dates_of_every_kind_are_read(dates):
    assert found(rows(date=dates)).equals(EXPECTED)


@pytest.mark.parametrize("persons", [
    pyarrow.array(["anna"] * 28, pyarrow.large_string()),
    pyarrow.array(["anna"] * 28, pyarrow.string_view()),
    pyarrow.array(["anna"] * 28).dictionary_encode()])
def test_texts_of_every_layout_are_read(persons):
    assert found(rows(person=persons)).equals(EXPECTED)


def test_persons_may_be_numbers_and_long_views():
    assert found(rows(person=[7] * 28)).column("person").to_pylist() == ["7"]
    name = "a person with a long name"
    persons = pyarrow.array([name] * 28, pyarrow.string_view())
    assert found(rows(person=persons)).column("person").to_pylist() == [name]


def test_slices_and_nulls_are_read():
    padded = pyarrow.concat_tables([rows(person=["berta"] * 28), rows(), rows(person=["c"] * 28)])
    assert found(padded.combine_chunks().slice(28, 28)).equals(EXPECTED)
    steps = [8000.0] * 10 + [None, float("nan")] + [8000.0] * 10 + [2000.0] * 6
    assert found(rows(steps=steps)).num_rows == 1


def test_the_names_of_csv_files_are_known():
    table = rows().rename_columns(["user_id", "metric_date", "steps"])
    assert found(table).equals(EXPECTED)


def test_an_empty_table_gives_no_rows():
    assert found(rows().slice(0, 0)).num_rows == 0
    assert found(rows().slice(0, 0)).schema.equals(EXPECTED.schema)


@pytest.mark.parametrize("data, words", [
    (rows().drop(["person"]), 'no column "person"'),
    (rows().drop(["date"]), 'no column "date"'),
    (rows().drop(["steps"]), "no column is a metric of the profile"),
    (rows(person=[None] + ["anna"] * 27), "the person of row 0 is missing"),
    (rows(person=["anna"] * 27 + [""]), "the person of row 27 is missing"),
    (rows(person=["an\0na"] * 28), "or a NUL, in row 0"),
    (rows(person=["a" * 1001] * 28), "has more than 1000 bytes"),
    (rows(person=[1.5] * 28), 'column "person" holds numbers; give texts'),
    (rows(date=[None] + DAYS[1:]), "is null in row 0"),
    (rows(date=["2026-02-30"] * 28), 'holds "2026-02-30" in row 0'),
    (rows(date=[1] * 28), "give dates"),
    (rows(date=[datetime.datetime(2026, 5, 1, 12)] * 28), "not midnight in row 0"),
    (rows(date=DAYS[:1] * 28), 'person "anna" has two rows of 2026-05-01'),
    (rows(date=[datetime.date(1, 1, 1)] + DAYS[1:]), "more than 40000"),
    (rows(steps=["many"] * 28), "a metric needs whole or floating-point numbers"),
    (rows(steps=pyarrow.array([DAYS[0]] * 28)), "a metric needs"),
    (pyarrow.table([["anna"], ["berta"], DAYS[:1], [1.0]], ["person", "person", "date", "steps"]),
     'there are 2 columns "person"'),
])
def test_bad_rows_are_refused_by_column_and_row(data, words):
    with pytest.raises(vigil.VigilError) as refusal:
        found(data)
    assert words in str(refusal.value)
    assert refusal.value.status == 3


def test_a_refused_batch_leaves_no_row():
    with vigil.Detector("v1") as detector:
        detector.push(rows())
        with pytest.raises(vigil.VigilError):
            detector.push(rows(person=["berta"] * 27 + [None]))
        detector.finish()
        assert detector.episodes().to_arrow().equals(EXPECTED)


def test_other_objects_are_no_data():
    with pytest.raises(TypeError, match="list gives no Arrow data"):
        found([1, 2])


def test_profiles_are_names_files_and_mappings():
    path = ROOT / "thresholds/v1.json"
    assert vigil.detect(rows(), profile=path).to_arrow().equals(EXPECTED)
    content = json.loads(path.read_text())
    by_content = vigil.detect(rows(), profile=content).to_arrow()
    # The digest is that of other bytes.
    assert by_content.column("active_since").equals(EXPECTED.column("active_since"))
    with pytest.raises(vigil.VigilError, match='no profile "v9"; there are v1, v2, v3, v3-strict'):
        vigil.detect(rows(), profile="v9")
    with pytest.raises(vigil.VigilError, match=r"\$\.metrics is missing|\$\.metrics: is missing"):
        vigil.detect(rows(), profile={"version": "mine"})


@pytest.mark.parametrize("text, words", [
    (b"", "cut short in line 1"), (b'{"version": "a", "version": "b"}', "stands twice"),
    (b"[" * 100_000, "within each other"), (b'{"version": "\xff"}', "mistyped in line 1, column 14")])
def test_a_profile_that_is_no_json_is_refused_with_its_place(tmp_path, text, words):
    file = tmp_path / "mine.json"
    file.write_bytes(text)
    with pytest.raises(vigil.VigilError, match=words) as refusal:
        vigil.detect(rows(), profile=file)
    assert refusal.value.status == 2


def test_calls_out_of_order_are_refused():
    with vigil.Detector("v1", since=FIRST, until=LAST, together=True) as detector:
        detector.push(rows())
        detector.push(rows(person=["berta"] * 28))
        with pytest.raises(vigil.VigilError, match='person "anna" comes again'):
            detector.push(rows())
    with vigil.Detector("v1", together=True) as detector:
        with pytest.raises(vigil.VigilError, match="call vigil_set_days first"):
            detector.push(rows())
    with vigil.Detector("v1") as detector:
        with pytest.raises(vigil.VigilError, match="call vigil_set_days first"):
            detector.finish("anna")
        with pytest.raises(vigil.VigilError, match="were not asked for"):
            detector.days()
    with pytest.raises(vigil.VigilError, match="is closed"):
        detector.push(rows())
    with pytest.raises(vigil.VigilError, match="go together"):
        vigil.detect(rows(), since=FIRST)
    with pytest.raises(vigil.VigilError, match="in their order"):
        vigil.detect(rows(), since=LAST, until=FIRST)


def test_a_failing_stream_says_why():
    def batches():
        yield rows().to_batches()[0]
        raise RuntimeError("the disk is gone")

    reader = pyarrow.RecordBatchReader.from_batches(rows().schema, batches())
    with pytest.raises(vigil.VigilError, match="the disk is gone"):
        found(reader)


def test_results_outlive_their_detector_and_can_be_read_again():
    detector = vigil.Detector("v1")
    detector.push(rows())
    detector.finish()
    table = detector.episodes()
    detector.close()
    capsule = table.__arrow_c_stream__()
    assert pyarrow.table(table).equals(EXPECTED)
    assert pyarrow.table(table).equals(EXPECTED)
    del capsule, table
    gc.collect()


def test_columns_are_those_that_are_asked_for():
    names = ["metric_type", "event_id", "current_level", "resolved_on", "id"]
    assert found(rows(), columns=names).equals(EXPECTED.select(names))
    for name in EXPECTED.schema.names:
        assert found(rows(), columns=[name]).equals(EXPECTED.select([name]))


@pytest.mark.parametrize("columns, words", [
    (["metric"], 'episodes have no column "metric"; they have person, id, event_id'),
    (["id", "steps", "id"], "steps"), (["id", "id"], "twice"), ([], "at least one")])
def test_columns_that_there_are_not_are_refused(columns, words):
    with pytest.raises(vigil.VigilError, match=words) as refused:
        vigil.Detector("v1", columns=columns)
    assert refused.value.status == 1


def test_a_text_is_no_list_of_columns():
    with pytest.raises(TypeError, match="list of names"):
        found(rows(), columns="person")


def test_days_are_what_detection_saw():
    with vigil.Detector("v1", explain_days=True) as detector:
        detector.push(rows())
        detector.finish()
        days = detector.days().to_arrow()
    assert days.column("value").to_pylist() == rows().column("steps").to_pylist()
    assert days.column("metric_date").to_pylist() == DAYS


def test_errors_can_be_sent_to_other_processes():
    with pytest.raises(vigil.VigilError) as refusal:
        vigil.detect(rows(), profile="v9")
    copy = pickle.loads(pickle.dumps(refusal.value))
    assert (copy.status, str(copy)) == (refusal.value.status, str(refusal.value))


def test_threads_have_detectors_of_their_own():
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(found(rows()))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8 and all(table.equals(EXPECTED) for table in results)


def _in_child(queue):
    queue.put(found(rows()).num_rows)


def test_a_forked_child_can_detect():
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == 1
    child.join()
    assert child.exitcode == 0
