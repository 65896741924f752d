import Foundation
import TestDatabases
import Testing

/// Results that are written to devices, pipes, links and folders.
@Suite struct OutputPlacesTests {
  static let commands: [[String]] = [
    ["export", "alerts", "--format", "csv", "--out"],
    ["report", "--out"],
    [
      "compare", "--thresholds", "v1", "--thresholds", "v2", "--from", "2026-06-01", "--to",
      "2026-06-29", "--csv",
    ],
    ["explain", "--user", "synthetic-8", "--metric", "resting_hr", "--svg"],
  ]

  private func evaluated() throws -> TemporaryFolder {
    try SampleDatabase.imported(then: [["run", "--date", "2026-06-29"]])
  }

  private func kind(_ name: String, in folder: TemporaryFolder) -> mode_t {
    var status = stat()
    return lstat(folder.url.appending(path: name).path, &status) == 0
      ? status.st_mode & S_IFMT : 0
  }

  @Test(arguments: ["--out", "--metrics-file"])
  func aFolderIsRefused(option: String) async throws {
    let folder = try evaluated()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "there"), withIntermediateDirectories: false)
    let arguments =
      option == "--out"
      ? ["export", "alerts", "--format", "csv", "--force"] : ["run", "--date", "2026-06-29"]
    let run = try await CommandRun.vigil(arguments: arguments + [option, "there"], in: folder)
    run.expectFailure(73, mentioning: "there")
    #expect(kind("there", in: folder) == S_IFDIR)
  }

  @Test(arguments: commands)
  func forceLeavesADeviceWhatItIs(command: [String]) async throws {
    let folder = try evaluated()
    let node = folder.url.appending(path: "node").path
    // The number of /dev/null.
    guard mknod(node, S_IFCHR | 0o600, 0x103) == 0, let opened = fopen(node, "w") else {
      print("skipped: this user may not make devices, or the volume has none")
      return
    }
    fclose(opened)
    let run = try await CommandRun.vigil(arguments: command + ["node", "--force"], in: folder)
    #expect(run.status == 0, "\(command): \(run.errors)")
    #expect(kind("node", in: folder) == S_IFCHR)
    #expect(try !folder.names.contains("node.partial"))
  }

  @Test func aPipeGetsTheRowsAndALinkKeepsItsTarget() async throws {
    let folder = try evaluated()
    let command = ["export", "alerts", "--format", "csv", "--force", "--quiet", "--out"]
    let plain = try await CommandRun.vigil(arguments: command + ["plain.csv"], in: folder)
    #expect(plain.status == 0, "\(plain.errors)")
    let expected = try Data(contentsOf: folder.url.appending(path: "plain.csv"))

    let fifo = folder.url.appending(path: "fifo")
    try #require(mkfifo(fifo.path, 0o600) == 0)
    async let read = withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result { try FileHandle(forReadingFrom: fifo).readToEnd() ?? Data() })
      }
    }
    let piped = try await CommandRun.vigil(arguments: command + ["fifo"], in: folder)
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(try await read == expected)
    #expect(kind("fifo", in: folder) == S_IFIFO)

    try folder.write("old", to: "target.csv")
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appending(path: "link.csv").path, withDestinationPath: "target.csv")
    let linked = try await CommandRun.vigil(arguments: command + ["link.csv"], in: folder)
    #expect(linked.status == 0, "\(linked.errors)")
    #expect(kind("link.csv", in: folder) == S_IFLNK)
    #expect(try Data(contentsOf: folder.url.appending(path: "target.csv")) == expected)
  }
}
