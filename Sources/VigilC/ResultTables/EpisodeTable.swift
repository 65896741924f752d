import CVigil
import VigilModel

/// The rows of `VIGIL_EPISODES`: the columns of `vigil export alerts` that do not depend on a database.
struct EpisodeTable {
  private var table = ResultTable([
    .text("person"), .text("id"), .text("event_id"), .text("profile"), .text("user_id"),
    .text("medication", nullable: true), .text("medication_id", nullable: true),
    .text("metric_type"), .text("pattern_type"), .text("episode_status"), .date("active_since"),
    .date("last_evaluated_date"), .integer("consecutive_true_days"), .integer("current_level"),
    .text("severity"), .date("baseline_start"), .date("baseline_end"), .integer("baseline_days"),
    .number("baseline_value"), .date("recent_start"), .date("recent_end"), .number("recent_value"),
    .number("deviation_fraction", nullable: true), .date("opened_on", nullable: true),
    .integer("window_days", nullable: true), .number("evidence", nullable: true),
    .number("evidence_threshold", nullable: true), .number("shift_spreads", nullable: true),
    .integer("longest_pause_days", nullable: true),
    .date("resolved_on", nullable: true), .text("resolution_reason", nullable: true),
  ])

  /// - Parameter medicationNames: By id, a medication as the caller names it.
  mutating func append(
    _ alert: Alert, of person: PersonRows, medicationNames: [UUID: String], profile: String
  ) {
    let episode = alert.episode
    let opening = episode.opening
    table.beginRow()
    table.add(person.name)
    table.add(alert.id)
    table.add(alert.event)
    table.add(profile)
    table.add(person.id)
    table.add(alert.series.medication.map { medicationNames[$0] ?? $0.lowercased })
    table.add(alert.series.medication)
    table.add(alert.metric.rawValue)
    table.add(alert.pattern.rawValue)
    table.add(episode.isActive ? "active" : "resolved")
    table.add(episode.activeSince.ordinal)
    table.add(episode.lastEvaluated.ordinal)
    table.add(Int32(episode.duration))
    table.add(Int32(episode.level.rawValue))
    table.add(alert.metric.severity(of: episode.level).rawValue)
    table.add(episode.figures.baseline.start.ordinal)
    table.add(episode.figures.baseline.end.ordinal)
    table.add(Int32(episode.figures.baseline.count))
    table.add(episode.figures.baseline.value)
    table.add(episode.figures.recent.start.ordinal)
    table.add(episode.figures.recent.end.ordinal)
    table.add(episode.figures.recent.value)
    table.add(episode.figures.deviation)
    table.add(opening?.openedOn.ordinal)
    table.add((opening?.windowDays).map(Int32.init))
    table.add(opening?.evidence)
    table.add(opening?.threshold)
    table.add(opening?.shift)
    table.add((episode.silence?.longestPause).map(Int32.init))
    table.add(episode.resolution?.day.ordinal)
    table.add(episode.resolution?.reason.rawValue)
  }

  mutating func take() -> ArrowArrayStream { table.take() }
}

/// The rows of `VIGIL_DAYS`: the values that detection saw, as `vigil export observations` has them.
struct DayTable {
  private var table = ResultTable([
    .text("person"), .text("user_id"), .date("metric_date"), .text("metric_type"),
    .number("value"),
  ])

  mutating func append(_ person: PersonRows, day: Day, metric: MetricType, value: Double) {
    table.beginRow()
    table.add(person.name)
    table.add(person.id)
    table.add(day.ordinal)
    table.add(metric.rawValue)
    table.add(value)
  }

  mutating func take() -> ArrowArrayStream { table.take() }
}
