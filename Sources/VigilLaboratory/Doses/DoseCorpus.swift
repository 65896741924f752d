import VigilModel

/// The doses of many simulated people of one habit.
public struct DoseCorpus: Sendable {
  /// Days of each person.
  public let dayCount: Int
  public let people: Int
  package let changes: [DoseChange?]
  private let blocks: [Block]

  private static let blockSize = 100

  private struct Block: @unchecked Sendable {
    // One task fills the doses before anyone else sees them; afterwards they are only read.
    let doses: DoseBlock
    let firstPerson: Int
  }

  /// Simulates people on all cores.
  ///
  /// - Parameters:
  ///   - habit: The habit of all of them.
  ///   - seed: That of all random numbers.
  ///   - people: The numbers of the people.
  ///   - dayCount: The days of each.
  ///   - change: By number, the change of a person; nil, the default, for none in anyone.
  public init(
    _ habit: DoseHabit, seed: UInt64, people: Range<Int>, dayCount: Int,
    change: (Int) -> DoseChange? = { _ in nil }
  ) async {
    let changes = people.map(change)
    let simulation = SimulatedDoses(habit: habit, seed: seed)
    let size = Self.blockSize
    blocks = await concurrentMap((people.count + size - 1) / size) { index in
      let first = index * size
      let count = min(size, people.count - first)
      let doses = DoseBlock(
        personCount: count, days: Corpus.firstDay...(Corpus.firstDay + (dayCount - 1)))
      for slot in 0..<count {
        simulation.write(
          people.lowerBound + first + slot, into: doses.days(ofPerson: slot),
          change: changes[first + slot])
      }
      return Block(doses: doses, firstPerson: first)
    }
    self.dayCount = dayCount
    self.people = people.count
    self.changes = changes
  }

  /// Calendar years of all people together.
  public var personYears: Double { Double(people * dayCount) / 365 }

  /// The share of all doses that were missed.
  public var missedShare: Double {
    var (missed, expected) = (0, 0)
    for block in blocks {
      for person in 0..<block.doses.personCount {
        for day in block.doses.days(ofPerson: person) {
          missed += Int(day.missed)
          expected += Int(day.expected)
        }
      }
    }
    return Double(missed) / Double(max(expected, 1))
  }

  /// Returns the episodes that a profile finds, by person.
  ///
  /// - Parameter isOneMedication: Whether the doses of a person are taken as those of one medication, of which a row of
  ///   days without any dose is looked for.
  public func episodes(
    of detector: DoseDetector, isOneMedication: Bool = false
  ) async -> [[DetectedEpisode]] {
    let blocks = blocks
    let found = await concurrentMap(blocks.count) { index in
      isOneMedication
        ? detector.streaks(in: blocks[index].doses) : detector.episodes(in: blocks[index].doses)
    }
    return Array(found.joined())
  }
}
