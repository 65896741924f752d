import VigilModel

/// The `combined` of an alert in JSON: the evidence of several metrics together.
struct CombinedDocument: Encodable {
  private struct Contribution: Encodable {
    var metricType: MetricType
    var z: Double
    /// The fraction of the evidence.
    var share: Double
    var shiftSpreads: Double
    var baselineStart: Day
    var baselineEnd: Day
    var baselineDays: Int
    var baselineValue: Double
    var recentStart: Day
    var recentEnd: Day
    var recentDays: Int
    var recentValue: Double
    var anchor: EvidenceDocument.Anchor
  }

  private var openedOn: Day
  private var windowDays: Int
  private var evidence: Double
  private var threshold: Double
  private var contributing: [Contribution]
  private var unchanged: [MetricType]

  init(_ combined: CombinedEvidence) {
    openedOn = combined.openedOn
    windowDays = combined.windowDays
    evidence = combined.evidence
    threshold = combined.threshold
    contributing = combined.contributions.map { metric in
      let (baseline, recent) = (metric.baseline, metric.recent)
      return Contribution(
        metricType: metric.metric, z: metric.z, share: combined.share(of: metric),
        shiftSpreads: metric.shift, baselineStart: baseline.start, baselineEnd: baseline.end,
        baselineDays: baseline.count, baselineValue: baseline.value, recentStart: recent.start,
        recentEnd: recent.end, recentDays: recent.count, recentValue: recent.value,
        anchor: EvidenceDocument.Anchor(metric.anchor))
    }
    unchanged = combined.unchanged
  }
}
