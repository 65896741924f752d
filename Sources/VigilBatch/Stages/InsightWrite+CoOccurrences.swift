import VigilModel
import VigilPipeline
import VigilStorage

extension InsightWrite {
  /// Adds an insight for each episode of adherence and each of another metric of the same person that
  /// have days in common, and lists the episodes that were compared, so that insights about episodes that
  /// no longer overlap are retracted.
  ///
  /// - Parameters:
  ///   - stored: The rows of the database.
  ///   - changed: The rows that take their place.
  mutating func addCoOccurrences(
    of stored: [PatternAlertState], changed: [PatternAlertState], with adherence: MetricType?
  ) {
    retractedStates = changed.filter(\.isRetracted).map(\.id)
    guard let adherence else { return }
    var states = Dictionary(
      stored.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for state in changed where state.series.isOfMetrics { states[state.id] = state }
    let withAdherence = Set(
      states.values.filter { $0.series.metric == adherence }.map(\.series.user))
    comparedStates = Dictionary(
      grouping: states.values.filter { withAdherence.contains($0.series.user) }, by: \.series.user
    ).mapValues { $0.map(\.id).sorted() }.filter { $0.value.count > 1 }
    let current = states.values.filter { !$0.isRetracted }
    let ofAdherence = current.filter { $0.series.metric == adherence }
    guard !ofAdherence.isEmpty else { return }
    let others = Dictionary(
      grouping: current.filter { $0.series.metric != adherence }, by: \.series.user)
    var found: [TrendInsight] = []
    for state in ofAdherence {
      for other in others[state.series.user] ?? [] {
        let insight = TrendInsight(state.episode, beside: other.episode, of: state.series.user) {
          TrendInsight.CoOccurrence(
            adherence: state.id, other: other.id, otherMetric: other.series.metric)
        }
        if let insight { found.append(insight) }
      }
    }
    insights += found.sorted { $0.id < $1.id }
  }
}
