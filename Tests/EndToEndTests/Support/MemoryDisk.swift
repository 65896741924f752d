import Foundation
import TestSupport
import Testing

/// A small disk in memory, mounted in a folder of its own; mounting takes root.
struct MemoryDisk {
  let folder: TemporaryFolder

  /// The file that takes up the rest of the disk.
  private var filler: URL { folder.url.appending(path: "filler") }

  /// Calls `body` with an empty disk; cancels the test where it cannot be mounted.
  static func with(size: String, _ body: (MemoryDisk) async throws -> Void) async throws {
    // SQLite maps a file, and writing to what a full disk does not hold ends the process.
    let disk = MemoryDisk(folder: try TemporaryFolder(hasProcesses: true))
    guard try system("mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", disk.folder.url.path)
    else { try Test.cancel("mounting a memory disk takes root") }
    do {
      try await body(disk)
    } catch {
      _ = try? system("umount", disk.folder.url.path)
      throw error
    }
    #expect(try system("umount", disk.folder.url.path))
  }

  var freeBytes: Int {
    get throws {
      let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.url.path)
      return try #require((attributes[.systemFreeSize] as? NSNumber)?.intValue)
    }
  }

  /// Fills it up to `rest` bytes.
  func fill(leaving rest: Int) throws {
    try Data(count: freeBytes - rest).write(to: filler)
  }

  func empty() throws {
    try FileManager.default.removeItem(at: filler)
  }

  func makeReadOnly() throws {
    #expect(try Self.system("mount", "-o", "remount,ro", folder.url.path))
  }

  private static func system(_ command: String, _ arguments: String...) throws -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [command] + arguments
    process.standardError = FileHandle.nullDevice
    try Process.startingAlone { try process.run() }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
