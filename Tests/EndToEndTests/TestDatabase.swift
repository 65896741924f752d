import Foundation
import GRDB

/// Looks into a database of the command, and changes it as another program could.
struct TestDatabase {
  let path: String

  init(_ name: String = "vigil.sqlite", in folder: TemporaryFolder) {
    path = folder.url.appending(path: name).path
  }

  func execute(_ sql: String) throws {
    try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
  }

  /// The rows of a query, columns joined by `|`.
  func rows(_ sql: String) throws -> [String] {
    try DatabaseQueue(path: path).read { db in
      try Row.fetchAll(db, sql: sql).map { row in
        row.databaseValues.map { $0.isNull ? "" : "\($0.storage.value ?? "")" }
          .joined(separator: "|")
      }
    }
  }

  func count(_ table: String) throws -> Int {
    try rows("SELECT count(*) FROM \(table)").first.flatMap { Int($0) } ?? 0
  }

  /// What a run leaves, without the columns that say when and by which run it was written.
  func outcome() throws -> [String] {
    let passing: Set = [
      "run_id", "computed_at", "created_at", "updated_at", "last_notified_at", "scheduled_for",
      "expires_at",
    ]
    return try ["pattern_alert_state", "notification_queue", "shadow_notification_queue"].flatMap {
      table in
      let columns = try rows("SELECT name FROM pragma_table_info('\(table)')")
        .filter { !passing.contains($0) }
      return try rows("SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY id")
        .map { "\(table) \($0)" }
    }
  }

  /// Everything in the tables that an import fills.
  func input() throws -> [String] {
    try [
      "users", "user_profiles", "family_members", "wearable_daily_metrics", "exercise_sessions",
      "quarantined_rows",
    ].flatMap { table in try rows("SELECT * FROM \(table)").map { "\(table) \($0)" } }
  }

  /// Whether SQLite finds the file and all its references sound.
  func isSound() throws -> Bool {
    try rows("PRAGMA quick_check") == ["ok"] && rows("PRAGMA foreign_key_check").isEmpty
  }
}
