import VigilModel

/// The event that an alert belongs to, and the way in which it came into it.
public struct EventMembership<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The alert that started the event.
  public var event: ID
  public var entry: EventEntry
}

/// The way in which an alert came into its event.
public enum EventEntry: String, Sendable {
  /// It started the event; members are notified.
  case starts
  /// Something of the person was going on already; no one is notified.
  case joins
  /// It joined, but what was going on concerns none of its metrics: members are notified once.
  case joinsWithNotice = "joins_with_notice"
}

extension EventMembership {
  /// Brings the alerts of one person and profile together into events (specification, evidence-person.md
  /// section 6).
  ///
  /// An alert joins the event of the first earlier one that was still going on when it began; otherwise it
  /// starts an event.
  ///
  /// ```swift
  /// guard let day = Day("2026-06-01") else { return }
  /// let alerts = [
  ///   EventAlert(id: 1, metric: MetricType("steps"), activeSince: day, openedOn: day + 4),
  ///   EventAlert(id: 2, metric: MetricType("sleep_minutes"), activeSince: day + 2, openedOn: day + 6),
  /// ]
  /// let memberships = EventMembership.memberships(of: alerts)
  /// print(memberships.map(\.event), memberships[1].entry.rawValue)  // [1, 1] joins
  /// ```
  ///
  /// - Parameter alerts: In the order of their openings, retracted ones left out. Where the event of one is
  ///   known, those before it need not be complete.
  /// - Returns: The membership of each.
  /// - Complexity: O(n²)
  public static func memberships(of alerts: [EventAlert<ID>]) -> [EventMembership] {
    var memberships: [EventMembership] = []
    // A start may have joined another event since an alert was settled in its own.
    var eventOf: [ID: ID] = [:]
    for (index, alert) in alerts.enumerated() {
      let earlier = alerts[..<index].indices.filter { alerts[$0].reaches(alert) }
      let settled = alert.settledEvent.map { eventOf[$0] ?? $0 }
      let event = settled ?? earlier.first.map { memberships[$0].event } ?? alert.id
      let entry: EventEntry =
        if event == alert.id {
          .starts
        } else if alert.isCombined, !earlier.isEmpty,
          earlier.allSatisfy({ alerts[$0].named.isDisjoint(with: alert.named) })
        {
          .joinsWithNotice
        } else {
          .joins
        }
      eventOf[alert.id] = event
      memberships.append(EventMembership(event: event, entry: entry))
    }
    return memberships
  }

  /// The memberships of alerts in any order: by opening, each with the index of its alert.
  ///
  /// - Complexity: O(n²)
  public static func byOpening(
    of alerts: [EventAlert<ID>]
  ) -> [(index: Int, membership: EventMembership)] {
    let order = alerts.indices.sorted { EventAlert.opensBefore(alerts[$0], alerts[$1]) }
    return Array(zip(order, memberships(of: order.map { alerts[$0] })))
  }
}
