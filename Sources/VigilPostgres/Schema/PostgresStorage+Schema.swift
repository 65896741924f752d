public import VigilModel
import VigilSQL
public import VigilStorage

extension PostgresStorage {
  public func migrations() throws -> [MigrationStatus] {
    try ledger().statuses
  }

  public func requireCurrentSchema() throws {
    try ledger().requireCurrent(database: displayName, backup: Self.backup)
  }

  private static let backup = "pg_dump"

  func ledger() throws -> MigrationLedger {
    do {
      return try withConnection { try ledger(on: $0) }
    } catch let error as StorageError {
      throw MigrationLedger.unreadable(error)
    }
  }

  private func ledger(on connection: Connection) throws -> MigrationLedger {
    let table = "schema_migrations"
    let columns = ["number", "name", "checksum", "applied_at"]
    let existing = Set(try connection.columns(of: table).map(\.name))
    guard !existing.isEmpty else {
      return MigrationLedger(known: SchemaMigrations.all, entries: [])
    }
    guard existing.isSuperset(of: columns) else {
      // Many tools keep a table of this name.
      throw StorageError(
        .schemaNotCurrent, "the table \(table) in \(displayName) belongs to another tool",
        remedy: .useOwnSchema)
    }
    let entries = try connection.rows(
      SchemaStatement.listMigrations, database: displayName
    ) { row in
      try MigrationLedger.Entry(
        number: row.int(), name: row.text(), checksum: row.text(), appliedAt: row.timestamp())
    }
    return MigrationLedger(known: SchemaMigrations.all, entries: entries)
  }

  private func ownLedger() throws -> MigrationLedger {
    let ledger = try self.ledger()
    try ledger.refuseForeign(database: displayName, backup: Self.backup)
    return ledger
  }

  /// Creates the schema where there is none; an operator's server is not backed up from here.
  public func migrate(at now: Timestamp) throws -> MigrationOutcome {
    try withConnection { try requireTexts(of: $0) }
    let pending = try ownLedger().pending
    var numbers: [Int] = []
    for migration in pending where try apply(migration, at: now) {
      numbers.append(migration.number)
    }
    let warnings = try withConnection { try schemaFindings($0) }.filter { $0.status != .ok }
    return MigrationOutcome(numbers: numbers, warnings: warnings)
  }

  private static let migrating = "vigil migrate"

  /// False where another process has applied it in the meantime.
  private func apply(_ migration: Migration, at now: Timestamp) throws -> Bool {
    while true {
      do {
        return try applyOnce(migration, at: now)
      } catch is LedgerOfAnother {
        // It is there now, and can be locked.
      }
    }
  }

  /// Another process has made the schema or the ledger while this one did.
  private struct LedgerOfAnother: Error {}

  private func lockLedger(on connection: Connection) throws {
    do {
      try createSchemaUnlessThere(on: connection)
      try connection.run(script: SchemaMigrations.ledger)
    } catch let error as PostgresError where error.isOfAnObjectThatExists {
      throw LedgerOfAnother()
    }
    try connection.run(ConnectionStatement.lockMigrations)
  }

  private func applyOnce(_ migration: Migration, at now: Timestamp) throws -> Bool {
    try transaction { connection in
      try connection.nameTransaction(Self.migrating)
      try lockLedger(on: connection)
      let number = Parameters { $0.put(migration.number) }
      let isApplied = try connection.run(SchemaStatement.findMigration, number).rowCount > 0
      guard !isApplied else { return false }
      try connection.run(script: migration.up)
      let parameters = Parameters {
        $0.put(migration.number)
        $0.put(migration.name)
        $0.put(migration.checksum)
        $0.put(now)
      }
      try connection.run(SchemaStatement.recordMigration, parameters)
      return true
    }
  }

  /// Asked for first, because CREATE SCHEMA IF NOT EXISTS wants the right to create even where
  /// there is nothing to do.
  private func createSchemaUnlessThere(on connection: Connection) throws {
    guard try !connection.hasSchema() else { return }
    try connection.run(ConnectionStatement.createSchema)
  }

  public func rowsLost(byTakingBack count: Int) throws -> [TableRowCount] {
    let leaving = try ownLedger().applied.reversed().prefix(max(0, count))
    return try rowCounts(of: leaving.flatMap(\.tables))
  }

  public func migrateDown(count: Int, at now: Timestamp) throws -> MigrationOutcome {
    let leaving = try ownLedger().applied.reversed().prefix(max(0, count))
    for migration in leaving {
      try transaction { connection in
        try connection.nameTransaction(Self.migrating)
        try connection.run(ConnectionStatement.lockMigrations)
        try connection.run(script: migration.down)
        try connection.run(
          SchemaStatement.forgetMigration, Parameters { $0.put(migration.number) })
      }
    }
    return MigrationOutcome(numbers: leaving.map(\.number))
  }
}

extension Connection {
  /// Whether there is the schema of this connection.
  func hasSchema() throws -> Bool { try run(ConnectionStatement.findSchema).rowCount > 0 }
}
