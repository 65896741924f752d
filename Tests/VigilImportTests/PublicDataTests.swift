import Foundation
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

/// Imports of the public data sets in `../shared/datasets`, skipped where they are not there.
@Suite struct PublicDataTests {
  private let options: ImportOptions

  init() throws {
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), isStrict: true)
  }

  private static func isPresent(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: sharedFile("datasets/\(name)"))
  }

  @Test(
    .enabled("needs ../shared/datasets") { isPresent("lifesnaps") },
    arguments: [("lifesnaps", 6267), ("welltory_covid", 3835), ("fitbit2016", 940)])
  func everyRowCanBeUsed(name: String, rows: Int) throws {
    let recorder = InputRecorder()
    let summary = try CSVFolderImport(
      folder: sharedFile("datasets/\(name)"), options: options
    ).load(into: recorder)
    #expect(summary.rowsRead == rows)
    #expect(recorder.rows.values.reduce(0) { $0 + $1.count } == rows)
  }

  @Test(.enabled("needs ../shared/datasets") { isPresent("fitbit2016/raw") })
  func rawFitbitFilesGiveTheSameRowsAsThePreparedTable() throws {
    let raw = InputRecorder()
    _ = try FitbitImport(
      folder: sharedFile("datasets/fitbit2016/raw"), options: options
    ).load(into: raw)
    let prepared = InputRecorder()
    _ = try CSVFolderImport(folder: sharedFile("datasets/fitbit2016"), options: options)
      .load(into: prepared)
    let rawRows = valuesByDay(raw)
    #expect(rawRows.count == 940)
    let preparedRows = valuesByDay(prepared)
    let differing = Set(rawRows.keys).union(preparedRows.keys)
      .filter { rawRows[$0] != preparedRows[$0] }
    #expect(differing.isEmpty)
    #expect(raw.ensuredUsers.count == 33)
  }

  /// What a table holds after all upserts, without missing values.
  private func valuesByDay(_ recorder: InputRecorder) -> [[InputValue?]: InputRecorder.Row] {
    let rows = recorder.rows["wearable_daily_metrics"] ?? []
    return rows.reduce(into: [:]) { table, row in
      let key = [row["user_id"], row["metric_date"], row["source"]]
      table[key, default: [:]].merge(row.filter { $0.value != .null }) { $1 }
    }
  }
}
