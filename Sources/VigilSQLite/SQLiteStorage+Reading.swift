public import Foundation
import GRDB
public import VigilModel
public import VigilStorage

extension SQLiteStorage {
  /// One look into the metrics per person, never a scan of them.
  static let personsQuery = personsQuery()

  private static func personsQuery(orWith more: String = "") -> String {
    """
    SELECT id FROM {{schema}}.users
    WHERE EXISTS (
        SELECT 1 FROM {{schema}}.wearable_daily_metrics
        WHERE user_id = users.id AND metric_date BETWEEN ?1 AND ?2)
      OR EXISTS (
        SELECT 1 FROM {{schema}}.pattern_alert_state
        WHERE user_id = users.id AND episode_status = 'active')
      OR EXISTS (
        SELECT 1 FROM {{schema}}.vitality_scores
        WHERE user_id = users.id AND score_date BETWEEN ?1 AND ?2 AND source <> 'vigil')
      OR EXISTS (
        SELECT 1 FROM {{schema}}.trend_coverage
        WHERE user_id = users.id AND coverage_days > 0 AND evaluated_on >= ?1)
      \(more)
    ORDER BY id
    """
  }

  /// The same with those who have doses or schedules, and those whose last medication is gone while
  /// what was evaluated of it is there; from `?3` on follows what a `DoseSearch` binds.
  static let personsWithMedicationsQuery = personsQuery(
    orWith: """
      OR EXISTS (
          SELECT 1 FROM {{schema}}.medications WHERE user_id = users.id AND is_deleted = 0 AND (
            EXISTS (
              SELECT 1 FROM {{schema}}.schedules
              WHERE medication_id = medications.id AND start_date <= ?2
                AND (end_date >= ?1 OR (end_date IS NULL AND is_active = 1)))
            OR \(DoseSearch.conditions(from: 3).map { condition in
              """
              EXISTS (
                SELECT 1 FROM {{schema}}.dose_history
                WHERE medication_id = medications.id AND \(condition))
              """
            }.joined(separator: " OR "))
          ))
        OR EXISTS (
            SELECT 1 FROM {{schema}}.dose_analytics
            WHERE user_id = users.id AND period_kind = '7_days' AND period_end BETWEEN ?1 AND ?2)
          AND NOT EXISTS (
            SELECT 1 FROM {{schema}}.medications
            WHERE user_id = users.id AND is_deleted = 0
              AND (is_active = 1 OR end_date IS NOT NULL))
      """)

  public func persons(withDataIn days: ClosedRange<Day>) throws -> [UUID] {
    try read { db in
      let hasMedications = try hasMedications(in: db)
      let query = try RawStatement(
        hasMedications ? Self.personsWithMedicationsQuery : Self.personsQuery, on: db)
      query.put(days.lowerBound)
      query.put(days.upperBound)
      if hasMedications {
        let times = days.lowerBound.midnight...(days.upperBound + 1).midnight
        DoseSearch(times: times).bind(to: query, from: 3)
      }
      var persons: [UUID] = []
      try query.forEachRow { row in
        var row = RowDecoder(row, of: "users", columns: ["id"], in: file)
        try persons.append(row.uuid())
      }
      return persons
    }
  }

  public func hasMetrics(in days: ClosedRange<Day>) throws -> Bool {
    try read { db in
      let query = try RawStatement(
        """
        SELECT 1 FROM {{schema}}.users WHERE EXISTS (
          SELECT 1 FROM {{schema}}.wearable_daily_metrics
          WHERE user_id = users.id AND metric_date BETWEEN ? AND ?) LIMIT 1
        """, on: db)
      query.put(days.lowerBound)
      query.put(days.upperBound)
      var isFound = false
      try query.forEachRow { _ in isFound = true }
      return isFound
    }
  }

  public func metricColumns() throws -> MetricColumns {
    try read { try MetricQuery.columns(on: $0) }
  }

  public func metricDays() throws -> ClosedRange<Day>? {
    try read { try metricDays(in: $0) }
  }

  /// The first and the last day of each person are one step into the primary key.
  func metricDays(in db: Database) throws -> ClosedRange<Day>? {
    let query = try RawStatement(
      """
      SELECT
        min((SELECT min(metric_date) FROM {{schema}}.wearable_daily_metrics
             WHERE user_id = users.id AND metric_date BETWEEN ?1 AND ?2)),
        max((SELECT max(metric_date) FROM {{schema}}.wearable_daily_metrics
             WHERE user_id = users.id AND metric_date BETWEEN ?1 AND ?2))
      FROM {{schema}}.users
      """, on: db)
    // SQLite also takes dates for some that are before any calendar.
    query.put(Day.calendar.lowerBound)
    query.put(Day.calendar.upperBound)
    var days: ClosedRange<Day>?
    try query.forEachRow { row in
      guard !row.isNull(0) else { return }
      var row = RowDecoder(
        row, of: "wearable_daily_metrics", columns: ["metric_date", "metric_date"], in: file)
      let first = try row.day()
      days = try first...row.day()
    }
    return days
  }

  public func persons(among ids: Set<UUID>) throws -> Set<UUID> {
    try read { db in
      let query = try RawStatement(
        "SELECT id FROM {{schema}}.users WHERE id IN (SELECT value FROM json_each(?))", on: db)
      query.put(Self.jsonList(ids))
      var persons: Set<UUID> = []
      try query.forEachRow { row in
        var row = RowDecoder(row, of: "users", columns: ["id"], in: file)
        try persons.insert(row.uuid())
      }
      return persons
    }
  }

  static func jsonList(_ ids: some Sequence<UUID>) -> String {
    "[\(ids.map { "\"\($0.lowercased)\"" }.joined(separator: ","))]"
  }

  public func externalIDs(of persons: Set<UUID>) throws -> [UUID: String] {
    try read { db in
      let query = try RawStatement(
        """
        SELECT id, external_id FROM {{schema}}.users
        WHERE id IN (SELECT value FROM json_each(?)) AND external_id IS NOT NULL
        """, on: db)
      query.put(Self.jsonList(persons))
      var externalIDs: [UUID: String] = [:]
      try query.forEachRow { row in
        var row = RowDecoder(row, of: "users", columns: ["id", "external_id"], in: file)
        externalIDs[try row.uuid()] = row.text()
      }
      return externalIDs
    }
  }

  public func persons(withExternalIDs externalIDs: Set<String>) throws -> [String: UUID] {
    try read { db in
      var persons: [String: UUID] = [:]
      // One pass over users: there is no index of a column that people seldom ask by.
      let query = try RawStatement(
        "SELECT id, external_id FROM {{schema}}.users WHERE external_id IS NOT NULL ORDER BY id",
        on: db)
      try query.forEachRow { row in
        var row = RowDecoder(row, of: "users", columns: ["id", "external_id"], in: file)
        let id = try row.uuid()
        let externalID = row.text()
        if externalIDs.contains(externalID), persons[externalID] == nil {
          persons[externalID] = id
        }
      }
      return persons
    }
  }

  public func alertStates(matching filter: AlertFilter) throws -> [PatternAlertState] {
    try read { db in
      var conditions: [String] = []
      var values: [any RawBindable] = []
      func require(_ condition: String, _ value: any RawBindable) {
        conditions.append(condition)
        values.append(value)
      }
      if let id = filter.id {
        require("id >= ?", id.lowest)
        require("id <= ?", id.highest)
      }
      if let users = filter.users {
        require("user_id IN (SELECT value FROM json_each(?))", Self.jsonList(users))
      }
      if let metric = filter.metric { require("metric_type = ?", metric.rawValue) }
      if let isActive = filter.isActive {
        require("episode_status = ?", isActive ? "active" : "resolved")
      }
      if let level = filter.minimumLevel { require("current_level >= ?", level.rawValue) }
      if let days = filter.days {
        require("active_since <= ?", days.upperBound)
        require("last_evaluated_date >= ?", days.lowerBound)
      }
      let query = try RawStatement(
        """
        \(SQLiteStorage.selectAlertStates)
        \(conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))")
        ORDER BY \(AlertStateRow.order.joined(separator: ", "))
        LIMIT ?
        """, on: db)
      for value in values { query.putNext(value) }
      query.put(filter.limit.map { max(0, $0) } ?? -1)
      var states: [PatternAlertState] = []
      try query.forEachRow { try states.append(SQLiteStorage.alertState($0, from: file)) }
      return states
    }
  }

  static let selectAlertStates =
    "SELECT \(AlertStateRow.columns.joined(separator: ", ")) FROM {{schema}}.\(AlertStateRow.table)"

  static func alertState(_ row: RawRow, from file: DatabaseFile) throws -> PatternAlertState {
    try AlertStateRow.decode(
      RowDecoder(row, of: AlertStateRow.table, columns: AlertStateRow.columns, in: file))
  }
}
