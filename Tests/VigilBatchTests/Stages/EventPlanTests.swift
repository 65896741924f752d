import Foundation
import ReferenceKernels
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Live nights over persons in whom several metrics change at once: members are notified of events.
@Suite struct EventPlanTests {
  private static let first = Day(ordinal: 20_400)
  private static let changes = 150...174
  /// The usual value, its spread from day to day, and the change.
  private static let metrics: [(name: String, usual: Double, spread: Double, change: Double)] = [
    ("sleep_efficiency_pct", 92, 2, -7), ("sleep_minutes", 430, 35, -110),
    ("resting_hr", 60, 1.5, 7), ("steps", 9_000, 1_500, 0),
  ]
  private let mother = UUID(name: "the mother of several")

  /// Six persons whose metrics get worse, one to three at once and a few days apart.
  private func database(_ kind: DatabaseKind) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try database.insert(series)
    let persons = Set(series.map(\.person))
    try database.insert([member(mother, .admin)] + persons.map { member($0, .member) })
    return database
  }

  private var series: [BatchDatabase.Series] {
    var rows: [BatchDatabase.Series] = []
    for index in 0..<6 {
      var random = SeededGenerator(seed: 1900 + index)
      let person = UUID(name: "a person with \(index % 3 + 1) changes at once, \(index)")
      for (place, metric) in Self.metrics.enumerated() {
        let begins = Self.changes.lowerBound + place
        var values: [Day: Double] = [:]
        for day in 0...199 {
          let isWorse = place <= index % 3 && (begins...Self.changes.upperBound).contains(day)
          let noise = (0..<4).map { _ in Double.random(in: -1...1, using: &random) }.reduce(0, +)
          let change = noise * metric.spread + (isWorse ? metric.change : 0)
          values[Self.first + day] = (metric.usual + change).rounded()
        }
        rows.append(.init(person: person, metric: metric.name, values: values))
      }
    }
    return rows
  }

  private func member(_ user: UUID, _ role: FamilyMember.Role) -> FamilyMember {
    FamilyMember(
      family: UUID(name: "a family of several"), user: user, role: role, inviteStatus: .accepted)
  }

  private func runLive(
    _ nights: ClosedRange<Int>, in database: BatchDatabase, _ thresholds: Thresholds
  ) throws {
    for offset in nights {
      let day = Self.first + offset
      try database.run(
        day...day, thresholds: thresholds, kind: .run, mode: .live,
        at: BatchDatabase.now.adding(seconds: Int64(offset)))
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func nightsBackfillsAndShardsLeaveTheSameEvents(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v3-strict")
    let days = Self.first + 140...Self.first + 199
    let nightly = try database(kind)
    let (whole, shared) = (try nightly.copy(), try nightly.copy())
    try nightly.runNightly(days, thresholds: thresholds)
    try whole.run(days, thresholds: thresholds)
    let middle = days.lowerBound + 23
    for part in [days.lowerBound...middle, middle + 1...days.upperBound] {
      for index in [3, 1, 2] {
        let shard = try #require(RunShard(index, of: 3))
        try shared.run(part, thresholds: thresholds, batchSize: 2, shard: shard)
      }
    }
    let expected = try whole.dump()
    #expect(try nightly.storage.alertStates(matching: AlertFilter()).contains { !$0.startsEvent })
    try expectSame(nightly.dump(), expected, "nights")
    try expectSame(shared.dump(), expected, "shards")
  }

  /// The metric that changes first arrives when the others have been notified of.
  @Test(arguments: DatabaseKind.allCases)
  func lateDataLeaveTheEventsOfTimelyDataAndNotifyOfNoneAgain(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v3-strict")
    let timely = try database(kind)
    let late = try BatchDatabase(kind)
    let name = Self.metrics[0].name
    try late.insert(
      series.map { own in
        var kept = own
        if own.metric == name { kept.values = own.values.filter { $0.key < Self.first + 150 } }
        return kept
      })
    let persons = Set(series.map(\.person))
    try late.insert([member(mother, .admin)] + persons.map { member($0, .member) })
    try runLive(140...165, in: late, thresholds)
    let before = try late.storage.alertStates(matching: AlertFilter())
    try late.insert(series.filter { $0.metric == name })
    try runLive(166...199, in: late, thresholds)
    try runLive(140...199, in: timely, thresholds)

    func events(_ database: BatchDatabase) throws -> [UUID: UUID] {
      let states = try database.storage.alertStates(matching: AlertFilter())
        .filter { !isRetracted($0) }
      return Dictionary(uniqueKeysWithValues: states.map { ($0.id, $0.eventID) })
    }
    let (found, expected) = (try events(late), try events(timely))
    #expect(found == expected)
    // Some event has begun earlier than was known.
    #expect(
      before.contains { old in old.startsEvent && found[old.id].map { $0 != old.id } ?? true })
    let sent = try late.storage.notifications(matching: NotificationFilter())
      .filter { $0.type == "pattern_alert" && $0.channel == .push }
    var checked = 0
    for person in persons {
      let own = try late.storage.alertStates(matching: AlertFilter(users: [person]))
        .filter { !isRetracted($0) }
      let notified = sent.filter { $0.member == person }
      // An alert that joins with notice is notified in its own name.
      let isOwn = notified.allSatisfy { $0.alertStateID != own.first(where: isCombined)?.id }
      guard Set(own.map(\.eventID)).count == 1, !notified.isEmpty, isOwn else { continue }
      #expect(Set(notified.map(\.templateID)).count == notified.count, "\(person)")
      checked += 1
    }
    #expect(checked > 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func membersAreNotifiedOnceOfWhatHappensAtOnce(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v3-strict")
    let database = try database(kind)
    try runLive(140...199, in: database, thresholds)
    let states = try database.storage.alertStates(matching: AlertFilter())
    let events = Dictionary(grouping: states.filter { !isRetracted($0) }, by: \.eventID)
    #expect(events.values.contains { $0.count >= 3 })
    #expect(events.values.contains { $0.contains { $0.series.metric == .combined } })

    let sent = try database.storage.notifications(matching: NotificationFilter())
      .filter { $0.type == "pattern_alert" && $0.recipient == mother && $0.channel == .push }
    #expect(!sent.isEmpty)
    for (event, members) in events {
      let start = try #require(members.first { $0.id == event })
      let levels = sent.filter { $0.alertStateID == event }.compactMap {
        Int($0.templateID.replacing("pattern_alert.level_", with: ""))
      }
      #expect(Set(levels).count == levels.count)
      // Everything happened while nights ran, so that nothing was left out.
      let highest = members.map(\.episode.level).max()
      #expect(start.lastNotifiedLevel == highest)
      #expect(levels.max() == highest?.rawValue)
    }
    let causes = Set(sent.map(\.alertStateID))
    let silent = states.filter { !$0.startsEvent && $0.series.metric != .combined }
    #expect(!silent.isEmpty)
    #expect(silent.allSatisfy { !causes.contains($0.id) && $0.lastNotifiedLevel == nil })
    try expectEventsOfTwin(states)
  }

  /// Compares the events with those that the slow twin finds from the same rows.
  private func expectEventsOfTwin(_ states: [PatternAlertState]) throws {
    for own in Dictionary(grouping: states.filter { !isRetracted($0) }, by: \.series.user).values {
      let rows = own.map { state in
        ReferenceEvents.Row(
          metric: state.series.metric.rawValue, activeSince: Int(state.episode.activeSince.ordinal),
          openedOn: Int(state.episode.openedOn.ordinal),
          resolvedOn: state.episode.resolution.map { Int($0.day.ordinal) },
          contributing: state.episode.combined?.contributions.map(\.metric.rawValue) ?? [])
      }
      let members = ReferenceEvents.members(rows)
      for (left, right) in zip(members, members.dropFirst()) {
        let (one, two) = (try state(of: left.row, in: own), try state(of: right.row, in: own))
        #expect((one.eventID == two.eventID) == (left.event == right.event))
        #expect(two.startsEvent == (right.opening == "starts"))
      }
    }
  }

  private func state(
    of row: ReferenceEvents.Row, in states: [PatternAlertState]
  ) throws -> PatternAlertState {
    try #require(
      states.first {
        $0.series.metric.rawValue == row.metric
          && Int($0.episode.activeSince.ordinal) == row.activeSince
      })
  }

  private func isCombined(_ state: PatternAlertState) -> Bool { state.series.metric == .combined }

  private func isRetracted(_ state: PatternAlertState) -> Bool {
    state.episode.resolution?.reason == .retracted
  }
}
