import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  static let schema = [
    ConformanceCheck("a migrated database is current, and migrating it again does nothing") {
      let storage = $0.storage
      try storage.requireCurrentSchema()
      let statuses = try storage.migrations()
      #expect(statuses.map(\.number) == Array(1...statuses.count))
      for status in statuses {
        #expect(status.checksum.count == 64)
        guard case .applied = status.state else {
          Issue.record("\(status.name) is \(status.state)")
          continue
        }
      }
      let outcome = try storage.migrate(at: time("2026-02-01T00:00:00Z"))
      #expect(outcome.numbers.isEmpty)
      #expect(outcome.backupPath == nil)
    },

    ConformanceCheck("every migration can be taken back and applied again") {
      let storage = $0.storage
      let numbers = try storage.migrations().map(\.number)
      let down = try storage.migrateDown(count: numbers.count, at: time("2026-02-01T00:00:00Z"))
      #expect(down.numbers == numbers.reversed())
      #expect(try storage.migrations().allSatisfy { $0.state == .pending })
      let error = expectStorageError(.schemaNotCurrent) { try storage.requireCurrentSchema() }
      #expect(error?.remedy == .migrate)
      let appliedAt = try time("2026-02-02T00:00:00Z")
      #expect(try storage.migrate(at: appliedAt).numbers == numbers)
      #expect(try storage.migrations().allSatisfy { $0.state == .applied(at: appliedAt) })
      try storage.requireCurrentSchema()
    },

    ConformanceCheck("taking back more or fewer migrations than there are is no error") {
      let storage = $0.storage
      let count = try storage.migrations().count
      let now = try time("2026-02-01T00:00:00Z")
      #expect(try storage.migrateDown(count: 0, at: now).numbers.isEmpty)
      #expect(try storage.migrateDown(count: 1, at: now).numbers == [count])
      #expect(try storage.migrateDown(count: count + 5, at: now).numbers.count == count - 1)
    },

    ConformanceCheck("a migration leaves the rows of other tables as they are") {
      try $0.addPersons(1, 2)
      try $0.addSteps(1, "2026-01-01")
      let now = try time("2026-02-01T00:00:00Z")
      let before = try $0.strings("SELECT id FROM users ORDER BY id")
      _ = try $0.storage.migrateDown(count: 1, at: now)
      _ = try $0.storage.migrate(at: now)
      #expect(try $0.strings("SELECT id FROM users ORDER BY id") == before)
      #expect(try $0.count("wearable_daily_metrics") == 1)
    },

    ConformanceCheck("a changed migration is refused, by number") { fixture in
      let text = String(repeating: "0", count: 64)
      try fixture.execute("UPDATE schema_migrations SET checksum = '\(text)' WHERE number = 2")
      try expectRefusal(of: 2, in: fixture.storage)
      guard case .changed = try fixture.storage.migrations()[1].state else {
        Issue.record("it is not reported as changed")
        return
      }
    },

    ConformanceCheck("a migration of a newer version is refused, by number") { fixture in
      let text = String(repeating: "0", count: 64)
      try fixture.execute(
        """
        INSERT INTO schema_migrations (number, name, checksum, applied_at)
        VALUES (99, 'later', '\(text)', '2026-01-01T00:00:00.000000Z')
        """)
      try expectRefusal(of: 99, in: fixture.storage)
      guard case .unknown = try fixture.storage.migrations().last?.state else {
        Issue.record("it is not reported as unknown")
        return
      }
    },

    ConformanceCheck("a healthy database has no failure, a pending migration is the one there is") {
      let findings = $0.storage.diagnose()
      #expect(findings.count > 2)
      #expect(findings.allSatisfy { $0.status != .failure })
      _ = try $0.storage.migrateDown(count: 1, at: time("2026-02-01T00:00:00Z"))
      // Grants on tables that are not there yet may be missing with them.
      let failures = $0.storage.diagnose().filter { $0.status == .failure && $0.check != "grants" }
      #expect(failures.count == 1)
      #expect(failures.first?.remedy == .migrate)
    },

    ConformanceCheck("a schema that was taken back and made again is as new") {
      let count = try $0.storage.migrations().count
      _ = try $0.storage.migrateDown(count: count, at: time("2026-02-01T00:00:00Z"))
      _ = try $0.storage.migrate(at: time("2026-02-01T00:00:00Z"))
      #expect(try $0.catalogueFindings().map(\.status) == [.ok])
    },

    ConformanceCheck("a table that has gone is named") {
      try $0.execute("DROP TABLE dose_analytics")
      let found = try $0.catalogueFindings()
      #expect(found.map(\.status) == [.failure])
      #expect(found.first?.detail == "dose_analytics: it is missing")
    },

    ConformanceCheck("an index that has gone comes back with the remedy") {
      try $0.execute("DROP INDEX held_notifications_undecided")
      let found = try $0.catalogueFindings()
      #expect(found.map(\.status) == [.failure])
      #expect(
        found.first?.detail
          == "held_notifications: index held_notifications_undecided is missing")
      try $0.execute(try #require(found.first?.remedy?.advice))
      #expect(try $0.catalogueFindings().map(\.status) == [.ok])
    },

    ConformanceCheck("a column that has another name is missing") {
      try $0.execute("ALTER TABLE run_shards RENAME COLUMN host TO machine")
      let found = try $0.catalogueFindings()
      #expect(found.map(\.status) == [.failure])
      #expect(found.first?.detail.contains("column host is missing") == true)
      #expect(found.first?.detail.contains("column machine is none of Vigil's") == true)
    },

    ConformanceCheck("what a table has besides is kept, unless it keeps a run from writing") {
      try $0.execute("ALTER TABLE run_shards ADD COLUMN note TEXT")
      try $0.execute("CREATE INDEX an_operators ON run_shards (note)")
      try $0.execute("CREATE TABLE an_apps (note TEXT NOT NULL)")
      #expect(try $0.catalogueFindings().map(\.status) == [.ok])
    },

    ConformanceCheck("a ledger with a gap is refused, and said to be wrong") { fixture in
      try fixture.execute("DELETE FROM schema_migrations WHERE number = 9")
      try expectRefusal(of: 9, in: fixture.storage)
      let found = fixture.storage.diagnose().filter { $0.check == "schema" }
      #expect(found.map(\.status) == [.failure])
      #expect(found.first?.detail.contains("lacks 9 (adherence)") == true)
    },
  ]

  private static func expectRefusal(of number: Int, in storage: any Storage) throws {
    let now = try time("2026-02-01T00:00:00Z")
    let attempts: [() throws -> Void] = [
      { try storage.requireCurrentSchema() },
      { _ = try storage.migrate(at: now) },
      { _ = try storage.migrateDown(count: 1, at: now) },
    ]
    for attempt in attempts {
      let error = expectStorageError(.schemaNotCurrent) { try attempt() }
      #expect(error?.message.contains("\(number)") == true)
      #expect(error?.remedy != nil)
    }
  }
}

extension StorageFixture {
  fileprivate func catalogueFindings() throws -> [Finding] {
    storage.diagnose().filter { $0.check == "catalogue" }
  }
}
