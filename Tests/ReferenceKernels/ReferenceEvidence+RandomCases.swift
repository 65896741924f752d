import Foundation

/// A random history of one series, for comparisons of the twin with the fast detector.
public struct ReferenceEvidenceCase: Sendable {
  /// The name of the metric.
  public var metric: String
  /// The days of the fold.
  ///
  /// Values may begin before or after its first day.
  public var days: ClosedRange<Int>
  /// At most one value a day, in the order of days; plausible, and never negative.
  public var series: [(day: Int, value: Double)]
  /// By day with a value, its sources; never empty.
  public var sources: [Int: Set<String>]
  /// Workout days, on days with and without a value.
  public var workouts: Set<Int>
  /// The events that were planted, for the message of a failing test.
  public var events: [String]

  public init(
    metric: String, days: ClosedRange<Int>, series: [(day: Int, value: Double)],
    sources: [Int: Set<String>], workouts: Set<Int> = [], events: [String] = []
  ) {
    (self.metric, self.days, self.series) = (metric, days, series)
    (self.sources, self.workouts, self.events) = (sources, workouts, events)
  }
}

extension ReferenceEvidence.Metric {
  /// Returns a history of 60 to 420 days, realistic or nasty; equal generators give equal ones.
  ///
  /// Half of the people are realistic: noise with a memory, a weekly pattern, short gaps and up to
  /// three changes. The others also have long gaps, constant intervals, zeros, outliers, changes
  /// that last or come back, or new devices. Some of either kind have values on the bound of a rule.
  public func randomCase(using random: inout some RandomNumberGenerator) -> ReferenceEvidenceCase {
    let length = Int.random(in: 60...420, using: &random)
    let start = Int.random(in: 18_000...20_000, using: &random)
    var draft = EvidenceDraft(metric: self, length: length, using: &random)
    let isNasty = Bool.random(using: &random)
    for _ in 0..<Int.random(in: 0...3, using: &random) { draft.plantChange(using: &random) }
    if isNasty {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: draft.plantGap(using: &random)
        case 1: draft.plantConstant(using: &random)
        case 2: draft.plantZeros(using: &random)
        case 3: draft.plantOutliers(using: &random)
        case 4: draft.plantRelapses(using: &random)
        case 5: draft.plantBound(using: &random)
        case 6: draft.plantSilence(using: &random)
        default: draft.plantDevice(using: &random)
        }
      }
    }
    if Int.random(in: 0..<10, using: &random) == 0 { draft.plantBound(using: &random) }
    let last = start + length - 1
    let first =
      Bool.random(using: &random) ? start : start + Int.random(in: -10...40, using: &random)
    var series: [(day: Int, value: Double)] = []
    var sources: [Int: Set<String>] = [:]
    for (index, value) in draft.values().enumerated() {
      guard let value else { continue }
      series.append((day: start + index, value: value))
      sources[start + index] = draft.sources[index]
    }
    return ReferenceEvidenceCase(
      metric: name, days: first...last, series: series, sources: sources,
      workouts: EvidenceDraft.workouts(start...last, using: &random), events: draft.events)
  }
}
