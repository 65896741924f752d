public import VigilModel

/// Which days a fold loads, replays and may notify on.
///
/// A nightly run on day D is the window that notifies on `D...D`; a backfill over A to B the one
/// that notifies on `A...B`. Both begin `warmup_days` before their first notifying day, which is why
/// they leave the same rows (specification, runs.md sections 1 and 2).
public struct FoldWindow: Hashable, Sendable {
  /// Days whose values must be in the block.
  public let loaded: ClosedRange<Day>
  /// Days that the state machine goes through.
  public let folded: ClosedRange<Day>
  /// Days on which notifications are planned.
  public let notifying: ClosedRange<Day>

  public init(notifying: ClosedRange<Day>, thresholds: Thresholds) {
    self.notifying = notifying
    let first = notifying.lowerBound - (thresholds.warmupDays - 1)
    folded = first...notifying.upperBound
    // Resuming an episode looks back over the clean days that may already have passed.
    let context = max(1, thresholds.recovery.mostCleanDays - 1)
    loaded = (first - context - thresholds.horizonDays)...notifying.upperBound
  }
}
