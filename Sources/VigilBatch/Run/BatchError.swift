import VigilModel

/// Why a run would rather not evaluate anything.
public struct BatchError: Error, Sendable, Hashable, CustomStringConvertible {
  public var code: Code
  /// What, where and what to do; without any value of a person.
  public var description: String

  public enum Code: Sendable, Hashable, CaseIterable {
    /// There is nothing to evaluate where something has to be.
    case noInput
    /// The database has none of the metrics of the thresholds, or not as numbers.
    case noMetric
    /// More rows of the input cannot be used than the run puts up with.
    case tooManyUnusableRows
    /// The clock is behind the newest recorded run, so that the day may be wrong.
    case clockSetBack
    /// It would be the first to notify, of alerts that have been active since shadow nights.
    case neverNotified
  }

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Without a single row every episode would look as if its data had been taken back.
  static func noInput(in days: ClosedRange<Day>, of database: String) -> BatchError {
    BatchError(
      .noInput,
      "wearable_daily_metrics in \(database) has no row from \(days.lowerBound) to"
        + " \(days.upperBound); nothing was evaluated; check what brings the data in,"
        + " or vigil import csv DIR")
  }

  static func neverNotified(_ alerts: Int, of database: String) -> BatchError {
    BatchError(
      .neverNotified,
      "\(database) holds \(alerts) active \(alerts == 1 ? "alert" : "alerts") of shadow nights and has"
        + " never sent a notification; a live run would notify of all at once, so nothing was"
        + " evaluated; run vigil golive first, which counts them as notified")
  }

  static func clockSetBack(_ setback: ClockSetback, of database: String) -> BatchError {
    BatchError(
      .clockSetBack,
      "\(setback) in \(database); nothing was evaluated, as yesterday by this clock may be the wrong"
        + " day; set the clock, or give --date")
  }
}
