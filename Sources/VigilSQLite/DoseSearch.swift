import VigilModel

/// How runs find the doses that were due or taken within some time.
///
/// Nearly all doses are taken within a day of when they were due, and are found by one range of the index
/// on the medication and `scheduled_time`; the few others have an index of their own.
struct DoseSearch {
  let times: ClosedRange<Timestamp>

  /// An hour more than the index of the others needs, which counts in fractions of a day.
  private static let margin: Int64 = 25 * 3600

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
