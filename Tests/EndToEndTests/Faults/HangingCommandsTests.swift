import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing

/// Commands that wait or compute for longer than their operator waits, and then get a signal.
///
/// How fast they end is not measured: the limits are several times what the specification promises.
@Suite struct HangingCommandsTests {
  /// Waits until a process has computed for so many seconds.
  private static func waitForWork(of process: Process, seconds: Int) throws {
    let ticks = seconds * sysconf(Int32(_SC_CLK_TCK))
    let path = "/proc/\(process.processIdentifier)/stat"
    let deadline = Date(timeIntervalSinceNow: 300)
    while process.isRunning, Date() < deadline {
      // The name in parentheses may hold anything; the 14th and 15th fields are ticks.
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
      if fields.count > 13, let user = Int(fields[11]), let system = Int(fields[12]),
        user + system >= ticks
      {
        return
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  @Test(arguments: [
    ["import", "csv", "fifo", "--user", "a", "--source", "x"],
    ["import", "apple-health", "fifo", "--user", "a"],
  ])
  func aPipeWithoutAnEndIsLeft(arguments: [String]) async throws {
    let folder = try SampleDatabase.imported()
    let path = folder.url.appending(path: "fifo").path
    try #require(mkfifo(path, 0o600) == 0)
    let run = try await CommandRun.vigil(
      arguments: arguments, in: folder,
      whileRunning: { process in
        // Possible when the command has opened the other end.
        var end = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        while end < 0, process.isRunning {
          Thread.sleep(forTimeInterval: 0.01)
          end = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        }
        defer { close(end) }
        kill(process.processIdentifier, SIGTERM)
        let deadline = Date(timeIntervalSinceNow: 120)
        while process.isRunning, Date() < deadline { Thread.sleep(forTimeInterval: 0.01) }
      })
    #expect(run.status == 143, "\(run.errors)")
    #expect(run.output == "")
  }

  @Test func aPipeWithoutAReaderIsLeft() async throws {
    let folder = try SampleDatabase.imported()
    let pipe = Pipe()
    let run = try await CommandRun.vigil(
      arguments: ["export", "observations", "--out", "-", "--format", "csv"], in: folder,
      standardOutput: pipe.fileHandleForWriting,
      whileRunning: { process in
        // The pipe holds some of it, and the command waits for a reader.
        var ready = pollfd(
          fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        poll(&ready, 1, 120_000)
        kill(process.processIdentifier, SIGTERM)
      })
    #expect(run.status == 143, "\(run.errors)")
  }

  @Test func aTagWithoutAnEndIsRefusedByItsLimit() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "<HealthData>\n<x a=\"" + String(repeating: "y", count: 40_000_000) + "\"/></HealthData>",
      to: "tag.xml")
    let run = try await CommandRun.vigil(
      "import", "apple-health", "tag.xml", "--user", "a", in: folder)
    run.expectFailure(65, mentioning: "tag.xml:2: a tag is longer than 1 MiB")
    #expect(try folder.names == ["tag.xml"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func aBackfillOverTwoThousandYearsEndsAndIsRecorded(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let run = try await CommandRun.vigil(
      arguments: ["backfill", "--from", "0001-01-01", "--to", "2026-06-30"], in: folder,
      whileRunning: { process in
        try Self.waitForWork(of: process, seconds: 4)
        kill(process.processIdentifier, SIGTERM)
      })
    #expect(run.status == 143, "\(run.errors)")
    #expect(run.output.contains("the same command again continues"), "\(run.output)")
    #expect(try folder.database.rows("SELECT status FROM batch_runs") == ["interrupted"])
    #expect(try folder.database.isSound())
  }

  @Test(arguments: ["pattern_alert_state", "batch_runs"])
  func aRunThatWaitsForLockedRowsIsLeft(table: String) async throws {
    let folder = try SampleDatabase.importedWithoutDoses(.postgres)
    guard case .postgres(let schema) = folder.database else { return }
    let session = try schema.session()
    try session.execute("BEGIN; LOCK TABLE \(table) IN EXCLUSIVE MODE")
    let night = ["run", "--date", "2026-06-29"]
    let run = try await CommandRun.vigil(
      arguments: night, in: folder,
      whileRunning: { process in
        let deadline = Date(timeIntervalSinceNow: 120)
        let waiting = """
          SELECT count(*) FROM pg_locks
          WHERE NOT granted AND relation = '\(table)'::regclass
          """
        while process.isRunning, Date() < deadline, try folder.database.rows(waiting) == ["0"] {
          Thread.sleep(forTimeInterval: 0.05)
        }
        kill(process.processIdentifier, SIGTERM)
        // Less than the time after which the server gives up.
        let end = Date(timeIntervalSinceNow: 8)
        while process.isRunning, Date() < end { Thread.sleep(forTimeInterval: 0.05) }
        #expect(!process.isRunning)
      })
    #expect(run.status == 143, "\(run.errors)")
    try session.execute("ROLLBACK")
    #expect(try folder.database.outcome().isEmpty)
    let again = try await CommandRun.vigil(arguments: night, in: folder)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try folder.database.rows("SELECT DISTINCT status FROM batch_runs") == ["succeeded"])
  }

  @Test(arguments: [200_000, 300_000, 400_000, 500_000, 600_000, 700_000])
  func littleAddressSpaceIsEnoughOrSaidToBeTooLittle(kibibytes: Int) async throws {
    let folder = try SampleDatabase.imported()
    let run = try await CommandRun.vigil(
      arguments: ["run", "--date", "2026-06-29"], in: folder,
      launcher: ["/bin/sh", "-c", "ulimit -v \(kibibytes); exec \"$@\"", "sh"])
    if run.status != 0 {
      run.expectFailure(70, mentioning: "not enough memory", "MiB", "ulimit -v")
    }
  }
}
