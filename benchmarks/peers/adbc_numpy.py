#!/usr/bin/env python3
"""The first night of `vigil run --shadow`, written with ADBC, Arrow and numpy.

usage: adbc_numpy.py --uri postgresql:///bench --schema peer_adbc --thresholds v1.json --date 2026-06-29

The schema has been made by tables.sql. Blocks of persons go through as many threads as the engine has
workers, each with a connection of its own; numpy and the driver let go of the interpreter's lock.
"""

import argparse
import datetime
import hashlib
import json
import pathlib
import uuid
from concurrent.futures import ThreadPoolExecutor

import adbc_driver_postgresql.dbapi
import numpy as np
import pyarrow as pa

import detection

FOLDER = pathlib.Path(__file__).parent
EPOCH = datetime.date(1970, 1, 1)


def identifiers(column: pa.ChunkedArray) -> np.ndarray:
    """A uuid column as one array of 16 bytes each, which sort as the server sorts them."""
    if column.num_chunks == 0:
        return np.empty(0, dtype="S16")
    chunks = [chunk.storage for chunk in column.chunks]
    return np.concatenate(
        [np.frombuffer(chunk.buffers()[1], dtype="S16")[chunk.offset :][: len(chunk)] for chunk in chunks])


def day_numbers(column: pa.ChunkedArray) -> np.ndarray:
    return column.cast(pa.int32()).to_numpy()


def as_uuid(identifier: bytes) -> str:
    # numpy leaves out the zeros that bytes end in.
    return str(uuid.UUID(bytes=bytes(identifier).ljust(16, b"\0")))


class Night:
    """One night: what all blocks have in common."""

    def __init__(self, arguments):
        text = arguments.thresholds.read_bytes()
        self.profile = detection.Profile(json.loads(text))
        self.digest = hashlib.sha256(text).hexdigest()
        self.date = arguments.date
        self.last_day = (arguments.date - EPOCH).days
        self.first_day = self.last_day - self.profile.loaded_days + 1
        self.run = str(uuid.uuid4())
        self.at = datetime.datetime.now(datetime.timezone.utc)
        self.uri = arguments.uri
        self.schema = arguments.schema

    def connect(self):
        connection = adbc_driver_postgresql.dbapi.connect(self.uri)
        with connection.cursor() as cursor:
            cursor.executescript(f'SET search_path = "{self.schema}", public')
            cursor.executescript((FOLDER / "night-tables.sql").read_text())
            cursor.execute(
                "INSERT INTO night VALUES ($1, $2, $3, $4::text::uuid, $5)",
                (self.date, self.profile.version, self.digest, self.run, self.at))
        connection.commit()
        return connection


class Block:
    """Some persons, next to each other in the order of their ids."""

    def __init__(self, night: Night, persons: np.ndarray, connection):
        self.night = night
        self.persons = persons
        self.connection = connection

    def process(self):
        with self.connection.cursor() as cursor:
            values = self.read_metrics(cursor)
            workouts = self.read_workouts(cursor)
            tables = [
                self.detect(metric, values[position], workouts)
                for position, metric in enumerate(self.night.profile.metrics)
            ]
            cursor.adbc_ingest(
                "night_episodes", pa.concat_tables(tables), mode="append", temporary=True)
            # A script would end the transaction before its first statement.
            for statement in (FOLDER / "write-night.sql").read_text().split(";\n"):
                if statement.strip():
                    cursor.execute(statement)
        self.connection.commit()

    # Reading

    def fetch(self, cursor, columns: str, table: str) -> pa.Table:
        # Without parameters the driver reads by binary COPY.
        cursor.execute(f"""
            SELECT {columns} FROM {table}
            WHERE user_id BETWEEN '{as_uuid(self.persons[0])}' AND '{as_uuid(self.persons[-1])}'
              AND metric_date BETWEEN '{self.night.date}'::date - {self.night.profile.loaded_days - 1}
                AND '{self.night.date}'
            ORDER BY user_id, metric_date
            """)
        return cursor.fetch_arrow_table()

    def places(self, table: pa.Table):
        """The first row of each person and day, and what person and day it is."""
        users, days = identifiers(table["user_id"]), day_numbers(table["metric_date"])
        halves = users.view(np.uint64).reshape(-1, 2)
        is_new_user = np.ones(len(users), dtype=bool)
        is_new_user[1:] = (halves[1:] != halves[:-1]).any(axis=1)
        is_new = is_new_user.copy()
        is_new[1:] |= days[1:] != days[:-1]
        known = np.searchsorted(self.persons, users[is_new_user])
        rows = np.flatnonzero(is_new)
        return rows, known[np.cumsum(is_new_user) - 1][rows], days[rows] - self.night.first_day

    def read_metrics(self, cursor) -> list[np.ndarray]:
        """For each metric persons x days, sources merged, NaN where there is no usable value."""
        profile = self.night.profile
        names = [metric.name for metric in profile.metrics]
        columns = ", ".join(f'"{name}"::double precision' for name in names)
        table = self.fetch(cursor, f"user_id, metric_date, {columns}", "wearable_daily_metrics")
        rows, person, day = self.places(table)
        found = []
        for metric in profile.metrics:
            values = table[metric.name].to_numpy()
            least, greatest = metric.plausible
            values = np.where((values >= least) & (values <= greatest), values, np.nan)
            dense = np.full((len(self.persons), profile.loaded_days), np.nan)
            if rows.size:
                dense[person, day] = np.fmax.reduceat(values, rows)
            found.append(dense)
        return found

    def read_workouts(self, cursor) -> np.ndarray:
        table = self.fetch(cursor, "user_id, metric_date", "exercise_sessions")
        _, person, day = self.places(table)
        workouts = np.zeros((len(self.persons), self.night.profile.loaded_days), dtype=bool)
        workouts[person, day] = True
        return workouts

    # Detecting

    def detect(self, metric: detection.Metric, values: np.ndarray, workouts: np.ndarray) -> pa.Table:
        """The episodes of one metric, as rows of night_episodes."""
        profile = self.night.profile
        days = detection.evaluate(values, metric, profile)
        suppressed = workouts if metric.is_suppressed_on_workout_days else np.zeros_like(workouts)
        episodes = detection.follow(days.deviates, days.clean, suppressed, profile)

        person, last = episodes.person, episodes.last
        pool, before = days.pool[person, last], days.before[person, last]
        recent, baseline = days.recent[person, last], days.baseline[person, last]
        deviation = detection.deviation_of(recent, baseline)
        has_ended = episodes.ending != detection.ACTIVE

        def date(offsets, mask=None):
            return pa.array(
                (offsets + self.night.first_day).astype(np.int32), pa.int32(), mask=mask
            ).cast(pa.date32())

        count = len(person)
        reasons = pa.array(["recovered", "superseded", None])
        return pa.table({
            "user_id": pa.FixedSizeBinaryArray.from_buffers(
                pa.binary(16), count, [None, pa.py_buffer(self.persons[person].tobytes())]),
            "metric_type": pa.repeat(metric.name, count),
            "pattern_type": pa.repeat(metric.pattern, count),
            "active_since": date(episodes.since),
            "last_deviating": date(last),
            "current_level": pa.array(
                profile.level[last - episodes.since + 1].astype(np.int32)),
            "baseline_start": date(days.day_of[person, before - pool]),
            "baseline_end": date(days.day_of[person, before - 1]),
            "baseline_days": pa.array(pool.astype(np.int32)),
            "baseline_value": pa.array(baseline),
            "recent_start": date(last - (profile.recent - 1)),
            "recent_value": pa.array(recent),
            "deviation_fraction": pa.array(deviation, mask=np.isnan(deviation)),
            "resolved_on": date(episodes.ended_on, mask=~has_ended),
            "resolution_reason": reasons.take(pa.array(episodes.ending)),
        })


def work(night: Night, blocks: list[np.ndarray]):
    """Works through blocks until none is left; each thread takes from the same list."""
    with night.connect() as connection:
        while True:
            try:
                persons = blocks.pop()
            except IndexError:
                return
            Block(night, persons, connection).process()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--uri", required=True)
    parser.add_argument("--schema", required=True, help="holds the output tables")
    parser.add_argument("--thresholds", required=True, type=pathlib.Path)
    parser.add_argument("--date", required=True, type=datetime.date.fromisoformat)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--block", type=int, default=2048, help="persons that go through at once")
    arguments = parser.parse_args()

    night = Night(arguments)
    with adbc_driver_postgresql.dbapi.connect(arguments.uri) as connection:
        with connection.cursor() as cursor:
            cursor.execute("SELECT id FROM users ORDER BY id")
            persons = identifiers(cursor.fetch_arrow_table()["id"])
    blocks = [
        persons[first : first + arguments.block] for first in range(0, len(persons), arguments.block)
    ]
    blocks.reverse()
    with ThreadPoolExecutor(arguments.workers) as pool:
        for result in [pool.submit(work, night, blocks) for _ in range(arguments.workers)]:
            result.result()


if __name__ == "__main__":
    main()
