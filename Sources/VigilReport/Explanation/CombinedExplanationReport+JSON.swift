import VigilAnalysis
import VigilDetection
import VigilModel
import VigilStorage

extension CombinedExplanationReport {
  private struct Document: Encodable {
    var userId: String
    var externalId: OrNull<String>
    var metricType = MetricType.combined
    var patternType = PatternType.worse
    var date: Day
    var thresholdsVersion: String
    var thresholdsDigest: String
    var sentence: String
    var isAlert: Bool
    var change: String
    var resolutionReason: OrNull<Episode.Resolution.Reason>
    var values: [String: Double]
    var isWorkoutDay: Bool
    /// Null while an alert is active.
    var windows: OrNull<[Window]>
    /// Null while none is.
    var recovery: OrNull<Recovery>
    var before: OrNull<EpisodeDocument>
    var after: OrNull<EpisodeDocument>
    var opposite: OrNull<OppositeDocument>
    var oppositeSentence: String
    var runId: OrNull<String>
    var storedAlert: OrNull<AlertsReport.Row>
    var notifications: [NotificationDocument]
    var shadowNotifications: [NotificationDocument]
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

    init(_ opposite: CombinedExplanation.Opposite) {
      switch opposite {
      case .noWorkout: (condition, days) = ("no_workout", OrNull(nil))
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
    try Document(
      userId: person.lowercased, externalId: OrNull(externalIDs[person]), date: explanation.day,
      thresholdsVersion: profile.version, thresholdsDigest: profile.digest,
      sentence: explanation.sentence, isAlert: explanation.isActive,
      change: explanation.change.name,
      resolutionReason: OrNull(explanation.after?.resolution?.reason),
      values: Dictionary(
        explanation.values.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { $1 }),
      isWorkoutDay: explanation.isWorkoutDay, windows: OrNull(windows),
      recovery: OrNull(recovery), before: OrNull(explanation.before.map(EpisodeDocument.init)),
      after: OrNull(explanation.after.map(EpisodeDocument.init)),
      opposite: OrNull(explanation.opposite.map(OppositeDocument.init)),
      oppositeSentence: explanation.oppositeSentence, runId: OrNull(run?.id.lowercased),
      storedAlert: OrNull(
        alert.map {
          AlertsReport.Row($0, externalID: externalIDs[person], course: nil)
        }),
      notifications: notifications.map { NotificationDocument($0, externalIDs) },
      shadowNotifications: shadowNotifications.map { NotificationDocument($0, externalIDs) }
    ).encode(to: encoder)
  }
}
