/// By day, how many persons have a row, whatever the order and the number of the rows.
///
/// ```swift
/// guard let first = Day("2026-06-01") else { return }
/// var senders = SenderCount(over: first...(first + 6))
/// senders.add(person: 0, first)
/// senders.add(person: 0, first)
/// senders.add(person: 1, first)
/// print(senders.counts)  // [2, 0, 0, 0, 0, 0, 0]
/// ```
public struct SenderCount: Sendable {
  public let days: ClosedRange<Day>
  private let dayCount: Int
  /// By person, then by day.
  private var isThere: [Bool] = []

  public init(over days: ClosedRange<Day>) {
    self.days = days
    dayCount = days.upperBound - days.lowerBound + 1
  }

  /// Adds a row of the person with a number, from 0; ignores days outside.
  ///
  /// - Complexity: O(1), amortised.
  public mutating func add(person: Int, _ day: Day) {
    guard days.contains(day) else { return }
    let end = (person + 1) * dayCount
    if isThere.count < end {
      isThere += repeatElement(false, count: end - isThere.count)
    }
    isThere[person * dayCount + (day - days.lowerBound)] = true
  }

  /// By day, the persons with a row.
  ///
  /// - Complexity: O(persons * days).
  public var counts: [Int] {
    var counts = Array(repeating: 0, count: dayCount)
    for place in isThere.indices where isThere[place] { counts[place % dayCount] += 1 }
    return counts
  }
}
