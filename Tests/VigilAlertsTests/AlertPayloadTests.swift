import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilModel

/// The texts of payloads letter by letter: queues hold them, and senders read them.
@Suite struct AlertPayloadTests {
  private let alert = UUID(name: "alert")
  private let person = UUID(name: "person")

  private func notification(
    _ deviation: Double?, occasion: PatternAlertNotification.Occasion = .level,
    windowDays: Int? = nil, change: ValueChange? = nil
  ) throws -> PatternAlertNotification {
    var notification = PatternAlertNotification(
      occasion: occasion,
      series: SeriesKey(user: person, metric: MetricType("sleep_minutes"), pattern: .drop),
      alertStateID: alert, level: .day7, activeSince: try #require(Day("2026-03-01")),
      evaluatedDay: try #require(Day("2026-03-07")), deviation: deviation, windowDays: windowDays)
    notification.change = change
    return notification
  }

  /// The rows of two alerts for one recipient.
  private func twoAlerts() throws -> [PlannedNotification] {
    try [-0.5, -1].enumerated().flatMap { number, deviation in
      var alert = try notification(deviation)
      alert.alertStateID = UUID(name: "alert \(number)")
      return alert.planned(
        for: [(UUID(name: "mother"), DeliveryPreferences(nil, zones: .system))],
        by: NotificationPolicy(groupsByRecipient: true),
        at: Timestamp(microseconds: 1_780_000_000_000_000))
    }
  }

  private func standard(
    _ deviation: String, kind: String = "pattern_alert", windowDays: Int? = nil,
    limit: String = "", direction: String = ""
  ) -> String {
    #"{"active_since":"2026-03-01","# + limit + #""detail":"standard","deviation":"# + deviation
      + direction + #","duration_days":7,"evaluated_end_date":"2026-03-07","kind":""# + kind
      + #"","level":7,"member_user_id":""#
      + person.lowercased
      + #"","metric_type":"sleep_minutes","pattern_type":"drop_vs_baseline","severity":"attention""#
      + (windowDays.map { ",\"window_days\":\($0)" } ?? "") + "}"
  }

  @Test(
    arguments: [
      (-0.322, "-0.322"), (-1, "-1.0"), (0, "0.0"), (1e-7, "1e-07"), (nil, "null"),
    ] as [(Double?, String)])
  func aStandardPayload(deviation: Double?, text: String) throws {
    #expect(try notification(deviation).payload(.standard).text == standard(text))
  }

  @Test(arguments: [PatternAlertNotification.Occasion.level, .recovery])
  func evidenceSaysTheWindowOfTheDeviation(occasion: PatternAlertNotification.Occasion) throws {
    let notification = try notification(-0.38, occasion: occasion, windowDays: 9)
    let kind = occasion == .level ? "pattern_alert" : "pattern_recovery"
    #expect(
      notification.payload(.standard).text == standard("-0.38", kind: kind, windowDays: 9))
    #expect(!notification.payload(.reference).text.contains("window"))
  }

  @Test func theSideOfWhatIsUsualIsSaidWhereTheFiguresShowIt() throws {
    for (change, direction) in [(ValueChange.lower, "lower"), (.higher, "higher")] {
      #expect(
        try notification(-0.2, change: change).payload(.standard).text
          == standard("-0.2", direction: #","direction":"\#(direction)""#))
    }
    #expect(
      try notification(2.11, change: .below(80)).payload(.standard).text
        == standard("2.11", limit: #""below_limit":80.0,"#))
    #expect(
      try notification(0, change: .unclear).payload(.standard).text == standard("0.0"))
  }

  @Test func aRecoveryHasItsOwnKind() throws {
    #expect(
      try notification(-0.05, occasion: .recovery).payload(.standard).text
        == standard("-0.05", kind: "pattern_recovery"))
  }

  @Test func aReference() throws {
    let text =
      #"{"alert_state_id":""# + alert.lowercased
      + #"","detail":"reference","level":7,"template_id":"pattern_alert.level_7"}"#
    #expect(try notification(nil).payload(.reference).text == text)
  }

  @Test(arguments: PayloadDetail.allCases)
  func aGroupHoldsThePayloadsOfItsAlerts(detail: PayloadDetail) throws {
    var graver = try notification(-1)
    graver.level = .day14
    graver.alertStateID = UUID(name: "graver alert")
    let alerts = [graver, try notification(-0.5)]
    let rows = alerts.reversed().flatMap { alert in
      alert.planned(
        for: [(UUID(name: "mother"), DeliveryPreferences(nil, zones: .system))],
        by: NotificationPolicy(payloadDetail: detail, groupsByRecipient: true),
        at: Timestamp(microseconds: 1_780_000_000_000_000))
    }
    let group = try #require(NotificationGroup.groups(of: rows).first)
    let members = alerts.map { $0.payload(detail).text }.joined(separator: ",")
    let text =
      switch detail {
      case .standard:
        #"{"alerts":[\#(members)],"detail":"standard","kind":"pattern_alert_group","level":14,"#
          + #""severity":"critical"}"#
      case .reference:
        #"{"alerts":[\#(members)],"detail":"reference","level":14,"#
          + #""template_id":"pattern_alert.group"}"#
      }
    #expect(group.notification.payload == text)
  }

  /// PostgreSQL gives a document back with its keys in another order and with spaces.
  @Test func aGroupIsTheSameFromEitherDatabase() throws {
    let rows = try twoAlerts()
    let respaced = rows.map { row in
      var row = row
      row.payload = row.payload.replacing(",\"", with: " , \"").replacing("\":", with: "\": ")
      return row
    }
    #expect(rows.map(\.payload) != respaced.map(\.payload))
    #expect(NotificationGroup.groups(of: rows) == NotificationGroup.groups(of: respaced))
  }

  /// Its detail is that of a reference, which says least.
  @Test func aPayloadOfNoAlertIsInItsGroupAsItIs() throws {
    let foreign = try twoAlerts().map { row in
      var row = row
      row.payload = #"{"note":"it's; fine","level":7,"list":[null,true,0.5]}"#
      return row
    }
    let member = #"{"level":7,"list":[null,true,0.5],"note":"it's; fine"}"#
    let groups = NotificationGroup.groups(of: foreign)
    #expect(groups.count == 2)
    for group in groups {
      #expect(
        group.notification.payload
          == #"{"alerts":[\#(member),\#(member)],"detail":"reference","level":7,"#
          + #""template_id":"pattern_alert.group"}"#)
    }
  }
}
