import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// Exports that people have published of themselves, which `scripts/fetch-real-exports` fetches; skipped where
/// `VIGIL_REAL_EXPORTS` names no folder with them.
///
/// The days and values were worked out from the files by other means than Vigil.
@Suite struct RealExportTests {
  private static let exports =
    (try? decoder.decode(
      [RealExport].self,
      from: Data(
        contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
          .appending(path: "real-exports.json")))) ?? []

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }

  @Test func theListCanBeRead() {
    #expect(Self.exports.count >= 10)
    #expect(Set(Self.exports.map(\.kind)).count >= 7)
  }

  @Test(arguments: exports)
  private func anExportGivesItsDays(_ export: RealExport) async throws {
    guard let path = ProcessInfo.processInfo.environment["VIGIL_REAL_EXPORTS"] else {
      try Test.cancel("VIGIL_REAL_EXPORTS names no folder")
    }
    let files = URL(filePath: path).appending(path: export.name)
    for file in export.files {
      guard let content = try? Data(contentsOf: files.appending(path: file.path)) else {
        try Test.cancel("there is no \(export.name)/\(file.path)")
      }
      try #require(
        SHA256.hexadecimal(of: content) == file.sha256,
        "\(export.name)/\(file.path) is another file")
    }
    let folder = try TemporaryFolder(.sqlite)
    func rows() throws -> [String] {
      try folder.database.rows(
        """
        SELECT metric_date, source, steps, sleep_minutes, hrv_ms, resting_hr, sleep_efficiency_pct,
          movement_minutes, active_calories, breathing_rate FROM wearable_daily_metrics ORDER BY 1, 2
        """)
    }
    for isAgain in [false, true] {
      let before = try isAgain ? rows() : []
      let run = try await CommandRun.vigil(
        arguments: ["import", "auto", files.path, "--user", "anna"]
          + (export.timeZone.map { ["--time-zone", $0] } ?? []), in: folder)
      try #require(run.status == 0, "\(run)")
      #expect(run.errors.contains(export.announcement), "\(run.errors)")
      if isAgain { #expect(try rows() == before) }
    }
    let days = try folder.database.rows(
      "SELECT DISTINCT metric_date FROM wearable_daily_metrics ORDER BY 1")
    #expect(days.count == export.days)
    #expect(days.first == export.first && days.last == export.last)
    if let workouts = export.workouts {
      #expect(try folder.database.count("exercise_sessions") == workouts)
    }
    for value in export.values {
      for (metric, number) in value.metrics {
        let found = try folder.database.rows(
          "SELECT \(metric) FROM wearable_daily_metrics WHERE metric_date = '\(value.day)'")
        #expect(found.compactMap(Double.init) == [number], "\(metric) on \(value.day): \(found)")
      }
    }
  }
}

/// One export, and what is right about it.
private struct RealExport: Decodable, Sendable, CustomTestStringConvertible {
  var name: String
  /// The kind that `vigil import auto` recognizes.
  var kind: String
  /// The zone of the person, where the times are in UTC.
  var timeZone: String?
  var files: [File]
  /// Days with a value.
  var days: Int
  var first: String?
  var last: String?
  /// Nil where they are not counted.
  var workouts: Int?
  var values: [Values]

  struct File: Decodable, Sendable {
    var path: String
    var sha256: String
  }

  /// The values of one day.
  struct Values: Decodable, Sendable {
    var day: String
    var metrics: [String: Double]
  }

  var testDescription: String { name }

  /// Stands in the lines that an import writes about it before anything is stored.
  var announcement: String { ": \(kind), " }
}
