import Foundation
import GRDB
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilSQLite

@Suite("Who may read the files of a database")
struct DatabaseFileTests {
  @Test("a new database and all files beside it are their owner's alone")
  func newFiles() throws {
    try TemporaryDirectory.with { (directory) throws in
      let path = directory.path("vigil.sqlite")
      let storage = try SQLiteStorage(path: path, mode: .createIfMissing)
      _ = try storage.migrate(at: .epoch)
      _ = try storage.importRows { try $0.ensureUser(UUID(), externalID: nil, now: .epoch) }
      let shard = try #require(RunShard(1, of: 2))
      let lock = try storage.acquireRunLock(for: UUID(), shard: shard)
      let backup = try #require(try storage.migrateDown(count: 1, at: .epoch).backupPath)
      let names = try directory.contents()
      #expect(names.count == 6, "\(names)")
      for name in names { #expect(try mode(of: directory.path(name)) == 0o600, "\(name)") }
      #expect(names.contains(URL(fileURLWithPath: backup).lastPathComponent))
      withExtendedLifetime(lock) {}
    }
  }

  @Test("a file that is there keeps its mode, and a copy of it is its owner's alone")
  func existingFile() throws {
    try SQLiteFixture.with { (fixture) throws in
      try fixture.addManyPersons(2)
      try fixture.closed { directory in
        let path = directory.path("vigil.sqlite")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let storage = try SQLiteStorage(path: path, mode: .createIfMissing)
        let backup = try #require(try storage.migrateDown(count: 1, at: .epoch).backupPath)
        #expect(try mode(of: path) == 0o640)
        #expect(try mode(of: path + "-wal") == 0o640)
        #expect(try mode(of: backup) == 0o600)
      }
    }
  }

  @Test("nothing is written through a link that lies where a lock file belongs")
  func linkInPlaceOfTheLock() throws {
    try SQLiteFixture.with { (fixture) throws in
      let target = fixture.directory.path("precious")
      try Data("precious".utf8).write(to: URL(fileURLWithPath: target))
      let lock = fixture.path + ".lock"
      for name in [lock, lock + "-1-of-2"] {
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: target)
        let shard = name == lock ? RunShard.whole : try #require(RunShard(1, of: 2))
        let error = #expect(throws: StorageError.self) {
          _ = try fixture.storage.acquireRunLock(for: UUID(), shard: shard)
        }
        #expect(error?.code == .unreachable)
        #expect(error?.message.contains("\(name) is a symbolic link") == true)
        #expect(error?.remedy?.advice?.contains("rm '\(name)'") == true)
        #expect(fixture.storage.diagnose().contains { $0.check == "run lock" })
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
        try FileManager.default.removeItem(atPath: name)
      }
      withExtendedLifetime(try fixture.storage.acquireRunLock(for: UUID())) {}
    }
  }

  @Test("a database that is a link to nothing yet is created where the link leads")
  func linkToNothing() throws {
    try TemporaryDirectory.with { (directory) throws in
      let (link, target) = (directory.path("link.sqlite"), directory.path("target.sqlite"))
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      _ = try SQLiteStorage(path: link, mode: .createIfMissing).migrate(at: .epoch)
      #expect(try mode(of: target) == 0o600)
    }
  }

  private func mode(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
}
