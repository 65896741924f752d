public import VigilAnalysis
public import VigilDetection
public import VigilModel
import VigilStorage

/// A decision about one day of a series of a person, with the input and what the database holds of it.
public struct ReadDecision<Decision, Input> {
  public var decision: Decision
  public var input: Input
  /// The day, and the runs behind it.
  public var days: EvaluatedDays
  /// Nil where no alert is stored.
  public var stored: StoredAlertFacts?
}

extension ExplanationReading {
  /// Decides about a metric once more.
  ///
  /// - Parameters:
  ///   - metric: One of the profile's.
  ///   - person: The person.
  ///   - days: The day, and the runs behind it.
  /// - Throws: `StorageError`; `ZoneFault` where the rules of a time zone cannot be read.
  public func explain(
    _ metric: MetricThresholds, of person: UUID, on days: EvaluatedDays
  ) throws -> ReadDecision<Explanation, ExplanationInput> {
    let input = try read(
      metric, of: person, on: days.day, from: days.first, evaluatedAt: days.run?.startedAt)
    let decision = DecisionExplainer(metric, of: thresholds)
      .explain(input.series, on: days.day, from: days.first)
    return try found(decision, from: input, among: input.stored, on: days)
  }

  /// Decides about the metrics that are followed together once more.
  ///
  /// - Parameters:
  ///   - person: The person.
  ///   - days: The day, and the runs behind it.
  /// - Returns: Nil where the database has too few of the metrics.
  /// - Throws: `StorageError`.
  public func explainTogether(
    of person: UUID, on days: EvaluatedDays
  ) throws -> ReadDecision<CombinedExplanation, CombinedExplanationInput>? {
    let input = try readTogether(of: person, on: days.day, from: days.first)
    guard let explainer = CombinedExplainer(input.metrics, of: thresholds) else { return nil }
    let decision = explainer.explain(
      input.series, stored: input.episodes, on: days.day, from: days.first)
    return try found(decision, from: input, among: input.stored, on: days)
  }

  /// Decides about a series of silence once more.
  ///
  /// - Parameters:
  ///   - metric: The name of the series.
  ///   - person: The person.
  ///   - days: The day, and the runs behind it.
  /// - Returns: Nil where the profile does not follow the series.
  /// - Throws: `StorageError`; `ZoneFault` where the rules of a time zone cannot be read.
  public func explainSilence(
    _ metric: MetricType, of person: UUID, on days: EvaluatedDays
  ) throws -> ReadDecision<SilenceExplanation, SilenceExplanationInput>? {
    guard let input = try readSilence(metric, of: person, on: days.day, from: days.first) else {
      return nil
    }
    let decision = SilenceExplainer(input.series, of: thresholds).explain(
      input.days, stored: input.episodes, on: days.day, from: days.first,
      brokenFeed: Set(days.run?.feed?.brokenDays ?? []))
    return try found(decision, from: input, among: input.stored, on: days)
  }

  /// Decides about the limits of a metric on one side once more.
  ///
  /// - Parameters:
  ///   - metric: One of the profile's.
  ///   - direction: The side.
  ///   - person: The person.
  ///   - sensitivity: That of the person for the metric.
  ///   - days: The day, and the runs behind it.
  /// - Throws: `StorageError`; `ZoneFault` where the rules of a time zone cannot be read.
  public func explainLimit(
    of metric: MetricThresholds, _ direction: CriticalLimit.Direction, of person: UUID,
    _ sensitivity: Sensitivity, on days: EvaluatedDays
  ) throws -> ReadDecision<LimitExplanation, ExplanationInput> {
    let input = try read(metric, of: person, on: days.day, from: days.first)
    let rows = input.storedLimits.filter {
      $0.series.metric == metric.metric && $0.series.pattern == direction.pattern
    }
    let decision = LimitExplainer(
      metric.metric, direction, of: thresholds, personal: input.limits, sensitivity: sensitivity
    ).explain(
      input.series, stored: rows.map(\.episode), on: days.day, from: days.first)
    return try found(decision, from: input, among: rows, on: days)
  }

  private func found<Decision: ExplainedDecision, Input>(
    _ decision: Decision, from input: Input, among rows: [PatternAlertState],
    on days: EvaluatedDays
  ) throws -> ReadDecision<Decision, Input> {
    ReadDecision(
      decision: decision, input: input, days: days,
      stored: try alert(of: decision.after ?? decision.before, among: rows, on: days.day))
  }
}
