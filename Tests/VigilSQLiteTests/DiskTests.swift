import Foundation
import GRDB
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilSQLite

@Suite("Disks that are full or cannot be written", .serialized)
struct DiskTests {
  @Test("an import that does not fit is rolled back, and what was there stays")
  func fullDuringImport() throws {
    try SmallVolume.with { (volume) throws in
      let fixture = try SQLiteFixture(in: volume.directory)
      let before = try fixture.addManyPersons(50)
      let error = #expect(throws: StorageError.self) { try fixture.addManyPersons(200_000) }
      #expect(error?.code == .diskFull)
      #expect(error?.remedy?.advice?.contains(volume.directory.path) == true)
      #expect(try fixture.strings("SELECT count(*) || '' FROM users") == ["\(before.count)"])
      let storage = try fixture.reopened()
      #expect(storage.diagnose().first { $0.check == "integrity" }?.status == .ok)
    }
  }

  @Test("a backup that does not fit ends the migration before it begins")
  func fullDuringBackup() throws {
    try SmallVolume.with { (volume) throws in
      let fixture = try SQLiteFixture(in: volume.directory)
      try fixture.addManyPersons(4_000)
      try volume.fill(leaving: 300_000)
      let error = #expect(throws: StorageError.self) {
        _ = try fixture.storage.migrateDown(count: 1, at: .epoch)
      }
      #expect(error?.code == .diskFull)
      #expect(error?.message.contains("backup") == true)
      try fixture.storage.requireCurrentSchema()
      #expect(try volume.directory.contents().allSatisfy { !$0.contains("backup") })
    }
  }

  @Test("a volume mounted for reading cannot be run on, but looked at")
  func readOnlyVolume() throws {
    try SmallVolume.with { (volume) throws in
      let path = volume.directory.path("vigil.sqlite")
      try SQLiteFixture(in: volume.directory).addManyPersons(3)
      try volume.remount("ro")
      let error = #expect(throws: StorageError.self) {
        _ = try SQLiteStorage(path: path, mode: .existing)
      }
      #expect(error?.code == .readOnly)
      let creation = #expect(throws: StorageError.self) {
        _ = try SQLiteStorage(path: volume.directory.path("new.sqlite"), mode: .createIfMissing)
      }
      #expect(creation?.code == .readOnly)
      let lock = #expect(throws: StorageError.self) {
        _ = try FileLock(DatabaseFile(path), run: UUID(), sharing: .exclusive)
      }
      #expect(lock?.code == .readOnly)
      let storage = try SQLiteStorage(path: path, mode: .existingReadOnly)
      try storage.requireCurrentSchema()
      #expect(storage.diagnose().first { $0.check == "file" }?.status == .warning)
    }
  }

  @Test("a database that reaches its own limit is full as well")
  func pageLimit() throws {
    try SQLiteFixture.with { (fixture) throws in
      let storage = try #require(fixture.storage as? SQLiteStorage)
      try storage.write { try $0.execute(sql: "PRAGMA max_page_count = 40") }
      let error = #expect(throws: StorageError.self) { try fixture.addManyPersons(20_000) }
      #expect(error?.code == .diskFull)
      #expect(try fixture.strings("SELECT count(*) || '' FROM users") == ["0"])
    }
  }
}

/// A memory disk of two MiB; the tests on it need the right to mount, and say so where it is missing.
private struct SmallVolume {
  let directory: TemporaryDirectory

  static func with(_ body: (SmallVolume) throws -> Void) throws {
    try TemporaryDirectory.with { (directory) throws in
      guard try run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", directory.path) else {
        try Test.cancel("mounting a memory disk takes root")
      }
      defer { _ = try? run("umount", directory.path) }
      try body(SmallVolume(directory: directory))
    }
  }

  func remount(_ option: String) throws {
    let isDone = try Self.run("mount", "-o", "remount,\(option)", directory.path)
    try #require(isDone)
  }

  func fill(leaving byteCount: Int64) throws {
    let free = try #require(DatabaseFile(directory.path("x")).freeBytes)
    try Data(count: Int(free - byteCount)).write(to: directory.url("filler"))
  }

  private static func run(_ command: String, _ arguments: String...) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [command] + arguments
    process.standardError = FileHandle.nullDevice
    try Process.startingAlone { try process.run() }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
