import Foundation
import GRDB
public import VigilModel
import VigilSQL
public import VigilStorage

extension SQLiteStorage {
  public func migrations() throws -> [MigrationStatus] {
    try read { try ledger(in: $0).statuses }
  }

  func ledger(in db: Database) throws -> MigrationLedger {
    var entries: [MigrationLedger.Entry] = []
    if try db.tableExists("schema_migrations") {
      let query = try RawStatement(SchemaStatement.listMigrations, on: db)
      do {
        try query.forEachRow { row in
          var row = RowDecoder(row, of: "schema_migrations", in: file)
          try entries.append(
            MigrationLedger.Entry(
              number: row.int(), name: row.text(), checksum: row.text(), appliedAt: row.timestamp())
          )
        }
      } catch let error as StorageError {
        throw MigrationLedger.unreadable(error)
      }
    }
    return MigrationLedger(known: SchemaMigrations.all, entries: entries)
  }

  public func requireCurrentSchema() throws {
    try read { try ledger(in: $0) }.requireCurrent(database: displayName, backup: backupPattern)
  }

  /// The paths of copies of the file.
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
      try run(script: SchemaMigrations.ledger, in: db)
      guard try !isApplied(migration, in: db) else { return false }
      try run(script: migration.up, in: db)
      let entry = try RawStatement(SchemaStatement.recordMigration, on: db)
      entry.put(migration.number)
      entry.put(migration.name)
      entry.put(migration.checksum)
      entry.put(now)
      try entry.run()
      return true
    }
  }

  private func isApplied(_ migration: Migration, in db: Database) throws -> Bool {
    let query = try RawStatement(SchemaStatement.findMigration, on: db)
    query.put(migration.number)
    var isApplied = false
    try query.forEachRow { _ in isApplied = true }
    return isApplied
  }

  /// Runs any number of statements without parameters, from files of this module.
  private func run(script: String, in db: Database) throws {
    try db.execute(sql: SQLiteSession.library.script(script))
  }

  public func rowsLost(byTakingBack count: Int) throws -> [TableRowCount] {
    let leaving = try ownLedger().applied.reversed().prefix(max(0, count))
    return try rowCounts(of: leaving.flatMap(\.tables))
  }

  public func migrateDown(count: Int, at now: Timestamp) throws -> MigrationOutcome {
    let leaving = try ownLedger().applied.reversed().prefix(max(0, count))
    guard !leaving.isEmpty else { return MigrationOutcome(numbers: []) }
    let backupPath = try backUpUnlessEmpty(at: now)
    for migration in leaving {
      try write { db in
        try run(script: migration.down, in: db)
        let entry = try RawStatement(SchemaStatement.forgetMigration, on: db)
        entry.put(migration.number)
        try entry.run()
      }
    }
    return MigrationOutcome(numbers: leaving.map(\.number), backupPath: backupPath)
  }

  private func backUpUnlessEmpty(at now: Timestamp) throws -> String? {
    guard mode != .existingReadOnly else { throw StorageError.readOnly(file) }
    var objects = 0
    try read { db in
      try RawStatement(FileStatement.countSchemaObjects, on: db).forEachRow { objects = $0.int(0) }
    }
    return objects == 0 ? nil : try DatabaseBackup(of: file).write(from: database, at: now)
  }
}
