import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite struct MonitorTests {
  /// The requests, as `METHOD path`.
  private func requests(_ server: ProviderServer) throws -> [String] {
    try server.requests().map { "\($0.method) \($0.answer)\($0.body)" }
  }

  @Test func hearsOfRunsThatSucceedAndThatFail() async throws {
    let server = try ProviderServer()
    let folder = try SampleDatabase.imported(.sqlite)
    let environment = ["VIGIL_MONITOR_URL": server.url("ok/secret-word/")]
    let run = try await CommandRun.vigil(
      arguments: ["run", "--date", "2026-06-30"], in: folder, environment: environment)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try requests(server) == ["GET ok/secret-word/start", "GET ok/secret-word"])
    let failed = try await CommandRun.vigil(
      arguments: ["run", "--date", "2026-06-30", "--users", "none.txt"], in: folder,
      environment: environment)
    #expect(failed.status == 64)
    #expect(
      try requests(server).dropFirst(2) == ["GET ok/secret-word/start", "GET ok/secret-word/fail"])
    for text in [run.output, run.errors, failed.output, failed.errors] {
      #expect(!text.contains("secret-word"))
    }
    // Lists are nothing to watch.
    _ = try await CommandRun.vigil(
      arguments: ["alerts", "list"], in: folder, environment: environment)
    #expect(try requests(server).count == 4)
  }

  @Test func hearsOfASender() async throws {
    let server = try ProviderServer()
    let folder = try SampleDatabase.imported(.sqlite)
    try folder.write(
      #"{"channels": {"push": {"webhook": {"url": "\#(server.url("ok"))"}}}}"#,
      to: "providers.json")
    let run = try await CommandRun.vigil(
      arguments: ["dispatch", "--providers", "providers.json", "--once"], in: folder,
      environment: ["VIGIL_MONITOR_URL": server.url("ok/sender")])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try requests(server) == ["GET ok/sender/start", "GET ok/sender"])
  }

  @Test func oneThatIsAwayChangesNothing() async throws {
    let folder = try SampleDatabase.imported(.sqlite)
    let run = try await CommandRun.vigil(
      arguments: ["run", "--date", "2026-06-30"], in: folder,
      environment: ["VIGIL_MONITOR_URL": "http://127.0.0.1:1/secret-word"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("warning The monitor was not reached"))
    #expect(!run.errors.contains("secret-word"))
  }

  @Test func itsAddressIsShownNowhere() async throws {
    let folder = try TemporaryFolder()
    let shown = try await CommandRun.vigil(
      arguments: ["config"], in: folder,
      environment: ["VIGIL_MONITOR_URL": "https://hc.example.org/secret-word"])
    #expect(shown.status == 0)
    #expect(shown.output.contains("***"))
    #expect(!shown.output.contains("secret-word"))
    let refused = try await CommandRun.vigil(
      arguments: ["config"], in: folder,
      environment: ["VIGIL_MONITOR_URL": "hc.example.org/secret-word"])
    #expect(refused.status == 64)
    #expect(
      refused.errors.contains("VIGIL_MONITOR_URL): '***' is not allowed; use an http or https URL"))
  }
}

@Suite struct LogFormTests {
  private struct Line: Decodable {
    var time, level, message: String
    var metadata: [String: String]?
    var exit_status: Int?
  }

  private func lines(_ run: CommandRun) throws -> [Line] {
    try run.errors.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  @Test func linesAreObjectsOnRequest() async throws {
    let folder = try SampleDatabase.imported(.sqlite)
    let environment = ["VIGIL_LOG_FORMAT": "json", "VIGIL_LOG_LEVEL": "trace"]
    let run = try await CommandRun.vigil(
      arguments: ["run", "--date", "2026-06-30"], in: folder, environment: environment)
    #expect(run.status == 0)
    let written = try lines(run)
    #expect(written.contains { $0.metadata != nil }, "\(run.errors)")

    let failed = try await CommandRun.vigil(
      arguments: ["run", "--date", "2026-06-30", "--users", "no \"file\".txt"], in: folder,
      environment: environment)
    let last = try #require(try lines(failed).last)
    #expect(failed.status == 64)
    #expect(last.level == "error" && last.exit_status == 64)
    #expect(last.message.contains("no \"file\".txt"))
  }
}
