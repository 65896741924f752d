public import Foundation
public import VigilModel
import VigilStorage

extension SQLiteStorage {
  public func familyAlerts(
    of family: UUID, for viewer: UUID, on day: Day
  ) throws -> [PatternAlertState] {
    try read { db in
      let membership = try RawStatement(
        """
        SELECT 1 FROM family_members
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
        WHERE user_id IN (
            SELECT user_id FROM family_members WHERE family_id = ?1 AND invite_status = 'accepted')
          AND user_id <> ?2
          AND episode_status = 'active'
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
  }
}
