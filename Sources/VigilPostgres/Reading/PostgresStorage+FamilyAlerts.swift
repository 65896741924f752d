public import Foundation
public import VigilModel
import VigilStorage

extension PostgresStorage {
  /// Asks the function that apps ask, as the viewer: a login that is no more than a member of
  /// `vigil_reader` may do so too.
  public func familyAlerts(
    of family: UUID, for viewer: UUID, on day: Day
  ) throws -> [PatternAlertState] {
    let parameters = Parameters {
      $0.put(family)
      $0.put(viewer)
      $0.put(day)
    }
    return try transaction { connection in
      // For this transaction only: the connection's next borrower must not read as this viewer.
      try connection.run(
        "SELECT set_config('app.current_user_id', $1, TRUE)",
        Parameters { $0.put(viewer.lowercased) })
      do {
        return try connection.rows(
          """
          \(Self.selectAlertStates)
          WHERE id IN (SELECT alert.id FROM get_family_pattern_alerts($1, $2, $3) AS alert)
          ORDER BY current_level DESC, active_since, id
          """, parameters,
          place: .init(
            database: displayName, table: AlertStateRow.table, columns: AlertStateRow.columns)
        ) { try AlertStateRow.decode($0) }
      } catch let error as PostgresError where error.constraint == Self.membership {
        throw StorageError.viewerIsNoMember
      }
    }
  }

  /// By what the function tells this refusal from others.
  private static let membership = "viewer_is_accepted_member"
}
