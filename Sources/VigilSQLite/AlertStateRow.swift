import Foundation
import GRDB
import VigilModel
import VigilStorage

/// How a `PatternAlertState` lies in its table: the order of columns is the order in which `put`
/// and `decode` go through them.
enum AlertStateRow {
  static let table = "pattern_alert_state"

  static let columns = [
    "id", "user_id", "metric_type", "pattern_type", "episode_status", "active_since",
    "last_evaluated_date", "consecutive_true_days", "current_level", "severity",
    "last_notified_level", "last_notified_at", "shadow_notified_level", "snooze_until",
    "dismissed_at", "acknowledged_at", "acknowledged_by", "baseline_start", "baseline_end",
    "baseline_days", "baseline_value", "recent_start", "recent_end", "recent_value",
    "deviation_percent", "resolved_on", "resolution_reason", "thresholds_version",
    "thresholds_digest", "run_id", "computed_at", "created_at", "updated_at",
  ]

  static let key = ["user_id", "metric_type", "pattern_type", "active_since"]

  /// What an update leaves as it is: what identifies the row, when it came, and what people set.
  private static let keptColumns = Set(
    key + [
      "id", "created_at", "snooze_until", "dismissed_at", "acknowledged_at", "acknowledged_by",
    ]
  )

  static var upsert: String {
    let updates = columns.filter { !keptColumns.contains($0) }.map { "\($0) = excluded.\($0)" }
    return """
      INSERT INTO \(table) (\(columns.joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(updates.joined(separator: ", "))
      """
  }

  static var select: String {
    "SELECT \(columns.joined(separator: ", ")) FROM \(table)"
  }

  static func put(_ state: PatternAlertState, into statement: RawStatement) {
    let episode = state.episode
    let baseline = episode.figures.baseline
    let recent = episode.figures.recent
    statement.put(state.id)
    statement.put(state.series.user)
    statement.put(state.series.metric.rawValue)
    statement.put(state.series.pattern.rawValue)
    statement.put(episode.isActive ? "active" : "resolved")
    statement.put(episode.activeSince)
    statement.put(episode.lastEvaluated)
    statement.put(episode.duration)
    statement.put(episode.level.rawValue)
    statement.put(episode.level.severity.rawValue)
    statement.put(state.lastNotifiedLevel?.rawValue)
    statement.put(state.lastNotifiedAt)
    statement.put(state.shadowNotifiedLevel?.rawValue)
    statement.put(state.snoozeUntil)
    statement.put(state.dismissedAt)
    statement.put(state.acknowledgedAt)
    statement.put(state.acknowledgedBy)
    statement.put(baseline.start)
    statement.put(baseline.end)
    statement.put(baseline.count)
    statement.put(baseline.value)
    statement.put(recent.start)
    statement.put(recent.end)
    statement.put(recent.value)
    statement.put(episode.figures.deviation)
    statement.put(episode.resolution?.day)
    statement.put(episode.resolution?.reason.rawValue)
    statement.put(state.thresholdsVersion)
    statement.put(state.thresholdsDigest)
    statement.put(state.runID)
    statement.put(state.computedAt)
    statement.put(state.createdAt)
    statement.put(state.updatedAt)
  }

  static func decode(_ row: RawRow, from file: DatabaseFile) throws -> PatternAlertState {
    var row = RowDecoder(row, of: table, columns: columns, in: file)
    _ = row.text()  // id, which follows from the key
    let series = try SeriesKey(
      user: row.uuid(), metric: MetricType(row.text()), pattern: row.word())
    _ = row.text()  // episode_status, which follows from the resolution
    let activeSince = try row.day()
    let lastEvaluated = try row.day()
    let duration = row.int()
    let level = try row.level()
    _ = row.text()  // severity, which follows from the level
    let lastNotifiedLevel = try row.levelIfPresent()
    let lastNotifiedAt = try row.timestampIfPresent()
    let shadowNotifiedLevel = try row.levelIfPresent()
    let snoozeUntil = try row.dayIfPresent()
    let dismissedAt = try row.timestampIfPresent()
    let acknowledgedAt = try row.timestampIfPresent()
    let acknowledgedBy = try row.uuidIfPresent()
    let (baselineStart, baselineEnd) = try (row.day(), row.day())
    let baseline = EpisodeFigures.Window(
      count: row.int(), value: row.double(), start: baselineStart, end: baselineEnd)
    let (recentStart, recentEnd) = try (row.day(), row.day())
    // A recent window has no gaps, so its days are its observations.
    let recent = EpisodeFigures.Window(
      count: recentEnd - recentStart + 1, value: row.double(), start: recentStart, end: recentEnd)
    let figures = EpisodeFigures(
      baseline: baseline, recent: recent, deviation: row.doubleIfPresent())
    let resolvedOn = try row.dayIfPresent()
    let reason: Episode.Resolution.Reason? = try row.wordIfPresent()
    var resolution: Episode.Resolution?
    if let resolvedOn, let reason {
      resolution = Episode.Resolution(day: resolvedOn, reason: reason)
    }
    return try PatternAlertState(
      series: series,
      episode: Episode(
        activeSince: activeSince, lastEvaluated: lastEvaluated, duration: duration, level: level,
        figures: figures, resolution: resolution),
      lastNotifiedLevel: lastNotifiedLevel, lastNotifiedAt: lastNotifiedAt,
      shadowNotifiedLevel: shadowNotifiedLevel, snoozeUntil: snoozeUntil, dismissedAt: dismissedAt,
      acknowledgedAt: acknowledgedAt, acknowledgedBy: acknowledgedBy,
      thresholdsVersion: row.text(), thresholdsDigest: row.text(), runID: row.uuid(),
      computedAt: row.timestamp(), createdAt: row.timestamp(), updatedAt: row.timestamp())
  }
}

extension EpisodeFigures.Window {
  /// In the order of the table's columns, in which arguments are evaluated.
  fileprivate init(count: Int, value: Double, start: Day, end: Day) {
    self.init(value: value, start: start, end: end, count: count)
  }
}
