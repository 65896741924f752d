public import VigilModel

/// The row of a `PatternAlertState`; `put` and `decode` go through the columns in their order.
public enum AlertStateRow {
  public static let table = "pattern_alert_state"

  public static let columns =
    episodeColumns + EvidenceColumns.names + [
      "resolved_on", "resolution_reason", "thresholds_version", "thresholds_digest", "run_id",
      "computed_at", "created_at", "updated_at",
    ]

  /// The columns before those about evidence.
  private static let episodeColumns = [
    "id", "profile", "user_id", "medication_id", "metric_type", "pattern_type", "event_id",
    "episode_status", "active_since", "last_evaluated_date", "consecutive_true_days",
    "current_level", "severity",
    "last_notified_level", "last_notified_at", "shadow_notified_level", "snooze_until",
    "dismissed_at", "acknowledged_at", "acknowledged_by", "baseline_start", "baseline_end",
    "baseline_days", "baseline_value", "recent_start", "recent_end", "recent_value",
    "deviation_fraction",
  ]

  /// Columns that decide whether members are notified of an alert; a login that only backfills may
  /// not change them.
  public static let guardedColumns = ["last_notified_level", "last_notified_at"] + setByPeople

  /// The other columns that an update changes.
  public static let unguardedColumns = columns.filter {
    !keptColumns.contains($0) && !guardedColumns.contains($0)
  }

  /// Columns that every update sets to the new row's value.
  static let updates = unguardedColumns.filter { $0 != "shadow_notified_level" }

  /// Columns that members set.
  static let setByPeople = [
    "snooze_until", "dismissed_at", "acknowledged_at", "acknowledged_by",
  ]

  /// Columns that no update changes.
  private static let keptColumns: Set = [
    "id", "profile", "user_id", "medication_id", "metric_type", "pattern_type", "active_since",
    "thresholds_version", "thresholds_digest", "created_at",
  ]

  public static func put(_ state: PatternAlertState, into row: some RowWriter) {
    let episode = state.episode
    let baseline = episode.figures.baseline
    let recent = episode.figures.recent
    row.put(state.id)
    row.put(state.profile.id)
    row.put(state.series.user)
    row.put(state.series.medication)
    row.put(state.series.metric.rawValue)
    row.put(state.series.pattern.rawValue)
    row.put(state.eventID)
    row.put(episode.isActive ? "active" : "resolved")
    row.put(episode.activeSince)
    row.put(episode.lastEvaluated)
    row.put(episode.duration)
    row.put(episode.level.rawValue)
    row.put(state.severity.rawValue)
    row.put(state.lastNotifiedLevel?.rawValue)
    row.put(state.lastNotifiedAt)
    row.put(state.shadowNotifiedLevel?.rawValue)
    row.put(state.snoozeUntil)
    row.put(state.dismissedAt)
    row.put(state.acknowledgedAt)
    row.put(state.acknowledgedBy)
    row.put(baseline.start)
    row.put(baseline.end)
    row.put(baseline.count)
    row.put(baseline.value)
    row.put(recent.start)
    row.put(recent.end)
    row.put(recent.value)
    row.put(episode.figures.deviation)
    EvidenceColumns.put(episode, into: row)
    row.put(episode.resolution?.day)
    row.put(episode.resolution?.reason.rawValue)
    row.put(state.profile.version)
    row.put(state.profile.digest)
    row.put(state.runID)
    row.put(state.computedAt)
    row.put(state.createdAt)
    row.put(state.updatedAt)
  }

  public static func decode(_ row: inout some RowReader) throws -> PatternAlertState {
    let id = try row.uuid()
    row.skip()  // profile, which follows from version and digest of the thresholds
    let series = try SeriesKey(
      user: row.uuid(), medication: row.uuidIfPresent(), metric: MetricType(row.text()),
      pattern: row.word())
    let eventID = try row.uuid()
    row.skip()  // episode_status, which follows from the resolution
    let activeSince = try row.day()
    let lastEvaluated = try row.day()
    let duration = try row.dayCount()
    let level = try row.level()
    row.skip()  // severity, which follows from level and pattern
    let lastNotifiedLevel = try row.levelIfPresent()
    let lastNotifiedAt = try row.timestampIfPresent()
    let shadowNotifiedLevel = try row.levelIfPresent()
    let snoozeUntil = try row.dayIfPresent()
    let dismissedAt = try row.timestampIfPresent()
    let acknowledgedAt = try row.timestampIfPresent()
    let acknowledgedBy = try row.uuidIfPresent()
    let (baselineStart, baselineEnd) = try (row.day(), row.day())
    let baseline = try EpisodeFigures.Window(
      count: row.dayCount(), value: row.finite(), start: baselineStart, end: baselineEnd)
    let (recentStart, recentEnd) = try (row.day(), row.day())
    let (recentValue, deviation) = try (row.finite(), row.finiteIfPresent())
    let evidence = try EvidenceColumns.decode(
      &row, within: activeSince...max(activeSince, lastEvaluated), of: series.pattern)
    // Without evidence, a recent window has no gaps, so that its days are its observations.
    let recentCount =
      switch evidence {
      case .series(let evidence): evidence.windowDays
      case .person(let evidence): evidence.windowDays
      case .doses(let evidence): evidence.windowDays
      case .silence, .limit, nil: recentEnd - recentStart + 1
      }
    let recent = EpisodeFigures.Window(
      value: recentValue, start: recentStart, end: recentEnd, count: recentCount)
    let figures = EpisodeFigures(baseline: baseline, recent: recent, deviation: deviation)
    let resolvedOn = try row.dayIfPresent()
    let reason: Episode.Resolution.Reason? = try row.wordIfPresent()
    var resolution: Episode.Resolution?
    if let resolvedOn, let reason {
      resolution = Episode.Resolution(day: resolvedOn, reason: reason)
    }
    let profile = try Profile(version: row.text(), digest: row.text())
    var episode = Episode(
      activeSince: activeSince, lastEvaluated: lastEvaluated, duration: duration, level: level,
      figures: figures, resolution: resolution)
    switch evidence {
    case .series(let evidence): episode.evidence = evidence
    case .person(let evidence): episode.combined = evidence
    case .doses(let evidence): episode.doses = evidence
    case .silence(let evidence): episode.silence = evidence
    case .limit(let evidence): episode.limit = evidence
    case nil: break
    }
    return try PatternAlertState(
      id: id, profile: profile, series: series, episode: episode, eventID: eventID,
      lastNotifiedLevel: lastNotifiedLevel, lastNotifiedAt: lastNotifiedAt,
      shadowNotifiedLevel: shadowNotifiedLevel, snoozeUntil: snoozeUntil, dismissedAt: dismissedAt,
      acknowledgedAt: acknowledgedAt, acknowledgedBy: acknowledgedBy,
      runID: row.uuid(), computedAt: row.timestamp(), createdAt: row.timestamp(),
      updatedAt: row.timestamp())
  }
}

extension EpisodeFigures.Window {
  /// In the order of the table's columns, in which arguments are evaluated.
  fileprivate init(count: Int, value: Double, start: Day, end: Day) {
    self.init(value: value, start: start, end: end, count: count)
  }
}
