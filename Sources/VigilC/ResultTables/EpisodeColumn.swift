/// A column of `VIGIL_EPISODES`: those of `vigil export alerts` that do not depend on a database, in their order.
enum EpisodeColumn: String, CaseIterable {
  case person
  case id
  case eventID = "event_id"
  case profile
  case userID = "user_id"
  case medication
  case medicationID = "medication_id"
  case metricType = "metric_type"
  case patternType = "pattern_type"
  case episodeStatus = "episode_status"
  case activeSince = "active_since"
  case lastEvaluatedDate = "last_evaluated_date"
  case consecutiveTrueDays = "consecutive_true_days"
  case currentLevel = "current_level"
  case severity
  case baselineStart = "baseline_start"
  case baselineEnd = "baseline_end"
  case baselineDays = "baseline_days"
  case baselineValue = "baseline_value"
  case recentStart = "recent_start"
  case recentEnd = "recent_end"
  case recentValue = "recent_value"
  case deviationFraction = "deviation_fraction"
  case openedOn = "opened_on"
  case windowDays = "window_days"
  case evidence
  case evidenceThreshold = "evidence_threshold"
  case shiftSpreads = "shift_spreads"
  case longestPauseDays = "longest_pause_days"
  case resolvedOn = "resolved_on"
  case resolutionReason = "resolution_reason"

  var layout: ResultTable.Column {
    switch self {
    case .person, .id, .eventID, .profile, .userID, .metricType, .patternType, .episodeStatus,
      .severity:
      .text(rawValue)
    case .medication, .medicationID, .resolutionReason: .text(rawValue, nullable: true)
    case .activeSince, .lastEvaluatedDate, .baselineStart, .baselineEnd, .recentStart, .recentEnd:
      .date(rawValue)
    case .openedOn, .resolvedOn: .date(rawValue, nullable: true)
    case .consecutiveTrueDays, .currentLevel, .baselineDays: .integer(rawValue)
    case .windowDays, .longestPauseDays: .integer(rawValue, nullable: true)
    case .baselineValue, .recentValue: .number(rawValue)
    case .deviationFraction, .evidence, .evidenceThreshold, .shiftSpreads:
      .number(rawValue, nullable: true)
    }
  }
}
