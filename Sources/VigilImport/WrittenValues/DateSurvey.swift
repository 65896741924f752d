import VigilStorage

/// Counts what the dates of a column can be, to find their form.
struct DateSurvey {
  private var yearFirst = 0
  private var yearLast = 0
  private var dotted = 0
  private var named = 0
  /// Whether a date has an offset that is not 0.
  private(set) var hasLocalOffsets = false
  /// The line of the first date that has no month in its second place.
  private var onlyMonthFirst: Int?
  /// The line of the first date that has no month in its first place.
  private var onlyDayFirst: Int?

  mutating func add(_ bytes: FieldParser.Bytes, line: Int) {
    if case .other? = ClockOffset(bytes) { hasLocalOffsets = true }
    guard let parts = DateParts(bytes) else {
      if NamedDate(bytes) != nil { named += 1 }
      return
    }
    if parts.hasYearFirst {
      yearFirst += 1
      return
    }
    switch (parts.day(in: .dmy) != nil, parts.day(in: .mdy) != nil) {
    case (false, false): return
    case (true, true): break
    case (true, false): onlyDayFirst = onlyDayFirst ?? line
    case (false, true): onlyMonthFirst = onlyMonthFirst ?? line
    }
    yearLast += 1
    if parts.separator == UInt8(ascii: ".") { dotted += 1 }
  }

  /// The form of most dates; `iso` where there are none.
  ///
  /// Dates with dots have the day first where none of them says otherwise.
  ///
  /// - Parameters:
  ///   - file: The name of the file in an error.
  ///   - column: The name of the column in an error.
  /// - Throws: `ImportError` where the order of day and month cannot be known.
  func form(file: String, column: String) throws -> DateForm {
    if named > yearFirst + yearLast { return .named }
    if yearFirst >= yearLast { return .iso }
    switch (onlyDayFirst, onlyMonthFirst) {
    case (.some, nil): return .dmy
    case (nil, .some): return .mdy
    case (nil, nil):
      if dotted == yearLast { return .dmy }
      throw ImportError(
        .badData,
        "\(file): every date in column '\(column)' can be day/month and month/day; nothing was imported",
        remedy: .chooseDateOrder(quarantines: false))
    case (.some(let dayFirst), .some(let monthFirst)):
      throw ImportError(
        .badData,
        "\(file): dates in column '\(column)' contradict each other: that in line \(dayFirst) has the"
          + " day first, that in line \(monthFirst) the month; nothing was imported",
        remedy: .chooseDateOrder(quarantines: true))
    }
  }
}
