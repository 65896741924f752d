#!/usr/bin/env python3
"""Writes the worked cases of docs/specification/limits.md to limits.json.

A second implementation of the rules, which shares nothing with the engine: it goes over a whole history once, day by
day, and keeps the values that it has seen. Run it after a change of the specification: python3 limits.py
"""
import datetime
import json
import pathlib
import random

LEVELS = {"watch": 3, "attention": 7, "critical": 14}
FIRST = datetime.date(2026, 1, 1)


def beyond(rule, value):
    tolerance = 1e-9 * max(1, abs(rule["value"]))
    if rule["direction"] == "below":
        return value < rule["value"] - tolerance
    return value > rule["value"] + tolerance


def in_force(rule, day):
    return rule["from"] <= day <= rule["to"]


def met(rule, seen):
    """The first day of the run of as many values as the rule needs, which ends with the newest; None for none."""
    run = seen[-rule["days"]:]
    if len(run) < rule["days"]:
        return None
    if not all(in_force(rule, day) and beyond(rule, value) for day, value in run):
        return None
    if any(later[0] - earlier[0] > 7 for earlier, later in zip(run, run[1:])):
        return None
    return run[0][0]


def graver(rule):
    """Sorts the gravest rule last."""
    far = -rule["value"] if rule["direction"] == "below" else rule["value"]
    return (LEVELS[rule["severity"]], -rule["days"], far)


def of_duration(days):
    return max(level for level in (3, 7, 14, 21) if level <= max(days, 3))


def alerts(rules, values, length):
    found, seen, active = [], [], None
    for day in range(length):
        value = values.get(day)
        if value is not None:
            seen.append((day, value))
        forced = [rule for rule in rules if in_force(rule, day)]
        broken = [rule for rule in forced if value is not None and beyond(rule, value)]
        hits = [(rule, met(rule, seen)) for rule in forced if value is not None]
        hits = [(rule, first) for rule, first in hits if first is not None]
        if active is None:
            if not hits:
                continue
            rule, first = max(hits, key=lambda hit: graver(hit[0]))
            active = {
                "active_since": first, "opened_on": day, "opened_value": value,
                "opened_limit": rule["value"], "opened_days": rule["days"],
                "level": 3, "levels": {}, "resolved_on": None, "reason": None, "last": day}
            calm, known = 0, day
        elif not forced:
            active["resolved_on"], active["reason"] = day, "limit_ended"
        elif value is None:
            if day - known >= 7:
                active["resolved_on"], active["reason"] = day, "no_data"
        else:
            known = day
            if broken:
                active["last"], calm = day, 0
            else:
                calm += 1
                if calm >= max([2] + [rule["days"] for rule in forced]):
                    active["resolved_on"], active["reason"] = day, "recovered"
        if active["resolved_on"] is not None:
            found.append(active)
            active = None
            continue
        if broken:
            rule = max(broken, key=lambda rule: -rule["value"] if rule["direction"] == "below" else rule["value"])
            active["last_value"], active["last_limit"] = value, rule["value"]
        level = max([active["level"], of_duration(active["last"] - active["active_since"] + 1)]
                    + [LEVELS[rule["severity"]] for rule, _ in hits])
        active["level"] = level
        active["levels"].setdefault(str(level), day)
    if active is not None:
        found.append(active)
    return found


def rule(direction, value, days=1, severity="attention", first=-1000, last=100000):
    return {"direction": direction, "value": value, "days": days, "severity": severity, "from": first, "to": last}


def worked_cases():
    low = rule("below", 90)
    yield "one value opens at once and two within end", [low], "96 96 88 96 97 96"
    yield "a value that equals the limit is within it", [low], "90 90 90"
    yield "flapping is one alert", [low], "96 88 93 87 92 86 95 95"
    yield "three values in a row", [rule("above", 100, days=3)], "80 101 102 90 104 105 106 90 90 90 90"
    yield "days without a value break no run", [rule("above", 100, days=3)], "80 101 . 102 . . 103 90 90 90"
    yield "a gap of a week breaks a run", [rule("above", 100, days=2)], "101 . . . . . . . 102 90 103 104"
    yield "a gap of six days breaks none", [rule("above", 100, days=2)], "101 . . . . . . 102 90 90"
    yield "a silent device ends it", [low], "88 . . . . . . . . 88"
    yield "levels follow the days", [rule("below", 90, severity="watch")], " ".join(["88"] * 23 + ["95", "95"])
    yield "a critical limit begins at 14", [rule("below", 90, severity="critical")], " ".join(["88"] * 22)
    yield "a graver rule raises the level", [rule("below", 94, severity="watch"), rule("below", 88, severity="critical")], "93 92 87 93 95 95"
    yield "a limit that is set in the middle", [rule("below", 90, first=3)], "88 88 88 88 88 95 95"
    yield "a limit that ends", [rule("below", 90, last=3)], "95 88 88 88 88 88"
    yield "a limit that is replaced", [rule("below", 90, last=3), rule("below", 85, first=4)], "95 88 88 88 88 88 88"
    yield "a day between two limits", [rule("below", 90, last=2), rule("below", 90, first=4)], "95 88 88 88 88 88"
    yield "the run of a rule lies within its days", [rule("above", 100, days=3, first=2)], "101 101 101 101 101 90 90 90"
    yield "two rules, and the longer run ends it", [low, rule("below", 94, days=4, severity="watch")], "96 88 95 95 95 95 93 93 93 93"


def random_case(number):
    chance = random.Random(number)
    direction = chance.choice(["below", "above"])
    rules = []
    for _ in range(chance.randint(1, 3)):
        first = chance.choice([-1000, chance.randint(0, 50)])
        last = chance.choice([100000, max(first, 0) + chance.randint(0, 40)])
        rules.append(rule(
            direction, chance.randint(45, 55), chance.randint(1, 7),
            chance.choice(list(LEVELS)), first, last))
    values, value = {}, 50.0
    gap = chance.choice([0.05, 0.3, 0.7])
    for day in range(80):
        value += chance.gauss((50 - value) * 0.2, 3)
        if chance.random() >= gap:
            values[day] = round(value, 1)
    return f"random {number}", rules, values, 80


def day(number):
    return (FIRST + datetime.timedelta(days=number)).isoformat()


def written(name, rules, values, length):
    def alert(found):
        dates = ["active_since", "opened_on", "last"] + (["resolved_on"] if found["resolved_on"] is not None else [])
        return {**found, **{key: day(found[key]) for key in dates},
                "levels": {level: day(on) for level, on in sorted(found["levels"].items())}}
    return {
        "name": name, "first": day(0), "last": day(length - 1),
        "rules": [{**rule, "from": None if rule["from"] < 0 else day(rule["from"]),
                   "to": None if rule["to"] > 9999 else day(rule["to"])} for rule in rules],
        "values": {day(on): value for on, value in values.items()},
        "expected": [alert(found) for found in alerts(rules, values, length)]}


def main():
    cases = []
    for name, rules, text in worked_cases():
        fields = text.split()
        values = {on: float(field) for on, field in enumerate(fields) if field != "."}
        cases.append(written(name, rules, values, len(fields)))
    cases += [written(*random_case(number)) for number in range(60)]
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    pathlib.Path(__file__).with_name("limits.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
