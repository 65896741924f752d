import Foundation
import GRDB
import TestSupport
import Testing
import VigilModel

@testable import VigilImport

@Suite struct SQLiteExportTests {
  let folder: TemporaryFolder
  let options: ImportOptions

  init() throws {
    folder = try TemporaryFolder()
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system)
  }

  private func time(_ text: String) throws -> Int64 {
    try #require(Timestamp(text)).microseconds / 1_000
  }

  /// An export with the tables that Android writes, as far as they are read.
  private func makeExport(hasHeart: Bool = true) throws -> String {
    let path = folder.file("health_connect_export.db")
    let database = try DatabaseQueue(path: path)
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER, start_time INTEGER,
            start_zone_offset INTEGER, end_time INTEGER, end_zone_offset INTEGER, local_date INTEGER, count INTEGER);
          CREATE TABLE sleep_session_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER, start_time INTEGER,
            start_zone_offset INTEGER, end_time INTEGER, end_zone_offset INTEGER, title TEXT);
          CREATE TABLE sleep_stages_table (parent_key INTEGER, stage_start_time INTEGER, stage_end_time INTEGER,
            stage_type INTEGER);
          """)
      let evening = try time("2026-06-01T22:30:00Z")
      for (app, count) in [(1, 100), (1, 100), (2, 150)] {
        try db.execute(
          sql: "INSERT INTO steps_record_table VALUES (NULL, ?, ?, 7200, ?, 7200, 0, ?)",
          arguments: [app, evening, evening + 60_000, count])
      }
      let waking = try time("2026-06-02T05:00:00Z")
      try db.execute(
        sql: "INSERT INTO sleep_session_record_table VALUES (7, 1, ?, 7200, ?, 7200, NULL)",
        arguments: [evening, waking])
      for (start, minutes, stage) in [(0, 240, 4), (240, 60, 5), (300, 20, 1), (320, 70, 6)] {
        let begin = evening + Int64(start) * 60_000
        try db.execute(
          sql: "INSERT INTO sleep_stages_table VALUES (7, ?, ?, ?)",
          arguments: [begin, begin + Int64(minutes) * 60_000, stage])
      }
      guard hasHeart else { return }
      try db.execute(
        sql: """
          CREATE TABLE resting_heart_rate_record_table (app_info_id INTEGER, time INTEGER, zone_offset INTEGER,
            beats_per_minute INTEGER);
          CREATE TABLE heart_rate_variability_rmssd_record_table (app_info_id INTEGER, time INTEGER, zone_offset INTEGER,
            heart_rate_variability_millis REAL);
          CREATE TABLE skin_temperature_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER, end_time INTEGER,
            end_zone_offset INTEGER, baseline REAL);
          CREATE TABLE skin_temperature_delta_table (parent_key INTEGER, delta REAL);
          """)
      for (app, rate) in [(1, 50), (1, 52), (2, 70)] {
        try db.execute(
          sql: "INSERT INTO resting_heart_rate_record_table VALUES (?, ?, 7200, ?)",
          arguments: [app, waking, rate])
      }
      try db.execute(
        sql: "INSERT INTO heart_rate_variability_rmssd_record_table VALUES (1, ?, NULL, 41.5)",
        arguments: [waking])
      // One night has a baseline, the other, of the day before, has none.
      for (row, end, baseline) in [(1, waking, 33.5), (2, waking - 86_400_000, nil)] {
        try db.execute(
          sql: "INSERT INTO skin_temperature_record_table VALUES (?, 1, ?, 7200, ?)",
          arguments: [row, end, baseline])
        for delta in [-0.25, 0.75] {
          try db.execute(
            sql: "INSERT INTO skin_temperature_delta_table VALUES (?, ?)", arguments: [row, delta])
        }
      }
    }
    try database.close()
    return path
  }

  private func days(_ name: String) throws -> [String] {
    let found = try AutoImport(
      path: folder.file(name), request: AutoImport.Request(user: "anna"), options: options)
    return (found.contents?.days ?? []).map { day in
      let values = day.values.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
      return "\(day.day) " + values.joined(separator: " ")
    }
  }

  @Test func readsHealthConnect() throws {
    let path = try makeExport()
    let expected = [
      "2026-06-02 awake_minutes=20.0 deep_sleep_minutes=60.0 hrv_ms=41.5 light_sleep_minutes=240.0"
        + " rem_sleep_minutes=70.0 resting_hr=51.0 skin_temperature_c=33.75 sleep_minutes=370.0 steps=200.0"
    ]
    #expect(try days("health_connect_export.db") == expected)
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    try TestArchive.write(
      [("health_connect_export.db", data)], to: folder.file("Health Connect.zip"))
    #expect(try days("Health Connect.zip") == expected)
  }

  @Test func readsAnExportWithoutSomeTables() throws {
    _ = try makeExport(hasHeart: false)
    #expect(
      try days("health_connect_export.db") == [
        "2026-06-02 awake_minutes=20.0 deep_sleep_minutes=60.0 light_sleep_minutes=240.0"
          + " rem_sleep_minutes=70.0 sleep_minutes=370.0 steps=200.0"
      ])
  }

  @Test func refusesWhatIsNoDatabase() throws {
    try folder.write("SQLite? no", to: "health_connect_export.db")
    let error = try #require(throws: ImportError.self) { try days("health_connect_export.db") }
    #expect(error.code == .badData)
    #expect(error.message.hasPrefix("health_connect_export.db is no SQLite database"))
  }
}
