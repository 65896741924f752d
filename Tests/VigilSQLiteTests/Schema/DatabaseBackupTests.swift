import Foundation
import GRDB
import Testing
import VigilModel
import VigilStorage

@testable import VigilSQLite

/// The copies that migrations leave.
@Suite struct DatabaseBackupTests {
  @Test("migrations down and up again never rotate the last copy with rows away")
  func copiesWithRowsStay() throws {
    try SQLiteFixture.with { (fixture) throws in
      let storage = fixture.storage
      let persons = try fixture.addManyPersons(10)
      let all = try storage.migrations().count
      func now(_ hour: Int) -> Timestamp { .epoch.adding(seconds: Int64(hour) * 3600) }
      let full = try #require(try storage.migrateDown(count: all, at: now(0)).backupPath)
      for hour in 1...5 {
        _ = try storage.migrate(at: now(2 * hour))
        _ = try storage.migrateDown(count: all, at: now(2 * hour + 1))
      }
      let copies = DatabaseBackup(of: DatabaseFile(fixture.path)).existing()
      #expect(copies.count == DatabaseBackup.keptCount + 1)
      #expect(copies.first == full)
      let count = try DatabaseQueue(path: full).read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM users")
      }
      #expect(count == persons.count)
      // Newer copies with the same tables take its place.
      _ = try storage.migrate(at: now(20))
      _ = try fixture.addManyPersons(10)
      for hour in 11...13 {
        _ = try storage.migrateDown(count: 1, at: now(2 * hour))
        _ = try storage.migrate(at: now(2 * hour + 1))
      }
      let newer = DatabaseBackup(of: DatabaseFile(fixture.path)).existing()
      #expect(newer.count == DatabaseBackup.keptCount && !newer.contains(full))
    }
  }

  @Test("a copy that cannot be read stays")
  func unreadableCopiesStay() throws {
    try SQLiteFixture.with { (fixture) throws in
      let broken = "\(fixture.path).backup-19690101T000000.000000Z"
      try Data("no database, but perhaps all that is left of one".utf8).write(
        to: URL(filePath: broken))
      for hour in 0..<5 {
        let time = Timestamp.epoch.adding(seconds: Int64(hour) * 3600)
        _ = try fixture.storage.migrateDown(count: 1, at: time)
        _ = try fixture.storage.migrate(at: time.adding(seconds: 60))
      }
      #expect(DatabaseBackup(of: DatabaseFile(fixture.path)).existing().contains(broken))
    }
  }
}
