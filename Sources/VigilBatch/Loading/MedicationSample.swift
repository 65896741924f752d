import Foundation
import VigilAdherence
import VigilModel
import VigilStorage

/// The number of rows of medications, schedules and doses that no run can use.
///
/// All rows are read for up to `mostPersons`; of more persons, that many are looked at, evenly spread,
/// and stand for the others: reading every dose twice would take as long as evaluating it.
struct MedicationSample {
  /// The persons that are looked at.
  let persons: [UUID]
  /// Whether they stand for others.
  var isEstimate: Bool { weight > 1 }
  /// The rows of all persons.
  var rowCount: Int { Int(clamping: (Double(rowsRead) * weight).rounded()) }
  /// The rows that cannot be used, without their keys.
  var unusable: UnusableRows {
    var rows = UnusableRows()
    for count in found.counts {
      let ofAll = Int(clamping: (Double(count.count) * weight).rounded())
      rows.add(ofAll, of: count.table, count.reason, keys: [])
    }
    return rows
  }

  private let weight: Double
  private var rowsRead = 0
  private var found = UnusableRows()

  static let mostPersons = 1_000

  /// Nothing is read yet.
  init(of all: [UUID]) {
    let step = max(1, (all.count + Self.mostPersons - 1) / Self.mostPersons)
    persons = stride(from: 0, to: all.count, by: step).map { all[$0] }
    weight = persons.isEmpty ? 1 : Double(all.count) / Double(persons.count)
  }

  /// The rows that were read of some of `persons`.
  struct Part: Sendable {
    fileprivate let first: UUID
    fileprivate let rowCount: Int
    fileprivate let unusable: UnusableRows

    /// - Precondition: There are `persons`.
    init(of persons: [UUID], _ rows: MedicationRows) {
      first = persons[0]
      rowCount = rows.rowCount
      unusable = rows.unusable
    }
  }

  /// Counts what was read, whatever its order.
  mutating func add(_ parts: [Part]) {
    for part in parts.sorted(by: { $0.first < $1.first }) {
      found += part.unusable
      rowsRead += part.rowCount
    }
  }
}
