import VigilModel

/// How runs find the doses that were due or taken within some time.
///
/// Most doses are taken within a day of the time for which they were planned, and are found by one range of
/// the index on the medication and `scheduled_time`; those without such a time, or far off it, have an index
/// of their own.
struct DoseSearch {
  let times: ClosedRange<Timestamp>

  /// More than the day of the other index, which counts in fractions of days and takes the 31st of February
  /// for the 3rd of March, where texts are compared letter by letter.
  private static let margin: Int64 = 5 * 86_400

  /// Binds four instants: those between which a dose was due or taken, and those between which it is found
  /// by when it was due.
  func bind(to statement: RawStatement, from index: Int) {
    let first = times.lowerBound.adding(seconds: -Self.margin)
    let instants = [
      times.lowerBound, times.upperBound, max(Day.calendar.lowerBound.midnight, first),
      times.upperBound.adding(seconds: Self.margin),
    ]
    for (place, instant) in instants.enumerated() { statement.bind(instant, at: index + place) }
  }

  /// Each dose meets one of them, or none.
  ///
  /// - Parameter index: That of the first parameter that `bind` binds.
  static func conditions(from index: Int) -> [String] {
    let between = "BETWEEN ?\(index) AND ?\(index + 1)"
    let isNear = "scheduled_time BETWEEN ?\(index + 2) AND ?\(index + 3)"
    return [
      "\(isNear) AND (scheduled_time \(between) OR actual_time \(between))",
      // As the predicate of the index has it, word by word.
      """
      coalesce(
        abs(julianday(actual_time) - julianday(scheduled_time)) > 1, actual_time IS NOT NULL
      ) AND actual_time \(between) AND (\(isNear)) IS NOT TRUE
      """,
    ]
  }
}
