public import VigilDetection
public import VigilModel
import VigilPipeline
public import VigilStorage
public import VigilVitality

/// The parts, days and settings of an evaluation, and the days of input that it needs.
public struct RunScope: Sendable {
  public let kind: RunRecord.Kind
  /// Evaluation days; one for a nightly run.
  public let days: ClosedRange<Day>
  public let mode: RunRecord.Mode
  /// Never empty.
  public let parts: Set<RunPart>
  public let thresholds: Thresholds
  /// The profile whose episodes are followed beside those of `thresholds`, and which notifies no one; nil
  /// where there is none.
  public let candidate: Thresholds?
  public let vitality: VitalitySettings

  public init(
    kind: RunRecord.Kind, days: ClosedRange<Day>, mode: RunRecord.Mode,
    parts: Set<RunPart> = .all, thresholds: Thresholds, candidate: Thresholds? = nil,
    vitality: VitalitySettings
  ) {
    self.kind = kind
    self.days = days
    self.mode = mode
    self.parts = parts
    self.thresholds = thresholds
    self.candidate = candidate
    self.vitality = vitality
  }

  /// The days of episodes.
  ///
  /// A live backfill enqueues at most the notifications of its last day.
  var window: FoldWindow {
    FoldWindow(
      evaluating: days, thresholds: thresholds,
      notifiesOnlyOnLast: kind == .backfill && mode == .live)
  }

  /// The days of episodes of the candidate, which are those of a shadow run.
  var candidateWindow: FoldWindow? {
    candidate.map { FoldWindow(evaluating: days, thresholds: $0) }
  }

  /// The profiles whose episodes are followed.
  var profiles: [Thresholds] { [thresholds] + [candidate].compactMap(\.self) }

  /// For each profile that weighs missed doses, the days between doses from which on they are rare.
  var rareDays: Set<Int> {
    Set(profiles.compactMap { $0.adherenceMetric?.doses?.rareDays })
  }

  /// Whether any profile follows a series of silence, for which check-ins are read.
  var followsSilence: Bool {
    parts.contains(.patterns) && profiles.contains { !$0.silences.isEmpty }
  }

  /// All days whose input plays a part.
  var loadedDays: ClosedRange<Day> {
    let own = window.loaded.lowerBound
    let first = min(own, candidateWindow?.loaded.lowerBound ?? own)
    return (scoresVitality ? min(first, vitalityDays.lowerBound) : first)...days.upperBound
  }

  // MARK: Vitality

  var scoresVitality: Bool { parts.contains(.vitality) }

  /// The number of days before an evaluated one that trends look at.
  var trendContext: Int { vitality.trendContext }

  /// The first day whose trends are evaluated.
  ///
  /// A night re-evaluates as many days before it as its own trends look at, for persons with late or
  /// corrected data; a backfill writes the days it was given and no others.
  var firstTrendDay: Day { kind == .run ? days.lowerBound - trendContext : days.lowerBound }

  /// Days that have scores: those whose trends are evaluated, and those before them that trends look at.
  var scoredDays: ClosedRange<Day> {
    vitality.scoredDays(forTrendsOf: firstTrendDay...days.upperBound)
  }

  /// Days whose metrics scores are computed from.
  var vitalityDays: ClosedRange<Day> {
    vitality.loadedDays(forScoresOf: scoredDays)
  }
}
