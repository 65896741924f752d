import VigilAdherence
import VigilDetection
import VigilModel
import VigilStorage

/// Takes the doses of loaded batches to measures, insights, and days of the detection block; used by one
/// thread.
final class DoseEvaluation {
  private let settings: BatchSettings
  private let window: AdherenceWindow
  private let evaluator: AdherenceEvaluator
  private let earlier: EarlierNights
  private var result = AdherenceResult()

  /// - Parameters:
  ///   - runStartedAt: As of when a dose without a record is missed or pending.
  ///   - zones: Those of the batches.
  ///   - earlier: What is asked about nights before.
  init(
    settings: BatchSettings, runStartedAt: Timestamp, zones: ZoneCatalog, earlier: EarlierNights
  ) {
    self.settings = settings
    self.earlier = earlier
    window = settings.adherenceWindow(evaluatedAt: runStartedAt)
    evaluator = AdherenceEvaluator(zones: zones)
  }

  /// Evaluates a batch, and gives the last metric of its block the daily adherence of each person.
  func evaluate(_ batch: LoadedBatch) throws -> AdherenceWrite {
    var write = AdherenceWrite(
      persons: batch.persons, days: settings.days, evaluatedAt: window.evaluatedAt)
    guard let rows = batch.medications, rows.block.medicationCount > 0 else { return write }
    write.versions = try rows.takeVersions(evaluatingFrom: settings.days.lowerBound)
    evaluator.evaluate(rows.block, over: window, into: &result)
    write.analytics = result.analytics.filter { $0.period != settings.dayBefore }
    write.insights = result.missedStreaks.map(\.insight)
    if let metric = settings.adherenceMetric, metric == batch.metrics.last { fill(batch.block) }
    if let dayBefore = settings.dayBefore {
      let totals = result.analytics.filter { $0.medication == nil && $0.period == dayBefore }
      try earlier.correct(
        &write, totals: Dictionary(totals.map { ($0.user, $0.measures) }) { $1 },
        lastEvaluated: rows.lastEvaluatedDay(of:),
        written: Set(window.periods).subtracting([dayBefore]))
    }
    return write
  }

  private func fill(_ block: ObservationBlock) {
    let first = block.days.lowerBound - window.days.lowerBound
    for person in 0..<block.personCount {
      let daily = result.dailyAdherence(person: person).dropFirst(first)
      let series = block.series(person: person, metric: block.metricCount - 1)
      for (day, value) in zip(series.indices, daily) { series[day] = value }
    }
  }
}

extension AdherenceWrite {
  /// Adds an insight for each episode of adherence and each of another metric of the same person that
  /// have days in common, from the rows that the database holds and those that take their place.
  mutating func addConcurrences(
    of stored: [Int: [PatternAlertState]], changed: [PatternAlertState], with adherence: MetricType?
  ) {
    retractedStates = changed.filter(\.isRetracted).map(\.id)
    guard let adherence else { return }
    var states = Dictionary(
      stored.values.joined().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for state in changed { states[state.id] = state }
    let current = states.values.filter { !$0.isRetracted }
    let ofAdherence = current.filter { $0.series.metric == adherence }
    guard !ofAdherence.isEmpty else { return }
    let others = Dictionary(
      grouping: current.filter { $0.series.metric != adherence }, by: \.series.user)
    var found: [TrendInsight] = []
    for state in ofAdherence {
      for other in others[state.series.user] ?? [] where state.days.overlaps(other.days) {
        let shared = state.days.clamped(to: other.days)
        found.append(
          TrendInsight(
            user: state.series.user, pillar: .adherence, day: shared.lowerBound,
            rule: .concurrentEpisodes, coverage: shared.upperBound - shared.lowerBound + 1,
            confidence: 1,
            concurrence: TrendInsight.Concurrence(
              adherence: state.id, other: other.id, otherMetric: other.series.metric)))
      }
    }
    insights += found.sorted { $0.id < $1.id }
  }
}

extension PatternAlertState {
  /// From its beginning to its end, or as far as it was followed.
  fileprivate var days: ClosedRange<Day> {
    let last = episode.resolution?.day ?? episode.lastEvaluated
    return episode.activeSince...max(episode.activeSince, last)
  }
}
