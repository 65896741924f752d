import VigilAnalysis
import VigilDetection
import VigilModel

extension CombinedExplanationReport {
  private struct Document: Encodable {
    var values: [String: Double]
    var isWorkoutDay: Bool
    /// Null while an alert is active.
    var windows: OrNull<[Window]>
    /// Null while none is.
    var recovery: OrNull<Recovery>
    var before: OrNull<EpisodeDocument>
    var after: OrNull<EpisodeDocument>
    var opposite: OrNull<OppositeDocument>
  }

  private struct Window: Encodable {
    struct Metric: Encodable {
      var metricType: MetricType
      var values: Int
      var z: Double
      var shiftSpreads: Double
      var recentValue: Double
      var baselineValue: Double
      var matters: Bool
      var counts: Bool
    }

    var days: Int
    var evidence: OrNull<Double>
    var threshold: Double
    var contributing: [MetricType]
    var isProven: Bool
    var decides: Bool
    var metrics: [Metric]

    init(_ window: CombinedDay.Window) {
      days = window.days
      evidence = OrNull(window.evidence)
      threshold = window.threshold
      contributing = window.contributing
      isProven = window.isProven
      decides = window.decides
      metrics = window.metrics.map {
        Metric(
          metricType: $0.metric, values: $0.count, z: $0.z, shiftSpreads: $0.shift,
          recentValue: $0.recent, baselineValue: $0.baseline, matters: $0.matters,
          counts: $0.counts)
      }
    }
  }

  private struct Recovery: Encodable {
    var hasValue: Bool
    var evidence: Double
    var isEasing: Bool
    var calmDays: Int
    var level: Double
  }

  private struct EpisodeDocument: Encodable {
    var activeSince: Day
    var lastEvaluatedDate: Day
    var consecutiveTrueDays: Int
    var currentLevel: AlertLevel
    var combined: OrNull<CombinedDocument>
    var resolvedOn: OrNull<Day>
    var resolutionReason: OrNull<Episode.Resolution.Reason>

    init(_ episode: Episode) {
      activeSince = episode.activeSince
      lastEvaluatedDate = episode.lastEvaluated
      consecutiveTrueDays = episode.duration
      currentLevel = episode.level
      combined = OrNull(episode.combined.map(CombinedDocument.init))
      resolvedOn = OrNull(episode.resolution?.day)
      resolutionReason = OrNull(episode.resolution?.reason)
    }
  }

  private struct OppositeDocument: Encodable {
    var condition: String
    var days: OrNull<Int>
    /// The metric whose value would have to change, and that value; null where days are counted.
    var metricType: OrNull<MetricType>
    var value: OrNull<Double>

    init(_ opposite: CombinedExplanation.Opposite) {
      (days, metricType, value) = (OrNull(nil), OrNull(nil), OrNull(nil))
      switch opposite {
      case .valueAtMost(let metric, let limit):
        (condition, metricType, value) = ("value_at_most", OrNull(metric), OrNull(limit))
      case .valueAtLeast(let metric, let limit):
        (condition, metricType, value) = ("value_at_least", OrNull(metric), OrNull(limit))
      case .noWorkout: condition = "no_workout"
      case .daysLikeRecent(let count): (condition, days) = ("days_like_recent", OrNull(count))
      case .usualDays(let count): (condition, days) = ("usual_days", OrNull(count))
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var windows: [Window]?
    var recovery: Recovery?
    switch explanation.figures {
    case .evidence(let found): windows = found.map(Window.init)
    case .recovery(let found):
      recovery = Recovery(
        hasValue: found.hasValue, evidence: found.evidence, isEasing: found.isEasing,
        calmDays: found.calmDays, level: found.level)
    case nil: break
    }
    let found = explanation
    try ExplanationHead(
      .init(
        metric: .combined, pattern: .worse, day: found.day, sentence: found.sentence,
        isActive: found.isActive, change: found.change, before: found.before, after: found.after,
        oppositeSentence: found.oppositeSentence),
      of: person, by: profile, sensitivity[.combined], stored
    ).encode(to: encoder)
    try Document(
      values: Dictionary(
        found.values.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { $1 }),
      isWorkoutDay: found.isWorkoutDay, windows: OrNull(windows),
      recovery: OrNull(recovery), before: OrNull(found.before.map(EpisodeDocument.init)),
      after: OrNull(found.after.map(EpisodeDocument.init)),
      opposite: OrNull(found.opposite.map(OppositeDocument.init))
    ).encode(to: encoder)
  }
}
