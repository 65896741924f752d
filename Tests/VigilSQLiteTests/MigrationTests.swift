import Foundation
import GRDB
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilSQLite

@Suite("Migrations of a file")
struct MigrationTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/VigilSQLite/Migrations")

  @Test("the table in code and the folder of SQL files agree")
  func tableAgreesWithFolder() throws {
    var expected = ["schema_migrations.sql": SchemaMigrations.ledger]
    for migration in SchemaMigrations.all {
      let number = String(format: "%04d", migration.number)
      expected["\(number)_\(migration.name).up.sql"] = migration.up
      expected["\(number)_\(migration.name).down.sql"] = migration.down
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(names) == Set(expected.keys))
    for (name, text) in expected {
      let url = Self.folder.appendingPathComponent(name)
      #expect(try String(contentsOf: url, encoding: .utf8) == text, "\(name)")
    }
    #expect(SchemaMigrations.all.map(\.number) == Array(1...SchemaMigrations.all.count))
  }

  @Test("up, down and up again give the same schema, step by step")
  func upDownUp() throws {
    try TemporaryDirectory.with { (directory) throws in
      let path = directory.path("vigil.sqlite")
      let storage = try SQLiteStorage(path: path, mode: .createIfMissing)
      _ = try storage.migrate(at: .epoch)
      let full = try schema(at: path)
      #expect(full.contains { $0.contains("pattern_alert_state_one_active") })
      for count in 1...SchemaMigrations.all.count {
        _ = try storage.migrateDown(count: count, at: .epoch)
        // A migration that is about rights on a server alone changes nothing in a file.
        let changes = SchemaMigrations.all.suffix(count).contains { $0.down.contains(";") }
        #expect(try (schema(at: path) != full) == changes)
        _ = try storage.migrate(at: .epoch)
        #expect(try schema(at: path) == full)
      }
      _ = try storage.migrateDown(count: 99, at: .epoch)
      #expect(try schema(at: path).allSatisfy { $0.contains("schema_migrations") })
    }
  }

  private func schema(at path: String) throws -> [String] {
    try DatabaseQueue(path: path).read {
      try String.fetchAll(
        $0,
        sql: """
          SELECT sql FROM sqlite_schema
          WHERE sql IS NOT NULL AND name <> 'sqlite_sequence' ORDER BY name
          """)
    }
  }

  @Test("a migration that fails leaves the database as it was before that migration")
  func failingMigration() throws {
    try TemporaryDirectory.with { (directory) throws in
      let path = directory.path("vigil.sqlite")
      let storage = try SQLiteStorage(path: path, mode: .createIfMissing)
      // In the way of the third migration, after the first of its tables.
      try DatabaseQueue(path: path).write {
        try $0.execute(sql: "CREATE TABLE alert_actions (x)")
      }
      #expect(throws: StorageError.self) { _ = try storage.migrate(at: .epoch) }
      #expect(
        try storage.migrations().map { $0.state == .pending }
          == storage.migrations().map { $0.number > 2 })
      #expect(try schema(at: path).contains { $0.contains("pattern_alert_state") } == false)
    }
  }

  @Test("a file that holds something is copied first, and the newest three copies stay")
  func backups() throws {
    try SQLiteFixture.with { (fixture) throws in
      let storage = fixture.storage
      let persons = try fixture.addManyPersons(10)
      var paths: [String] = []
      for hour in 0..<5 {
        let now = Timestamp.epoch.adding(seconds: Int64(hour) * 3600)
        let down = try storage.migrateDown(count: 1, at: now)
        paths.append(try #require(down.backupPath))
        _ = try storage.migrate(at: now.adding(seconds: 60))
      }
      #expect(paths.first == fixture.path + ".backup-19700101T000000.000000Z")
      let copies = DatabaseBackup(of: DatabaseFile(fixture.path)).existing()
      #expect(copies.count == 3)
      #expect(copies.contains(paths[4]))
      #expect(!copies.contains(paths[0]))
      for copy in copies {
        let count = try DatabaseQueue(path: copy).read {
          try Int.fetchOne($0, sql: "SELECT count(*) FROM users")
        }
        #expect(count == persons.count)
      }
    }
  }

  @Test("two copies of the same instant do not overwrite each other")
  func backupsOfOneInstant() throws {
    try SQLiteFixture.with { (fixture) throws in
      let first = try fixture.storage.migrateDown(count: 1, at: .epoch).backupPath
      let second = try fixture.storage.migrateDown(count: 1, at: .epoch).backupPath
      #expect(first != second)
      #expect(DatabaseBackup(of: DatabaseFile(fixture.path)).existing() == [first, second])
    }
  }
}
