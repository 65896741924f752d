import Foundation
import VigilModel
import VigilStorage
import VigilVitality

/// The input of the scores of a batch of persons, and their stored scores; filled again and again.
final class LoadedVitality {
  /// The metrics that scores are computed from.
  let block: ObservationBlock
  /// By person.
  private(set) var birthDates: [Day?] = []
  /// Rows of `vitality_scores` on the scored days, computed or not.
  private(set) var rows: [Row] = []
  /// By person: the last evaluated day, and what it was evaluated from.
  private(set) var coverages: [TrendCoverage?] = []
  /// The same for the same birth dates and rows from elsewhere, whatever their order.
  private(set) var digest = 0

  /// A row with the index of its person in the batch.
  typealias Row = (person: Int, score: VitalityScore)

  private let days: ClosedRange<Day>
  private let scoredDays: ClosedRange<Day>

  init(_ scope: RunScope) {
    days = scope.vitalityDays
    scoredDays = scope.scoredDays
    block = .forVitality(personCount: 0, days: days)
  }

  /// Empties it for other persons; their metric rows come next.
  func begin(personCount: Int) {
    block.reset(personCount: personCount, days: days)
    rows.removeAll(keepingCapacity: true)
  }

  /// Reads everything but metric rows, and returns the rows that cannot be used.
  ///
  /// - Throws: `StorageError`.
  func readScores(
    of persons: [UUID], from reader: any StorageReader
  ) throws -> UnusableRows {
    let unusable = try reader.readScores(of: persons, days: scoredDays) { person, score in
      rows.append((person, score))
    }
    birthDates = try reader.birthDates(of: persons)
    let evaluated = try reader.trendCoverages(of: persons)
    coverages = persons.map { evaluated[$0] }
    digest = Self.digest(of: persons, birthDates, rows)
    return unusable
  }

  /// The digest of the rows of the database.
  ///
  /// - Throws: `StorageError`.
  static func digest(
    of persons: [UUID], scoredDays: ClosedRange<Day>, from reader: any StorageReader
  ) throws -> Int {
    var rows: [Row] = []
    _ = try reader.readScores(of: persons, days: scoredDays) { person, score in
      rows.append((person, score))
    }
    return try digest(of: persons, reader.birthDates(of: persons), rows)
  }

  private static func digest(of persons: [UUID], _ birthDates: [Day?], _ rows: [Row]) -> Int {
    var sum: UInt64 = 0
    for (person, birthDate) in zip(persons, birthDates) {
      if let birthDate { sum &+= Self.hash(person, birthDate, []) }
    }
    for row in rows where row.score.isForeign {
      let score = row.score
      let values = [score.total, score.sleep, score.movement, score.stress].map { $0 ?? -1 }
      sum &+= Self.hash(persons[row.person], score.day, values)
    }
    return Int(truncatingIfNeeded: sum)
  }

  private static func hash(_ person: UUID, _ day: Day, _ values: [Int]) -> UInt64 {
    var hash = StableHash()
    hash.combine(person)
    hash.combine(Int(day.ordinal))
    for value in values { hash.combine(value) }
    return hash.value
  }
}
