/// The worn days of many simulated people of one habit.
public struct WearCorpus: Sendable {
  /// Days of each person.
  public let dayCount: Int
  public let people: Int
  /// By person, the first day without the device of one who stops; nil for others.
  package let stops: [Int?]
  private let blocks: [[SimulatedWear.Days]]

  private static let blockSize = 100

  /// Simulates people on all cores.
  ///
  /// - Parameters:
  ///   - habit: The habit of all of them.
  ///   - seed: That of all random numbers.
  ///   - people: The numbers of the people.
  ///   - dayCount: The days of each.
  ///   - stop: By number, the first day on which a person no longer wears the device, after the first day; nil, the
  ///     default, for no one.
  public init(
    _ habit: WearHabit, seed: UInt64, people: Range<Int>, dayCount: Int,
    stop: (Int) -> Int? = { _ in nil }
  ) async {
    let stops = people.map(stop)
    let simulation = SimulatedWear(habit: habit, seed: seed)
    let size = Self.blockSize
    blocks = await concurrentMap((people.count + size - 1) / size) { index in
      let first = index * size
      return (first..<min(first + size, people.count)).map { place in
        simulation.days(
          of: people.lowerBound + place, dayCount: dayCount, stop: stops[place])
      }
    }
    self.dayCount = dayCount
    self.people = people.count
    self.stops = stops
  }

  /// Calendar years of all people together.
  public var personYears: Double { Double(people * dayCount) / 365 }

  /// The share of the days on which the device is worn.
  public var wornShare: Double {
    let worn = blocks.joined().reduce(0) { $0 + $1.isWorn.count(where: \.self) }
    return Double(worn) / Double(max(people * dayCount, 1))
  }

  /// Returns the alerts of a profile, by person.
  public func episodes(of detector: SilenceDetector) async -> [[DetectedEpisode]] {
    let blocks = blocks
    let found = await concurrentMap(blocks.count) { detector.episodes(in: blocks[$0]) }
    return Array(found.joined())
  }
}
