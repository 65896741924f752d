"""The detection of one block of persons with numpy: no loop over persons, series or rows.

Arrays of days have the shape (persons, days), the days being those of the load window; one metric is
looked at after the other. Profile v1 only: rolling mean, restart on interruption,
levels that may fall.
"""

from dataclasses import dataclass

import numpy as np

FINITE = np.finfo(float).max
RECOVERED, SUPERSEDED, ACTIVE = 0, 1, 2


@dataclass(frozen=True)
class Metric:
    """One metric of a thresholds file."""

    name: str
    pattern: str
    rules: tuple[tuple[str, float], ...]
    is_suppressed_on_workout_days: bool
    plausible: tuple[float, float]

    @property
    def sign(self) -> int:
        """1 where a drop is bad, -1 where a rise is."""
        return 1 if self.pattern == "drop_vs_baseline" else -1


class Profile:
    """The settings of a thresholds file; refuses those that this detection does not know."""

    def __init__(self, document: dict):
        baseline, episode = document["baseline"], document["episode"]
        known = (
            document["merge"] == "max"
            and not document["non_wear"]
            and (baseline["mode"], baseline["statistic"]) == ("rolling", "mean")
            and episode["on_interruption"] == "restart"
            and episode["level_may_fall"]
            and episode["max_unknown_days"] is None
            and baseline["rebase_after_days"] is None
        )
        if not known:
            raise ValueError("the peer knows the settings of thresholds/v1.json only")
        self.version = document["version"]
        self.horizon = document["horizon_days"]
        self.warmup = document["warmup_days"]
        self.recent = document["recent_days"]
        self.pool = min(baseline["max_days"], self.horizon + 1 - self.recent)
        self.min_pool = baseline["min_days"]
        self.min_total = baseline["min_total_days"]
        self.within = document["recovery"]["within"]
        clean_days = {int(level): days for level, days in document["recovery"]["clean_days"].items()}
        # The warm-up, what looks back over clean days before it, and a horizon.
        self.loaded_days = self.warmup + max(1, max(clean_days.values()) - 1) + self.horizon
        # By duration: the level, and the clean days that end the episode.
        durations = np.arange(self.loaded_days + self.recent + 1)
        self.level = np.select([durations < 7, durations < 14, durations < 21], [3, 7, 14], 21)
        self.clean_days = np.array([clean_days[level] for level in self.level.tolist()])
        self.metrics = tuple(
            Metric(
                name=name,
                pattern=entry["pattern_type"],
                rules=tuple(pair for rule in entry["rules"] for pair in rule.items()),
                is_suppressed_on_workout_days=entry.get("suppress_on_workout_days", False),
                # Without a range, the one that keeps out what is not finite.
                plausible=tuple(entry.get("plausible", (-FINITE, FINITE))),
            )
            for name, entry in sorted(document["metrics"].items())
            if entry.get("source") != "dose_history"
        )


def tolerance(threshold: float) -> float:
    """What a comparison with a threshold puts up with."""
    return 1e-9 * max(1.0, abs(threshold))


@dataclass
class Evaluation:
    """Days of the series of one metric, each array (persons, days)."""

    deviates: np.ndarray
    clean: np.ndarray
    recent: np.ndarray
    baseline: np.ndarray
    #: Observations in the baseline pool.
    pool: np.ndarray
    #: Observations before the recent window.
    before: np.ndarray
    #: The day of each observation, by its number.
    day_of: np.ndarray


def evaluate(values: np.ndarray, metric: Metric, profile: Profile) -> Evaluation:
    """Judges every day; `values` has NaN where a day has no observation."""
    persons, days = values.shape
    present = ~np.isnan(values)
    # Running totals begin with a 0, so that [:, n] is the total of the first n days or observations.
    observations = np.zeros((persons, days + 1), dtype=np.int32)
    np.cumsum(present, axis=1, out=observations[:, 1:])
    sums = np.zeros((persons, days + 1))
    np.cumsum(np.where(present, values, 0.0), axis=1, out=sums[:, 1:])
    sums_of_observations = np.zeros((persons, days + 1))
    person, day = np.nonzero(present)
    number = observations[person, day]
    sums_of_observations[person, number + 1] = sums[person, day + 1]
    day_of = np.zeros((persons, days), dtype=np.int16)
    day_of[person, number] = day

    back = profile.recent
    known = np.zeros_like(present)
    known[:, back - 1 :] = observations[:, back:] - observations[:, :-back] == back
    in_horizon = observations[:, 1:].copy()
    in_horizon[:, profile.horizon + 1 :] -= observations[:, 1 : days - profile.horizon]
    pool = np.minimum(in_horizon - back, profile.pool)
    known &= (in_horizon >= profile.min_total) & (pool >= profile.min_pool)

    recent = np.full(values.shape, np.nan)
    recent[:, back - 1 :] = (sums[:, back:] - sums[:, :-back]) / back
    before = np.zeros_like(observations[:, 1:])
    before[:, back - 1 :] = observations[:, : days + 1 - back]
    pool_end = np.zeros(values.shape)
    pool_end[:, back - 1 :] = sums[:, : days + 1 - back]
    pool_start = np.take_along_axis(sums_of_observations, np.maximum(before - pool, 0), axis=1)
    baseline = (pool_end - pool_start) / np.maximum(pool, 1)

    deviates, clean = judge(recent, baseline, metric, profile)
    deviates &= known
    clean &= known & ~deviates
    return Evaluation(deviates, clean, recent, baseline, pool, before, day_of)


def deviation_of(recent: np.ndarray, baseline: np.ndarray) -> np.ndarray:
    """The deviation as a fraction of the baseline; NaN where the baseline is 0."""
    is_zero = np.abs(baseline) <= 1e-9
    return (recent - baseline) / np.where(is_zero, np.nan, baseline)


def judge(recent, baseline, metric: Metric, profile: Profile):
    """Which days a rule matches, and which are close to the baseline or on the good side of it."""
    deviation = metric.sign * deviation_of(recent, baseline)
    difference = metric.sign * (recent - baseline)
    deviates = np.zeros(recent.shape, dtype=bool)
    for kind, threshold in metric.rules:
        if kind.startswith("percent_"):
            deviates |= deviation <= -(threshold - tolerance(threshold))
        elif kind == "absolute_drop_below":
            deviates |= recent < threshold - tolerance(threshold)
        else:
            deviates |= difference <= -(threshold - tolerance(threshold))
    clean = (baseline > 1e-9) & (deviation >= -(profile.within + tolerance(profile.within)))
    return deviates, clean


@dataclass
class Episodes:
    """Episodes as arrays of equal length; days count from the first loaded one."""

    person: np.ndarray
    since: np.ndarray
    last: np.ndarray
    ending: np.ndarray
    ended_on: np.ndarray


def follow(deviates, clean, suppressed, profile: Profile) -> Episodes:
    """Takes the state machines of all persons through the warm-up, one day after the other."""
    persons, days = deviates.shape
    index = np.arange(days, dtype=np.int16)[:, None]
    # Day by day is how the machines read, so days come first from here on.
    deviates, clean = np.ascontiguousarray(deviates.T), np.ascontiguousarray(clean.T)
    opens = deviates & ~suppressed.T
    run_start = np.maximum.accumulate(np.where(deviates, np.int16(-1), index), axis=0) + 1
    since_of_run = run_start - (profile.recent - 1)
    streak = index - np.maximum.accumulate(np.where(clean, np.int16(-1), index), axis=0)

    active = np.zeros(persons, dtype=bool)
    since = np.zeros(persons, dtype=np.int16)
    last = np.zeros(persons, dtype=np.int16)
    needed = np.zeros(persons, dtype=np.int16)
    ended: list[tuple] = []

    def end(those, ending, day):
        which = np.flatnonzero(those)
        ended.append(
            (which, since[which], last[which], np.full(which.size, ending), np.full(which.size, day)))

    for day in range(days - profile.warmup, days):
        opening = opens[day] & ~(active & (since == since_of_run[day]))
        end(opening & active, SUPERSEDED, day)
        np.copyto(since, since_of_run[day], where=opening)
        np.copyto(last, np.int16(day), where=opens[day])
        active |= opens[day]
        moved = np.flatnonzero(opens[day])
        needed[moved] = profile.clean_days[day - since[moved] + 1]
        recovering = active & (streak[day] >= needed) & ~deviates[day]
        end(recovering, RECOVERED, day)
        active &= ~recovering
    end(active, ACTIVE, 0)
    return Episodes(*(np.concatenate(column) for column in zip(*ended)))
