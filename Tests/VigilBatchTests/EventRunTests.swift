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
@Suite struct EventRunTests {
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
    var rows: [BatchDatabase.Series] = []
    var members = [member(mother, .admin)]
    for index in 0..<6 {
      var random = SeededGenerator(seed: 1900 + index)
      let person = UUID(name: "a person with \(index % 3 + 1) changes at once, \(index)")
      members.append(member(person, .member))
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
    try database.insert(rows)
    try database.insert(members)
    return database
  }

  private func member(_ user: UUID, _ role: FamilyMember.Role) -> FamilyMember {
    FamilyMember(
      family: UUID(name: "a family of several"), user: user, role: role, inviteStatus: .accepted)
  }

  @Test(arguments: DatabaseKind.allCases)
  func membersAreNotifiedOnceOfWhatHappensAtOnce(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v3-strict")
    let database = try database(kind)
    for offset in 140...199 {
      let day = Self.first + offset
      try database.run(
        day...day, thresholds: thresholds, kind: .run, mode: .live,
        at: BatchDatabase.now.adding(seconds: Int64(offset)))
    }
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

  private func isRetracted(_ state: PatternAlertState) -> Bool {
    state.episode.resolution?.reason == .retracted
  }
}
