public import Foundation
import GRDB
public import VigilModel
import VigilSQL
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
      let hasMedications = try SQLiteSession(db: db, file: file).hasMedications()
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
        var row = RowDecoder(row, of: "users", in: file)
        try persons.append(row.uuid())
      }
      return persons
    }
  }

  public func metricColumns() throws -> MetricColumns {
    try read { try MetricQuery.columns(on: $0) }
  }
}
