import Foundation
import VigilAlerts
import VigilModel
import VigilStorage

/// Groups lie where their members do: among what a live run is about to release, or in the shadow queue.
extension SQLRunTransaction {
  /// The statements for one of the two places.
  private struct Place {
    var insert: HeldStatement
    var join: HeldStatement

    static var released: Place { Place(insert: .insertReleasedGroup, join: .joinReleasedGroup) }
    static var shadow: Place { Place(insert: .insertShadowGroup, join: .joinShadowGroup) }
  }

  /// Groups what is about to be released.
  func group(_ held: HeldRows) throws {
    let candidates = try session.rows(
      HeldStatement.listReleasedToGroup, held.run, held.decidedAt, held.shard
    ) { try plannedNotification(from: &$0) }
    try group(candidates, of: held.run, in: .released)
  }

  /// Groups what a shadow run has planned for the persons of its shard, as a live run would; returns by how
  /// many notifications they have become fewer.
  func groupShadowNotifications(of run: RunRecord, _ shard: ShardRecord) throws -> Int {
    guard let part = RunShard(shard.index, of: run.shards) else { return 0 }
    let candidates = try session.rows(HeldStatement.listShadowToGroup, run.id) {
      try plannedNotification(from: &$0)
    }
    return try group(candidates.filter { part.contains($0.member) }, of: run.id, in: .shadow)
  }

  @discardableResult
  private func group(
    _ candidates: [PlannedNotification], of run: UUID, in place: Place
  ) throws -> Int {
    var fewer = 0
    for group in NotificationGroup.groups(of: candidates) {
      let notification = group.notification
      try session.execute(
        place.insert, run, group.members[0], notification.id, notification.dedupeKey,
        notification.kind.notificationType, notification.templateID,
        JSONParameter(text: notification.payload))
      for member in group.members {
        try session.execute(place.join, run, member, notification.id)
      }
      fewer += group.members.count - 1
    }
    return fewer
  }

  private func plannedNotification(from row: inout Session.Row) throws -> PlannedNotification {
    try PlannedNotification(
      recipient: row.uuid(), member: row.uuid(), alertStateID: row.uuid(), level: row.level(),
      channel: row.word(), payload: row.json(), priority: row.word(),
      scheduledFor: row.timestamp(), expiresAt: row.timestampIfPresent(),
      statusReason: row.wordIfPresent(),
      groupNight: row.dayIfPresent())
  }
}
