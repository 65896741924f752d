public import Foundation
public import VigilModel
import VigilSQL
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
        parameters, place: .init(database: displayName, table: "users")
      ) { try $0.uuid() }
    }
    // A view may name somebody twice; then they follow each other.
    return persons.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  public func metricColumns() throws -> MetricColumns {
    try withConnection { connection in
      MetricColumns(
        try connection.columns(of: MetricCopy.table),
        isView: try !connection.isTable(MetricCopy.table), numericType: "double precision",
        isNumeric: MetricCopy.isNumeric)
    }
  }
}
