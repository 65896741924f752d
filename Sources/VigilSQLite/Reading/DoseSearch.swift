import VigilModel

/// The parameters of `ReadingStatement.listDoses` for the doses that were due or taken within some time.
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
}
