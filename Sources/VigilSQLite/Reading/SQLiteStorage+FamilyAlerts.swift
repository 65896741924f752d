public import Foundation
import GRDB
public import VigilModel
import VigilSQL
import VigilStorage

extension SQLiteStorage {
  public func familyAlerts(
    of family: UUID, for viewer: UUID, on day: Day
  ) throws -> [PatternAlertState] {
    try read { try familyAlerts(of: family, for: viewer, on: day, in: $0) }
  }

  private func familyAlerts(
    of family: UUID, for viewer: UUID, on day: Day, in db: Database
  ) throws -> [PatternAlertState] {
    let membership = try RawStatement(
      """
      SELECT 1 FROM {{schema}}.family_members
      WHERE family_id = ?1 AND user_id = ?2 AND invite_status = 'accepted'
      """, on: db)
    membership.bind(family, at: 1)
    membership.bind(viewer, at: 2)
    var isMember = false
    try membership.forEachRow { _ in isMember = true }
    guard isMember else { throw StorageError.viewerIsNoMember }

    let query = try RawStatement(
      """
      \(Self.selectAlertStates)
      WHERE user_id IN (\(Self.acceptedMembers))
        AND user_id <> ?2
        AND episode_status = 'active'
        AND NOT EXISTS (
          SELECT 1 FROM {{schema}}.database_profile AS own
          WHERE own.part = 'patterns' AND own.profile <> \(AlertStateRow.table).profile
        )
        AND dismissed_at IS NULL
        AND (snooze_until IS NULL OR snooze_until <= ?3)
      ORDER BY current_level DESC, active_since, id
      """, on: db)
    query.bind(family, at: 1)
    query.bind(viewer, at: 2)
    query.bind(day, at: 3)
    var states: [PatternAlertState] = []
    try query.forEachRow { try states.append(Self.alertState($0, from: file)) }
    return states
  }

  public func familyInsights(
    of family: UUID, for viewer: UUID, on day: Day?, today: Day
  ) throws -> [TrendInsight] {
    try read { db in
      guard try familyAlerts(of: family, for: viewer, on: today, in: db).isEmpty else { return [] }
      let query = try RawStatement(Self.familyInsightsQuery, on: db)
      query.bind(family, at: 1)
      query.bind(viewer, at: 2)
      query.bind(day, at: 3)
      var insights: [TrendInsight] = []
      try query.forEachRow { row in
        var row = RowDecoder(row, of: TrendInsightRow.table, in: file)
        try insights.append(TrendInsightRow.decode(&row))
      }
      return insights
    }
  }

  private static let acceptedMembers =
    "SELECT user_id FROM {{schema}}.family_members WHERE family_id = ?1 AND invite_status = 'accepted'"

  /// What `family_insights` is on PostgreSQL: the first attention insight of each of at most two members,
  /// or else the first good news; without a day, of each member's last evaluated one.
  private static let familyInsightsQuery = """
    WITH evaluated AS (
      SELECT user_id AS member, evaluated_on AS day FROM {{schema}}.\(TrendCoverageRow.table)
      WHERE user_id IN (\(acceptedMembers))
    ), asked AS (
      SELECT member, day FROM evaluated
      WHERE ?3 IS NULL AND day >= (SELECT date(max(day), '-3 days') FROM evaluated)
      UNION ALL
      SELECT user_id, ?3 FROM (\(acceptedMembers)) WHERE ?3 IS NOT NULL
    ), candidate AS (
      SELECT insight.*, row_number() OVER (
        PARTITION BY user_id, severity
        ORDER BY CASE pillar WHEN 'sleep' THEN 1 WHEN 'movement' THEN 2 WHEN 'stress' THEN 3 ELSE 4 END
      ) AS place
      FROM asked JOIN {{schema}}.\(TrendInsightRow.table) AS insight
        ON insight.user_id = asked.member AND insight.insight_date = asked.day
      WHERE user_id <> ?2
        AND suppressed_reason IS NULL
        AND rule IN ('low_streak', 'drop_vs_baseline', 'rebound', 'declining_trend', 'improving_trend')
    ), chosen AS (
      SELECT
        *,
        rank() OVER (ORDER BY severity <> 'attention') AS preference,
        row_number() OVER (PARTITION BY severity ORDER BY user_id) AS turn
      FROM candidate WHERE place = 1
    )
    SELECT \(TrendInsightRow.readColumns.joined(separator: ", ")) FROM chosen
    WHERE preference = 1 AND turn <= CASE severity WHEN 'attention' THEN 2 ELSE 1 END
    ORDER BY user_id
    """
}
