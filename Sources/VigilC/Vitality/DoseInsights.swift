import VigilAdherence
import VigilModel

/// The insights about doses (specification, adherence.md section 4): doses that were missed in a row, and episodes of
/// adherence beside others of the same person.
struct DoseInsights {
  private let missedStreaks: [UUID: [MissedStreak]]
  private let adherence: MetricType?
  /// Persons whose insights were taken: two names may stand for one.
  private var taken: Set<UUID> = []

  /// - Parameters:
  ///   - streaks: Of any persons.
  ///   - adherence: The metric of doses; nil where the profile has none.
  init(_ streaks: [MissedStreak], with adherence: MetricType?) {
    missedStreaks = Dictionary(grouping: streaks, by: \.user)
    self.adherence = adherence
  }

  /// - Parameter alerts: Those of the person.
  mutating func take(of person: PersonRows, alerts: [Alert]) -> [TrendInsight] {
    guard taken.insert(person.id).inserted else { return [] }
    return (missedStreaks[person.id] ?? []).map(\.insight) + together(alerts, of: person.id)
  }

  private func together(_ alerts: [Alert], of user: UUID) -> [TrendInsight] {
    // Silence is no metric that may move together with adherence.
    let others = alerts.filter { $0.metric != adherence && $0.pattern != .silence }
    var found: [TrendInsight] = []
    for alert in alerts where alert.metric == adherence {
      for other in others where alert.days.overlaps(other.days) {
        let shared = alert.days.clamped(to: other.days)
        found.append(
          TrendInsight(
            user: user, pillar: .adherence, day: shared.lowerBound, rule: .concurrentEpisodes,
            coverage: shared.upperBound - shared.lowerBound + 1, confidence: 1,
            coOccurrence: TrendInsight.CoOccurrence(
              adherence: alert.id, other: other.id, otherMetric: other.metric)))
      }
    }
    return found.sorted { $0.id < $1.id }
  }
}

extension Alert {
  /// The days from its beginning to its end, or to the last evaluated one.
  fileprivate var days: ClosedRange<Day> {
    let last = episode.resolution?.day ?? episode.lastEvaluated
    return episode.activeSince...max(episode.activeSince, last)
  }
}
