import Foundation
import TestDatabases
import Testing
import VigilStorage

/// The one list of tables with rows about persons is complete.
@Suite struct PersonalTableTests {
  private struct Column: Hashable {
    var table: String
    var name: String
  }

  private struct Reference: Hashable {
    var column: Column
    var parent: String
    var onDelete: String
  }

  /// Columns that name a person, or a row about one, without a reference that says so.
  private static let names = [
    "user_id", "patient_id", "caregiver_id", "acknowledged_by", "actor_user_id", "medication_id",
    "schedule_id", "alert_state_id", "timezone_event_id", "related_blob_id", "row_key",
    "emergency_contact_id", "notification_id", "payload",
  ]

  private func columns(_ database: TestDatabase) throws -> [Column] {
    let rows =
      switch database.kind {
      case .sqlite:
        try database.rows(
          """
          SELECT own.name, pragma_table_info.name FROM sqlite_schema AS own, pragma_table_info(own.name)
          WHERE own.type = 'table' AND own.name NOT LIKE 'sqlite_%'
          """)
      case .postgres:
        try database.rows(
          """
          SELECT table_name::text, column_name::text FROM information_schema.columns
          WHERE table_schema = current_schema()
          """)
      }
    return rows.map { row in
      let words = row.split(separator: "|").map(String.init)
      return Column(table: words[0], name: words[1])
    }
  }

  private func references(_ database: TestDatabase) throws -> [Reference] {
    let rows =
      switch database.kind {
      case .sqlite:
        try database.rows(
          """
          SELECT own.name, key."from", key."table", key.on_delete
          FROM sqlite_schema AS own, pragma_foreign_key_list(own.name) AS key WHERE own.type = 'table'
          """)
      case .postgres:
        try database.rows(
          """
          SELECT own.relname::text, attname::text, parent.relname::text, CASE confdeltype
            WHEN 'c' THEN 'CASCADE' WHEN 'r' THEN 'RESTRICT' WHEN 'n' THEN 'SET NULL'
            ELSE 'NO ACTION' END
          FROM pg_constraint JOIN pg_class AS own ON own.oid = conrelid
          JOIN pg_class AS parent ON parent.oid = confrelid
          JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
          WHERE contype = 'f' AND connamespace = quote_ident(current_schema())::regnamespace
          """)
      }
    return rows.map { row in
      let words = row.split(separator: "|").map(String.init)
      return Reference(
        column: Column(table: words[0], name: words[1]), parent: words[2], onDelete: words[3])
    }
  }

  /// The columns that neither an export nor an erasure would find.
  private func gaps(_ database: TestDatabase) throws -> Set<Column> {
    let listed = Dictionary(
      uniqueKeysWithValues: PersonalTable.all.map { ($0.name, Set($0.links.map(\.column))) })
    let references = try references(database)
    let persons = references.filter { $0.parent == "users" }.map(\.column)
    let named = try columns(database).filter { column in
      column.name.hasSuffix("user_id")
        || ["patient_id", "caregiver_id", "acknowledged_by"].contains(
          column.name)
        || column.name.hasSuffix("_person") || column.name == "person"
    }
    // A column with a person is a link itself; a row about something of a person is in a listed table.
    let linked = Set(persons + named).filter { listed[$0.table]?.contains($0.name) != true }
    let rows =
      try columns(database).filter { Self.names.contains($0.name) }
      + references.filter { listed[$0.parent] != nil }.map(\.column)
    return linked.union(rows.filter { listed[$0.table] == nil })
  }

  @Test(arguments: DatabaseKind.allCases)
  func everyColumnThatNamesAPersonIsExportedAndErased(kind: DatabaseKind) throws {
    let folder = try TemporaryFolder.migrated(kind)
    #expect(try gaps(folder.database) == [])
    let present = Set(try columns(folder.database))
    let ofPostgres = ["person_locks", "sharing_grants"]
    for table in PersonalTable.all where kind == .postgres || !ofPostgres.contains(table.name) {
      for column in table.links.map(\.column) + table.columnsOfOthers {
        #expect(
          present.contains(Column(table: table.name, name: column)), "\(table.name) \(column)")
      }
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func aNewTableThatIsNotListedIsFound(kind: DatabaseKind) throws {
    let folder = try TemporaryFolder.migrated(kind)
    let id = kind == .sqlite ? "TEXT" : "uuid"
    try folder.database.execute(
      """
      CREATE TABLE diary (writer \(id) REFERENCES users (id) ON DELETE CASCADE, user_id \(id));
      CREATE TABLE remarks (alert_state_id \(id))
      """)
    #expect(
      try gaps(folder.database) == [
        Column(table: "diary", name: "writer"), Column(table: "diary", name: "user_id"),
        Column(table: "remarks", name: "alert_state_id"),
      ])
  }

  /// Rows of an app or an import go with the person; rows that Vigil wrote hold the person.
  @Test(arguments: DatabaseKind.allCases)
  func everyReferenceSaysWhatHappens(kind: DatabaseKind) throws {
    let folder = try TemporaryFolder.migrated(kind)
    let references = try references(folder.database)
    #expect(references.count > 40)
    #expect(references.filter { $0.onDelete == "NO ACTION" } == [])
    let written = ["pattern_alert_state", "notification_queue", "escalation_log", "outbox"]
    for reference in references where reference.parent == "users" {
      let isWritten = written.contains(reference.column.table)
      if isWritten { #expect(reference.onDelete == "RESTRICT", "\(reference)") }
    }
    #expect(
      references.contains {
        $0.column == Column(table: "wearable_daily_metrics", name: "user_id")
          && $0.onDelete == "CASCADE"
      })
  }
}
