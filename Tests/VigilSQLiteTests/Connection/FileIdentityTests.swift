import Foundation
import GRDB
import TestSupport
import Testing
import VigilStorage

@testable import VigilSQLite

@Suite struct FileIdentityTests {
  enum Change: CaseIterable {
    case moved
    case replaced
    case removed
  }

  /// Does it to the database of a folder; what was there before is then `moved.sqlite`, unless it is removed.
  private func make(_ change: Change, in directory: TemporaryDirectory) throws {
    let (path, other) = (directory.path("vigil.sqlite"), directory.path("other.sqlite"))
    switch change {
    case .moved: try #require(rename(path, directory.path("moved.sqlite")) == 0)
    case .replaced:
      try DatabaseQueue(path: other).close()
      try #require(link(path, directory.path("moved.sqlite")) == 0)
      try #require(rename(other, path) == 0)
    case .removed: try #require(unlink(path) == 0)
    }
  }

  @Test(arguments: Change.allCases)
  func aWriteToAFileThatIsNotThereAnyMoreIsRefused(change: Change) throws {
    try TemporaryDirectory.with { (directory) throws in
      let fixture = try SQLiteFixture(in: directory)
      try fixture.addManyPersons(5)
      try make(change, in: directory)
      for _ in 1...2 {
        let error = #expect(throws: StorageError.self) { try fixture.addManyPersons(7) }
        #expect(error?.code == .moved)
        #expect(error?.message.contains("vigil.sqlite") == true)
        #expect(error?.remedy?.advice?.contains(fixture.path) == true)
      }
    }
  }

  @Test(arguments: [Change.moved, .replaced])
  func aMovedFileHoldsWhatWasCommittedAndNoLogIsLeftBesideItsSuccessor(change: Change) throws {
    try TemporaryDirectory.with { (directory) throws in
      do {
        let fixture = try SQLiteFixture(in: directory)
        try fixture.addManyPersons(50)
        try make(change, in: directory)
        #expect(throws: StorageError.self) { try fixture.addManyPersons(70) }
      }
      let log = try? FileManager.default.attributesOfItem(
        atPath: directory.path("vigil.sqlite-wal"))
      #expect((log?[.size] as? Int ?? 0) == 0)
      let moved = try DatabaseQueue(path: directory.path("moved.sqlite"))
      try moved.read { (db) throws in
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM users") == 50)
        #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      }
      if change == .replaced {
        let successor = try DatabaseQueue(path: directory.path("vigil.sqlite"))
        #expect(
          try successor.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
            == 0)
      }
    }
  }

  @Test func anotherNameOfTheSameFileIsNoOtherFile() throws {
    try TemporaryDirectory.with { (directory) throws in
      let path = directory.path("a")
      try Data().write(to: directory.url("a"))
      let identity = try #require(FileIdentity(at: path))
      try FileManager.default.createSymbolicLink(
        atPath: directory.path("b"), withDestinationPath: "a")
      #expect(FileIdentity(at: directory.path("b")) == identity)
      #expect(FileIdentity(at: directory.path("none")) == nil)
    }
  }
}
