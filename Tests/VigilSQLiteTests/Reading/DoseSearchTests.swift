import Foundation
import GRDB
import TestSupport
import Testing
import VigilAdherence
import VigilModel
import VigilStorage

@testable import VigilSQLite

@Suite("SQLite: how doses are found")
struct DoseSearchTests {
  /// A constraint of the table looks at the form of a time only.
  @Test("a dose that was planned for the 31st of February is found by when it was taken")
  func impossibleDate() throws {
    try SQLiteFixture.with { (fixture) throws in
      let medication = UUID(name: "medication")
      try fixture.executeWithoutReferences(
        """
        INSERT INTO dose_history (
          id, medication_id, status, scheduled_time, actual_time, recorded_timezone, created_at,
          updated_at
        ) VALUES (
          '\(UUID(name: "dose").lowercased)', '\(medication.lowercased)', 'taken',
          '2026-02-31T12:00:00.000000Z', '2026-03-03T12:30:00.000000Z', 'UTC',
          '2026-03-03T12:30:00.000000Z', '2026-03-03T12:30:00.000000Z'
        )
        """)
      let first = try #require(Day("2026-03-03")).midnight
      let rows = MedicationRows(zones: .system)
      rows.begin([], evaluatedAt: first.adding(seconds: 86_400))
      try DatabaseQueue(path: fixture.path).read { db in
        let query = try DoseQuery(on: db)
        try rows.addDoses {
          try query.read(of: medication, first...first.adding(seconds: 86_400), into: &$0)
        }
      }
      #expect(rows.doseCount == 1)
    }
  }
}
