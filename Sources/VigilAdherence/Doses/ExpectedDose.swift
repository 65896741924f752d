/// A dose that a schedule expects.
struct ExpectedDose: BitwiseCopyable {
  /// When it is due, in microseconds.
  var instant: Int64
  /// The time by which a dose may be early or late and still be on time.
  var flexibilityMinutes: Int32
  /// The day it belongs to.
  var day: Int32
  /// The index of its schedule among those of the medication.
  var schedule: Int32
  /// Index of the record that belongs to it, -1 for none.
  var record: Int32 = -1
  var outcome = DoseOutcome.pending

  init(instant: Int64 = 0, flexibilityMinutes: Int32, day: Int32 = 0, schedule: Int32) {
    self.instant = instant
    self.flexibilityMinutes = flexibilityMinutes
    self.day = day
    self.schedule = schedule
  }

  /// In microseconds.
  var flexibility: Int64 { Int64(flexibilityMinutes) * 60_000_000 }

  /// The order of doses of one medication; two doses of which neither is first are the same dose.
  @inline(__always)
  static func isBefore(_ left: ExpectedDose, _ right: ExpectedDose) -> Bool {
    left.instant != right.instant
      ? left.instant < right.instant
      : left.schedule != right.schedule ? left.schedule < right.schedule : left.day < right.day
  }
}

/// The outcome of an expected dose.
public enum DoseOutcome: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  case taken
  case skipped
  case missed
  case plannedSkip
  /// No record exists yet, and it is not too late for one.
  case pending
}

/// The time of a taken dose relative to the time it was due.
public enum DoseTiming: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  case onTime
  case late
  case early
}
