/// The gaps in some days.
struct Gaps {
  /// In days with doses expected.
  private(set) var longest = 0
  /// The gap that is open at the end.
  private(set) var current = 0
  /// Gaps of three days or more.
  private(set) var drugHolidays = 0
  /// Most calendar days in a row within the current gap.
  private(set) var currentRun = 0

  static let drugHolidayDays = 3

  init(_ marks: UnsafePointer<UInt8>, days: Range<Int>) {
    var run = 0
    var lastGapDay = -2
    for day in days {
      if marks[day] == DayRows.Mark.gap.rawValue {
        current += 1
        run = day == lastGapDay + 1 ? run + 1 : 1
        lastGapDay = day
        currentRun = max(currentRun, run)
        if current == Self.drugHolidayDays { drugHolidays += 1 }
        longest = max(longest, current)
      } else if marks[day] == DayRows.Mark.taken.rawValue {
        current = 0
        run = 0
        currentRun = 0
      }
    }
  }
}
