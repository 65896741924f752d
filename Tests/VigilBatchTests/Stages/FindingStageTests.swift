import Foundation
import TestDatabases
import Testing
import VigilModel
import VigilStorage

@testable import VigilBatch

/// Missed doses of a medication, from the night that finds them to the queue.
@Suite("Alerts of missed doses in runs")
struct FindingStageTests {

  /// The first day without a dose, from the start.
  private static let missed = 20

  /// A person with one dose a day, taken before day 20, whose mother is notified.
  private func database(_ kind: DatabaseKind) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try MorningTablets.insertFamily(into: database)
    try database.storage.importRows { writer in
      let medications = try writer.inserter(
        into: .medications, columns: ["id", "user_id", "name", "dosage", "form", "start_date"],
        now: BatchDatabase.now)
      try medications.upsert([
        .uuid(MorningTablets.tablets), .uuid(MorningTablets.anna), .text("Secretin"), .text("5 mg"),
        .text("pill"),
        .day(MorningTablets.start),
      ])
    }
    try MorningTablets.insertSchedule(into: database)
    try MorningTablets.take(Array(0..<Self.missed), in: database)
    return database
  }

  @discardableResult
  private func night(
    _ day: Int, in database: BatchDatabase, _ mode: RunRecord.Mode = .live, hours: Int64 = 0
  ) throws -> RunRecord {
    let date = MorningTablets.start + day
    return try database.run(
      date...date, thresholds: BatchDatabase.thresholds("v1"), kind: .run, mode: mode,
      continuing: false, at: MorningTablets.instant(after: day, hours: hours))
  }

  private func alerts(in database: BatchDatabase) throws -> [PatternAlertState] {
    try database.storage.alertStates(matching: AlertFilter(metric: .missedStreak))
  }

  /// The rows about missed doses on one channel, in the order in which they were planned.
  private func queue(
    _ columns: String = "template_id", _ table: DeliveryQueue = .live, in database: BatchDatabase
  ) throws -> [String] {
    try database.database.rows(
      """
      SELECT \(columns) FROM \(table.rawValue)
      WHERE template_id LIKE 'missed_streak.%' AND channel = 'push' ORDER BY created_at, level
      """)
  }

  private func act(
    _ kind: AlertAction.Kind, on alert: PatternAlertState, after day: Int,
    in database: BatchDatabase
  ) throws -> AlertActionOutcome {
    try database.storage.carryOut(
      AlertAction(
        kind, alert: alert.id, by: MorningTablets.mother,
        at: MorningTablets.instant(after: day, hours: 1)))
  }

  private static let levels = [3, 7, 14, 21].map { "missed_streak.level_\($0)" }

  @Test("the family is notified of each level once", arguments: DatabaseKind.allCases)
  func notifies(kind: DatabaseKind) throws {
    let database = try database(kind)
    var days: [String: Int] = [:]
    for day in 19...45 {
      try night(day, in: database)
      for template in try queue(in: database) where days[template] == nil { days[template] = day }
      // A night that is run again adds nothing.
      if day % 4 == 0 { try night(day, in: database, hours: 1) }
    }
    #expect(try queue(in: database) == Self.levels)
    #expect(Self.levels.map { days[$0] } == [21, 25, 32, 39])
    let found = try alerts(in: database)
    #expect(found.count == 1)
    let alert = try #require(found.first)
    #expect(
      alert.episode.activeSince == MorningTablets.start + 21
        && alert.episode.lastDeviating == MorningTablets.start + 45
    )
    #expect(alert.episode.isActive && alert.lastNotifiedLevel == .day21)
    #expect(
      Set(
        try queue(
          "recipient_user_id, notification_type, alert_state_id", in: database))
        == ["\(MorningTablets.mother.lowercased)|pattern_alert|\(alert.id.lowercased)"])
    #expect(
      try queue("priority", in: database) == ["high", "high", "critical", "critical"])
    let payload = try #require(try queue("payload", in: database).first)
    #expect(payload.contains(MorningTablets.tablets.lowercased) && !payload.contains("Secretin"))
    #expect(
      try database.database.rows(
        """
        SELECT escalation_type, count(*) FROM escalation_log
        WHERE related_blob_id = '\(alert.id.lowercased)' GROUP BY escalation_type
        """) == ["missed_dose|4"])
    #expect(try database.database.count("shadow_notification_queue") == 0)
  }

  @Test("shadow nights plan what live ones send", arguments: DatabaseKind.allCases)
  func plansInShadow(kind: DatabaseKind) throws {
    let (live, shadow) = (try database(kind), try database(kind))
    for day in 19...33 {
      try night(day, in: live)
      try night(day, in: shadow, .shadow)
    }
    #expect(try queue("dedupe_key", .shadow, in: shadow) == queue("dedupe_key", in: live))
    #expect(try queue(in: shadow).isEmpty && queue("template_id", .shadow, in: live).isEmpty)
    let alert = try #require(try alerts(in: shadow).first)
    #expect(alert.lastNotifiedLevel == nil && alert.shadowNotifiedLevel == .day14)
    // A backfill plans the same.
    let backfill = try database(kind)
    try backfill.run(
      (MorningTablets.start + 19)...(MorningTablets.start + 33),
      thresholds: BatchDatabase.thresholds("v1"),
      at: MorningTablets.instant(after: 33))
    #expect(
      try queue("template_id", .shadow, in: backfill).sorted()
        == queue("template_id", .shadow, in: shadow).sorted())
    try expectSame(backfill.alertStates(), shadow.alertStates())
    // The first live night after shadow ones would notify of what is old; going live counts it.
    #expect(try shadow.storage.alertsNeverNotified() > 0)
    _ = try shadow.storage.withRuns { try $0.goLive(at: MorningTablets.instant(after: 33)) }
    try night(34, in: shadow)
    #expect(try queue(in: shadow).isEmpty)
    try night(39, in: shadow)
    #expect(try queue(in: shadow) == ["missed_streak.level_21"])
  }

  @Test(
    "late doses end the alert, and nothing is sent any more", arguments: DatabaseKind.allCases)
  func retracts(kind: DatabaseKind) throws {
    let database = try database(kind)
    for day in 19...21 { try night(day, in: database) }
    #expect(try queue("status", in: database) == ["pending"])
    try MorningTablets.take([20, 21], in: database)
    try night(21, in: database, hours: 1)
    #expect(try queue("status, status_reason", in: database) == ["cancelled|resolved"])
    #expect(try alerts(in: database).map(\.isRetracted) == [true])
    let open = "SELECT count(*) FROM escalation_log WHERE status = 'pending'"
    #expect(try database.database.rows(open) == ["0"])
    // What is missed from then on is a streak of its own.
    for day in 22...24 { try night(day, in: database) }
    let found = try alerts(in: database)
    #expect(
      found.map(\.episode.activeSince) == [MorningTablets.start + 21, MorningTablets.start + 23])
    #expect(found.map(\.episode.isActive) == [false, true])
    #expect(try queue(in: database) == [Self.levels[0], Self.levels[0]])
  }

  @Test(
    "a streak whose first day moves is the same to the family", arguments: DatabaseKind.allCases)
  func movesFirstDay(kind: DatabaseKind) throws {
    let database = try database(kind)
    for day in 19...26 { try night(day, in: database) }
    #expect(try queue(in: database) == Array(Self.levels.prefix(2)))
    // The dose of day 22: the streak begins on the 23rd and is found from the 24th on.
    try MorningTablets.take([22], in: database)
    try night(27, in: database)
    let found = try alerts(in: database)
    #expect(
      found.filter { !$0.isRetracted }.map(\.episode.activeSince)
        == [21, 24].map { MorningTablets.start + $0 })
    #expect(found.last?.episode.isActive == true && found.last?.lastNotifiedLevel == .day7)
    // Level 7 comes on day 28, and was notified.
    for day in 28...34 { try night(day, in: database) }
    #expect(try queue(in: database) == Array(Self.levels.prefix(2)))
    try night(35, in: database)
    #expect(try queue(in: database) == Array(Self.levels.prefix(3)))
  }

  @Test("what members set is respected", arguments: DatabaseKind.allCases)
  func respectsAnswers(kind: DatabaseKind) throws {
    let database = try database(kind)
    for day in 19...21 { try night(day, in: database) }
    let alert = try #require(try alerts(in: database).first)
    let dismissed = try act(.dismiss, on: alert, after: 21, in: database)
    #expect(dismissed.notifications == 2 && dismissed.escalations == 1)
    #expect(dismissed.alert.dismissedAt == dismissed.action.at)
    for day in 22...25 { try night(day, in: database) }
    #expect(
      try queue("status, status_reason", in: database)
        == ["cancelled|dismissed", "skipped|dismissed"])
    _ = try act(.restore, on: alert, after: 25, in: database)
    try night(26, in: database)
    #expect(
      try queue("template_id, status", in: database).last == "\(Self.levels[1])|pending")
    // Snoozed until day 34, it catches up then.
    _ = try act(.snooze(until: MorningTablets.start + 34), on: alert, after: 30, in: database)
    for day in 31...33 { try night(day, in: database) }
    #expect(
      try queue("template_id, status, status_reason", in: database).last
        == "\(Self.levels[2])|skipped|snoozed")
    try night(34, in: database)
    #expect(
      try queue("template_id, status", in: database).last == "\(Self.levels[2])|pending")
    _ = try act(.acknowledge, on: alert, after: 34, in: database)
    #expect(try alerts(in: database).first?.acknowledgedBy == MorningTablets.mother)
    #expect(
      try database.storage.actions(on: alert.id).map(\.kind.word) == [
        .dismiss, .restore, .snooze, .acknowledge,
      ])
    // A recipient whom the person has excluded is not notified.
    try database.insert(exclusionsBy: MorningTablets.anna, of: [MorningTablets.mother])
    try night(39, in: database)
    #expect(
      try queue("recipient_user_id, template_id", in: database).last
        == "\(MorningTablets.anna.lowercased)|\(Self.levels[3])")
  }
}
