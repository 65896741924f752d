public import VigilModel

extension Migration {
  /// SHA-256 of the way up, lower-case hexadecimal: a repaired way down changes no schema.
  public var checksum: String {
    SHA256.hexadecimal(of: up.utf8)
  }
}

/// The migrations of this version compared with those that the database has recorded as applied.
public struct MigrationLedger: Sendable {
  /// One row of `schema_migrations`.
  public struct Entry: Sendable {
    public var number: Int
    public var name: String
    public var checksum: String
    public var appliedAt: Timestamp

    public init(number: Int, name: String, checksum: String, appliedAt: Timestamp) {
      self.number = number
      self.name = name
      self.checksum = checksum
      self.appliedAt = appliedAt
    }
  }

  /// In order of their numbers; includes migrations that this version does not know.
  public let statuses: [MigrationStatus]
  /// In the order in which they are to be applied.
  public let pending: [Migration]
  /// In the order in which they were applied.
  public let applied: [Migration]

  /// The error of reading the ledger: no migration has written rows that cannot be read.
  public static func unreadable(_ error: StorageError) -> StorageError {
    guard error.code == .corrupt else { return error }
    return StorageError(
      .schemaNotCurrent, error.message, remedy: "restore a backup; Vigil itself writes no such row")
  }

  /// - Parameters:
  ///   - known: The migrations of this version, in order.
  ///   - entries: The rows of `schema_migrations`.
  public init(known: [Migration], entries: [Entry]) {
    var left = Dictionary(entries.map { ($0.number, $0) }) { first, _ in first }
    var pending: [Migration] = []
    var applied: [Migration] = []
    var statuses = known.map { migration in
      var status = MigrationStatus(
        number: migration.number, name: migration.name, checksum: migration.checksum,
        state: .pending)
      if let entry = left.removeValue(forKey: migration.number) {
        status.state =
          entry.checksum == status.checksum
          ? .applied(at: entry.appliedAt) : .changed(at: entry.appliedAt)
        applied.append(migration)
      } else {
        pending.append(migration)
      }
      return status
    }
    statuses += left.values.map {
      MigrationStatus(
        number: $0.number, name: $0.name, checksum: $0.checksum, state: .unknown(at: $0.appliedAt))
    }
    self.statuses = statuses.sorted { $0.number < $1.number }
    self.pending = pending
    self.applied = applied
  }

  private var foreign: (changed: [MigrationStatus], unknown: [MigrationStatus]) {
    var changed: [MigrationStatus] = []
    var unknown: [MigrationStatus] = []
    for status in statuses {
      switch status.state {
      case .changed: changed.append(status)
      case .unknown: unknown.append(status)
      case .applied, .pending: break
      }
    }
    return (changed, unknown)
  }

  /// The migrations that the ledger lacks though it has later ones.
  private var gaps: [MigrationStatus] {
    let isApplied = statuses.map { $0.state != .pending }
    guard let last = isApplied.lastIndex(of: true) else { return [] }
    return statuses[..<last].filter { $0.state == .pending }
  }

  /// Throws `.schemaNotCurrent` for a schema that this version does not know in full; changes
  /// nothing.
  ///
  /// - Parameters:
  ///   - database: The name of the database in messages.
  ///   - backup: The backup to restore.
  public func refuseForeign(database: String, backup: String) throws {
    let (changed, unknown) = foreign
    if !unknown.isEmpty {
      throw StorageError(
        .schemaNotCurrent,
        "\(database) was migrated by a newer version of Vigil: this one does not know "
          + Self.list(unknown),
        remedy: "install that version, or restore a backup made before (\(backup))")
    }
    if !changed.isEmpty {
      throw StorageError(
        .schemaNotCurrent,
        "\(database) was migrated with other SQL than this version has: " + Self.list(changed),
        remedy: .advice(
          "use the version of Vigil that made this schema, or restore a backup "
            + "(\(backup)) and migrate that"))
    }
    if !gaps.isEmpty {
      throw StorageError(
        .schemaNotCurrent,
        "schema_migrations of \(database) lacks \(Self.list(gaps))"
          + " though it has later migrations",
        remedy: "restore a backup (\(backup)) and migrate that")
    }
  }

  /// Throws `.schemaNotCurrent` unless exactly the migrations of this version are applied.
  public func requireCurrent(database: String, backup: String) throws {
    try refuseForeign(database: database, backup: backup)
    let pending = statuses.filter { $0.state == .pending }
    guard pending.isEmpty else {
      throw StorageError(
        .schemaNotCurrent,
        "the schema of \(database) is not that of this version: pending are " + Self.list(pending),
        remedy: .migrate)
    }
  }

  /// Returns the finding about the schema.
  public func finding(backup: String) -> Finding {
    let (changed, unknown) = foreign
    let pending = statuses.filter { $0.state == .pending }
    if !changed.isEmpty || !unknown.isEmpty {
      return Finding(
        check: "schema", status: .failure,
        detail: "made by another version: \(Self.list(changed + unknown))",
        remedy: "use the version of Vigil that made it, or restore \(backup)")
    }
    if !gaps.isEmpty {
      return Finding(
        check: "schema", status: .failure,
        detail: "schema_migrations lacks \(Self.list(gaps)) though it has later migrations",
        remedy: "restore \(backup) and migrate that")
    }
    if !pending.isEmpty {
      return Finding(
        check: "schema", status: .failure, detail: "pending: \(Self.list(pending))",
        remedy: .migrate)
    }
    return Finding(
      check: "schema", status: .ok, detail: "all \(statuses.count) migrations are applied")
  }

  private static func list(_ statuses: [MigrationStatus]) -> String {
    statuses.map { "\($0.number) (\($0.name))" }.joined(separator: ", ")
  }
}
