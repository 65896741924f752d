import Foundation
import GRDB
public import VigilModel
public import VigilStorage

extension SQLiteStorage {
  public func migrations() throws -> [MigrationStatus] {
    try read { try migrations(in: $0) }
  }

  func migrations(in db: Database) throws -> [MigrationStatus] {
    var applied: [Int: MigrationStatus] = [:]
    if try db.tableExists("schema_migrations") {
      let columns = ["number", "name", "checksum", "applied_at"]
      let query = try RawStatement(
        "SELECT \(columns.joined(separator: ", ")) FROM schema_migrations", on: db)
      try query.forEachRow { row in
        var row = RowDecoder(row, of: "schema_migrations", columns: columns, in: file)
        let (number, name, checksum) = (row.int(), row.text(), row.text())
        let appliedAt = try row.timestamp()
        applied[number] = MigrationStatus(
          number: number, name: name, checksum: checksum, state: .unknown(at: appliedAt))
      }
    }
    var statuses = SchemaMigrations.all.map { migration in
      var status = MigrationStatus(
        number: migration.number, name: migration.name, checksum: migration.checksum,
        state: .pending)
      if let found = applied.removeValue(forKey: migration.number),
        case .unknown(let appliedAt) = found.state
      {
        status.state =
          found.checksum == status.checksum ? .applied(at: appliedAt) : .changed(at: appliedAt)
      }
      return status
    }
    statuses.append(contentsOf: applied.values)
    return statuses.sorted { $0.number < $1.number }
  }

  public func requireCurrentSchema() throws {
    let statuses = try migrations()
    try refuseForeignMigrations(statuses)
    let pending = statuses.filter { $0.state == .pending }
    guard pending.isEmpty else {
      throw StorageError(
        .schemaNotCurrent,
        "the schema of \(displayName) is not that of this version: pending are "
          + pending.map(\.label).joined(separator: ", "),
        hint: "run `vigil migrate`")
    }
  }

  public func migrate(at now: Timestamp) throws -> MigrationOutcome {
    let statuses = try migrations()
    try refuseForeignMigrations(statuses)
    let pending = SchemaMigrations.all.filter { migration in
      statuses.contains { $0.number == migration.number && $0.state == .pending }
    }
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
    let statuses = try migrations()
    try refuseForeignMigrations(statuses)
    let applied = SchemaMigrations.all.filter { migration in
      statuses.contains { $0.number == migration.number && $0.state != .pending }
    }
    let leaving = applied.reversed().prefix(max(0, count))
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

  /// A schema that this version does not know in full is left alone.
  private func refuseForeignMigrations(_ statuses: [MigrationStatus]) throws {
    var changed: [String] = []
    var unknown: [String] = []
    for status in statuses {
      switch status.state {
      case .changed: changed.append(status.label)
      case .unknown: unknown.append(status.label)
      case .applied, .pending: break
      }
    }
    if !unknown.isEmpty {
      throw StorageError(
        .schemaNotCurrent,
        "\(displayName) was migrated by a newer version of Vigil: this one does not know "
          + unknown.joined(separator: ", "),
        hint: "install that version, or restore a backup made before (\(file.path).backup-*)")
    }
    if !changed.isEmpty {
      throw StorageError(
        .schemaNotCurrent,
        "\(displayName) was migrated with other SQL than this version has: "
          + changed.joined(separator: ", "),
        hint: "use the version of Vigil that made this schema, or restore a backup "
          + "(\(file.path).backup-*) and migrate that")
    }
  }

  private func backUpUnlessEmpty(at now: Timestamp) throws -> String? {
    guard mode != .existingReadOnly else { throw StorageError.readOnly(file) }
    let isEmpty = try read { db in
      try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)") ?? true
    }
    return isEmpty ? nil : try DatabaseBackup(of: file).write(from: database, at: now)
  }
}

extension MigrationStatus {
  fileprivate var label: String { "\(number) (\(name))" }
}
