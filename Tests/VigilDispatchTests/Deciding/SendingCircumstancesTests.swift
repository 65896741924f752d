import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilDispatch
import VigilModel
import VigilStorage

@Suite("The decision at the moment of sending")
struct SendingCircumstancesTests {
  private func decision(
    _ change: (inout ClaimCircumstances, inout ClaimedNotification) -> Void = { _, _ in },
    after earlier: Int = 0, limit: RecipientLimit? = nil,
    at instant: String = "2026-07-01T12:00:00Z"
  ) throws -> DeliveryOutcome {
    var row = try sampleRow()
    var circumstances = ClaimCircumstances(alerts: [.init()])
    change(&circumstances, &row)
    return row.outcome(
      in: circumstances, after: earlier, limit: limit, zones: .system,
      at: try #require(Timestamp(instant)))
  }

  @Test("without a change it is sent")
  func sends() throws {
    #expect(try decision() == .send)
  }

  @Test("what has expired, or whose recipient is none any more, is cancelled")
  func cancels() throws {
    #expect(
      try decision { $1.expiresAt = Timestamp("2026-07-01T12:00:00Z") ?? $1.expiresAt }
        == .withhold(.expired))
    #expect(try decision { facts, _ in facts.isExcluded = true } == .withhold(.excluded))
    #expect(try decision { facts, _ in facts.isRecipient = false } == .withhold(.notRecipient))
    #expect(
      try decision { facts, _ in facts.profile = UserProfile(switches: [.push: false]) }
        == .withhold(.preferenceOff))
  }

  @Test("an alert that is dismissed, snoozed past today or over is not notified of")
  func alerts() throws {
    let today = try #require(Day("2026-07-01"))
    #expect(
      try decision { facts, _ in facts.alerts[0].isDismissed = true } == .withhold(.dismissed))
    #expect(
      try decision { facts, _ in facts.alerts[0].snoozedUntil = today + 1 } == .withhold(.snoozed))
    #expect(try decision { facts, _ in facts.alerts[0].snoozedUntil = today } == .send)
    #expect(try decision { facts, _ in facts.alerts[0].hasEnded = true } == .withhold(.resolved))
    #expect(
      try decision { facts, row in
        facts.alerts[0].hasEnded = true
        row.type = "pattern_recovery"
      } == .send)
  }

  @Test("a group is sent as long as one of its alerts is to be notified of")
  func groups() throws {
    #expect(
      try decision { facts, _ in
        facts.alerts = [.init(isDismissed: true), .init(), .init(hasEnded: true)]
      } == .send)
    #expect(
      try decision { facts, _ in
        facts.alerts = [.init(isDismissed: true), .init(hasEnded: true)]
      } == .withhold(.dismissed))
    #expect(try decision { facts, _ in facts.alerts = [] } == .send)
  }

  @Test("quiet hours of now count, not those of when it was planned")
  func quietHours() throws {
    let profile = UserProfile(
      timeZone: "Europe/Madrid", switches: [.push: true], quietHoursStart: TimeOfDay("13:00"),
      quietHoursEnd: TimeOfDay("15:00"))
    let end = try #require(Timestamp("2026-07-01T13:00:00Z"))
    #expect(try decision { facts, _ in facts.profile = profile } == .wait(until: end, .quietHours))
    #expect(
      try decision { facts, row in
        facts.profile = profile
        row.priority = .critical
      } == .send)
    var strict = profile
    strict.quietHoursApplyToCritical = true
    #expect(
      try decision { facts, row in
        facts.profile = strict
        row.priority = .critical
      } == .wait(until: end, .quietHours))
    #expect(
      try decision { facts, row in
        facts.profile = profile
        row.expiresAt = end
      } == .withhold(.expired))
  }

  @Test("the limit of a recipient puts off what is not critical, until a place is free")
  func limit() throws {
    let first = try #require(Timestamp("2026-07-01T06:00:00Z"))
    let two = RecipientLimit.perDay(2)
    func limited(_ deliveries: Int, after earlier: Int = 0) throws -> DeliveryOutcome {
      try decision(
        { facts, row in
          facts.deliveries = deliveries
          facts.firstDelivery = first
          row.expiresAt = first.adding(seconds: 48 * 3600)
        }, after: earlier, limit: two)
    }
    #expect(try limited(1) == .send)
    let free = first.adding(seconds: 24 * 3600)
    #expect(try limited(2) == .wait(until: free, .rateLimited))
    #expect(try limited(1, after: 1) == .wait(until: free, .rateLimited))
    #expect(
      try decision(
        { facts, row in
          (facts.deliveries, facts.firstDelivery) = (2, first)
          row.expiresAt = first.adding(seconds: 12 * 3600)
        }, limit: two) == .withhold(.rateLimited))
    #expect(
      try decision(
        { facts, row in
          facts.deliveries = 9
          row.priority = .critical
        }, limit: two) == .send)
    // What others are sending is known a minute later.
    #expect(
      try decision({ facts, _ in facts.deliveries = 2 }, limit: two)
        == .wait(until: try #require(Timestamp("2026-07-01T12:01:00Z")), .rateLimited))
  }
}
