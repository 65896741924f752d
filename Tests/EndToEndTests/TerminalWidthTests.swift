import Foundation
import TestDatabases
import Testing

/// Lists in a terminal of a known width.
@Suite struct TerminalWidthTests {
  /// Runs the rest of its arguments in a terminal of `columns` columns.
  private func terminal(_ columns: Int) -> [String] {
    ["/bin/sh", "-c", "exec script -qec \"stty cols \(columns); $*\" /dev/null", "sh"]
  }

  @Test(arguments: [["alerts", "list"], ["queue", "list", "--shadow"], ["runs"], ["insights"]])
  func listsKeepToTheTerminalUnlessAllIsWanted(list: [String]) async throws {
    let folder = try await SampleDatabase.imported()
    let run = try await CommandRun.vigil(
      "backfill", "--from", "2026-03-03", "--to", "2026-06-20", "--thresholds", "v3", in: folder)
    try #require(run.status == 0, "\(run.errors)")
    func widest(_ arguments: [String], _ launcher: [String]) async throws -> (Int, String) {
      let run = try await CommandRun.vigil(
        arguments: arguments + ["--no-color"], in: folder, launcher: launcher)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      let lines = run.output.split(whereSeparator: \.isNewline)
      return (lines.map(\.count).max() ?? 0, run.output)
    }
    let (narrow, text) = try await widest(list, terminal(80))
    #expect(narrow <= 80, "\(text)")
    #expect(text.contains("Left out (--wide): "), "\(text)")
    let (wide, all) = try await widest(list + ["--wide"], terminal(80))
    #expect(wide > 80, "\(all)")
    #expect(!all.contains("Left out"), "\(all)")
    // Output that goes elsewhere is whole.
    let (piped, _) = try await widest(list, [])
    #expect(piped == wide)
  }
}
