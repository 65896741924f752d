import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// Records of members in an app besides their actions on alerts.
  static let members = [
    ConformanceCheck("a member reads all alerts of an event, and the first time stays") { fixture in
      try fixture.addFamily(1, 2)
      var (start, joined) = (try alertState(1, metric: "hrv_ms"), try alertState(1))
      joined.eventID = start.id
      _ = try fixture.write([start, joined, alertState(2)])
      let (first, later) = (try time("2026-03-01T03:00:00Z"), try time("2026-03-01T04:00:00Z"))
      func reads(by member: Int, at instant: Timestamp) throws -> [AlertRead] {
        [start.id, joined.id].sorted { $0.lowercased < $1.lowercased }
          .map { AlertRead(alert: $0, member: person(member), at: instant) }
      }
      #expect(
        try fixture.storage.markRead(joined.id, by: person(2), at: first)
          == reads(by: 2, at: first))
      #expect(
        try fixture.storage.markRead(start.id, by: person(2), at: later)
          == reads(by: 2, at: first))
      #expect(
        try fixture.storage.markRead(start.id, by: person(1), at: later)
          == reads(by: 1, at: later))
      #expect(try fixture.storage.alertReads(by: person(2)) == reads(by: 2, at: first))
      #expect(try fixture.storage.alertReads(by: person(3)) == [])
      #expect(
        try Set(fixture.strings("SELECT CAST(id AS TEXT) FROM alert_reads"))
          == Set((try reads(by: 1, at: later) + reads(by: 2, at: first)).map(\.id.lowercased)))
    },

    ConformanceCheck("an alert that has ended is read, too, and so is one about a medication") {
      fixture in
      try fixture.addPersons(1)
      let over = try alertState(1, resolvedOn: "2026-02-11")
      _ = try fixture.write([over])
      let alert = try medicationAlert(1)
      _ = try fixture.write([alert])
      let now = try time("2026-03-01T03:00:00Z")
      for id in [over.id, alert.id] {
        let read = AlertRead(alert: id, member: person(1), at: now)
        #expect(try fixture.storage.markRead(id, by: person(1), at: now) == [read])
      }
      #expect(try fixture.storage.alertReads(by: person(1)).count == 2)
    },

    ConformanceCheck("who is not of the family marks nothing as read") { fixture in
      try fixture.addFamily(1, 2)
      try fixture.addPersons(3)
      let alert = try alertState(1)
      _ = try fixture.write([alert])
      let now = try time("2026-03-01T03:00:00Z")
      expectStorageError(.permissionDenied) {
        _ = try fixture.storage.markRead(alert.id, by: person(3), at: now)
      }
      expectStorageError(.notFound) {
        _ = try fixture.storage.markRead(alert.id, by: person(9), at: now)
      }
      expectStorageError(.notFound) {
        _ = try fixture.storage.markRead(UUID(name: "none"), by: person(1), at: now)
      }
      #expect(try fixture.count("alert_reads") == 0)
    },

    ConformanceCheck("a check-in is a row, once for each instant") { fixture in
      try fixture.addPersons(1)
      let now = try time("2026-03-01T03:00:00.000001Z")
      for (seconds, kind) in CheckIn.Kind.allCases.enumerated() {
        let checkIn = CheckIn(
          of: person(1), at: now.adding(seconds: Int64(seconds)), kind: kind)
        for _ in 1...2 { try fixture.storage.record(checkIn) }
      }
      let found = try fixture.storage.makeReader().checkIns(
        of: [person(1)], at: now...now.adding(seconds: 9))
      #expect(
        found.checkIns == [CheckIns(times: (0..<3).map { now.adding(seconds: $0) })])
      #expect(
        try fixture.strings("SELECT kind FROM check_ins ORDER BY checked_in_at")
          == ["manual", "automatic", "responder"])
      expectStorageError(.notFound) {
        try fixture.storage.record(CheckIn(of: person(9), at: now))
      }
    },
  ]
}
