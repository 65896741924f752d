/// The constants of limits (specification, limits.md sections 2 and 4).
enum LimitRules {
  /// Days in a row without a value that end an alert, and that break a run of values.
  static let mostUnknownDays = 7
  /// The fewest values in a row within the limits that end an alert.
  static let fewestCalmValues = 2
  /// The days before a day that can decide about it: those of the longest run, with the longest gaps.
  static let lookBackDays = 49
}
