import VigilAnalysis
import VigilDetection
import VigilModel

extension ExplanationReport {
  private struct Document: Encodable {
    var unit: OrNull<String>
    var detector: String
    var value: OrNull<Double>
    var isSuppressed: Bool
    var unknownReason: OrNull<String>
    /// The usual range on this day of the week, one personal spread to each side.
    var usualLow: OrNull<Double>
    var usualHigh: OrNull<Double>
    var means: OrNull<MeansDocument>
    var evidence: OrNull<EvidenceDayDocument>
    var recovery: OrNull<RecoveryDocument>
    /// Without the key where the detector does not weigh doses.
    var doses: DoseDayDocument?
    var doseRecovery: DoseRecoveryDocument?
    var before: OrNull<EpisodeDocument>
    var after: OrNull<EpisodeDocument>
    var waitsFor: OrNull<String>
    var waitsSince: OrNull<Day>
    var cleanDays: OrNull<Int>
    var cleanDaysNeeded: OrNull<Int>
    var opposite: OrNull<OppositeDocument>
    var wear: OrNull<WearDocument>
    var observations: [ObservationDocument]
  }

  private struct WindowDocument: Encodable {
    var value: Double
    var start, end: Day
    var days: Int

    init(_ window: EpisodeFigures.Window) {
      value = window.value
      start = window.start
      end = window.end
      days = window.count
    }
  }

  private struct EpisodeDocument: Encodable {
    var activeSince: Day
    var lastEvaluatedDate: Day
    var consecutiveTrueDays: Int
    var currentLevel: AlertLevel
    var baseline: WindowDocument
    var recent: WindowDocument
    var deviationFraction: OrNull<Double>
    var evidence: OrNull<EvidenceDocument>
    /// Without the key where the detector does not weigh doses.
    var doses: DoseEvidenceDocument?
    var resolvedOn: OrNull<Day>
    var resolutionReason: OrNull<Episode.Resolution.Reason>

    init(_ episode: Episode) {
      activeSince = episode.activeSince
      lastEvaluatedDate = episode.lastEvaluated
      consecutiveTrueDays = episode.duration
      currentLevel = episode.level
      baseline = WindowDocument(episode.figures.baseline)
      recent = WindowDocument(episode.figures.recent)
      deviationFraction = OrNull(episode.figures.deviation)
      evidence = OrNull(episode.evidence.map(EvidenceDocument.init))
      doses = episode.doses.map(DoseEvidenceDocument.init)
      resolvedOn = OrNull(episode.resolution?.day)
      resolutionReason = OrNull(episode.resolution?.reason)
    }
  }

  private struct MeansDocument: Encodable {
    struct Rule: Encodable {
      var rule: MetricRule.Kind
      var threshold: Double
      var actual: OrNull<Double>
      var margin: OrNull<Double>
      var isMatched: Bool
    }

    var baseline: WindowDocument
    var recent: WindowDocument
    var deviationFraction: OrNull<Double>
    var isAnchored: Bool
    var isClean: Bool
    var rules: [Rule]

    init?(_ means: MeansJudgement) {
      guard let figures = means.evaluation.figures else { return nil }
      baseline = WindowDocument(figures.baseline)
      recent = WindowDocument(figures.recent)
      deviationFraction = OrNull(figures.deviation)
      isAnchored = means.isAnchored
      isClean = means.evaluation.isClean
      rules = means.rules.map {
        Rule(
          rule: $0.rule.kind, threshold: $0.rule.threshold, actual: OrNull($0.actual),
          margin: OrNull($0.margin), isMatched: $0.isMatched)
      }
    }
  }

  private struct EvidenceDayDocument: Encodable {
    struct Window: Encodable {
      var days: Int
      var start: Day
      var mean: Double
      var z: Double
      var shiftSpreads: Double
      var isHeld: Bool
      var matters: Bool
      var isDeciding: Bool
    }

    var baseline: WindowDocument
    var mean, spread, autocorrelation, noise: Double
    /// Sunday first.
    var weekdays: [Double]
    var threshold: Double
    var windows: [Window]

    init?(_ day: EvidenceDay) {
      guard let figures = day.figures else { return nil }
      baseline = WindowDocument(figures.baseline)
      let anchor = figures.anchor
      (mean, spread) = (anchor.mean, anchor.spread)
      (autocorrelation, noise) = (anchor.autocorrelation, anchor.noise)
      weekdays = (0..<7).map { anchor.weekdays[$0] }
      threshold = figures.threshold
      windows = figures.windows.enumerated().map { index, window in
        Window(
          days: window.count, start: window.start, mean: window.recent, z: window.z,
          shiftSpreads: window.shift, isHeld: window.isHeld, matters: window.matters,
          isDeciding: index == figures.deviating)
      }
    }
  }

  private struct RecoveryDocument: Encodable {
    var shiftSpreads: OrNull<Double>
    var evidence: Double
    var calmDays: Int
    var isEasing: Bool
    var isOver: Bool

    init(_ day: EvidenceRecovery) {
      shiftSpreads = OrNull(day.shift)
      evidence = day.evidence
      calmDays = day.calmDays
      isEasing = day.isEasing
      isOver = day.isOver
    }
  }

  private struct OppositeDocument: Encodable {
    var condition: String
    var days: OrNull<Int>
    var value: OrNull<Double>

    init(_ opposite: Opposite) {
      (days, value) = (OrNull(nil), OrNull(nil))
      switch opposite {
      case .valueAtMost(let limit): (condition, value) = ("value_at_most", OrNull(limit))
      case .valueAtLeast(let limit): (condition, value) = ("value_at_least", OrNull(limit))
      case .noWorkout: condition = "no_workout"
      case .daysWithValue(let count): (condition, days) = ("days_with_value", OrNull(count))
      case .daysLikeRecent(let count, let mean):
        (condition, days, value) = ("days_like_recent", OrNull(count), OrNull(mean))
      case .usualDays(let count): (condition, days) = ("usual_days", OrNull(count))
      case .daysTaken(let count): (condition, days) = ("days_taken", OrNull(count))
      case .daysMissed(let count): (condition, days) = ("days_missed", OrNull(count))
      }
    }
  }

  private struct WearDocument: Encodable {
    var state: String
    var reason: OrNull<String>
    var wornMinutes: OrNull<Double>
    var steps: OrNull<Double>
    var usualSteps: OrNull<Double>

    init(_ finding: WearFinding) {
      state = finding.wear.name
      reason = OrNull(finding.reason?.name)
      wornMinutes = OrNull(finding.reason?.wornMinutes)
      steps = OrNull(finding.reason?.steps)
      usualSteps = OrNull(finding.reason?.usualSteps)
    }
  }

  private struct ObservationDocument: Encodable {
    var date: Day
    var source: String
    var value: OrNull<Double>
    var rejected: OrNull<String>
  }

  public func encode(to encoder: any Encoder) throws {
    let (found, metric) = (explanation, explanation.metric)
    var (means, evidence, recovery): (MeansDocument?, EvidenceDayDocument?, RecoveryDocument?)
    var (doses, doseRecovery): (DoseDayDocument?, DoseRecoveryDocument?)
    switch found.judgement {
    case .means(let judgement): means = MeansDocument(judgement)
    case .evidence(let day): evidence = EvidenceDayDocument(day)
    case .recovery(let day): recovery = RecoveryDocument(day)
    case .doses(let day): doses = DoseDayDocument(day)
    case .doseRecovery(let day): doseRecovery = DoseRecoveryDocument(day)
    }
    try ExplanationHead(
      .init(
        metric: metric.metric, pattern: metric.pattern, day: found.day, sentence: found.sentence,
        isActive: found.isActive, change: found.change, before: found.before, after: found.after,
        oppositeSentence: found.oppositeSentence),
      of: person, by: profile, sensitivity, stored
    ).encode(to: encoder)
    try Document(
      unit: OrNull(metric.metric.unit.isEmpty ? nil : metric.metric.unit),
      detector: metric.detector.rawValue, value: OrNull(found.value),
      isSuppressed: found.isSuppressed, unknownReason: OrNull(found.judgement.unknownReason),
      usualLow: OrNull(found.usualRange?.lowerBound),
      usualHigh: OrNull(found.usualRange?.upperBound), means: OrNull(means),
      evidence: OrNull(evidence), recovery: OrNull(recovery), doses: doses,
      doseRecovery: doseRecovery,
      before: OrNull(found.before.map(EpisodeDocument.init)),
      after: OrNull(found.after.map(EpisodeDocument.init)),
      waitsFor: OrNull(found.wait?.name), waitsSince: OrNull(found.wait?.since),
      cleanDays: OrNull(found.wait?.cleanDays?.seen),
      cleanDaysNeeded: OrNull(found.wait?.cleanDays?.needed),
      opposite: OrNull(found.opposite.map(OppositeDocument.init)),
      wear: OrNull(wear.map(WearDocument.init)),
      observations: observed.filter { $0.day <= found.day }.flatMap { day in
        day.rows.map { row in
          ObservationDocument(
            date: day.day, source: row.source,
            value: OrNull(row.value.isFinite ? row.value : nil),
            rejected: OrNull(row.rejected?.rawValue))
        }
      }
    ).encode(to: encoder)
  }
}
