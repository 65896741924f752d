import VigilModel

/// The rules by which a fold judges the persons of one sensitivity, with the working memory of their statistics.
///
/// One thread uses one instance.
final class FoldRules {
  /// By metric, whether it is not followed; its place stays, so that the indices of series do.
  let isOff: [Bool]
  let contexts: [SeriesFold.Context]
  let judges: [MetricJudge]
  /// By metric; nil where another detector follows it.
  let evidenceJudges: [EvidenceJudge?]
  /// By metric; nil where another detector follows it.
  let doseJudges: [DoseJudge?]
  /// Nil where metrics are followed one by one only.
  let combined: CombinedJudge?

  /// - Parameters:
  ///   - thresholds: The profile.
  ///   - metrics: Those of the blocks, in their order.
  ///   - personal: The sensitivity of the persons.
  init(
    _ thresholds: Thresholds, metrics: [MetricThresholds], for personal: PersonalSensitivity
  ) {
    isOff = metrics.map { personal[$0.metric] == .off }
    let metrics = metrics.map { $0.adjusted(to: personal[$0.metric]) }
    contexts = metrics.map { SeriesFold.Context($0, of: thresholds) }
    judges = contexts.map(\.judge)
    let judges = metrics.map { metric in
      metric.evidence.map { EvidenceJudge(metric, $0, thresholds.evidence) }
    }
    evidenceJudges = judges
    doseJudges = metrics.map { $0.doses.map { DoseJudge($0) } }
    combined = thresholds.combined?.adjusted(to: personal).flatMap {
      CombinedJudge($0, thresholds.evidence, metrics: metrics, judges: judges)
    }
  }
}
