import Foundation
import PostgresTestServer
import TestSupport
import Testing

/// The commands of the tutorials, run as they stand in README.md and docs.
@Suite struct DocumentationTests {
  private let check = SharedFolder.repository.appending(path: "scripts/check-docs").path

  @Test func tutorialsRunAndPrintWhatTheyShow() async throws {
    let server = try PostgresServer()
    let folder = try TemporaryFolder()
    // The script takes the executable, then the URL of an empty database.
    let run = try await CommandRun.vigil(
      arguments: [server.url()], in: folder, launcher: [check], timeout: 600)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(!run.errors.contains("skipped"), "\(run.errors)")
    for file in ["README.md", "docs/getting-started.md", "docs/postgresql.md"] {
      #expect(run.output.contains("check-docs: \(file): "), "\(run.output)")
    }
    withExtendedLifetime(server) {}
  }
}
