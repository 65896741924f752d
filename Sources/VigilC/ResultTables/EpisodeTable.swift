import CVigil
import VigilModel

/// The rows of `VIGIL_EPISODES`.
struct EpisodeTable {
  private let columns: [EpisodeColumn]
  private var table: ResultTable

  /// - Parameter columns: In the order in which the rows have them.
  init(_ columns: [EpisodeColumn] = EpisodeColumn.allCases) {
    self.columns = columns
    table = ResultTable(columns.map(\.layout))
  }

  /// - Parameters:
  ///   - alerts: All of the person.
  ///   - medicationNames: By id, a medication as the caller names it.
  mutating func append(
    _ alerts: [Alert], of person: PersonRows, medicationNames: [UUID: String], profile: String
  ) {
    // Ids take the longest: they are hashed where a column has them.
    let ids = columns.contains { $0 == .id || $0 == .eventID } ? alerts.map(\.id) : []
    for (index, alert) in alerts.enumerated() {
      let episode = alert.episode
      table.beginRow()
      for column in columns {
        switch column {
        case .person: table.add(person.name)
        case .id: table.add(ids[index])
        case .eventID: table.add(ids[alert.start ?? index])
        case .profile: table.add(profile)
        case .userID: table.add(person.id)
        case .medication:
          table.add(alert.series.medication.map { medicationNames[$0] ?? $0.lowercased })
        case .medicationID: table.add(alert.series.medication)
        case .metricType: table.add(alert.metric.rawValue)
        case .patternType: table.add(alert.pattern.rawValue)
        case .episodeStatus: table.add(episode.isActive ? "active" : "resolved")
        case .activeSince: table.add(episode.activeSince.ordinal)
        case .lastEvaluatedDate: table.add(episode.lastEvaluated.ordinal)
        case .consecutiveTrueDays: table.add(Int32(episode.duration))
        case .currentLevel: table.add(Int32(episode.level.rawValue))
        case .severity: table.add(alert.metric.severity(of: episode.level).rawValue)
        case .baselineStart: table.add(episode.figures.baseline.start.ordinal)
        case .baselineEnd: table.add(episode.figures.baseline.end.ordinal)
        case .baselineDays: table.add(Int32(episode.figures.baseline.count))
        case .baselineValue: table.add(episode.figures.baseline.value)
        case .recentStart: table.add(episode.figures.recent.start.ordinal)
        case .recentEnd: table.add(episode.figures.recent.end.ordinal)
        case .recentValue: table.add(episode.figures.recent.value)
        case .deviationFraction: table.add(episode.figures.deviation)
        case .openedOn: table.add((episode.opening?.openedOn).map(\.ordinal))
        case .windowDays: table.add((episode.opening?.windowDays).map(Int32.init))
        case .evidence: table.add(episode.opening?.evidence)
        case .evidenceThreshold: table.add(episode.opening?.threshold)
        case .shiftSpreads: table.add(episode.opening?.shift)
        case .longestPauseDays: table.add((episode.silence?.longestPause).map(Int32.init))
        case .resolvedOn: table.add(episode.resolution?.day.ordinal)
        case .resolutionReason: table.add(episode.resolution?.reason.rawValue)
        }
      }
    }
  }

  mutating func take() -> ArrowArrayStream { table.take() }
}
