import Foundation
import GRDB
public import VigilModel
public import VigilStorage

extension SQLiteStorage {
  public func migrations() throws -> [MigrationStatus] {
    try read { try ledger(in: $0).statuses }
  }

  func ledger(in db: Database) throws -> MigrationLedger {
    var entries: [MigrationLedger.Entry] = []
    if try db.tableExists("schema_migrations") {
      let columns = ["number", "name", "checksum", "applied_at"]
      let query = try RawStatement(
        "SELECT \(columns.joined(separator: ", ")) FROM schema_migrations", on: db)
      try query.forEachRow { row in
        var row = RowDecoder(row, of: "schema_migrations", columns: columns, in: file)
        try entries.append(
          MigrationLedger.Entry(
            number: row.int(), name: row.text(), checksum: row.text(), appliedAt: row.timestamp()))
      }
    }
    return MigrationLedger(known: SchemaMigrations.all, entries: entries)
  }

  public func requireCurrentSchema() throws {
    try read { try ledger(in: $0) }.requireCurrent(database: displayName, backup: backupPattern)
  }

  /// Where copies of the file lie.
  var backupPattern: String { "\(file.path).backup-*" }

  private func ownLedger() throws -> MigrationLedger {
    let ledger = try read { try self.ledger(in: $0) }
    try ledger.refuseForeign(database: displayName, backup: backupPattern)
    return ledger
  }

  public func migrate(at now: Timestamp) throws -> MigrationOutcome {
    let pending = try ownLedger().pending
    guard !pending.isEmpty else { return MigrationOutcome(numbers: []) }
    let backupPath = try backUpUnlessEmpty(at: now)
    var numbers: [Int] = []
    for migration in pending where try apply(migration, at: now) {
      numbers.append(migration.number)
    }
    return MigrationOutcome(numbers: numbers, backupPath: backupPath)
  }

  /// False where another process has applied it in the meantime.
  private func apply(_ migration: Migration, at now: Timestamp) throws -> Bool {
    try write { db in
      try db.execute(sql: SchemaMigrations.ledger)
      let isApplied = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM schema_migrations WHERE number = ?)",
        arguments: [migration.number])
      guard isApplied == false else { return false }
      try db.execute(sql: migration.up)
      try db.execute(
        sql:
          "INSERT INTO schema_migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
        arguments: [migration.number, migration.name, migration.checksum, now.description])
      return true
    }
  }

  public func migrateDown(count: Int, at now: Timestamp) throws -> MigrationOutcome {
    let leaving = try ownLedger().applied.reversed().prefix(max(0, count))
    guard !leaving.isEmpty else { return MigrationOutcome(numbers: []) }
    let backupPath = try backUpUnlessEmpty(at: now)
    for migration in leaving {
      try write { db in
        try db.execute(sql: migration.down)
        try db.execute(
          sql: "DELETE FROM schema_migrations WHERE number = ?", arguments: [migration.number])
      }
    }
    return MigrationOutcome(numbers: leaving.map(\.number), backupPath: backupPath)
  }

  private func backUpUnlessEmpty(at now: Timestamp) throws -> String? {
    guard mode != .existingReadOnly else { throw StorageError.readOnly(file) }
    let isEmpty = try read { db in
      try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)") ?? true
    }
    return isEmpty ? nil : try DatabaseBackup(of: file).write(from: database, at: now)
  }
}
