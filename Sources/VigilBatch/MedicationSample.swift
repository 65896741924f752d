import Foundation
import VigilAdherence
import VigilStorage

/// How many of the rows of medications, schedules and doses no run can use.
///
/// All of them are read for up to `mostPersons`; of more persons, that many are looked at, evenly spread,
/// and stand for the others: reading every dose twice would take as long as evaluating it.
struct MedicationSample {
  /// Those who are looked at.
  let persons: [UUID]
  /// Whether they stand for others.
  var isEstimate: Bool { weight > 1 }
  /// Rows of everybody.
  var rowCount: Int { Int((Double(rowsRead) * weight).rounded()) }
  /// Those of them that cannot be used, without their names.
  var unusable: UnusableRows {
    var rows = UnusableRows()
    for count in found.counts {
      let ofEverybody = Int((Double(count.count) * weight).rounded())
      rows.add(ofEverybody, of: count.table, count.reason, keys: [])
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

  /// Counts what was read of some of `persons`.
  mutating func add(_ rows: MedicationRows) {
    found += rows.unusable
    rowsRead += rows.rowCount
  }
}
