import Foundation
import TestSupport
import Testing
import VigilModel
import VigilSQL
import VigilStorage

@testable import VigilSQLite

@Suite("A database that gets its name when it is complete")
struct SQLiteStorageDraftTests {
  private let now = Timestamp(microseconds: 0)

  @Test("everything written is there after it is published, and nothing else")
  func published() throws {
    try TemporaryDirectory.with { (directory) throws in
      let path = directory.path("new.sqlite")
      let draft = try #require(try SQLiteStorage.draft(of: path))
      #expect(draft.displayName == "sqlite:\(path)")
      _ = try draft.migrate(at: now)
      let person = UUID()
      _ = try draft.importRows { writer in
        try writer.ensureUser(person, externalID: nil, now: now)
      }
      #expect(!FileManager.default.fileExists(atPath: path))
      try draft.publish()
      #expect(try directory.contents() == ["new.sqlite"])
      let storage = try SQLiteStorage(path: path, mode: .existingReadOnly)
      try storage.requireCurrentSchema()
      #expect(try storage.persons(among: [person]) == [person])
    }
  }

  @Test("nothing is left of one that is discarded")
  func discarded() throws {
    try TemporaryDirectory.with { (directory) throws in
      let draft = try #require(try SQLiteStorage.draft(of: directory.path("new.sqlite")))
      _ = try draft.migrate(at: now)
      draft.discard()
      #expect(try directory.contents().isEmpty)
    }
  }

  @Test("what killed processes have left is removed, and what others hold stays")
  func abandoned() throws {
    try TemporaryDirectory.with { (directory) throws in
      let path = directory.path("new.sqlite")
      for name in ["7", "7-wal", "7-shm", "7.lock", "8.lock", "9", "9.lock", "10", "x.lock"] {
        try Data().write(to: URL(filePath: "\(path).draft-\(name)"))
      }
      let held = open("\(path).draft-9.lock", O_RDWR)
      #expect(flock(held, LOCK_EX | LOCK_NB) == 0)
      defer { close(held) }
      let draft = try #require(try SQLiteStorage.draft(of: path))
      draft.discard()
      // One without a lock file may be of a volume without locks.
      #expect(
        try directory.contents().sorted()
          == ["10", "9", "9.lock", "x.lock"].map { "new.sqlite.draft-\($0)" })
    }
  }

  @Test("a draft that a process is writing is not taken for its own by one of the same number")
  func sameNumber() throws {
    try TemporaryDirectory.with { (directory) throws in
      let path = directory.path("new.sqlite")
      let draft = try #require(try SQLiteStorage.draft(of: path))
      let error = #expect(throws: StorageError.self) { try SQLiteStorage.draft(of: path) }
      #expect(error?.code == .locked)
      _ = try draft.migrate(at: now)
      try draft.publish()
      #expect(try directory.contents() == ["new.sqlite"])
    }
  }

  @Test("a file that appears in the meantime stays as it is")
  func overtaken() throws {
    try TemporaryDirectory.with { (directory) throws in
      let path = directory.path("new.sqlite")
      let draft = try #require(try SQLiteStorage.draft(of: path))
      _ = try draft.migrate(at: now)
      try Data("other".utf8).write(to: URL(filePath: path))
      let error = #expect(throws: StorageError.self) { try draft.publish() }
      #expect(error?.code == .locked)
      draft.discard()
      #expect(try directory.contents() == ["new.sqlite"])
      #expect(try Data(contentsOf: URL(filePath: path)) == Data("other".utf8))
    }
  }

  @Test("there is no draft of what is there, a link without an end included")
  func present() throws {
    try TemporaryDirectory.with { (directory) throws in
      let (file, link) = (directory.path("old.sqlite"), directory.path("link.sqlite"))
      try Data().write(to: URL(filePath: file))
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: directory.path("nowhere.sqlite"))
      #expect(try SQLiteStorage.draft(of: file) === nil)
      #expect(try SQLiteStorage.draft(of: link) === nil)
    }
  }
}
