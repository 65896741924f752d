import Foundation
import VigilSQL
import VigilStorage

extension PostgresStorage {
  /// Whether each input table or view has the columns that Vigil reads, in types it can use.
  func inputFindings(_ connection: Connection) throws -> [Finding] {
    var findings: [Finding] = []
    var views: [String] = []
    for table in InputTable.ofRuns {
      let columns = try connection.columns(of: table.name)
      // A missing table is for the schema's finding.
      guard !columns.isEmpty else { continue }
      if try !connection.isTable(table.name) { views.append(table.name) }
      let typeOf = Dictionary(columns.map { ($0.name, $0.type) }) { first, _ in first }
      for column in table.columns
      where Self.isRead(column, of: table, isThere: typeOf[column.name] != nil) {
        guard let type = typeOf[column.name] else {
          findings.append(missing(column, of: table))
          continue
        }
        guard !column.kind.accepts(type) else { continue }
        findings.append(
          Finding(
            check: "inputs", status: .failure,
            detail: "\(table.name).\(column.name) is \(type), not \(column.kind.postgresType)",
            remedy: "cast it in the view: \(column.name)::\(column.kind.postgresType)"))
      }
      if table == .doseHistory, typeOf["scheduled_time"] ?? typeOf["actual_time"] == nil {
        findings.append(
          Finding(
            check: "inputs", status: .failure,
            detail: "dose_history has neither scheduled_time nor actual_time: no dose has a time",
            remedy: "add one of them to the view, as timestamptz"))
      }
    }
    findings += try ScoreColumns(connection: connection, database: displayName).findings()
    if findings.isEmpty {
      var detail = ["all columns that every run reads"]
      if !views.isEmpty { detail.append("views: \(views.joined(separator: ", "))") }
      findings.append(
        Finding(check: "inputs", status: .ok, detail: detail.joined(separator: "; ")))
    }
    return findings
  }

  private func missing(_ column: InputTable.Column, of table: InputTable) -> Finding {
    let (detail, type) = ("\(table.name) has no column \(column.name)", column.kind.postgresType)
    // A view's constant cannot be written to.
    return table == .vitalityScores
      ? Finding(
        check: "inputs", status: .failure, detail: detail,
        remedy: "add it as \(type): runs write the scores that they compute")
      : Finding(
        check: "inputs", status: column.isRequired ? .failure : .warning, detail: detail,
        remedy: "add it to the view, as NULL::\(type) where you have none")
  }

  /// Whether a run reads the column; an import fills more columns.
  private static func isRead(
    _ column: InputTable.Column, of table: InputTable, isThere: Bool
  ) -> Bool {
    switch table.name {
    case InputTable.users.name: ["id", "external_id", "birth_date"].contains(column.name)
    // What a profile does not say has a default.
    case InputTable.userProfiles.name: isThere || column.isRequired
    // Its metrics are looked at beside the profile that names them.
    case InputTable.wearableDailyMetrics.name: column.isRequired
    // Runs write to it as well.
    case InputTable.vitalityScores.name: true
    // What else a view leaves out counts as NULL.
    case _ where InputTable.ofMedications.contains(table):
      table.columnsOfRuns.contains(column) && (isThere || column.isRequired)
    default: column.isRequired && column.name != "id"
    }
  }

  // MARK: Indexes

  /// A search of a run for a few persons, which needs an index.
  private struct Search {
    var table: String
    var statement: DiagnosisStatement
    /// The columns that it searches by.
    var columns: [String]

    /// Fillings of the marks of the statement, which need not have both.
    var fillings: SQLFillings {
      [
        "table": .name(table), "column": .name(columns[0]),
        "date": .name(columns[columns.count - 1]),
      ]
    }

    static let all: [Search] = [
      Search(
        MetricCopy.table, by: "user_id", "metric_date", "source", statement: .explainMetricSearch),
      Search("exercise_sessions", by: "user_id", "metric_date", statement: .explainDaySearch),
      Search("vitality_scores", by: "user_id", "score_date", statement: .explainDaySearch),
      Search("family_members", by: "user_id"),
      Search("family_members", by: "family_id"),
      Search("alert_recipient_exclusions", by: "subject_user_id"),
      Search("users", by: "id"),
      Search("medications", by: "user_id"),
      Search("schedules", by: "medication_id"),
      Search("dose_history", by: "medication_id"),
      Search("timezone_events", by: "user_id"),
      Search("schedule_adjustments", by: "schedule_id"),
      Search("check_ins", by: "user_id"),
      Search("check_in_plans", by: "user_id"),
      Search("do_not_disturb", by: "user_id"),
    ]

    init(_ table: String, by columns: String..., statement: DiagnosisStatement = .explainSearch) {
      self.table = table
      self.columns = columns
      self.statement = statement
    }
  }

  /// Asks the planner, because a view may lie over any number of tables: forbidden to scan, it scans
  /// only what has no index of use.
  func indexFindings(_ connection: Connection) throws -> [Finding] {
    var findings: [Finding] = []
    try connection.transaction {
      try connection.run(script: "SET LOCAL enable_seqscan = off; SET LOCAL row_security = on")
      for search in Search.all {
        let plan = try connection.text(search.statement, Parameters(), search.fillings)
        let columns = search.columns.joined(separator: ", ")
        for table in Self.scannedTables(inPlan: plan) {
          findings.append(
            Finding(
              check: "indexes", status: .warning,
              detail: "reading \(search.table) by \(columns) goes through all of \(table)",
              remedy: .advice(
                "CREATE INDEX CONCURRENTLY ON \(table) (\(columns));"
                  + "  by its own names for these columns")))
        }
      }
    }
    if findings.isEmpty {
      findings.append(
        Finding(check: "indexes", status: .ok, detail: "the input tables have those a run needs"))
    }
    return findings
  }

  private static func scannedTables(inPlan json: String) -> [String] {
    var found: [String] = []
    func visit(_ value: Any) {
      switch value {
      case let array as [Any]:
        array.forEach(visit)
      case let node as [String: Any]:
        if node["Node Type"] as? String == "Seq Scan", let name = node["Relation Name"] as? String {
          let schema = (node["Schema"] as? String).map { "\($0.quotedWhereNeeded)." } ?? ""
          found.append(schema + name.quotedWhereNeeded)
        }
        node.values.forEach(visit)
      default:
        break
      }
    }
    if let plan = try? JSONSerialization.jsonObject(with: Data(json.utf8)) { visit(plan) }
    return found
  }
}

extension String {
  /// For SQL that people read: quoted only where the name is no plain one.
  fileprivate var quotedWhereNeeded: String {
    wholeMatch(of: /[a-z_][a-z0-9_]*/) == nil ? quotedIdentifier : self
  }
}

extension InputTable.Kind {
  /// The type that a column of this kind has in Vigil's own tables.
  fileprivate var postgresType: String {
    switch self {
    case .person, .id: "uuid"
    case .text, .word, .timezone, .address, .language: "text"
    case .day, .observedDay, .plannedDay: "date"
    case .timestamp: "timestamptz"
    case .real: "double precision"
    case .integer: "bigint"
    case .score, .weekday, .priority, .minutes, .dayCount: "integer"
    case .boolean: "boolean"
    case .timeOfDay: "time"
    case .list: "jsonb"
    }
  }

  /// Whether a run can read a column of this type.
  fileprivate func accepts(_ type: String) -> Bool {
    switch self {
    case .real, .score: MetricCopy.isNumeric(type)
    // Enumerations have names of their own, and are read as text.
    case .text, .word, .timezone, .address, .language: true
    case .timestamp: type.hasPrefix("timestamp")
    case .integer, .weekday, .priority, .minutes, .dayCount:
      ["smallint", "integer", "bigint"].contains(type)
    case .timeOfDay: type.hasPrefix("time ")
    case .list: ["jsonb", "json", "text"].contains(type) || type.hasSuffix("[]")
    case .person, .id, .day, .observedDay, .plannedDay, .boolean: type == postgresType
    }
  }
}
