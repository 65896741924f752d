import VigilSQL
public import VigilStorage

extension PostgresStorage {
  /// Privileges that the present role lacks, each with the SQL that gives it.
  func grantFindings(_ connection: Connection) throws -> [Finding] {
    let role = try connection.quotedRole()
    guard try connection.text(DiagnosisStatement.findSchemaUse) != "false" else {
      return [
        missing(
          "USAGE on the schema", "GRANT USAGE ON SCHEMA \(schema.quotedIdentifier) TO \(role);")
      ]
    }
    var findings: [Finding] = []
    if try connection.text(DiagnosisStatement.findTemporaryRight) == "false" {
      let database = try connection.text(DiagnosisStatement.findQuotedDatabase)
      findings.append(
        missing(
          "temporary tables, through which rows are written",
          "GRANT TEMPORARY ON DATABASE \(database) TO \(role);"))
    }
    let lacking = try connection.lacking(NeededRight.all)
    let lackingAlways = lacking.filter { !$0.isForLive }
    if !lackingAlways.isEmpty {
      findings.append(missing(NeededRight.text(lacking), "GRANT vigil_engine TO \(role);"))
    } else if !lacking.isEmpty {
      findings.append(
        Finding(
          check: "grants", status: .warning,
          detail: "this role can backfill, but not run in live mode: it may not write to "
            + NeededRight.tables(of: lacking),
          remedy: "for nightly runs: GRANT vigil_engine TO \(role);"))
    }
    if findings.isEmpty {
      findings.append(Finding(check: "grants", status: .ok, detail: "all that a run needs"))
    }
    return findings
  }

  private func missing(_ what: String, _ remedy: String) -> Finding {
    Finding(
      check: "grants", status: .failure, detail: "this role lacks \(what)", remedy: .advice(remedy))
  }

  public func requireRights(for mode: RunRecord.Mode) throws {
    let needed = NeededRight.all.filter {
      switch mode {
      case .shadow: $0.isForEveryRun
      case .live: $0.isForEveryRun || $0.isForLive
      }
    }
    try withConnection { try requireRights(needed, for: "a \(mode.rawValue) run", on: $0) }
  }

  /// - Parameter work: What needs the rights, as messages name it.
  func requireRights(
    _ needed: [NeededRight], for work: String, on connection: Connection
  ) throws {
    let lacking = try connection.lacking(needed)
    guard !lacking.isEmpty else { return }
    let role = try connection.quotedRole()
    throw StorageError(
      .permissionDenied,
      "\(displayName) does not permit \(role) \(work): it lacks " + NeededRight.text(lacking),
      remedy: .joinEngine(role: role))
  }
}

/// A right on a table that runs need.
struct NeededRight {
  var table: String
  var privilege: String
  /// The column that it is about; nil for all of the table's.
  var column: String?
  /// Whether only a live run needs it.
  var isForLive = false

  /// Whether a run could not even be recorded without it, whatever its parts.
  var isForEveryRun: Bool {
    !isForLive
      && [
        RunRow.table, ShardRow.table, CheckpointRow.table, AlertStateRow.table,
        LockTable.runs.rawValue,
      ].contains(table)
  }

  static let all =
    InputTable.ofRuns.filter { $0 != .vitalityScores }.flatMap { on($0.name, "SELECT") }
    + on("database_profile", "SELECT", "INSERT")
    + on(AlertStateRow.table, "SELECT", "INSERT")
    + AlertStateRow.unguardedColumns.map {
      NeededRight(table: AlertStateRow.table, privilege: "UPDATE", column: $0)
    }
    + AlertStateRow.guardedColumns.map {
      NeededRight(table: AlertStateRow.table, privilege: "UPDATE", column: $0, isForLive: true)
    }
    + on(DeliveryQueue.live.rawValue, "SELECT")
    + on(DeliveryQueue.live.rawValue, "INSERT", "UPDATE", isForLive: true)
    + on(DeliveryQueue.shadow.rawValue, "SELECT", "INSERT", "UPDATE")
    + on(RunRow.table, "SELECT", "INSERT", "UPDATE")
    + on(ShardRow.table, "SELECT", "INSERT", "UPDATE")
    + on(CheckpointRow.table, "SELECT", "INSERT", "DELETE")
    + on(NotificationList.held.rawValue, "SELECT")
    + on(NotificationList.held.rawValue, "INSERT", "UPDATE", isForLive: true)
    + on("spent_notifications", "SELECT", isForLive: true)
    + on("escalation_log", "SELECT", "INSERT", "UPDATE", isForLive: true)
    + on(QuarantinedRow.table, "SELECT", "INSERT")
    + [NeededRight(table: QuarantinedRow.table, privilege: "UPDATE", column: "run_id")]
    + on(ScheduleVersionRow.table, "SELECT", "INSERT", "UPDATE")
    + on(DoseAnalyticsRow.table, "SELECT", "INSERT", "UPDATE", "DELETE")
    + on(TrendInsightRow.table, "SELECT", "INSERT", "UPDATE")
    + on(TrendCoverageRow.table, "SELECT", "INSERT", "UPDATE")
    + on(VitalityScoreRow.table, "SELECT", "INSERT", "UPDATE", "DELETE")
    + on("provisional_alerts", "SELECT")
    + on("provisional_notifications", "SELECT")
    + on("outbox", "INSERT", isForLive: true)
    + on("schema_migrations", "SELECT")
    + on(LockTable.runs.rawValue, "SELECT", "INSERT", "DELETE")
    + on("change_lock", "DELETE")
    + on("settlement_lock", "DELETE")

  /// The rights that the evaluation of one person needs beside those of a live run.
  static let persons =
    on("provisional_alerts", "SELECT", "INSERT", "UPDATE", "DELETE")
    + on("provisional_notifications", "SELECT", "INSERT", "DELETE")
    + on("outbox", "SELECT", "INSERT")
    + on(NotificationList.held.rawValue, "DELETE")
    + on("escalation_log", "DELETE")
    + on(LockTable.persons.rawValue, "SELECT", "INSERT", "DELETE")

  private static func on(
    _ table: String, _ privileges: String..., isForLive: Bool = false
  ) -> [NeededRight] {
    privileges.map { NeededRight(table: table, privilege: $0, isForLive: isForLive) }
  }

  /// As messages name them, such as `SELECT, INSERT on batch_runs; UPDATE on run_shards`.
  static func text(_ rights: [NeededRight]) -> String {
    unique(rights.map(\.table)).map { table in
      let privileges = unique(rights.filter { $0.table == table }.map(\.privilege))
      return "\(privileges.joined(separator: ", ")) on \(table)"
    }.joined(separator: "; ")
  }

  static func tables(of rights: [NeededRight]) -> String {
    unique(rights.map(\.table)).joined(separator: ", ")
  }

  private static func unique(_ names: [String]) -> [String] {
    names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension Connection {
  /// The rights that the present role lacks; none for tables that do not exist.
  fileprivate func lacking(_ rights: [NeededRight]) throws -> [NeededRight] {
    let parameters = Parameters {
      $0.put(rights.map(\.table))
      $0.put(rights.map(\.privilege))
      $0.put(rights.map { $0.column ?? "" })
    }
    return try rows(DiagnosisStatement.listLackingRights, parameters, database: "") {
      rights[try $0.int() - 1]
    }
  }

  /// Whether this login may change the columns that decide about notifications.
  func mayChangeGuardedColumns() throws -> Bool {
    if let known = guardedColumnsAreOurs { return known }
    let rights = NeededRight.all.filter { $0.table == AlertStateRow.table && $0.isForLive }
    let isAllowed = try lacking(rights).isEmpty
    guardedColumnsAreOurs = isAllowed
    return isAllowed
  }

  /// The present role as SQL writes it.
  func quotedRole() throws -> String {
    try text(DiagnosisStatement.findQuotedRole)
  }
}
