import Foundation
import VigilModel
import VigilStorage
import VigilVitality

/// What the scores of a batch of persons are computed from, and the rows of scores that are there;
/// filled again and again.
final class LoadedVitality {
  /// The metrics that scores are computed from.
  let block: ObservationBlock
  /// By person.
  private(set) var birthDates: [Day?] = []
  /// Rows of `vitality_scores` on the scored days, computed or not.
  private(set) var rows: [Row] = []
  /// The same for the same birth dates and rows from elsewhere, whatever their order.
  private(set) var digest = 0

  struct Row {
    /// Index of the person in the batch.
    var person: Int
    var score: VitalityScore
  }

  private let days: ClosedRange<Day>
  private let scoredDays: ClosedRange<Day>

  init(_ settings: BatchSettings) {
    days = settings.vitalityDays
    scoredDays = settings.scoredDays
    block = .forVitality(personCount: 0, days: days)
  }

  /// Empties it for other persons; their metric rows come next.
  func begin(personCount: Int) {
    block.reset(personCount: personCount, days: days)
    rows.removeAll(keepingCapacity: true)
  }

  /// Reads everything but metric rows, and gives the rows that were passed over.
  ///
  /// - Throws: `StorageError`.
  func readScores(
    of persons: [UUID], from reader: any StorageReader
  ) throws -> UnusableRows {
    let unusable = try reader.readScores(of: persons, days: scoredDays) { person, score in
      rows.append(Row(person: person, score: score))
    }
    birthDates = try reader.birthDates(of: persons)
    digest = Self.digest(of: persons, birthDates, rows)
    return unusable
  }

  /// The digest of what there is now.
  ///
  /// - Throws: `StorageError`.
  static func digest(
    of persons: [UUID], scoredDays: ClosedRange<Day>, from reader: any StorageReader
  ) throws -> Int {
    var rows: [Row] = []
    _ = try reader.readScores(of: persons, days: scoredDays) { person, score in
      rows.append(Row(person: person, score: score))
    }
    return try digest(of: persons, reader.birthDates(of: persons), rows)
  }

  private static func digest(of persons: [UUID], _ birthDates: [Day?], _ rows: [Row]) -> Int {
    var sum: UInt64 = 0
    for (person, birthDate) in zip(persons, birthDates) {
      if let birthDate { sum &+= person.digest(Int(birthDate.ordinal)) }
    }
    for row in rows where row.score.isForeign {
      let score = row.score
      let values = [score.total, score.sleep, score.movement, score.stress].map { $0 ?? -1 }
      sum &+= persons[row.person].digest(Int(score.day.ordinal), values)
    }
    return Int(truncatingIfNeeded: sum)
  }
}

extension UUID {
  /// FNV-1a over the bytes of the id and of some numbers: the same in every process, which `Hasher` is
  /// not.
  fileprivate func digest(_ first: Int, _ others: [Int] = []) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    withUnsafeBytes(of: uuid) { $0.forEach(add) }
    for number in [first] + others {
      withUnsafeBytes(of: Int64(number).littleEndian) { $0.forEach(add) }
    }
    return hash
  }
}
