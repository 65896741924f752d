import VigilModel

/// Why a run would rather not evaluate anything.
public struct BatchError: Error, Sendable, Hashable, CustomStringConvertible {
  public var code: Code
  /// What, where and what to do; without any value of a person.
  public var description: String

  public enum Code: Sendable, Hashable, CaseIterable {
    /// There is nothing to evaluate where something has to be.
    case noInput
    /// More rows of the input cannot be used than the run puts up with.
    case tooManyUnusableRows
    /// The clock is behind what the database has seen, so that nobody knows which day it is.
    case clockSetBack
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

  static func clockSetBack(_ setback: ClockSetback, of database: String) -> BatchError {
    BatchError(
      .clockSetBack,
      "\(setback) in \(database); nothing was evaluated, as yesterday by this clock may be the wrong"
        + " day; set the clock, or give --date")
  }
}
