import VigilModel

/// The days whose doses are needed: those of the window, and those near a record, because the dose
/// that a record belongs to does not depend on a period.
enum ExpansionDays {
  /// A dose is due from 14 hours before to 50 hours after the beginning of its day (offsets of
  /// zones and a clock that still shifts).
  private static let before: Int32 = 3
  private static let after: Int32 = 1
  /// Loose records of 28 days around a dose decide which one it gets, by doses of 42 days around it
  /// (specification, adherence.md section 2, influence); a day more for each side of its own.
  private static let ways: Int32 = 45
  /// Records within so many days of the window are taken with the days between.
  private static let nearby: Int32 = 10

  /// - Parameters:
  ///   - entries: In order of time.
  ///   - withWays: Whether loose records are assigned, which takes the doses around the window too.
  static func ranges(
    window: AdherenceWindow, entries: [DoseRows.Entry], withWays: Bool = false
  ) -> [ClosedRange<Int32>] {
    let around = withWays ? ways : 0
    let first = window.days.lowerBound.ordinal - around
    let last = window.days.upperBound.ordinal + around
    guard let firstEntry = entries.first, let lastEntry = entries.last else {
      return [first...last]
    }
    let recorded = (ZoneRules.day(firstEntry.key), ZoneRules.day(lastEntry.key))
    if recorded.0 >= first - nearby, recorded.1 <= last + nearby {
      return [min(first, recorded.0 - before)...max(last, recorded.1 + after)]
    }
    var ranges: [ClosedRange<Int32>] = [first...last]
    ranges += entries.map { ZoneRules.day($0.key) - before...ZoneRules.day($0.key) + after }
    ranges.sort { $0.lowerBound < $1.lowerBound }
    var merged: [ClosedRange<Int32>] = []
    for range in ranges {
      if let previous = merged.last, range.lowerBound <= previous.upperBound + 1 {
        merged[merged.count - 1] =
          previous.lowerBound...max(previous.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}
