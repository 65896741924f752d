import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilModel
import VigilStorage

@testable import VigilDispatch

@Suite("The quota of text messages")
struct MessageQuotaTests {
  private func decision(
    _ count: MessageCount, after earlier: Int = 0, quota: Int? = 3, at now: String,
    _ change: (inout ClaimedNotification) -> Void = { _ in }
  ) throws -> DeliveryOutcome {
    var row = try sampleRow()
    row.channel = .sms
    // Emergency contacts have neither channels nor quiet hours.
    row.contact = UUID(name: "contact")
    change(&row)
    return row.outcome(
      in: ClaimCircumstances(), limit: nil,
      quota: quota.map { MessageQuota($0, count, after: earlier) }, zones: .system,
      at: try #require(Timestamp(now)))
  }

  @Test("below the quota, without one, and where the row counts already, it is sent")
  func sends() throws {
    let noon = "2026-07-01T12:00:00Z"
    #expect(try decision(.init(others: 2), at: noon) == .send)
    #expect(try decision(.init(others: 9), quota: nil, at: noon) == .send)
    #expect(try decision(.init(others: 3, includesRow: true), at: noon) == .send)
    #expect(try decision(.init(others: 9), at: noon) { $0.priority = .critical } == .send)
  }

  @Test("beyond it the row waits for the next month, or is cancelled where it would expire")
  func beyond() throws {
    #expect(
      try decision(.init(others: 3), at: "2026-07-01T12:00:00Z") == .withhold(.monthlyQuota))
    let next = try #require(Timestamp("2026-08-01T00:00:00Z"))
    #expect(
      try decision(.init(others: 3), at: "2026-07-31T12:00:00Z") {
        $0.expiresAt = next.adding(seconds: 3600)
      } == .wait(until: next, .monthlyQuota))
    #expect(
      try decision(.init(others: 3), at: "2026-12-31T23:00:00Z") {
        $0.expiresAt = Timestamp(microseconds: .max)
      } == .wait(until: try #require(Timestamp("2027-01-01T00:00:00Z")), .monthlyQuota))
  }

  @Test("messages that are under way are known a minute later")
  func underWay() throws {
    let soon = try #require(Timestamp("2026-07-01T12:01:00Z"))
    for (count, earlier) in [(MessageCount(others: 3, underWay: 1), 0), (.init(others: 2), 1)] {
      #expect(
        try decision(count, after: earlier, at: "2026-07-01T12:00:00Z")
          == .wait(until: soon, .monthlyQuota))
    }
  }

  @Test("months have the days that they have")
  func months() throws {
    func check(_ day: String, _ first: String, _ next: String) throws {
      let day = try #require(Day(day))
      #expect(day.firstOfMonth.description == first)
      #expect(day.firstOfNextMonth.description == next)
    }
    try check("2026-02-28", "2026-02-01", "2026-03-01")
    try check("2028-02-29", "2028-02-01", "2028-03-01")
    try check("2026-12-31", "2026-12-01", "2027-01-01")
    try check("2026-01-01", "2026-01-01", "2026-02-01")
  }

  @Test("the end of a message is that of its attempt")
  func ends() {
    let code = DeliveryErrorCode("timeout")
    #expect(DeliveryAnswer(.delivered).messageEnd == .sent)
    #expect(DeliveryAnswer(.failed(code, after: nil), isUncertain: true).messageEnd == .unknown)
    #expect(DeliveryAnswer(.failed(code, after: nil)).messageEnd == .notSent)
    #expect(DeliveryAnswer(.refused(code)).messageEnd == .notSent)
  }
}
