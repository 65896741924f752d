public import Foundation
public import VigilModel
import VigilSQL
import VigilStorage

extension PostgresStorage {
  public func familyAlerts(
    of family: UUID, for viewer: UUID, on day: Day
  ) throws -> [PatternAlertState] {
    try asking(as: viewer) { try $0.familyAlerts(of: family, for: viewer, on: day) }
  }

  public func familyInsights(
    of family: UUID, for viewer: UUID, on day: Day?, today: Day
  ) throws -> [TrendInsight] {
    try asking(as: viewer) { session in
      try session.rows(FamilyStatement.listFamilyInsights, family, viewer, day, today) {
        try TrendInsightRow.decode(&$0)
      }
    }
  }

  /// Reads, or acts, as a person does in an app: a login that is no more than a member of `vigil_reader` may ask
  /// too.
  func asking<Result>(
    as viewer: UUID, _ body: (PostgresSession) throws -> Result
  ) throws -> Result {
    try transaction { connection in
      // For this transaction only: the connection's next borrower must not read as this viewer.
      try connection.run(ConnectionStatement.setViewer, Parameters { $0.put(viewer.lowercased) })
      do {
        return try body(PostgresSession(connection: connection, database: displayName))
      } catch let error as PostgresError where error.constraint == Self.membership {
        throw StorageError.viewerIsNoMember
      }
    }
  }

  /// The name by which the functions mark this refusal.
  private static let membership = "viewer_is_accepted_member"
}
