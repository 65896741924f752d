import VigilModel

#if VIGIL_CHECK_INVARIANTS
  extension NotificationGroup {
    /// Stops the process where groups share a member, or are not in order.
    ///
    /// - Parameter rows: The rows that were grouped.
    static func _checkInvariants(_ groups: [NotificationGroup], of rows: [PlannedNotification]) {
      let members = groups.flatMap(\.members)
      precondition(Set(members).count == members.count, "a notification is in two groups")
      let keys = groups.map(\.notification.dedupeKey)
      precondition(zip(keys, keys.dropFirst()).allSatisfy(<), "groups are not in order")
      let rows = Dictionary(rows.map { ($0.dedupeKey, $0) }) { first, _ in first }
      for group in groups {
        let notification = group.notification
        precondition(group.members.count > 1, "a group of one notification")
        let own = group.members.compactMap { rows[$0] }
        precondition(own.count == group.members.count, "a member that was not there")
        precondition(
          own.allSatisfy {
            $0.recipient == notification.recipient && $0.channel == notification.channel
              && $0.groupNight == own[0].groupNight && $0.status == .pending
          }, "members for different recipients, channels or nights, or one that is not sent")
        precondition(
          own.map(\.level).max() == notification.level,
          "a group is not as grave as its gravest alert")
      }
    }
  }

  extension [PlannedNotification] {
    /// Stops the process where the rows of one alert for one recipient are due before they are ready, expire
    /// before they are due, or have one key.
    func _checkInvariants(readyAt now: Timestamp) {
      precondition(Set(map(\.dedupeKey)).count == count, "two notifications have one key")
      for row in self {
        precondition(row.scheduledFor >= now, "a notification is due before it is ready")
        precondition(
          row.expiresAt.map { $0 > row.scheduledFor } ?? (row.channel == .inApp),
          "a notification expires before it is due, or never")
        precondition(
          row.scheduledFor == now || row.statusReason != nil,
          "a notification waits without a reason")
      }
    }
  }
#else
  extension NotificationGroup {
    @inline(__always)
    static func _checkInvariants(_ groups: [NotificationGroup], of rows: [PlannedNotification]) {}
  }

  extension [PlannedNotification] {
    @inline(__always)
    func _checkInvariants(readyAt now: Timestamp) {}
  }
#endif
