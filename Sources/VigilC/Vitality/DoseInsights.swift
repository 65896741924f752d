import VigilAdherence
import VigilModel
import VigilPipeline

/// The insights about doses (specification, adherence.md section 4): doses that were missed in a row, refills that are
/// due, and episodes of adherence beside others of the same person.
struct DoseInsights {
  private let ofMedications: [UUID: [TrendInsight]]
  private let adherence: MetricType?
  /// Persons whose insights were taken: two names may stand for one.
  private var taken: Set<UUID> = []

  /// - Parameters:
  ///   - measures: Those of the doses of persons; nil where these are not followed.
  ///   - adherence: The metric of doses; nil where the profile has none.
  init(_ measures: AdherenceFindings?, with adherence: MetricType?) {
    let streaks = measures?.missedStreaks.map(\.insight) ?? []
    let refills = measures?.supplies.flatMap(\.due).map(\.insight) ?? []
    ofMedications = Dictionary(grouping: streaks + refills, by: \.user)
    self.adherence = adherence
  }

  /// - Parameter alerts: Those of the person.
  mutating func take(of person: PersonRows, alerts: [Alert]) -> [TrendInsight] {
    guard taken.insert(person.id).inserted else { return [] }
    return (ofMedications[person.id] ?? []) + together(alerts, of: person.id)
  }

  private func together(_ alerts: [Alert], of user: UUID) -> [TrendInsight] {
    let others = alerts.filter { $0.metric != adherence && $0.series.isOfMetrics }
    var found: [TrendInsight] = []
    for alert in alerts where alert.metric == adherence {
      for other in others {
        let insight = TrendInsight(alert.episode, beside: other.episode, of: user) {
          TrendInsight.CoOccurrence(
            adherence: alert.id, other: other.id, otherMetric: other.metric)
        }
        if let insight { found.append(insight) }
      }
    }
    return found.sorted { $0.id < $1.id }
  }
}
