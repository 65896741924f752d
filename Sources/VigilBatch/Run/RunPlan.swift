import VigilAdherence
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage
import VigilVitality

/// The scope of a run, resolved against a database: the metrics and doses that it has input for.
///
/// Runs, and the courses of alerts, go through the same stages by such a plan.
struct RunPlan: Sendable {
  let scope: RunScope
  /// Whether doses are evaluated too.
  let followsAdherence: Bool
  /// Whether check-ins are evaluated, too.
  let followsCheckIns: Bool
  /// The profile of the run.
  let own: ProfilePlan
  /// The profile beside it; nil where there is none.
  let candidate: ProfilePlan?
  /// The most persons of one batch.
  let personsPerBatch: Int
  /// Whether rows are read from copies that nights before made, and copies are made.
  var usesHistory = false
  /// The series without an episode of the night before, by the digests of the input; nil where the run keeps none.
  var calmDigests: [UInt64: CalmDigest.SeriesSet]?

  private let availableMetrics: Set<MetricType>

  /// - Parameters:
  ///   - availableMetrics: The numeric columns of `wearable_daily_metrics`.
  ///   - batchSize: The number of persons of one batch; nil for as many as fit the memory of a block.
  init(
    _ scope: RunScope, availableMetrics: Set<MetricType>, followsAdherence: Bool,
    followsCheckIns: Bool = false, batchSize: Int? = nil
  ) {
    self.scope = scope
    self.availableMetrics = availableMetrics
    self.followsAdherence = followsAdherence
    self.followsCheckIns = followsCheckIns
    let plan = { thresholds, window in
      ProfilePlan(
        thresholds, window: window, availableMetrics: availableMetrics,
        followsAdherence: followsAdherence, followsCheckIns: followsCheckIns)
    }
    let own = plan(scope.thresholds, scope.window)
    let candidate = scope.candidate.flatMap { thresholds in
      scope.candidateWindow.map { plan(thresholds, $0) }
    }
    (self.own, self.candidate) = (own, candidate)
    personsPerBatch =
      batchSize.map { max(1, $0) }
      ?? BlockSize.persons(
        under: [own] + [candidate].compactMap(\.self), evaluating: scope.days,
        scoredFrom: scope.scoresVitality ? scope.vitalityDays : nil, followsDoses: followsAdherence)
  }

  /// The metrics of the run's own profile that come from wearables and have a column.
  var wearableMetrics: [MetricThresholds] { own.wearableMetrics }

  /// The metric of the run's own profile that comes from doses; nil where it is not followed.
  var adherenceMetric: MetricThresholds? { own.adherenceMetric }

  func isAvailable(_ metric: MetricType) -> Bool { availableMetrics.contains(metric) }

  /// Whether the rows of `wearable_daily_metrics` decide about episodes of a metric.
  func isJudgedByMetricRows(_ metric: MetricType) -> Bool {
    metric != scope.thresholds.adherenceMetric?.metric && isAvailable(metric)
  }

  // MARK: Doses

  /// - Parameter startedAt: When the run began, also where another process continues it.
  func adherenceWindow(evaluatedAt startedAt: Timestamp) -> AdherenceWindow {
    guard let dayBefore else {
      return AdherenceWindow(
        evaluating: scope.days, evaluatedAt: startedAt, daily: scope.loadedDays)
    }
    let day = scope.days.upperBound
    return AdherenceWindow(
      day: day, evaluatedAt: startedAt,
      periods: AdherencePeriod.all(endingAt: day) + [dayBefore], daily: scope.loadedDays)
  }

  /// The 90 days up to the day before, by which a night sees whether the nights before counted other doses;
  /// nil for a backfill, which writes the days it was given and no others.
  var dayBefore: AdherencePeriod? {
    scope.kind == .run && scope.parts.contains(.adherence)
      ? .period(.ninetyDays, endingAt: scope.days.upperBound - 1) : nil
  }
}
