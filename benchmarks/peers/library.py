#!/usr/bin/env python3
"""A year of profile v1 from a Parquet file: the Python package `vigil`, and the same with numpy.

usage: library.py prepare CSV_FOLDER FOLDER     writes days.parquet and workouts.parquet
       library.py numpy FOLDER [--out FILE]     one year, two threads
       library.py vigil FOLDER [--out FILE] [--threads N]
       library.py compare FILE FILE             fails unless both found the same episodes

`../library` runs them in turn. Each prints the seconds it computed, summed over its threads, the data in memory.
"""

import argparse
import datetime
import json
import pathlib
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

import detection

THRESHOLDS = pathlib.Path(__file__).parent.parent.parent / "thresholds/v1.json"
#: Persons of a row group: each thread takes whole groups, which cut no person.
GROUP = 1_000
KEY = ["person", "metric_type", "active_since", "resolved_on", "resolution_reason"]


def profile() -> detection.Profile:
    return detection.Profile(json.loads(THRESHOLDS.read_bytes()))


def prepare(csv: pathlib.Path, folder: pathlib.Path) -> None:
    metrics = [metric.name for metric in profile().metrics]
    days = pyarrow.csv.read_csv(csv / "wearable_daily_metrics.csv", convert_options=pyarrow.csv.ConvertOptions(
        include_columns=["user_id", "metric_date", *metrics],
        column_types={"user_id": pa.string(), "metric_date": pa.date32(), **{name: pa.float64() for name in metrics}}))
    # v1 merges the rows of a day by the largest value, which the peer leaves to this step.
    days = days.rename_columns({"user_id": "person", "metric_date": "date"}).group_by(["person", "date"]).aggregate(
        [(name, "max") for name in metrics])
    days = days.rename_columns(["person", "date", *metrics]).sort_by([("person", "ascending"), ("date", "ascending")])
    persons = pc.unique(days["person"])
    first = np.searchsorted(pc.rank(days["person"], tiebreaker="dense").to_numpy(),
                            np.arange(1, len(persons) + 1, GROUP))
    with pq.ParquetWriter(folder / "days.parquet", days.schema) as writer:
        for low, high in zip(first, [*first[1:], days.num_rows]):
            writer.write_table(days.slice(low, high - low), row_group_size=days.num_rows)
    workouts = pyarrow.csv.read_csv(csv / "exercise_sessions.csv", convert_options=pyarrow.csv.ConvertOptions(
        include_columns=["user_id", "metric_date"],
        column_types={"user_id": pa.string(), "metric_date": pa.date32()}))
    pq.write_table(workouts.rename_columns({"user_id": "person", "metric_date": "date"}), folder / "workouts.parquet")


def halves(groups: int, threads: int) -> list[list[int]]:
    return [list(range(thread, groups, threads)) for thread in range(threads)]


class Span:
    """The evaluated days: those of the file."""

    def __init__(self, file: pq.ParquetFile):
        place = file.schema_arrow.get_field_index("date")
        found = [file.metadata.row_group(group).column(place).statistics for group in range(file.num_row_groups)]
        self.first, self.last = min(one.min for one in found), max(one.max for one in found)
        self.days = (self.last - self.first).days + 1


def with_numpy(folder: pathlib.Path) -> tuple[pa.Table, float]:
    file = pq.ParquetFile(folder / "days.parquet")
    span, rules = Span(file), profile()
    # A fold of all days; from 21 days on the level stays.
    rules.warmup = span.days
    longer = np.full(span.days, rules.clean_days[-1])
    rules.clean_days = np.concatenate([rules.clean_days, longer])
    epoch = (span.first - datetime.date(1970, 1, 1)).days
    workouts = pq.read_table(folder / "workouts.parquet")

    def part(group: int) -> tuple[list[pa.Table], float]:
        rows = pq.ParquetFile(folder / "days.parquet").read_row_group(group, use_threads=False)
        own = rows["person"].combine_chunks().dictionary_encode()
        person = own.indices.to_numpy()
        day = rows["date"].cast(pa.int32()).to_numpy() - epoch
        began = time.perf_counter()
        suppressed = np.zeros((len(own.dictionary), span.days), dtype=bool)
        at = pc.index_in(workouts["person"], own.dictionary)
        known = pc.is_valid(at).to_numpy()
        on = workouts["date"].cast(pa.int32()).to_numpy() - epoch
        known &= (on >= 0) & (on < span.days)
        suppressed[at.fill_null(0).to_numpy()[known], on[known]] = True
        none = np.zeros_like(suppressed)
        tables = []
        for metric in rules.metrics:
            values = np.full(suppressed.shape, np.nan)
            values[person, day] = rows[metric.name].to_numpy()
            low, high = metric.plausible
            values[~((values >= low) & (values <= high))] = np.nan
            judged = detection.evaluate(values, metric, rules)
            found = detection.follow(
                judged.deviates, judged.clean, suppressed if metric.is_suppressed_on_workout_days else none, rules)
            ended = found.ending != detection.ACTIVE
            tables.append(pa.table({
                "person": own.dictionary.take(pa.array(found.person)),
                "metric_type": pa.array([metric.name] * len(found.person), pa.string()),
                "active_since": pa.array(found.since.astype(np.int32) + epoch, pa.int32()).cast(pa.date32()),
                "resolved_on": pa.array(
                    found.ended_on.astype(np.int32) + epoch, pa.int32(), mask=~ended).cast(pa.date32()),
                "resolution_reason": pa.array(
                    np.array(["recovered", "superseded"])[np.minimum(found.ending, 1)], pa.string(), mask=~ended),
            }))
        return tables, time.perf_counter() - began

    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(part, range(file.num_row_groups)))
    return pa.concat_tables([table for tables, _ in parts for table in tables]), sum(seconds for _, seconds in parts)


def with_vigil(folder: pathlib.Path, threads: int) -> tuple[pa.Table, float]:
    import vigil

    file = pq.ParquetFile(folder / "days.parquet")
    span = Span(file)
    workouts = pq.read_table(folder / "workouts.parquet")

    def part(groups: list[int]) -> tuple[pa.Table, float]:
        own = pq.ParquetFile(folder / "days.parquet")
        seconds, found = 0.0, []
        with vigil.Detector("v1", since=span.first, until=span.last, together=True, columns=KEY) as detector:
            detector.push_workouts(workouts)
            for batch in own.iter_batches(row_groups=groups, use_threads=False):
                began = time.perf_counter()
                detector.push(batch)
                episodes = detector.episodes().to_arrow()
                seconds += time.perf_counter() - began
                found.append(episodes)
            began = time.perf_counter()
            detector.finish()
            episodes = detector.episodes().to_arrow()
            return pa.concat_tables([*found, episodes]), seconds + time.perf_counter() - began

    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(part, halves(file.num_row_groups, threads)))
    return pa.concat_tables([table for table, _ in parts]), sum(seconds for _, seconds in parts)


def compare(first: pathlib.Path, second: pathlib.Path) -> None:
    tables = [pq.read_table(path).sort_by([(column, "ascending") for column in KEY]) for path in (first, second)]
    # Whether a column may be empty is no difference.
    tables[1] = pa.Table.from_arrays(tables[1].columns, schema=tables[0].schema)
    if not tables[0].equals(tables[1]):
        raise SystemExit(f"{first} and {second} differ: {tables[0].num_rows} and {tables[1].num_rows} episodes")
    print(f"{tables[0].num_rows} equal episodes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["prepare", "numpy", "vigil", "compare"])
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.command == "prepare":
        return prepare(*arguments.paths)
    if arguments.command == "compare":
        return compare(*arguments.paths)
    [folder] = arguments.paths
    found, seconds = with_numpy(folder) if arguments.command == "numpy" else with_vigil(folder, arguments.threads)
    if arguments.out:
        pq.write_table(found, arguments.out)
    print(f"{found.num_rows} episodes, computed in {seconds:.3f} s of one core")


if __name__ == "__main__":
    main()
