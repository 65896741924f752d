public import VigilModel

/// The days that the reading of an export has found, before they are written.
public struct ArchiveContents: Sendable, Hashable {
  public struct DayValues: Sendable, Hashable {
    public var day: Day
    public var values: [MetricType: Double]
  }

  /// In order.
  public var days: [DayValues]
  public var recordCount: Int
  /// Records that cannot be used.
  public var problemCount: Int
  /// The first of them, as `file:line: column: reason`.
  public var firstProblems: [String]

  init(
    days: [(day: Day, values: [MetricType: Double])], recordCount: Int, problemCount: Int,
    firstProblems: [String]
  ) {
    self.days = days.map { DayValues(day: $0.day, values: $0.values) }
    self.recordCount = recordCount
    self.problemCount = problemCount
    self.firstProblems = firstProblems
  }
}
