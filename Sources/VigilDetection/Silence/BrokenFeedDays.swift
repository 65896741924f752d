public import VigilModel

/// The days on which what brings the rows in is broken (specification, silence.md section 6).
///
/// ```swift
/// guard let first = Day("2026-06-01") else { return }
/// let broken = BrokenFeedDays([first + 2, first + 3], among: first...(first + 9))
/// print(broken.contains(first + 2), broken.sound(from: first, to: first + 4))  // true 3
/// ```
public struct BrokenFeedDays: Hashable, Sendable {
  private let days: ClosedRange<Day>
  /// By day, the broken ones before it; one element more than days.
  private let before: [Int]

  /// - Parameters:
  ///   - broken: The days with a broken feed; those outside of `days` are ignored.
  ///   - days: All days that are asked for.
  public init(_ broken: Set<Day> = [], among days: ClosedRange<Day>) {
    self.days = days
    var count = 0
    before =
      [0]
      + days.map { day in
        if broken.contains(day) { count += 1 }
        return count
      }
  }

  private func countBefore(_ day: Day) -> Int {
    before[min(max(day - days.lowerBound, 0), before.count - 1)]
  }

  public func contains(_ day: Day) -> Bool { countBefore(day + 1) > countBefore(day) }

  /// The days from `first` to `last` on which the feed is not broken; 0 where `last` is before `first`.
  public func sound(from first: Day, to last: Day) -> Int {
    guard first <= last else { return 0 }
    return last - first + 1 - (countBefore(last + 1) - countBefore(first))
  }
}
