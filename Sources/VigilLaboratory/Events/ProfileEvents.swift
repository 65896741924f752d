public import VigilDetection
public import VigilModel

/// A thresholds profile with evidence, run through the same code as a backfill: its alerts, brought together into
/// events.
///
/// A profile without `combined` has events too here, so that a count of them can be compared.
public struct ProfileEvents: EventDetector {
  public let name: String
  public let thresholds: Thresholds
  public let metrics: [MetricThresholds]

  /// - Parameters:
  ///   - name: The name in reports.
  ///   - thresholds: The profile.
  ///   - order: The metrics of the blocks, in their order.
  /// - Precondition: The profile has each of them.
  public init(_ name: String, thresholds: Thresholds, order: [String]) {
    self.init(name, thresholds, metrics: ProfileDetector.metrics(of: thresholds, order: order))
  }

  package init(_ name: String, _ thresholds: Thresholds, metrics: [MetricThresholds]) {
    self.name = name
    self.thresholds = thresholds
    self.metrics = metrics
  }

  public func events(in block: ObservationBlock, people: [SimulatedPerson]) -> [DetectedEvent] {
    let fold = BlockFold(thresholds: thresholds, metrics: metrics)
    var result = FoldResult()
    fold.fold(block, over: FoldWindow(wholeHistory: block.days), into: &result)
    var notifications = [[FoldedLevel]](repeating: [], count: result.episodes.count)
    for notification in result.newLevels {
      notifications[notification.episode].append(notification)
    }
    let episodes = Dictionary(grouping: result.episodes.indices) {
      result.episodes[$0].series / fold.seriesPerPerson
    }
    return (0..<block.personCount).flatMap { person in
      PersonEvents(
        person: person, metrics: metrics.map(\.metric), seriesPerPerson: fold.seriesPerPerson,
        firstDay: block.days.lowerBound
      ).events(of: episodes[person] ?? [], in: result, notifications)
    }
  }
}

/// The events of one person of a folded block.
private struct PersonEvents {
  let person: Int
  let metrics: [MetricType]
  let seriesPerPerson: Int
  let firstDay: Day

  /// - Parameters:
  ///   - episodes: Indexes into the episodes of `result`.
  ///   - notifications: By episode.
  func events(
    of episodes: [Int], in result: FoldResult, _ notifications: [[FoldedLevel]]
  ) -> [DetectedEvent] {
    let alerts = episodes.map { index in
      let folded = result.episodes[index]
      let metric = folded.series % seriesPerPerson
      return EventAlert(
        id: index, metric: metric < metrics.count ? metrics[metric] : .combined, folded.episode)
    }.sorted(by: EventAlert.opensBefore)
    let memberships = EventMembership.memberships(of: alerts)
    var events: [DetectedEvent] = []
    for start in memberships.indices where memberships[start].entry == .starts {
      let members = memberships.indices.filter { memberships[$0].event == alerts[start].id }
      let ends = members.map { alerts[$0].resolvedOn }
      events.append(
        DetectedEvent(
          person: person,
          alerts: members.map { member in
            DetectedEvent.Alert(
              opened: alerts[member].openedOn - firstDay,
              metrics: Set(alerts[member].named.compactMap(metrics.firstIndex(of:))),
              isNotified: memberships[member].entry != .joins)
          },
          resolved: ends.contains(nil) ? nil : ends.compactMap(\.self).max().map { $0 - firstDay },
          level: members.map { result.episodes[alerts[$0].id].episode.level.rawValue }.max() ?? 0,
          notifications: count(
            members.map { (notifications[alerts[$0].id], memberships[$0].entry) })))
    }
    return events
  }

  /// The start, each rise of the highest level, and each alert that joins with notice.
  private func count(_ members: [(notifications: [FoldedLevel], entry: EventEntry)]) -> Int {
    let joined = members.filter { $0.entry == .joinsWithNotice && !$0.notifications.isEmpty }
    let rises = members.flatMap { member in
      member.entry == .joinsWithNotice
        ? member.notifications.dropFirst() : member.notifications[...]
    }.sorted { ($0.day, $1.level) < ($1.day, $0.level) }
    var level: AlertLevel?
    var count = joined.count
    for rise in rises where level.map({ $0 < rise.level }) ?? true {
      level = rise.level
      count += 1
    }
    return count
  }
}
