import Foundation
import TestSupport
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
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system,
      isStrict: true)
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

  @Test(.enabled("needs ../shared/datasets") { isPresent("adherence_eamd/raw") })
  func thePillBottleExportGivesTheDosesOfThePreparedTable() throws {
    let recorder = InputRecorder()
    let summary = try AdhereTechImport(
      file: sharedFile("datasets/adherence_eamd/raw/test_adheretech_2.csv"), options: options
    ).load(into: recorder)
    #expect(summary.tables.map(\.rowsRead) == [1, 2, 923])
    #expect(summary.tables.map(\.rowsMerged) == [0, 0, 21])

    let prepared = try String(
      contentsOfFile: sharedFile("datasets/adherence_eamd/dose_events.csv"), encoding: .utf8
    ).split(whereSeparator: \.isNewline).dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(
      Dictionary(grouping: prepared) { $0[3] }.mapValues(\.count) == [
        "ontime": 533, "late": 136, "early": 33, "missed": 124, "paused": 76, "pending": 21,
      ])
    let words = [
      "ontime": "taken", "late": "taken", "early": "taken", "missed": "missed",
      "paused": "plannedSkip",
    ]
    let expected = try prepared.compactMap { fields -> InputRecorder.Row? in
      guard let status = words[fields[3]] else { return nil }
      return [
        "status": .text(status), "recorded_timezone": .text(fields[6]),
        "scheduled_time": .timestamp(try #require(Timestamp(fields[4]))),
        "actual_time": Timestamp(fields[5]).map { .timestamp($0) } ?? .null,
      ]
    }
    let found = try #require(recorder.rows["dose_history"]).map { row in
      row.filter { !["id", "medication_id", "schedule_id"].contains($0.key) }
    }
    #expect(found.count == 902)
    #expect(Set(found) == Set(expected))
    #expect(recorder.ensuredUsers.keys.map(\.lowercased) == [prepared[0][0]])
  }

  /// The contents of a table after all upserts, without missing values.
  private func valuesByDay(_ recorder: InputRecorder) -> [[InputValue?]: InputRecorder.Row] {
    let rows = recorder.rows["wearable_daily_metrics"] ?? []
    return rows.reduce(into: [:]) { table, row in
      let key = [row["user_id"], row["metric_date"], row["source"]]
      table[key, default: [:]].merge(row.filter { $0.value != .null }) { $1 }
    }
  }
}
