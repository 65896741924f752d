public import VigilModel

/// The days of many simulated people, in blocks.
public struct Corpus: Sendable {
  public let blocks: [Block]
  public let metricCount: Int
  public let dayCount: Int

  /// Some people of a corpus.
  public struct Block: @unchecked Sendable {
    // One task fills the observations before anyone else sees them; afterwards they are only read.
    public let observations: ObservationBlock
    public let people: [SimulatedPerson]
    /// By person; nil where nothing changes.
    public let changes: [PlantedChange?]
  }

  public var people: Int { blocks.reduce(0) { $0 + $1.people.count } }

  /// Calendar years of all people together.
  public var personYears: Double { Double(people * dayCount) / 365 }

  /// A Sunday, so that the weekday of a day follows from its index.
  static let firstDay = Day(ordinal: 18_994)

  private static let blockSize = 100

  /// Simulates people on all cores.
  ///
  /// - Parameters:
  ///   - simulator: The population, the conditions and the seed.
  ///   - people: The numbers of the people.
  ///   - dayCount: The length of each series.
  ///   - change: The change of a person; nil, the default, for none in anyone.
  public init(
    _ simulator: Simulator, people: Range<Int>, dayCount: Int,
    change: @escaping @Sendable (SimulatedPerson) -> PlantedChange? = { _ in nil }
  ) async {
    let size = Self.blockSize
    let count = (people.count + size - 1) / size
    metricCount = simulator.population.metrics.count
    self.dayCount = dayCount
    let metricCount = metricCount
    blocks = await concurrentMap(count) { index in
      let first = people.lowerBound + index * size
      let numbers = first..<min(first + size, people.upperBound)
      let persons = numbers.map { simulator.person($0, dayCount: dayCount) }
      let changes = persons.map(change)
      let block = ObservationBlock(
        personCount: persons.count, metricCount: metricCount,
        days: Self.firstDay...(Self.firstDay + (dayCount - 1)))
      for (slot, person) in persons.enumerated() {
        simulator.write(person, slot: slot, into: block, change: changes[slot])
      }
      return Block(observations: block, people: persons, changes: changes)
    }
  }

  /// Returns the episodes of a detector, by block.
  public func episodes(of detector: some EpisodeDetector) async -> [[DetectedEpisode]] {
    let blocks = blocks
    return await concurrentMap(blocks.count) { index in
      detector.makeWorker().episodes(
        in: blocks[index].observations, people: blocks[index].people)
    }
  }
}
