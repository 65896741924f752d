import Foundation
import GRDB
import StorageConformance
import TestSupport
import Testing
import VigilModel
import VigilSQL
import VigilStorage

@testable import VigilSQLite

@Suite("Opening a database file")
struct SQLiteStorageTests {
  @Test("a missing file is named with the remedy that creates one, and is not created")
  func missing() throws {
    try TemporaryDirectory.with { (directory) throws in
      for mode in [SQLiteStorage.OpenMode.existing, .existingReadOnly] {
        let error = #expect(throws: StorageError.self) {
          _ = try SQLiteStorage(path: directory.path("no.sqlite"), mode: mode)
        }
        #expect(error?.code == .notFound)
        #expect(error?.remedy == .createDatabase)
      }
      #expect(try directory.contents().isEmpty)
    }
  }

  @Test("a file cannot be created in a folder that is not there")
  func missingFolder() throws {
    try TemporaryDirectory.with { (directory) throws in
      let error = #expect(throws: StorageError.self) {
        _ = try SQLiteStorage(path: directory.path("sub/no.sqlite"), mode: .createIfMissing)
      }
      #expect(error?.code == .notFound)
      #expect(error?.message.contains(directory.path("sub")) == true)
    }
  }

  @Test("a folder is no database")
  func folder() throws {
    try TemporaryDirectory.with { (directory) throws in
      let error = #expect(throws: StorageError.self) {
        _ = try SQLiteStorage(path: directory.path, mode: .createIfMissing)
      }
      #expect(error?.code == .unreachable)
    }
  }

  @Test("a file that is something else is refused in every mode and left as it is")
  func notADatabase() throws {
    try TemporaryDirectory.with { (directory) throws in
      let content = Data("user_id,metric_date,steps\n".utf8) + Data(count: 4096)
      try content.write(to: directory.url("metrics.csv"))
      for mode in [SQLiteStorage.OpenMode.existing, .existingReadOnly, .createIfMissing] {
        let error = #expect(throws: StorageError.self) {
          _ = try SQLiteStorage(path: directory.path("metrics.csv"), mode: mode)
        }
        #expect(error?.code == .notADatabase)
      }
      #expect(try Data(contentsOf: directory.url("metrics.csv")) == content)
      #expect(try directory.contents() == ["metrics.csv"])
    }
  }

  @Test("a damaged file is reported as damaged")
  func corrupt() throws {
    try SQLiteFixture.with { (fixture) throws in
      try fixture.addManyPersons(10_000)
      try fixture.closed { directory in
        let path = directory.path("vigil.sqlite")
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        // Beyond the pages of the schema.
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 4096 * 180)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 4096 * 180))
        try handle.close()
        let storage = try SQLiteStorage(path: path, mode: .existingReadOnly)
        let day = try #require(Day("2026-01-01"))
        let error = #expect(throws: StorageError.self) {
          _ = try storage.persons(withDataIn: day...day)
        }
        #expect(error?.code == .corrupt)
        #expect(error?.remedy?.advice?.contains("backup") == true)
        let integrity = storage.diagnose().first { $0.check == "integrity" }
        #expect(integrity?.status == .failure)
      }
    }
  }

  @Test("an empty file is a database without a schema")
  func emptyFile() throws {
    try TemporaryDirectory.with { (directory) throws in
      try Data().write(to: directory.url("vigil.sqlite"))
      let storage = try SQLiteStorage(path: directory.path("vigil.sqlite"), mode: .existing)
      let error = #expect(throws: StorageError.self) { try storage.requireCurrentSchema() }
      #expect(error?.code == .schemaNotCurrent)
      #expect(try storage.migrate(at: Timestamp(microseconds: 0)).backupPath == nil)
    }
  }

  @Test("nothing but the database is left when the last connection has closed")
  func leavesNoFiles() throws {
    try TemporaryDirectory.with { (directory) throws in
      do {
        let fixture = try SQLiteFixture(in: directory)
        let reader = try fixture.storage.makeReader()
        let lock = try fixture.storage.acquireRunLock(for: UUID())
        #expect(try reader.familyMembers(of: []).isEmpty)
        #expect(try directory.contents().contains("vigil.sqlite.lock"))
        withExtendedLifetime(lock) {}
      }
      #expect(try directory.contents() == ["vigil.sqlite"])
    }
  }

  @Test("a reader that outlives its storage still leaves nothing behind")
  func readerOutlivesStorage() throws {
    try TemporaryDirectory.with { (directory) throws in
      var reader: (any StorageReader)? = try SQLiteFixture(in: directory).storage.makeReader()
      #expect(try reader?.familyMembers(of: [UUID()]) == [[]])
      reader = nil
      #expect(try directory.contents() == ["vigil.sqlite"])
    }
  }

  @Test("a database opened for reading can be read and not written")
  func readOnlyMode() throws {
    try SQLiteFixture.with { (fixture) throws in
      try fixture.addManyPersons(3)
      try fixture.closed { directory in
        try expectReadOnly(
          SQLiteStorage(path: directory.path("vigil.sqlite"), mode: .existingReadOnly))
        #expect(try directory.contents() == ["vigil.sqlite"])
      }
    }
  }

  private func expectReadOnly(_ storage: SQLiteStorage) throws {
    try storage.requireCurrentSchema()
    #expect(try storage.metricDays() == nil)
    #expect(try storage.makeReader().familyMembers(of: [UUID()]) == [[]])
    let writes: [() throws -> Void] = [
      { try storage.importRows { _ = try $0.ensureUser(UUID(), externalID: nil, now: .epoch) } },
      { _ = try storage.migrateDown(count: 1, at: .epoch) },
    ]
    for write in writes {
      let error = #expect(throws: StorageError.self) { try write() }
      #expect(error?.code == .readOnly)
    }
    try storage.requireCurrentSchema()
  }

  @Test("a link to a database shares its lock")
  func link() throws {
    try SQLiteFixture.with { (fixture) throws in
      let link = fixture.directory.path("link.sqlite")
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: fixture.path)
      let lock = try fixture.storage.acquireRunLock(for: UUID())
      let other = try SQLiteStorage(path: link, mode: .existing)
      let error = #expect(throws: StorageError.self) {
        _ = try other.acquireRunLock(for: UUID())
      }
      #expect(error?.code == .locked)
      withExtendedLifetime(lock) {}
    }
  }
}

extension Timestamp {
  static let epoch = Timestamp(microseconds: 0)
}
