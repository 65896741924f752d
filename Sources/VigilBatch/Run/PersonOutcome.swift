public import VigilModel
public import VigilStorage

/// The result of the evaluation of one person.
public struct PersonOutcome: Sendable {
  /// The record that counts such evaluations; its counts are those of this one alone.
  public var record: RunRecord
  /// The alerts that it has added or changed, and that it has retracted, since an evaluation before found them.
  public var changed: [PatternAlertState]
  /// Notifications that entered the queue of the mode.
  public var enqueued: Int
  /// Notifications that are left to the night, because the rate limit is reached or a night holds them.
  public var leftToNight: Int

  public init(
    record: RunRecord, changed: [PatternAlertState], enqueued: Int, leftToNight: Int
  ) {
    self.record = record
    self.changed = changed
    self.enqueued = enqueued
    self.leftToNight = leftToNight
  }
}
