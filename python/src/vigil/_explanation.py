"""An explanation as typed records, which have the names of `vigil explain --format json`."""

import dataclasses
import datetime
import json
import typing
from typing import Any, Optional

# Python 3.9 evaluates no `X | None`, and the fields' types are looked at.


@dataclasses.dataclass(frozen=True)
class Window:
    """The mean of some days."""

    value: float
    start: datetime.date
    end: datetime.date
    days: int
    """Days with a value."""


@dataclasses.dataclass(frozen=True)
class Rule:
    """A rule of the profile, and how far the day is from it."""

    rule: str
    threshold: float
    actual: Optional[float]
    margin: Optional[float]
    """Positive by how much the rule matches, negative by how much it does not."""
    is_matched: bool


@dataclasses.dataclass(frozen=True)
class Means:
    """A recent mean against a baseline: profiles such as v1 and v2."""

    baseline: Window
    recent: Window
    deviation_fraction: Optional[float]
    is_anchored: bool
    """Whether the baseline is the one that the episode opened with."""
    is_clean: bool
    rules: tuple[Rule, ...]


@dataclasses.dataclass(frozen=True)
class EvidenceWindow:
    """The newest days, and what they show."""

    days: int
    start: datetime.date
    mean: float
    z: float
    """The distance from what is usual, in standard deviations of such windows."""
    shift_spreads: float
    """Their mean shift in personal spreads; positive is bad."""
    is_held: bool
    matters: bool
    is_deciding: bool


@dataclasses.dataclass(frozen=True)
class Evidence:
    """The evidence for a change, while there is no episode: profiles such as v3."""

    baseline: Window
    mean: float
    weekdays: tuple[float, ...]
    """What weekdays add to the mean, Sunday first."""
    spread: float
    autocorrelation: float
    noise: float
    threshold: float
    """The `z` that a window needs."""
    windows: tuple[EvidenceWindow, ...]


@dataclasses.dataclass(frozen=True)
class Recovery:
    """The evidence that a change is over, while there is an episode: profiles such as v3."""

    shift_spreads: Optional[float]
    evidence: float
    calm_days: int
    is_easing: bool
    is_over: bool


@dataclasses.dataclass(frozen=True)
class UsualDoses:
    """The doses that a person usually misses."""

    missed_doses: int
    expected_doses: int
    share: float
    """The share of missed doses, with what is usual for people in general."""
    weekdays: tuple[float, ...]
    """Sunday first."""
    within_day: float
    run: float
    counted_doses: float


@dataclasses.dataclass(frozen=True)
class DoseWindow:
    """The newest days with doses, and what they show."""

    days: int
    start: datetime.date
    missed_doses: int
    expected_doses: int
    usual_share: float
    evidence: float
    """In nats."""
    matters: bool
    is_deciding: bool


@dataclasses.dataclass(frozen=True)
class Doses:
    """The evidence for more missed doses than usual, while there is no episode: profiles such as v3."""

    baseline_start: datetime.date
    baseline_end: datetime.date
    baseline_days: int
    usual: UsualDoses
    threshold: float
    """The evidence that a window needs, in nats."""
    windows: tuple[DoseWindow, ...]


@dataclasses.dataclass(frozen=True)
class DoseRecovery:
    """The evidence that doses are taken again, while there is an episode: profiles such as v3."""

    evidence: float
    calm_days: int
    is_easing: bool
    is_over: bool


@dataclasses.dataclass(frozen=True)
class DoseOpening:
    """The missed doses that an episode opened with."""

    opened_on: datetime.date
    window_days: int
    missed_doses: int
    expected_doses: int
    recorded_on: Optional[datetime.date]
    """The first day of the episode with a record of a dose."""
    evidence: float
    threshold: float
    held_level: float
    usual: UsualDoses


@dataclasses.dataclass(frozen=True)
class Anchor:
    """What was usual when an episode opened, on the scale on which the profile judges the metric."""

    mean: float
    weekdays: tuple[float, ...]
    spread: float
    autocorrelation: float
    noise: float


@dataclasses.dataclass(frozen=True)
class Opening:
    """The evidence that an episode opened with."""

    opened_on: datetime.date
    window_days: int
    z: float
    threshold: float
    shift_spreads: float
    anchor: Anchor


@dataclasses.dataclass(frozen=True)
class Episode:
    """An episode as it stands at the end of a day."""

    active_since: datetime.date
    last_evaluated_date: datetime.date
    consecutive_true_days: int
    current_level: int
    baseline: Window
    recent: Window
    deviation_fraction: Optional[float]
    evidence: Optional[Opening]
    doses: Optional[DoseOpening]
    resolved_on: Optional[datetime.date]
    resolution_reason: Optional[str]


@dataclasses.dataclass(frozen=True)
class Opposite:
    """The least change of the input that would have led to the opposite answer."""

    condition: str
    """Such as `value_at_most`, `days_like_recent`, `usual_days` or `days_taken`."""
    days: Optional[int]
    value: Optional[float]


@dataclasses.dataclass(frozen=True)
class Wear:
    """Whether a device was worn on the day, and the rule that says so."""

    state: str
    """`worn`, `part_worn`, `not_worn` or `no_row`."""
    reason: Optional[str]
    """`nothing_positive`, `still`, `worn_minutes`, `few_steps` or `no_movement`."""
    worn_minutes: Optional[float]
    steps: Optional[float]
    usual_steps: Optional[float]


@dataclasses.dataclass(frozen=True)
class Observation:
    """The value of a row, and the reason why it does not count."""

    date: datetime.date
    source: str
    value: Optional[float]
    rejected: Optional[str]


_Decision = typing.TypeVar("_Decision", bound="_FromJSON")


class _FromJSON:
    @classmethod
    def from_json(cls: type[_Decision], text: str) -> _Decision:
        found = _record(cls, json.loads(text))
        assert isinstance(found, cls)
        return found


@dataclasses.dataclass(frozen=True)
class Explanation(_FromJSON):
    """The decision about one day of one metric of a person, with every figure that led to it.

    One of `means`, `evidence`, `recovery`, `doses` and `dose_recovery` has the comparison that decided; none has where
    the day cannot be judged, and `unknown_reason` says why.
    """

    person: str
    user_id: str
    metric_type: str
    pattern_type: str
    date: datetime.date
    thresholds_version: str
    thresholds_digest: str
    sensitivity: str
    """That of the person for the metric: `lower`, `normal` or `higher`."""
    detector: str
    unit: str
    value: Optional[float]
    is_suppressed: bool
    """Whether it is a workout day, and workouts disturb the metric."""
    is_alert: bool
    """Whether an episode is active at the end of the day."""
    change: str
    """`none`, `opened`, `extended`, `escalated`, `continued`, `superseded` or `resolved`."""
    previous_level: Optional[int]
    resolution_reason: Optional[str]
    unknown_reason: Optional[str]
    usual_low: Optional[float]
    usual_high: Optional[float]
    means: Optional[Means]
    evidence: Optional[Evidence]
    recovery: Optional[Recovery]
    doses: Optional[Doses]
    dose_recovery: Optional[DoseRecovery]
    before: Optional[Episode]
    after: Optional[Episode]
    waits_for: Optional[str]
    waits_since: Optional[datetime.date]
    clean_days: Optional[int]
    clean_days_needed: Optional[int]
    opposite: Optional[Opposite]
    wear: Optional[Wear]
    """None for doses."""
    observations: tuple[Observation, ...] = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class SilenceExplanation(_FromJSON):
    """The decision about one day of a person's silence: of `inactivity` or `check_in_overdue`."""

    person: str
    user_id: str
    metric_type: str
    pattern_type: str
    date: datetime.date
    thresholds_version: str
    thresholds_digest: str
    sensitivity: str
    is_alert: bool
    """Whether an episode is active at the end of the day."""
    change: str
    """`none`, `opened`, `escalated`, `continued` or `resolved`."""
    previous_level: Optional[int]
    silent_days: Optional[int]
    """The silent days in a row up to the day; None where they are more than was read."""
    silent_since: Optional[datetime.date]
    open_after_days: int
    """The silent days with which an episode opens."""
    watched_days: int
    """The most silent days with which one still opens."""
    pauses: Optional[tuple[int, ...]]
    """The pauses of the person before, by which `inactivity` opens; None where the day is not silent."""
    habit_days: Optional[int]
    active_since: Optional[datetime.date]
    current_level: Optional[int]
    resolved_on: Optional[datetime.date]
    resolution_reason: Optional[str]


@dataclasses.dataclass(frozen=True)
class LimitValue:
    """The value of a day, and whether it is beyond a limit that holds on it."""

    date: datetime.date
    value: float
    is_beyond: Optional[bool]
    """None where no limit holds."""


@dataclasses.dataclass(frozen=True)
class Limit:
    """A limit that holds on a day."""

    direction: str
    limit_value: float
    days: int
    """The values in a row that open an alert."""
    severity: str
    set_by: Optional[str]
    """None for a limit of the thresholds, which holds for everybody."""
    starts_on: Optional[datetime.date]
    ends_on: Optional[datetime.date]


@dataclasses.dataclass(frozen=True)
class LimitExplanation(_FromJSON):
    """The decision about one day of the limits of a metric of a person, on one side."""

    person: str
    user_id: str
    metric_type: str
    pattern_type: str
    """`critical_value_below` or `critical_value_above`."""
    date: datetime.date
    thresholds_version: str
    thresholds_digest: str
    sensitivity: str
    unit: str
    is_alert: bool
    """Whether an episode is active at the end of the day."""
    change: str
    """`none`, `opened`, `escalated`, `continued` or `resolved`."""
    previous_level: Optional[int]
    value: Optional[float]
    values: tuple[LimitValue, ...]
    """Those of the 14 days up to the day."""
    limits: tuple[Limit, ...]
    active_since: Optional[datetime.date]
    current_level: Optional[int]
    resolved_on: Optional[datetime.date]
    resolution_reason: Optional[str]


@dataclasses.dataclass(frozen=True)
class CombinedMetric:
    """What the newest days of one metric show, beside others."""

    metric_type: str
    values: int
    """Days with a value."""
    z: float
    shift_spreads: float
    recent_value: float
    baseline_value: float
    matters: bool
    counts: bool
    """Whether it is so much worse that it can be a part of an alert."""


@dataclasses.dataclass(frozen=True)
class CombinedWindow:
    """The newest days of all metrics, and what they show together."""

    days: int
    evidence: Optional[float]
    """None where too few metrics are worse."""
    threshold: float
    contributing: tuple[str, ...]
    is_proven: bool
    decides: bool
    metrics: tuple[CombinedMetric, ...]


@dataclasses.dataclass(frozen=True)
class CombinedRecovery:
    """The evidence that a change of several metrics is over, while there is an episode."""

    has_value: bool
    evidence: float
    """In nats."""
    is_easing: bool
    calm_days: int
    level: float
    """1 is as bad as at the opening, 0 usual."""


@dataclasses.dataclass(frozen=True)
class Contribution:
    """A metric of an episode of several, against its baseline when the episode opened."""

    metric_type: str
    z: float
    share: float
    """Of the evidence."""
    shift_spreads: float
    baseline_start: datetime.date
    baseline_end: datetime.date
    baseline_days: int
    baseline_value: float
    recent_start: datetime.date
    recent_end: datetime.date
    recent_days: int
    recent_value: float
    anchor: Anchor


@dataclasses.dataclass(frozen=True)
class CombinedOpening:
    """The evidence that an episode of several metrics opened with."""

    opened_on: datetime.date
    window_days: int
    evidence: float
    threshold: float
    contributing: tuple[Contribution, ...]
    unchanged: tuple[str, ...]
    """Metrics that are followed, too, and were as usual."""


@dataclasses.dataclass(frozen=True)
class CombinedEpisode:
    """An episode of several metrics together, as it stands at the end of a day."""

    active_since: datetime.date
    last_evaluated_date: datetime.date
    consecutive_true_days: int
    current_level: int
    combined: CombinedOpening
    resolved_on: Optional[datetime.date]
    resolution_reason: Optional[str]


@dataclasses.dataclass(frozen=True)
class CombinedOpposite:
    """The least change of the input that would have led to the opposite answer."""

    condition: str
    """Such as `value_at_most`, `no_workout` or `usual_days`."""
    days: Optional[int]
    metric_type: Optional[str]
    """The metric whose value would be another."""
    value: Optional[float]


@dataclasses.dataclass(frozen=True)
class CombinedExplanation(_FromJSON):
    """The decision about one day of a person's metrics together."""

    person: str
    user_id: str
    metric_type: str
    """`combined`."""
    pattern_type: str
    date: datetime.date
    thresholds_version: str
    thresholds_digest: str
    sensitivity: str
    is_alert: bool
    """Whether an episode is active at the end of the day."""
    change: str
    """`none`, `opened`, `extended`, `escalated`, `continued`, `superseded` or `resolved`."""
    previous_level: Optional[int]
    resolution_reason: Optional[str]
    values: dict[str, float]
    """Those of the day, by metric."""
    is_workout_day: bool
    windows: Optional[tuple[CombinedWindow, ...]]
    """None while an episode is active."""
    recovery: Optional[CombinedRecovery]
    """None while none is."""
    before: Optional[CombinedEpisode]
    after: Optional[CombinedEpisode]
    opposite: Optional[CombinedOpposite]


@dataclasses.dataclass(frozen=True)
class ExpectedDose:
    """A dose that was expected, and its outcome."""

    schedule_id: str
    date: datetime.date
    scheduled_time: datetime.datetime
    outcome: str
    """`taken`, `skipped`, `missed`, `planned skip` or `pending`."""
    timing: Optional[str]
    """`on time`, `late` or `early`; None where it was not taken."""
    record_id: Optional[str]


@dataclasses.dataclass(frozen=True)
class DosePeriod:
    """What the doses of a period come to."""

    period_kind: str
    period_start: datetime.date
    period_end: datetime.date
    taken_doses: int
    skipped_doses: int
    missed_doses: int
    planned_skips: int
    pending_doses: int
    late_doses: int
    early_doses: int
    extra_doses: int
    days_expected: int
    days_exact: int
    days_covered: int
    adherence_rate: Optional[float]
    """The share of expected doses that were taken; None where none was expected."""
    pdc: Optional[float]
    """The share of days on which all doses were taken."""


@dataclasses.dataclass(frozen=True)
class DoseExplanation(_FromJSON):
    """The doses of a medication up to a day."""

    person: str
    user_id: str
    medication: str
    medication_id: str
    date: datetime.date
    doses: tuple[ExpectedDose, ...]
    """Those of the seven days up to the day."""
    unexpected_records: tuple[str, ...]
    """Records of these days that match no expected dose, by id."""
    periods: tuple[DosePeriod, ...]


def _record(kind: Any, value: Any) -> Any:
    """The value of a JSON document as a record, a date, or what it is."""
    arguments = typing.get_args(kind)
    if value is None or typing.get_origin(kind) is typing.Union:
        return None if value is None else _record(arguments[0], value)
    if typing.get_origin(kind) is tuple:
        return tuple(_record(arguments[0], element) for element in value)
    if kind is datetime.date:
        return datetime.date.fromisoformat(value)
    if kind is datetime.datetime:
        return datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    if kind is float:
        return float(value)
    if typing.get_origin(kind) is dict:
        return {name: _record(arguments[1], part) for name, part in value.items()}
    if isinstance(value, dict):
        kinds = typing.get_type_hints(kind)
        return kind(**{name: _record(kinds[name], part) for name, part in value.items()})
    return value
