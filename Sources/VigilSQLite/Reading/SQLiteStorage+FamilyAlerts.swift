public import Foundation
public import VigilModel
import VigilSQL
import VigilStorage

extension SQLiteStorage {
  public func familyAlerts(
    of family: UUID, for viewer: UUID, on day: Day
  ) throws -> [PatternAlertState] {
    try withSession { try familyAlerts(of: family, for: viewer, on: day, in: $0) }
  }

  private func familyAlerts(
    of family: UUID, for viewer: UUID, on day: Day, in session: SQLiteSession
  ) throws -> [PatternAlertState] {
    let membership = try session.rows(FamilyStatement.findMembership, family, viewer) {
      try $0.uuid()
    }
    guard !membership.isEmpty else { throw StorageError.viewerIsNoMember }
    return try session.familyAlerts(of: family, for: viewer, on: day)
  }

  public func familyInsights(
    of family: UUID, for viewer: UUID, on day: Day?, today: Day
  ) throws -> [TrendInsight] {
    try withSession { session in
      // Silence does not call for attention, and an alert about a medication hides no insight: the one into its doses
      // says more.
      guard
        try familyAlerts(of: family, for: viewer, on: today, in: session)
          .allSatisfy({ $0.series.metric == .inactivity || $0.series.medication != nil })
      else { return [] }
      return try session.rows(FamilyStatement.listFamilyInsights, family, viewer, day, today) {
        try TrendInsightRow.decode(&$0)
      }
    }
  }
}
