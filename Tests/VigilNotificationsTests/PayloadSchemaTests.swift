import Foundation
import TestSupport
import Testing
import VigilModel
import VigilNotifications

/// Payloads hold what their schema says, and nothing else gets past it.
@Suite struct PayloadSchemaTests {
  private let schema: JSONSchema

  init() throws {
    schema = try JSONSchema(
      contentsOf: SharedFolder.repository.appending(
        path: "schemas/notification_payload.schema.json"))
  }

  private func payload(
    level: AlertLevel = .day7, metric: String = "steps", pattern: PatternType = .drop,
    deviation: Double? = -0.25
  ) throws -> JSON {
    let since = try #require(Day("2026-03-01"))
    let series = SeriesKey(
      user: UUID(name: "person"), metric: MetricType(metric), pattern: pattern)
    let notification = PatternAlertNotification(
      series: series, alertStateID: PatternAlertState.id(of: series, activeSince: since),
      level: level, activeSince: since, evaluatedDay: since + (level.rawValue - 1),
      deviation: deviation)
    return try JSON(text: notification.payload)
  }

  @Test(arguments: AlertLevel.allCases, PatternType.allCases)
  func everyPayloadFits(level: AlertLevel, pattern: PatternType) throws {
    for metric in ["steps", "hrv_ms", "sleep_efficiency_pct"] {
      for deviation in [nil, -0.25, 0, 1e-7, -1, 3.5e12] as [Double?] {
        let payload = try payload(
          level: level, metric: metric, pattern: pattern, deviation: deviation)
        #expect(schema.problems(of: payload) == [])
      }
    }
  }

  @Test func everyKeyIsRequired() throws {
    let payload = try payload()
    #expect(payload.members.count == 10)
    for key in payload.members.keys {
      var members = payload.members
      members[key] = nil
      #expect(schema.problems(of: .object(members)) == ["$.\(key): required"])
    }
  }

  /// What could tell who the person is, or what was measured.
  @Test(arguments: ["name", "email", "medication", "recent_value", "baseline_value", "note"])
  func noOtherKeyIsAllowed(key: String) throws {
    var members = try payload().members
    members[key] = .string("x")
    #expect(schema.problems(of: .object(members)) == ["$.\(key): additionalProperties"])
  }

  @Test(
    arguments: [
      ("active_since", .string("2026-13-01")), ("active_since", .number(20_000)),
      ("detail", .string("reference")), ("deviation", .string("-0.25")),
      ("evaluated_end_date", .string("2026-03-07T00:00:00Z")), ("kind", .string("reminder")),
      ("level", .number(10)), ("level", .string("7")), ("member_user_id", .string("Ada")),
      ("metric_type", .string("steps of Ada")), ("pattern_type", .string("drop")),
      ("severity", .string("high")), ("severity", .null),
    ] as [(String, JSON)])
  func aValueOfAnotherKindIsRefused(key: String, value: JSON) throws {
    var members = try payload().members
    members[key] = value
    let problems = schema.problems(of: .object(members))
    #expect(!problems.isEmpty && problems.allSatisfy { $0.hasPrefix("$.\(key): ") })
  }

  @Test func theWordsOfTheSchemaAreThoseOfTheModel() throws {
    func words(_ key: String) throws -> [JSON] {
      try #require(schema.root["properties"]?[key]?["enum"]).elements
    }
    #expect(try words("level") == AlertLevel.allCases.map { .number(Double($0.rawValue)) })
    #expect(try words("severity") == Severity.allCases.map { .string($0.rawValue) })
    #expect(try words("pattern_type") == PatternType.allCases.map { .string($0.rawValue) })
  }
}
