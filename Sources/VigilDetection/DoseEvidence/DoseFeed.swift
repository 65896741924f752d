public import VigilModel

/// The persons with a dose row, day by day: whether what brings the doses in is broken (specification,
/// evidence-doses.md section 8).
///
/// ```swift
/// guard let first = Day("2026-05-01") else { return }
/// let counts = Array(repeating: 100, count: 40) + [0, 2, 1] + [98, 100, 100]
/// let feed = DoseFeed(FeedHistory(days: first...(first + 45), counts: counts))
/// print(feed.brokenDays(in: (first + 38)...(first + 45), limit: 0.3).count)  // 3
/// // On the second day without rows none is known to be one of three.
/// print(feed.brokenDays(in: (first + 38)...(first + 41), limit: 0.3).count)  // 0
/// ```
public struct DoseFeed: Hashable, Sendable {
  public let history: FeedHistory

  /// With fewer usual persons nothing is said of a feed.
  private static let fewestPersons = 20
  /// Days with too few persons in a row that make a feed broken.
  private static let lowDays = 3

  /// - Parameter history: By day, the persons with a dose row.
  public init(_ history: FeedHistory) { self.history = history }

  /// The days that must be counted to judge others.
  public static func days(for judged: ClosedRange<Day>) -> ClosedRange<Day> {
    (judged.lowerBound - (lowDays - 1 + FeedHistory.lookBackDays))...judged.upperBound
  }

  /// Whether fewer persons than usual have a row on `day`, by more than `limit`, a fraction.
  private func isLow(_ day: Day, _ limit: Double) -> Bool {
    let usual = history.usual(before: day)
    return usual >= Self.fewestPersons
      && Double(history.count(on: day)) < (1 - limit) * Double(usual) - 1e-9
  }

  /// Returns the days among `judged` on which the feed counts as broken, as is known on the last of them: those of at
  /// least three low days in a row.
  ///
  /// - Parameters:
  ///   - judged: The days to look at; the counts of the days before must be there.
  ///   - limit: The fraction of the usual persons whose rows may be missing.
  public func brokenDays(in judged: ClosedRange<Day>, limit: Double) -> [Day] {
    var broken: [Day] = []
    var row: [Day] = []
    for day in (judged.lowerBound - (Self.lowDays - 1))...judged.upperBound {
      guard isLow(day, limit) else {
        row = []
        continue
      }
      row.append(day)
      if row.count == Self.lowDays {
        broken += row
      } else if row.count > Self.lowDays {
        broken.append(day)
      }
    }
    return broken.filter(judged.contains)
  }
}
