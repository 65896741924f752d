import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilDetection
import VigilModel
import VigilStorage

/// The events that nights announce to apps.
@Suite("Events of nights")
struct OutboxEventTests {
  private static let first = Day(ordinal: 20_000)
  private let person = UUID(name: "person with events")

  /// Steps that fall by half for eight of 60 days.
  private static let history: SeriesNotation = "8000x40 4000x8 8000x12"

  private func database(_ kind: DatabaseKind) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    var values: [Day: Double] = [:]
    for (index, value) in Self.history.values.enumerated() { values[Self.first + index] = value }
    try database.insert([.init(person: person, metric: "steps", values: values)])
    return database
  }

  private func night(_ day: Int) -> ClosedRange<Day> { (Self.first + day)...(Self.first + day) }

  @Test(
    "a night announces the alerts that it opens, escalates and ends, once",
    arguments: DatabaseKind.allCases, RunRecord.Mode.allCases)
  func announces(kind: DatabaseKind, mode: RunRecord.Mode) throws {
    let database = try database(kind)
    let thresholds = try BatchDatabase.thresholds("v1")
    var kinds: [OutboxEvent.Kind] = []
    for day in 38...55 {
      let run = try database.run(night(day), thresholds: thresholds, kind: .run, mode: mode)
      let events = try database.storage.outboxEvents(after: 0, limit: .max >> 1)
      let counts = run.counts
      let added = events.dropFirst(kinds.count)
      #expect(added.count { $0.kind == .opened } == counts.episodesOpened, "\(day)")
      #expect(added.count { $0.kind == .escalated } == counts.episodesEscalated, "\(day)")
      #expect(added.count { $0.kind == .ended } == counts.episodesResolved, "\(day)")
      #expect(added.allSatisfy { $0.run == run.id && $0.person == person })
      kinds = events.map(\.kind)
      // The same night again finds nothing new.
      try database.run(night(day), thresholds: thresholds, kind: .run, mode: mode)
      #expect(try database.events() == kinds, "\(day)")
    }
    #expect(kinds == [.opened, .escalated, .ended])
    let alert = try #require(try database.storage.alertStates(matching: AlertFilter()).first)
    let named = try database.storage.outboxEvents(after: 0, limit: 10).map(\.alert)
    #expect(named == [alert.id, alert.id, alert.id])
  }

  @Test(
    "a backfill announces nothing, and neither does a candidate", arguments: DatabaseKind.allCases)
  func leavesOut(kind: DatabaseKind) throws {
    let database = try database(kind)
    let v1 = try BatchDatabase.thresholds("v1")
    let v2 = try BatchDatabase.thresholds("v2", digest: String(repeating: "1", count: 64))
    try database.run((Self.first + 38)...(Self.first + 41), thresholds: v1)
    #expect(try database.alertStates().isEmpty == false)
    #expect(try database.events() == [])
    try database.run(night(42), thresholds: v1, candidate: v2, kind: .run)
    let alerts = Set(
      try database.storage.alertStates(matching: AlertFilter()).filter { $0.profile == v1.profile }
        .map(\.id))
    let events = try database.storage.outboxEvents(after: 0, limit: 10)
    #expect(events.allSatisfy { alerts.contains($0.alert) })
  }

  @Test(
    "a switch of the profile announces the alerts that it ends", arguments: DatabaseKind.allCases)
  func announcesSwitch(kind: DatabaseKind) throws {
    let database = try database(kind)
    let (v1, v2) = try (BatchDatabase.thresholds("v1"), BatchDatabase.thresholds("v2"))
    for day in 41...44 { try database.run(night(day), thresholds: v1, kind: .run) }
    #expect(try database.events() == [.opened])
    try database.run(night(45), thresholds: v2, kind: .run, switching: true)
    #expect(try database.events() == [.opened, .ended, .opened])
  }

  @Test("a login that may not notify runs in shadow mode without announcing anything")
  func needsRights() throws {
    let database = try database(.postgres)
    let thresholds = try BatchDatabase.thresholds("v1")
    for day in 41...43 {
      let run = try database.run(
        night(day), thresholds: thresholds, kind: .run,
        through: database.database.open(asMemberOf: "vigil_backfill"))
      #expect(run.status == .succeeded)
    }
    #expect(try database.alertStates().isEmpty == false)
    #expect(try database.events() == [])
    for day in 44...48 {
      try database.run(
        night(day), thresholds: thresholds, kind: .run,
        through: database.database.open(asMemberOf: "vigil_engine"))
    }
    #expect(try database.events() == [.escalated])
  }
}
