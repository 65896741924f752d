import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilModel

/// Payloads hold what their schema says, and nothing else gets past it.
@Suite struct PayloadSchemaTests {
  private let schema: JSONSchema
  private let profile = Profile(version: "v1", digest: String(repeating: "ab", count: 32))

  init() throws {
    schema = try JSONSchema(
      contentsOf: SharedFolder.repository.appending(
        path: "schemas/notification_payload.schema.json"))
  }

  private func notification(
    _ occasion: PatternAlertNotification.Occasion = .level, level: AlertLevel = .day7,
    metric: String = "steps", pattern: PatternType = .drop, deviation: Double? = -0.25,
    windowDays: Int? = nil
  ) throws -> PatternAlertNotification {
    let since = try #require(Day("2026-03-01"))
    let series = SeriesKey(
      user: UUID(name: "person"), metric: MetricType(metric), pattern: pattern)
    return PatternAlertNotification(
      occasion: occasion, series: series,
      alertStateID: PatternAlertState.id(of: series, activeSince: since, in: profile), level: level,
      activeSince: since, evaluatedDay: since + (level.rawValue - 1), deviation: deviation,
      windowDays: windowDays)
  }

  private func payload(
    level: AlertLevel = .day7, metric: String = "steps", pattern: PatternType = .drop,
    deviation: Double? = -0.25
  ) throws -> JSON {
    try JSON(
      text: notification(level: level, metric: metric, pattern: pattern, deviation: deviation)
        .payload(.standard).text)
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

  @Test(
    arguments: AlertLevel.allCases, [PatternAlertNotification.Occasion.level, .recovery])
  func aReferenceSaysIdsTemplateAndLevelOnly(
    level: AlertLevel, occasion: PatternAlertNotification.Occasion
  ) throws {
    let payload = try JSON(text: notification(occasion, level: level).payload(.reference).text)
    #expect(schema.problems(of: payload) == [])
    #expect(
      Set(payload.members.keys) == ["alert_state_id", "detail", "level", "template_id"])
    for key in ["member_user_id", "metric_type", "deviation", "active_since"] {
      var members = payload.members
      members[key] = .string("x")
      #expect(schema.problems(of: .object(members)) == ["$.\(key): additionalProperties"])
    }
  }

  @Test(arguments: [1, 9, 28])
  func thePayloadOfEvidenceFits(windowDays: Int) throws {
    let notification = try notification(windowDays: windowDays)
    let payload = try JSON(text: notification.payload(.standard).text)
    #expect(schema.problems(of: payload) == [])
    #expect(payload["window_days"] == .number(Double(windowDays)))
    for value in [.number(0), .number(2.5), .string("9"), .null] as [JSON] {
      var members = payload.members
      members["window_days"] = value
      let problems = schema.problems(of: .object(members))
      #expect(!problems.isEmpty && problems.allSatisfy { $0.hasPrefix("$.window_days: ") })
    }
    let reference = try JSON(text: notification.payload(.reference).text)
    #expect(
      Set(reference.members.keys) == ["alert_state_id", "detail", "level", "template_id"])
  }

  @Test func thePayloadOfMissedDosesFits() throws {
    let opened = try #require(Day("2026-03-07"))
    let evidence = DoseEvidence(
      openedOn: opened, windowDays: 10, missed: 8, expected: 10, evidence: 12.4, threshold: 9.7,
      heldLevel: 0.8,
      anchor: DoseAnchor(
        missed: 0, expected: 120, share: 0.001, withinDay: 0.5,
        weekdays: SIMD8(repeating: 0.001), run: 0, countedDoses: 125), recordedOn: opened - 2)
    for (day, isOpening, isRecorded) in [
      (opened, true, true), (opened + 1, false, true), (opened - 3, false, false),
    ] {
      var notification = try notification(metric: "dose_adherence_pct")
      notification.doses = AlertPayload.Doses(evidence, on: day)
      let payload = try JSON(text: notification.payload(.standard).text)
      #expect(schema.problems(of: payload) == [])
      #expect(payload["doses"]?["missed"] == (isOpening ? .number(8) : nil))
      #expect(payload["doses"]?["expected"] == (isOpening ? .number(10) : nil))
      #expect(payload["doses"]?["is_recorded"] == .boolean(isRecorded))
      #expect(payload["doses"]?["usual"]?["missed"] == .number(0))
      let reference = try JSON(text: notification.payload(.reference).text)
      #expect(reference["doses"] == nil)
    }
  }

  /// The members of a group are read from the texts of their rows and written again.
  @Test func aGroupKeepsTheWindows() throws {
    let rows = try [3, 9].flatMap { (days: Int) in
      try notification(metric: "metric_\(days)", windowDays: days).planned(
        for: [(UUID(name: "mother"), DeliveryPreferences(nil, zones: .system))],
        by: NotificationPolicy(groupsByRecipient: true),
        at: Timestamp(microseconds: 1_780_000_000_000_000))
    }
    let group = try #require(NotificationGroup.groups(of: rows).first)
    let payload = try JSON(text: group.notification.payload)
    #expect(schema.problems(of: payload) == [])
    let windows = payload["alerts"]?.elements.compactMap { $0["window_days"] } ?? []
    #expect(windows.count == 2 && Set(windows) == [.number(3), .number(9)])
  }

  @Test(arguments: MetricType.ofMedications, PayloadDetail.allCases)
  func thePayloadOfAMedicationFits(metric: MetricType, detail: PayloadDetail) throws {
    let day = try #require(Day("2026-03-07"))
    let series = SeriesKey(
      user: UUID(name: "person"), medication: UUID(name: "tablets"), metric: metric,
      pattern: .medication)
    // One dose that is overdue has one level.
    let isDose = metric == .missedDose
    for level in isDose ? [.day3] : AlertLevel.allCases {
      let rows = PatternAlertNotification(
        series: series, alertStateID: UUID(name: "alert"), level: level, activeSince: day - 3,
        evaluatedDay: day, deviation: nil
      ).planned(
        for: [(UUID(name: "mother"), DeliveryPreferences(nil, zones: .system))],
        by: NotificationPolicy(payloadDetail: detail, groupsByRecipient: true),
        at: Timestamp(microseconds: 1_780_000_000_000_000))
      #expect(rows.map(\.channel) == [.push, .inApp])
      #expect(rows.allSatisfy { $0.kind == .patternAlert && $0.groupNight == nil })
      #expect(rows.allSatisfy { $0.templateID == "\(metric).level_\(level.rawValue)" })
      let severity: Severity = isDose ? .watch : level <= .day7 ? .attention : .critical
      #expect(rows.allSatisfy { $0.priority == .init(severity) })
      let payload = try JSON(text: rows[0].payload)
      #expect(schema.problems(of: payload) == [])
      switch detail {
      case .standard:
        #expect(payload["medication_id"] == .string(UUID(name: "tablets").lowercased))
        #expect(payload["severity"] == .string(severity.rawValue))
        #expect(payload["deviation"] == .null)
      case .reference:
        #expect(Set(payload.members.keys) == ["alert_state_id", "detail", "level", "template_id"])
      }
      for key in ["name", "missed_doses", "note"] {
        var members = payload.members
        members[key] = .string("x")
        #expect(schema.problems(of: .object(members)) == ["$.\(key): additionalProperties"])
      }
    }
  }

  @Test func aRecoveryFits() throws {
    let payload = try JSON(text: notification(.recovery).payload(.standard).text)
    #expect(schema.problems(of: payload) == [])
  }

  @Test(arguments: PayloadDetail.allCases)
  func aGroupFits(detail: PayloadDetail) throws {
    let rows = try ["steps", "hrv_ms", "sleep_minutes"].flatMap { metric in
      try notification(metric: metric).planned(
        for: [(UUID(name: "mother"), DeliveryPreferences(nil, zones: .system))],
        by: NotificationPolicy(payloadDetail: detail, groupsByRecipient: true),
        at: Timestamp(microseconds: 1_780_000_000_000_000))
    }
    let groups = NotificationGroup.groups(of: rows)
    #expect(groups.count == 2)
    for group in groups {
      let payload = try JSON(text: group.notification.payload)
      #expect(schema.problems(of: payload) == [])
      #expect(payload["alerts"]?.elements.count == 3)
      #expect(payload["detail"] == .string(detail.rawValue))
    }
  }

  @Test func everyKeyIsRequired() throws {
    let payload = try payload()
    #expect(payload.members.count == 11)
    for key in payload.members.keys where key != "detail" {
      var members = payload.members
      members[key] = nil
      #expect(schema.problems(of: .object(members)) == ["$.\(key): required"])
    }
    var members = payload.members
    members["detail"] = nil
    #expect(schema.problems(of: .object(members)).contains("$.detail: required"))
  }

  /// Keys that could identify the person, or reveal a measured value.
  @Test(arguments: ["name", "email", "medication", "recent_value", "baseline_value", "note"])
  func noOtherKeyIsAllowed(key: String) throws {
    var members = try payload().members
    members[key] = .string("x")
    #expect(schema.problems(of: .object(members)) == ["$.\(key): additionalProperties"])
  }

  @Test(
    arguments: [
      ("active_since", .string("2026-13-01")), ("active_since", .number(20_000)),
      ("detail", .string("full")), ("deviation", .string("-0.25")),
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
    let definitions = try #require(schema.root["$defs"])
    func words(_ key: String) throws -> [JSON] {
      try #require(definitions[key]?["enum"] ?? definitions["alert"]?["properties"]?[key]?["enum"])
        .elements
    }
    #expect(try words("level") == AlertLevel.allCases.map { .number(Double($0.rawValue)) })
    #expect(try words("severity") == Severity.allCases.map { .string($0.rawValue) })
    #expect(try words("pattern_type") == PatternType.allCases.map { .string($0.rawValue) })
  }
}
