import Foundation
import TestDatabases
import TestSupport
import Testing

/// Real data from end to end; skipped where the data sets are not beside the repository.
@Suite struct PublicDataRunTests {
  private func dataSet(_ path: String) throws -> String {
    guard let url = SharedFolder.url("datasets/\(path)") else {
      try Test.cancel("there is no ../shared/datasets/\(path)")
    }
    return url.path
  }

  private func imported(
    _ layout: String, _ path: String, into kind: DatabaseKind
  ) async throws -> TemporaryFolder {
    let path = try dataSet(path)
    let folder = try TemporaryFolder(kind)
    // The documented commands name files by their place in the repository.
    try FileManager.default.copyItem(
      at: SharedFolder.repository.appending(path: "thresholds"),
      to: folder.url.appending(path: "thresholds"))
    let run = try await CommandRun.vigil("import", layout, path, in: folder)
    try #require(run.status == 0, "\(run.errors)")
    #expect(try folder.database.count("quarantined_rows") == 0)
    return folder
  }

  private func backfill(
    _ thresholds: String, from: String, to: String, in folder: TemporaryFolder
  ) async throws -> CommandRun {
    try await CommandRun.vigil(
      arguments: ["backfill"] + folder.database.flags + [
        "--thresholds", "thresholds/\(thresholds).json", "--from", from, "--to", to,
      ], in: folder)
  }

  @Test(arguments: ["v1", "v2"], DatabaseKind.allCases)
  func lifeSnapsIsBackfilledByTheDocumentedCommand(
    thresholds: String, kind: DatabaseKind
  ) async throws {
    let folder = try await imported("csv", "lifesnaps", into: kind)
    let run = try await backfill(thresholds, from: "2021-01-01", to: "2022-12-31", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors == "")
    #expect(run.output.contains("43 persons"))
    try await expectRowsThatStay(thresholds, from: "2021-01-01", to: "2022-12-31", in: folder)
  }

  @Test(
    arguments: [
      ("csv", "welltory_covid", "2019-12-31", "2020-06-19"),
      ("csv", "fitbit2016", "2016-04-12", "2016-05-12"),
      ("fitbit", "fitbit2016/raw", "2016-04-12", "2016-05-12"),
    ], DatabaseKind.allCases)
  func otherDataSetsNameTheirPeriod(
    dataSet: (layout: String, path: String, from: String, to: String), kind: DatabaseKind
  ) async throws {
    let (from, to) = (dataSet.from, dataSet.to)
    for thresholds in ["v1", "v2"] {
      let folder = try await imported(dataSet.layout, dataSet.path, into: kind)
      let beside = try await backfill(thresholds, from: "2021-01-01", to: "2022-12-31", in: folder)
      #expect(beside.status == 0)
      #expect(beside.output.contains("vigil backfill --from \(from) --to \(to)"))
      let run = try await backfill(thresholds, from: from, to: to, in: folder)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("persons, "))
      try await expectRowsThatStay(thresholds, from: from, to: to, in: folder)
    }
  }

  /// Rows that are there, sound, and the same after the same command again.
  private func expectRowsThatStay(
    _ thresholds: String, from: String, to: String, in folder: TemporaryFolder
  ) async throws {
    let database = folder.database
    let outcome = try database.outcome()
    #expect(try database.count("pattern_alert_state") > 0)
    #expect(try database.count("shadow_notification_queue") > 0)
    #expect(try database.count("notification_queue") == 0)
    #expect(try database.isSound())
    let again = try await backfill(thresholds, from: from, to: to, in: folder)
    #expect(again.output.contains("0 opened, 0 escalated, 0 resolved"))
    #expect(try database.outcome() == outcome)
  }

  @Test(arguments: DatabaseKind.allCases)
  func fitbitExportsNameBothFiles(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    let run = try await CommandRun.vigil(
      "import", "fitbit", try dataSet("fitbit2016/raw"), in: folder)
    #expect(run.output.contains("(dailyActivity_merged.csv)"))
    #expect(run.output.contains("(sleepDay_merged.csv)"))
    #expect(run.output.contains("33 persons created"))
  }
}
