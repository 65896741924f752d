public import VigilModel

/// The days that a fold loads, replays and may notify on.
///
/// ```swift
/// guard let night = Day("2026-06-30") else { return }
/// let thresholds = Thresholds(version: "mine", digest: "", metrics: [])
/// let window = FoldWindow(evaluating: night...night, thresholds: thresholds)
/// print(window.folded.lowerBound, window.loaded.lowerBound)  // 2026-05-22 2026-03-21
/// ```
///
/// A nightly run on day D evaluates `D...D`, a backfill over A to B `A...B`. Both begin `warmup_days`
/// before the end of their first evaluation day, which is why they leave the same rows
/// (specification, runs.md sections 1 and 2).
public struct FoldWindow: Hashable, Sendable {
  /// Days whose values must be in the block.
  public let loaded: ClosedRange<Day>
  /// Days that the state machine evaluates.
  public let folded: ClosedRange<Day>
  /// Days on which notifications are planned.
  public let notifying: ClosedRange<Day>

  /// - Parameters:
  ///   - days: Evaluation days of the run.
  ///   - thresholds: The profile, which says how far back the data must reach.
  ///   - notifiesOnlyOnLast: Whether only the last of them may notify, as in a live backfill.
  public init(
    evaluating days: ClosedRange<Day>, thresholds: Thresholds, notifiesOnlyOnLast: Bool = false
  ) {
    notifying = (notifiesOnlyOnLast ? days.upperBound : days.lowerBound)...days.upperBound
    let first = days.lowerBound - (thresholds.warmupDays - 1)
    folded = first...days.upperBound
    // Resuming an episode looks back over the clean days that may already have passed, and over the unknown ones: against
    // an anchor a day is known by its recent window alone.
    let unknown = thresholds.baseline.mode == .rolling ? thresholds.episode.maxUnknownDays ?? 0 : 0
    let context = max(1, thresholds.recovery.mostCleanDays - 1, unknown)
    let reach = context + thresholds.longestHorizonDays + (thresholds.nonWear?.reachDays ?? 0)
    let furthest = [
      reach, thresholds.inactivity?.lookBackDays ?? 0, LimitRules.lookBackDays,
    ].max()
    loaded = (first - (furthest ?? reach))...days.upperBound
  }

  /// The same loaded days, of which only the last is folded.
  var lastDay: FoldWindow {
    FoldWindow(loaded: loaded, folding: loaded.upperBound...loaded.upperBound)
  }

  private init(loaded: ClosedRange<Day>, folding days: ClosedRange<Day>) {
    self.loaded = loaded
    folded = days
    notifying = days
  }

  /// The window over a whole history: data that begin on the first of `days` and have no stored past.
  public init(wholeHistory days: ClosedRange<Day>) {
    notifying = days
    folded = days
    loaded = days
  }
}
