import Foundation
import TestSupport
import Testing

@testable import PostgresTestServer

@Suite struct PostgresServerTests {
  @Test func sharedServerAnswersInTheRightEncoding() throws {
    let server = try PostgresServer.shared()
    let query = """
      SELECT current_setting('server_encoding') || ' ' || datcollate
      FROM pg_database WHERE datname = current_database()
      """
    #expect(try psql(query, server.url()) == "UTF8 C.UTF-8")
    #expect(try PostgresServer.shared() === server)
  }

  @Test(arguments: [true, false])
  func stoppedServerStartsAgainWithItsRows(immediately: Bool) throws {
    let server = try PostgresServer()
    _ = try psql("CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)", server.url())
    try server.stop(immediately: immediately)
    #expect(try psql("SELECT 1", server.url()) == nil)
    #expect(throws: PostgresServer.Failure.self) { try server.stop(immediately: immediately) }
    try server.start()
    #expect(try psql("SELECT n FROM kept", server.url()) == "7")
  }

  @Test func serverGoesWithItsLastReference() throws {
    var server: PostgresServer? = try PostgresServer()
    let folder = try #require(server?.folder)
    let id = try processID(in: folder)
    server = nil
    #expect(try isGone(folder, id))
  }

  @Test func serverDoesNotOutliveAKilledOwner() throws {
    let owner = Process()
    owner.executableURL = try BuiltExecutable.url("postgres-for-tests")
    let output = try Process.startingAlone {
      let output = Pipe()
      owner.standardInput = Pipe()
      owner.standardOutput = output
      try owner.run()
      return output
    }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let url = line.trimmingCharacters(in: .newlines)
    let folder = try #require(url.firstMatch(of: /host=([^&]+)/).map { String($0.output.1) })
    #expect(try psql("SELECT 1", url) == "1")
    let id = try processID(in: folder)
    kill(owner.processIdentifier, SIGKILL)
    owner.waitUntilExit()
    #expect(try isGone(folder, id))
  }

  @Test func missingServerIsAnErrorThatSaysWhatToInstall() throws {
    let finder = try String(
      contentsOf: SharedFolder.repository.appending(path: "scripts/find-postgres"), encoding: .utf8)
    let blind = finder.replacing("-x \"$folder/initdb\"", with: "-x /nowhere")
      .replacing("command -v initdb", with: "false")
    let failure = #expect(throws: PostgresServer.Failure.self) {
      _ = try ServerKeeper(finder: blind)
    }
    #expect(failure?.description.contains("scripts/setup --tests") == true)
    #expect(failure?.description.contains("apt-get install postgresql") == true)
  }

  /// The answer, or nil where there is none.
  private func psql(_ query: String, _ url: String) throws -> String? {
    try output(of: "psql", "--no-psqlrc", "-qAt", "-c", query, url)
  }

  private func processID(in folder: String) throws -> pid_t {
    let text = try String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
    return try #require(text.split(separator: "\n").first.flatMap { pid_t($0) })
  }

  /// Waits until neither the folder nor the process is there.
  private func isGone(_ folder: String, _ id: pid_t) throws -> Bool {
    let deadline = Date(timeIntervalSinceNow: 60)
    while Date() < deadline {
      if !FileManager.default.fileExists(atPath: folder), try !isRunning(id) { return true }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return false
  }

  /// Whether there is such a process; one that has ended and is not yet waited for counts as none.
  private func isRunning(_ id: pid_t) throws -> Bool {
    guard let state = try output(of: "ps", "-o", "stat=", "-p", "\(id)") else { return false }
    return !state.hasPrefix("Z")
  }

  /// The output of a command, or nil where it fails.
  private func output(of command: String...) throws -> String? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardError = FileHandle.nullDevice
    let output = try Process.startingAlone {
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      return output
    }
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
