"""Prints what Python's zoneinfo knows of the zones that standard input names, one a line.

    zones.py FIRST LAST    seconds since 1970; changes of the clock are looked for in between

Each line is name|first offset|changes|instants|walls; see PythonComparisonTests.swift.
"""

import random
import struct
import sys
from datetime import datetime, timedelta, timezone

try:
    import zoneinfo
except ImportError:
    sys.exit(3)

FIRST, LAST = int(sys.argv[1]), int(sys.argv[2])
UTC = timezone.utc
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
WALL_EPOCH = datetime(1970, 1, 1)
# Shorter than any two changes of a zone that undo each other are apart, but for those in the file.
STEP = 20 * 86400


def second_of(wall, zone, fold):
    """The second at which a wall clock shows a time, by Python's rules for gaps and repetitions."""
    aware = (WALL_EPOCH + timedelta(seconds=wall)).replace(tzinfo=zone, fold=fold)
    return wall - int(aware.utcoffset().total_seconds())


def times_in_file(path):
    """The changes that stand in the second block of a zone file."""
    data = open(path, "rb").read()
    counts = struct.unpack(">6l", data[20:44])
    utc, std, leap, times, types, chars = counts
    start = 44 + times * 5 + types * 6 + chars + leap * 8 + std + utc
    times = struct.unpack(">l", data[start + 32 : start + 36])[0]
    return struct.unpack(">%dq" % times, data[start + 44 : start + 44 + 8 * times])


def answer(name, path):
    zone = zoneinfo.ZoneInfo(name)
    fromtimestamp = datetime.fromtimestamp

    def offset(second):
        return int(fromtimestamp(second, zone).utcoffset().total_seconds())

    points = set(range(FIRST, LAST, STEP)) | {LAST - 1}
    for time in times_in_file(path):
        points |= {point for point in (time - 1, time) if FIRST <= point < LAST}
    changes = []
    points = sorted(points)
    before, current = points[0], offset(points[0])
    first = current
    for point in points[1:]:
        found = offset(point)
        if found != current:
            low, high = before, point
            while high - low > 1:
                middle = (low + high) // 2
                if offset(middle) == current:
                    low = middle
                else:
                    high = middle
            changes.append((high, found))
        before, current = point, found

    chance = random.Random(name)
    # The rule at the end of a file is compared to the end of 2099.
    instants = [chance.randrange(FIRST, 4102444800) for _ in range(120)]
    walls = [chance.randrange(FIRST + 86400, LAST - 86400) for _ in range(40)]
    old = first
    for second, new in changes:
        edge = second + min(old, new)
        walls += [edge - 900, edge + chance.randrange(0, abs(new - old)), second + max(old, new)]
        old = new

    def shown_first(wall):
        second = second_of(wall, zone, 0)
        other = second_of(wall, zone, 1)
        if second <= other:
            return second
        # A gap: the first second after it.
        low, high = other, second
        target = offset(high)
        while high - low > 1:
            middle = (low + high) // 2
            if offset(middle) == target:
                high = middle
            else:
                low = middle
        return high

    return "|".join(
        [
            str(first),
            ",".join("%d:%d" % change for change in changes),
            ",".join("%d:%d" % (second, offset(second)) for second in instants),
            ",".join("%d:%d" % (wall, shown_first(wall)) for wall in walls),
        ]
    )


known = {}
for name in sys.stdin.read().split():
    path = zoneinfo.TZPATH[0] + "/" + name
    contents = open(path, "rb").read()
    # Links have the contents of another zone; the answer is the same.
    if contents not in known:
        known[contents] = answer(name, path)
    print(name + "|" + known[contents])
