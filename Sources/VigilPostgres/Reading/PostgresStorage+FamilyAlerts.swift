public import Foundation
public import VigilModel
import VigilSQL
import VigilStorage

extension PostgresStorage {
  /// Asks the function that apps ask.
  public func familyAlerts(
    of family: UUID, for viewer: UUID, on day: Day
  ) throws -> [PatternAlertState] {
    let parameters = Parameters {
      $0.put(family)
      $0.put(viewer)
      $0.put(day)
    }
    return try rows(
      """
      \(Self.selectAlertStates)
      WHERE id IN (SELECT alert.id FROM {{schema}}.get_family_pattern_alerts($1, $2, $3) AS alert)
      ORDER BY current_level DESC, active_since, id
      """, parameters, seenBy: viewer, of: AlertStateRow.table
    ) { try AlertStateRow.decode(&$0) }
  }

  /// Asks the function that apps ask.
  public func familyInsights(
    of family: UUID, for viewer: UUID, on day: Day?, today: Day
  ) throws -> [TrendInsight] {
    let parameters = Parameters {
      $0.put(family)
      $0.put(viewer)
      $0.put(day)
      $0.put(today)
    }
    return try rows(
      """
      SELECT \(TrendInsightRow.readColumns.joined(separator: ", "))
      FROM {{schema}}.\(TrendInsightRow.table)
      WHERE id IN (SELECT insight.id FROM {{schema}}.family_insights($1, $2, $3, $4) AS insight)
      ORDER BY user_id
      """, parameters, seenBy: viewer, of: TrendInsightRow.table
    ) { try TrendInsightRow.decode(&$0) }
  }

  /// Reads as a person does in an app: a login that is no more than a member of `vigil_reader` may ask
  /// too.
  private func rows<Row>(
    _ sql: String, _ parameters: Parameters, seenBy viewer: UUID, of table: String,
    _ decode: (inout ResultRow) throws -> Row
  ) throws -> [Row] {
    try transaction { connection in
      // For this transaction only: the connection's next borrower must not read as this viewer.
      try connection.run(
        "SELECT set_config('app.current_user_id', $1, TRUE)",
        Parameters { $0.put(viewer.lowercased) })
      do {
        return try connection.rows(
          sql, parameters,
          place: .init(database: displayName, table: table), decode)
      } catch let error as PostgresError where error.constraint == Self.membership {
        throw StorageError.viewerIsNoMember
      }
    }
  }

  /// By what the functions tell this refusal from others.
  private static let membership = "viewer_is_accepted_member"
}
