import VigilStorage

extension PostgresStorage {
  /// What a nightly run needs on each table.
  private static let needed: [(table: String, privileges: [String])] =
    InputTable.all.filter { $0 != .vitalityScores }.map { ($0.name, ["SELECT"]) }
    + [
      ("pattern_alert_state", ["SELECT", "INSERT", "UPDATE"]),
      ("notification_queue", ["SELECT", "INSERT", "UPDATE"]),
      ("shadow_notification_queue", ["SELECT", "INSERT", "UPDATE"]),
      ("batch_runs", ["SELECT", "INSERT", "UPDATE"]),
      ("run_shards", ["SELECT", "INSERT", "UPDATE"]),
      ("batch_checkpoints", ["SELECT", "INSERT", "DELETE"]),
      ("held_notifications", ["SELECT", "INSERT", "UPDATE"]),
      ("spent_notifications", ["SELECT"]),
      ("escalation_log", ["SELECT", "INSERT", "UPDATE"]),
      ("quarantined_rows", ["SELECT", "INSERT", "UPDATE"]),
      ("schedule_versions", ["SELECT", "INSERT", "UPDATE"]),
      ("dose_analytics", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
      ("trend_insights", ["SELECT", "INSERT", "UPDATE"]),
      ("trend_coverage", ["SELECT", "INSERT", "UPDATE"]),
      ("vitality_scores", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
      ("schema_migrations", ["SELECT"]),
    ]

  /// Which of them only a live run needs.
  private static let neededLive: [String: Set<String>] = [
    DeliveryQueue.live.rawValue: ["INSERT", "UPDATE"],
    HeldNotifications.table: ["INSERT", "UPDATE"],
    "spent_notifications": ["SELECT"],
    "escalation_log": ["SELECT", "INSERT", "UPDATE"],
  ]

  /// Privileges that the present role lacks, each with the SQL that gives it.
  func grantFindings(_ connection: Connection) throws -> [Finding] {
    let role = try connection.text("SELECT quote_ident(current_user::text)")
    let schemaName = try connection.text("SELECT quote_ident($1)", Parameters { $0.put(schema) })
    guard
      try connection.text(
        "SELECT has_schema_privilege(oid, 'USAGE')::text FROM pg_namespace WHERE nspname = $1",
        Parameters { $0.put(schema) }) != "false"
    else {
      return [
        missing("USAGE on the schema", "GRANT USAGE ON SCHEMA \(schemaName) TO \(role);")
      ]
    }
    var findings: [Finding] = []
    var tablesLacking: [String] = []
    var liveTablesLacking: [String] = []
    if try connection.text("SELECT has_database_privilege(current_database(), 'TEMPORARY')::text")
      == "false"
    {
      let database = try connection.text("SELECT quote_ident(current_database())")
      findings.append(
        missing(
          "temporary tables, through which rows are written",
          "GRANT TEMPORARY ON DATABASE \(database) TO \(role);"))
    }
    for (table, privileges) in Self.needed {
      let lacking = try privileges.filter { privilege in
        try connection.text(
          "SELECT has_table_privilege(to_regclass(quote_ident($1)), $2)::text",
          Parameters {
            $0.put(table)
            $0.put(privilege)
          }) == "false"
      }
      guard !lacking.isEmpty else { continue }
      if Self.neededLive[table]?.isSuperset(of: lacking) == true {
        liveTablesLacking.append(table)
      } else {
        tablesLacking.append("\(lacking.joined(separator: ", ")) on \(table)")
      }
    }
    if tablesLacking.isEmpty, !liveTablesLacking.isEmpty {
      findings.append(
        Finding(
          check: "grants", status: .warning,
          detail: "this role can backfill, but not run --live: it may not write to "
            + liveTablesLacking.joined(separator: ", "),
          remedy: "for nightly runs: GRANT vigil_engine TO \(role);"))
    }
    if !tablesLacking.isEmpty {
      findings.append(
        missing(tablesLacking.joined(separator: "; "), "GRANT vigil_engine TO \(role);"))
    }
    if findings.isEmpty {
      findings.append(Finding(check: "grants", status: .ok, detail: "all that a run needs"))
    }
    return findings
  }

  private func missing(_ what: String, _ remedy: String) -> Finding {
    Finding(
      check: "grants", status: .failure, detail: "this role lacks \(what)", remedy: remedy)
  }
}
