public import Foundation
public import VigilModel
public import VigilStorage

extension PostgresStorage {
  /// One look into the index per person, never a scan of the metrics: LIMIT keeps the planner from
  /// turning the subqueries into joins.
  static let personsQuery = personsQuery()

  private static func personsQuery(orWith more: String = "") -> String {
    """
    SELECT id FROM {{schema}}.users
    WHERE (
        SELECT TRUE FROM {{schema}}.wearable_daily_metrics
        WHERE user_id = users.id AND metric_date BETWEEN $1 AND $2 LIMIT 1)
      OR (
        SELECT TRUE FROM {{schema}}.pattern_alert_state
        WHERE user_id = users.id AND episode_status = 'active' LIMIT 1)
      OR (
        SELECT TRUE FROM {{schema}}.vitality_scores
        WHERE user_id = users.id AND score_date BETWEEN $1 AND $2
          AND source::text <> 'vigil' LIMIT 1)
      OR (
        SELECT TRUE FROM {{schema}}.trend_coverage
        WHERE user_id = users.id AND coverage_days > 0 AND evaluated_on >= $1 LIMIT 1)
      \(more)
    ORDER BY id
    """
  }

  /// The same with those who have doses or schedules, and those whose last medication is gone while
  /// what was evaluated of it is there; `$3` and `$4` are the instants of the days.
  ///
  /// A column that a table or view of an app does not have counts as NULL.
  static func personsWithMedicationsQuery(
    on connection: Connection, database: String
  ) throws -> String {
    func select(_ table: InputTable) throws -> MedicationSelect {
      try MedicationSelect(table, on: connection, database: database)
    }
    let (medications, schedules) = try (select(.medications), select(.schedules))
    let hasDose = try DoseSelect(select(.doseHistory))
      .exists(ofMedication: "medications.id", from: "$3", to: "$4")
    let end = schedules.expression(for: "end_date")
    let isDeleted = medications.expression(for: "is_deleted")
    return personsQuery(
      orWith: """
          OR (
            SELECT TRUE FROM {{schema}}.medications
            WHERE user_id = users.id AND coalesce(\(isDeleted), 0) = 0
              AND (
                (
                  SELECT TRUE FROM {{schema}}.schedules
                  WHERE medication_id = medications.id AND start_date <= $2 AND (
                    \(end) >= $1
                    OR (\(end) IS NULL AND coalesce(\(schedules.expression(for: "is_active")), 1) = 1)
                  ) LIMIT 1)
                OR \(hasDose)
              ) LIMIT 1)
          OR (
            SELECT TRUE FROM {{schema}}.dose_analytics
            WHERE user_id = users.id AND period_kind = '7_days' AND period_end BETWEEN $1 AND $2
            LIMIT 1)
          AND (
            SELECT TRUE FROM {{schema}}.medications
            WHERE user_id = users.id AND coalesce(\(isDeleted), 0) = 0
              AND (
                coalesce(\(medications.expression(for: "is_active")), 1) = 1
                OR \(medications.expression(for: "end_date")) IS NOT NULL)
            LIMIT 1) IS NULL
        """)
  }

  public func persons(withDataIn days: ClosedRange<Day>) throws -> [UUID] {
    let hasMedications = try hasMedications()
    let parameters = Parameters {
      $0.put(days.lowerBound)
      $0.put(days.upperBound)
      if hasMedications {
        $0.put(days.lowerBound.midnight)
        $0.put((days.upperBound + 1).midnight)
      }
    }
    let persons = try withConnection(table: "users") { connection in
      try connection.rows(
        hasMedications
          ? Self.personsWithMedicationsQuery(on: connection, database: displayName)
          : Self.personsQuery,
        parameters, place: .init(database: displayName, table: "users", columns: ["id"])
      ) { try $0.uuid() }
    }
    // A view may name somebody twice; then they follow each other.
    return persons.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  public func hasMetrics(in days: ClosedRange<Day>) throws -> Bool {
    let parameters = Parameters {
      $0.put(days.lowerBound)
      $0.put(days.upperBound)
    }
    return try !rows(
      """
      SELECT id FROM {{schema}}.users WHERE (
        SELECT TRUE FROM {{schema}}.wearable_daily_metrics
        WHERE user_id = users.id AND metric_date BETWEEN $1 AND $2 LIMIT 1) LIMIT 1
      """, parameters, of: "users", columns: ["id"]
    ) { try $0.uuid() }.isEmpty
  }

  public func metricColumns() throws -> MetricColumns {
    try withConnection { connection in
      MetricColumns(
        try connection.columns(of: MetricCopy.table),
        isView: try !connection.isTable(MetricCopy.table), numericType: "double precision",
        isNumeric: MetricCopy.isNumeric)
    }
  }

  public func metricDays() throws -> ClosedRange<Day>? {
    let columns = ["metric_date", "metric_date"]
    // Tables of others may hold dates that no calendar has, such as infinity.
    let parameters = Parameters {
      $0.put(Day.calendar.lowerBound)
      $0.put(Day.calendar.upperBound)
    }
    // The first and the last day of each person are one step into the primary key.
    let days = try rows(
      """
      SELECT min(own.first), max(own.last) FROM {{schema}}.users CROSS JOIN LATERAL (
        SELECT
          (SELECT metric_date FROM {{schema}}.wearable_daily_metrics
           WHERE user_id = users.id AND metric_date BETWEEN $1 AND $2
           ORDER BY user_id, metric_date LIMIT 1) AS first,
          (SELECT metric_date FROM {{schema}}.wearable_daily_metrics
           WHERE user_id = users.id AND metric_date BETWEEN $1 AND $2
           ORDER BY user_id DESC, metric_date DESC LIMIT 1) AS last
      ) AS own
      """, parameters, of: "wearable_daily_metrics", columns: columns
    ) { row in
      (try row.dayIfPresent(), try row.dayIfPresent())
    }
    guard let (first, last) = days.first, let first, let last else { return nil }
    return first...last
  }

  public func persons(among ids: Set<UUID>) throws -> Set<UUID> {
    let found = try rows(
      "SELECT id FROM {{schema}}.users WHERE id = ANY ($1)", Parameters { $0.put(Array(ids)) },
      of: "users",
      columns: ["id"]
    ) { try $0.uuid() }
    return Set(found)
  }

  public func externalIDs(of persons: Set<UUID>) throws -> [UUID: String] {
    let found = try rows(
      "SELECT id, external_id FROM {{schema}}.users WHERE id = ANY ($1) AND external_id IS NOT NULL",
      Parameters { $0.put(Array(persons)) }, of: "users", columns: ["id", "external_id"]
    ) { (try $0.uuid(), $0.text()) }
    return Dictionary(found) { first, _ in first }
  }

  public func persons(withExternalIDs externalIDs: Set<String>) throws -> [String: UUID] {
    // A text with a NUL is nobody's external id here: the server has no such texts.
    let asked = externalIDs.filter { !$0.utf8.contains(0) }
    let found = try rows(
      "SELECT external_id, id FROM {{schema}}.users WHERE external_id = ANY ($1) ORDER BY id",
      Parameters { $0.put(Array(asked)) }, of: "users", columns: ["external_id", "id"]
    ) { ($0.text(), try $0.uuid()) }
    return Dictionary(found) { first, _ in first }
  }

  static let selectAlertStates =
    "SELECT \(AlertStateRow.columns.joined(separator: ", ")) FROM {{schema}}.\(AlertStateRow.table)"

  public func alertStates(matching filter: AlertFilter) throws -> [PatternAlertState] {
    let parameters = Parameters()
    var conditions: [String] = []
    var count = 0
    func require(_ condition: String, _ put: (Parameters) -> Void) {
      count += 1
      put(parameters)
      conditions.append("\(condition) ($\(count))")
    }
    if let id = filter.id {
      require("id >=") { $0.put(id.lowest) }
      require("id <=") { $0.put(id.highest) }
    }
    if let users = filter.users { require("user_id = ANY") { $0.put(users) } }
    if let metric = filter.metric { require("metric_type =") { $0.put(metric.rawValue) } }
    if let isActive = filter.isActive {
      require("episode_status =") { $0.put(isActive ? "active" : "resolved") }
    }
    if let level = filter.minimumLevel { require("current_level >=") { $0.put(level.rawValue) } }
    if let days = filter.days {
      require("active_since <=") { $0.put(days.upperBound) }
      require("last_evaluated_date >=") { $0.put(days.lowerBound) }
    }
    parameters.put(filter.limit.map { max(0, $0) })
    return try rows(
      """
      \(Self.selectAlertStates)
      \(conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))")
      ORDER BY user_id, metric_type COLLATE "C", pattern_type COLLATE "C", active_since,
        profile COLLATE "C"
      LIMIT $\(count + 1)
      """, parameters, of: AlertStateRow.table, columns: AlertStateRow.columns
    ) { try AlertStateRow.decode($0) }
  }
}
