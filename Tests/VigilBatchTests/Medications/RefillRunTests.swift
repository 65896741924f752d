import Foundation
import TestDatabases
import Testing
import VigilModel
import VigilStorage

@testable import VigilBatch

/// The supply of a medication, from the night that finds it low to the queue.
@Suite("Refills in runs")
struct RefillRunTests {
  private static let levels = [3, 7, 14, 21].map { "refill_due.level_\($0)" }

  /// The day of the count, from the start; 20 tablets are left after its dose, 7 on day 22.
  private static let counted = 9
  private static let due = 22

  /// A person with one dose a day, whose mother is notified.
  private func database(
    _ kind: DatabaseKind, units: Int = 20, countedOn day: Int = counted
  ) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try MorningTablets.insertFamily(into: database)
    try count(units, on: day, in: database)
    try MorningTablets.insertSchedule(into: database)
    return database
  }

  /// States how many tablets are left at noon of a day; nil withdraws what was stated.
  private func count(_ units: Int?, on day: Int, in database: BatchDatabase) throws {
    try database.storage.importRows { writer in
      let medications = try writer.inserter(
        into: .medications,
        columns: [
          "id", "user_id", "name", "dosage", "form", "start_date", "refill_reminder_enabled",
          "refill_remaining_quantity", "refill_counted_at",
        ], now: BatchDatabase.now)
      try medications.upsert([
        .uuid(MorningTablets.tablets), .uuid(MorningTablets.anna), .text("Secretin"), .text("5 mg"),
        .text("pill"),
        .day(MorningTablets.start), .boolean(true), units.map { .integer(Int64($0)) } ?? .null,
        .timestamp((MorningTablets.start + day).midnight.adding(seconds: 12 * 3600)),
      ])
    }
  }

  /// Logs the doses up to a day, but for some, and evaluates the day.
  private func night(
    _ day: Int, in database: BatchDatabase, _ mode: RunRecord.Mode = .live, hours: Int64 = 0,
    without missing: Set<Int> = []
  ) throws {
    try MorningTablets.take((0...day).filter { !missing.contains($0) }, in: database)
    let date = MorningTablets.start + day
    try database.run(
      date...date, thresholds: BatchDatabase.thresholds("v1"), kind: .run, mode: mode,
      continuing: false, at: MorningTablets.instant(after: day, hours: hours))
  }

  private func alerts(in database: BatchDatabase) throws -> [PatternAlertState] {
    try database.storage.alertStates(matching: AlertFilter(metric: .refillDue))
  }

  /// The rows about refills on one channel, in the order in which they were planned.
  private func queue(
    _ columns: String = "template_id", _ table: DeliveryQueue = .live, in database: BatchDatabase
  ) throws -> [String] {
    try database.database.rows(
      """
      SELECT \(columns) FROM \(table.rawValue)
      WHERE template_id LIKE 'refill_due.%' AND channel = 'push' ORDER BY created_at, level
      """)
  }

  /// The days of the insights that families see, from the start, with the days left.
  private func insights(in database: BatchDatabase) throws -> [Int: Double?] {
    var filter = InsightFilter(users: [MorningTablets.anna])
    filter.rules = [.refillDue]
    let found = try database.storage.trendInsights(matching: filter)
      .filter { $0.suppressedReason == nil }
    return Dictionary(
      uniqueKeysWithValues: found.map { ($0.day - MorningTablets.start, $0.daysLeft) })
  }

  @discardableResult
  private func act(
    _ kind: AlertAction.Kind, after day: Int, in database: BatchDatabase
  ) throws -> AlertActionOutcome {
    let alert = try #require(try alerts(in: database).last)
    return try database.storage.carryOut(
      AlertAction(
        kind, alert: alert.id, by: MorningTablets.mother,
        at: MorningTablets.instant(after: day, hours: 1)))
  }

  @Test("the family is notified of each level once", arguments: DatabaseKind.allCases)
  func notifies(kind: DatabaseKind) throws {
    let database = try database(kind)
    var days: [String: Int] = [:]
    for day in 20...42 {
      try night(day, in: database)
      for template in try queue(in: database) where days[template] == nil { days[template] = day }
      // A night that is run again adds nothing.
      if day % 4 == 0 { try night(day, in: database, hours: 1) }
    }
    #expect(try queue(in: database) == Self.levels)
    #expect(Self.levels.map { days[$0] } == [22, 26, 33, 40])
    let found = try alerts(in: database)
    #expect(found.count == 1)
    let alert = try #require(found.first)
    #expect(
      alert.episode.activeSince == MorningTablets.start + Self.due
        && alert.episode.lastDeviating == MorningTablets.start + 42)
    #expect(alert.episode.isActive && alert.lastNotifiedLevel == .day21)
    #expect(
      Set(
        try queue(
          "recipient_user_id, notification_type, alert_state_id", in: database))
        == ["\(MorningTablets.mother.lowercased)|pattern_alert|\(alert.id.lowercased)"])
    #expect(try queue("priority", in: database) == ["high", "high", "critical", "critical"])
    // At 03:00 the mother sleeps; what is critical does not wait.
    let times = try queue(
      "CASE WHEN scheduled_for > created_at THEN 'waits' ELSE 'at once' END", in: database)
    #expect(times == ["waits", "waits", "at once", "at once"])
    for payload in try queue("payload", in: database) {
      #expect(payload.contains(MorningTablets.tablets.lowercased) && !payload.contains("Secretin"))
    }
    #expect(
      try database.database.rows(
        """
        SELECT escalation_type, count(*) FROM escalation_log
        WHERE related_blob_id = '\(alert.id.lowercased)' GROUP BY escalation_type
        """) == ["refill_due|4"])
    #expect(try database.database.count("shadow_notification_queue") == 0)
    let insights = try insights(in: database)
    #expect(insights.keys.sorted() == Array(22...42))
    #expect([22, 25, 29, 42].map { insights[$0] } == [7, 4, 0, 0])
  }

  @Test("shadow nights and a backfill plan what live nights send", arguments: DatabaseKind.allCases)
  func plansInShadow(kind: DatabaseKind) throws {
    let (live, shadow, backfill) = (try database(kind), try database(kind), try database(kind))
    for day in 10...34 {
      try night(day, in: live)
      try night(day, in: shadow, .shadow)
    }
    try MorningTablets.take(Array(0...34), in: backfill)
    try backfill.run(
      (MorningTablets.start + 10)...(MorningTablets.start + 34),
      thresholds: BatchDatabase.thresholds("v1"),
      at: MorningTablets.instant(after: 34))
    #expect(try queue("dedupe_key", .shadow, in: shadow) == queue("dedupe_key", in: live))
    #expect(
      try queue("dedupe_key", .shadow, in: backfill).sorted()
        == queue("dedupe_key", .shadow, in: shadow).sorted())
    #expect(try queue("template_id", .shadow, in: shadow) == Array(Self.levels.prefix(3)))
    try expectSame(backfill.alertStates(), shadow.alertStates())
    #expect(try insights(in: backfill) == insights(in: shadow))
    #expect(try insights(in: shadow) == insights(in: live))
  }

  @Test(
    "a raised quantity ends the alert, and what waits is not sent", arguments: DatabaseKind.allCases
  )
  func ends(kind: DatabaseKind) throws {
    let database = try database(kind)
    for day in 20...23 { try night(day, in: database) }
    #expect(try queue("status", in: database) == ["pending"])
    // Counted after the night's day, it says nothing of the day.
    try count(30, on: 25, in: database)
    try night(23, in: database, hours: 1)
    #expect(try alerts(in: database).map(\.episode.isActive) == [true])
    #expect(try insights(in: database).keys.sorted() == [22, 23])
    // Not yet enough: the alert goes on.
    try count(5, on: 24, in: database)
    try night(24, in: database)
    #expect(try alerts(in: database).map(\.episode.lastDeviating) == [MorningTablets.start + 24])
    try count(30, on: 25, in: database)
    try night(25, in: database)
    let ended = try #require(try alerts(in: database).first)
    #expect(ended.episode.resolution == .init(day: MorningTablets.start + 25, reason: .recovered))
    #expect(try insights(in: database).keys.sorted() == [22, 23, 24])
    let open = "SELECT count(*) FROM escalation_log WHERE status = 'pending'"
    #expect(try database.database.rows(open) == ["0"])
    // 30 tablets on day 25 are 7 on day 48: another alert.
    for day in 26...49 { try night(day, in: database) }
    #expect(
      try alerts(in: database).map(\.episode.activeSince) == [
        MorningTablets.start + 22, MorningTablets.start + 48,
      ])
    #expect(try queue(in: database) == [Self.levels[0], Self.levels[0]])
    // Where no quantity is stated any more, nothing is due.
    try count(nil, on: 50, in: database)
    try night(50, in: database)
    #expect(try alerts(in: database).map(\.episode.isActive) == [false, false])
  }

  @Test(
    "doses that are logged late leave the alert that timely ones would",
    arguments: DatabaseKind.allCases)
  func lateDoses(kind: DatabaseKind) throws {
    let (timely, late) = (try database(kind), try database(kind))
    for day in 13...27 {
      try night(day, in: timely, .shadow)
      try night(day, in: late, .shadow, without: day == 27 ? [] : [15, 16, 17])
      if day == 26 {
        #expect(try alerts(in: late).map(\.episode.activeSince) == [MorningTablets.start + 25])
      }
    }
    let found = try alerts(in: late).filter { !$0.isRetracted }
    #expect(found.map(\.episode.activeSince) == [MorningTablets.start + Self.due])
    #expect(
      try found.map(\.episode.lastDeviating) == alerts(in: timely).map(\.episode.lastDeviating))
    #expect(try insights(in: late) == insights(in: timely))
  }

  @Test("doses since a count of many months ago are read", arguments: DatabaseKind.allCases)
  func oldCount(kind: DatabaseKind) throws {
    let database = try database(kind, units: 220, countedOn: 0)
    try night(212, in: database)
    #expect(try alerts(in: database).isEmpty)
    try night(213, in: database)
    #expect(try alerts(in: database).map(\.episode.activeSince) == [MorningTablets.start + 213])
    #expect(try insights(in: database) == [213: 7])
  }

  @Test(
    "what members set is respected, and a family sees no more of it",
    arguments: DatabaseKind.allCases)
  func respectsAnswers(kind: DatabaseKind) throws {
    let database = try database(kind)
    func shown(_ day: Int) throws -> [TrendRule] {
      try database.storage.familyInsights(
        of: MorningTablets.family, for: MorningTablets.mother, on: nil,
        today: MorningTablets.start + day + 1
      ).map(\.rule)
    }
    for day in 20...22 { try night(day, in: database) }
    #expect(try shown(22) == [.refillDue])
    let dismissed = try act(.dismiss, after: 22, in: database)
    #expect(dismissed.notifications == 2 && dismissed.escalations == 1)
    #expect(try shown(22).isEmpty)
    for day in 23...26 { try night(day, in: database) }
    #expect(
      try queue("status, status_reason", in: database)
        == ["cancelled|dismissed", "skipped|dismissed"])
    try act(.restore, after: 26, in: database)
    #expect(try shown(26) == [.refillDue])
    try night(27, in: database)
    #expect(try queue("template_id, status", in: database).last == "\(Self.levels[1])|pending")
    // Snoozed until day 35, it catches up then.
    try act(.snooze(until: MorningTablets.start + 35), after: 30, in: database)
    for day in 31...34 { try night(day, in: database) }
    #expect(
      try queue("template_id, status, status_reason", in: database).last
        == "\(Self.levels[2])|skipped|snoozed")
    #expect(try shown(33).isEmpty)
    try night(35, in: database)
    #expect(try queue("template_id, status", in: database).last == "\(Self.levels[2])|pending")
    #expect(try shown(35) == [.refillDue])
    // A recipient whom the person has excluded is not notified.
    try database.insert(exclusionsBy: MorningTablets.anna, of: [MorningTablets.mother])
    try night(40, in: database)
    #expect(
      try queue("recipient_user_id, template_id", in: database).last
        == "\(MorningTablets.anna.lowercased)|\(Self.levels[3])")
  }
}
