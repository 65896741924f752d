public import VigilModel

/// The persons with a metric row, day by day: whether what brings the rows in is broken (specification, silence.md
/// section 6).
///
/// ```swift
/// guard let first = Day("2026-05-01") else { return }
/// let counts = Array(repeating: 100, count: 40) + [0, 2, 1] + [98, 100, 100]
/// let feed = FeedHistory(days: first...(first + 45), counts: counts)
/// print(feed.usual(before: first + 40))  // 100
/// print(feed.brokenDays(in: (first + 38)...(first + 45), limit: 0.3).count)  // 3
/// ```
public struct FeedHistory: Hashable, Sendable {
  public let days: ClosedRange<Day>
  /// By day.
  public let counts: [Int]

  /// The persons who are looked at, the first by their ids: enough to know a share, however many there are.
  public static let mostPersons = 1_000
  /// The days before a day that say how many persons are usual.
  public static let lookBackDays = 28
  /// Of those days, the number with at least as many persons as are usual.
  ///
  /// So three weeks without data do not become usual.
  static let rank = 7
  /// With fewer usual persons nothing is said of a feed: two people can stop together for a reason.
  static let fewestPersons = 3
  /// With fewer usual persons a feed is small: a day on which some have a row says that it works.
  static let smallPersons = 20
  /// The first days of a break that count where the feed is small: a small family is not left alone.
  static let smallDays = 7
  /// Days with too few persons in a row that make a feed broken, and the last days on which that still counts:
  /// devices are synchronised late.
  public static let brokenDays = 3

  /// - Parameters:
  ///   - days: The days.
  ///   - counts: By day, the persons with a row.
  public init(days: ClosedRange<Day>, counts: [Int]) {
    precondition(counts.count == days.upperBound - days.lowerBound + 1)
    self.days = days
    self.counts = counts
  }

  /// The days before a day whose counts decide about it.
  private static let reach = smallDays + 2 * (brokenDays - 1) + lookBackDays

  /// The days that must be counted to judge others.
  public static func days(for judged: ClosedRange<Day>) -> ClosedRange<Day> {
    (judged.lowerBound - reach)...judged.upperBound
  }

  public func count(on day: Day) -> Int {
    days.contains(day) ? counts[day - days.lowerBound] : 0
  }

  /// The persons with a row on a usual one of the days before `day`.
  public func usual(before day: Day) -> Int {
    let before = (1...Self.lookBackDays).map { count(on: day - $0) }.sorted(by: >)
    return before[Self.rank - 1]
  }

  /// Whether fewer persons than usual have a row on `day`, by more than `limit`, a fraction; in a small feed,
  /// whether none has.
  private func isLow(_ day: Day, _ limit: Double) -> Bool {
    let usual = usual(before: day)
    if usual < Self.fewestPersons { return false }
    if usual < Self.smallPersons { return count(on: day) == 0 }
    return Double(count(on: day)) < (1 - limit) * Double(usual) - 1e-9
  }

  private enum Break {
    case none, ofSmallFeed, ofFeed
  }

  /// Returns the days among `judged` on which the feed counts as broken.
  ///
  /// - Parameters:
  ///   - judged: The days to look at; the counts of the days before must be there.
  ///   - limit: The fraction of the usual persons whose rows may be missing.
  public func brokenDays(in judged: ClosedRange<Day>, limit: Double) -> [Day] {
    let firstLow = judged.lowerBound - (Self.smallDays + 2 * (Self.brokenDays - 1))
    let low = (firstLow...judged.upperBound).map { isLow($0, limit) }
    func endsLowDays(_ day: Day) -> Bool {
      let index = day - firstLow
      return index >= Self.brokenDays - 1
        && low[(index - Self.brokenDays + 1)...index].allSatisfy(\.self)
    }
    func kind(_ day: Day) -> Break {
      let end = (0..<Self.brokenDays).map { day - $0 }.first(where: endsLowDays)
      return end.map { usual(before: $0) < Self.smallPersons ? .ofSmallFeed : .ofFeed } ?? .none
    }
    // By day, how many days of a broken small feed it ends.
    var small = 0
    return ((judged.lowerBound - Self.smallDays)...judged.upperBound).filter { day in
      let kind = kind(day)
      small = kind == .ofSmallFeed ? small + 1 : 0
      return judged.contains(day) && (kind == .ofFeed || (1...Self.smallDays).contains(small))
    }
  }
}
