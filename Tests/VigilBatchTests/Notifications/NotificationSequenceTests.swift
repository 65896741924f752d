import Foundation
import Logging
import Synchronization
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Notifications of an alert to which several things happen one after the other.
@Suite struct NotificationSequenceTests {
  private static let first = Day(ordinal: 20_000)
  private let person = UUID(name: "watched person")
  private let other = UUID(name: "another watched person")
  private let mother = UUID(name: "their mother")
  /// 03:00 in UTC.
  private let night = Timestamp(microseconds: 1_789_959_600_000_000)

  /// A person whose mother is notified about their steps, which drop on day 30.
  private func database(_ kind: DatabaseKind) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try insert("8000x30 4000x12 8000x20", of: person, into: database)
    try addToFamily(person, .member, in: database)
    try addToFamily(mother, .admin, in: database)
    return database
  }

  private func insert(
    _ steps: SeriesNotation, of person: UUID, into database: BatchDatabase
  ) throws {
    let values = steps.values.enumerated().map { (Self.first + $0, $1) }
    try database.insert([
      .init(person: person, metric: "steps", values: Dictionary(uniqueKeysWithValues: values))
    ])
  }

  private func addToFamily(
    _ user: UUID, _ role: FamilyMember.Role, in database: BatchDatabase
  ) throws {
    try database.insert([
      FamilyMember(
        family: UUID(name: "family"), user: user, role: role, inviteStatus: .accepted)
    ])
  }

  /// One run a night, all within a minute, so that nothing becomes due in between.
  private func run(
    _ nights: ClosedRange<Int>, in database: BatchDatabase, _ thresholds: Thresholds,
    _ mode: RunRecord.Mode = .live
  ) throws {
    for offset in nights {
      let day = Self.first + offset
      try database.run(
        day...day, thresholds: thresholds, kind: .run, mode: mode,
        at: night.adding(seconds: Int64(offset)))
    }
  }

  private func alert(of person: UUID, in database: BatchDatabase) throws -> PatternAlertState {
    try #require(
      try database.storage.alertStates(matching: AlertFilter(users: [person], isActive: true)).last)
  }

  private func say(
    _ kind: AlertAction.Kind, of person: UUID, in database: BatchDatabase, minute: Int64 = 2
  ) throws {
    let alert = try alert(of: person, in: database)
    _ = try database.storage.carryOut(
      AlertAction(kind, alert: alert.id, by: mother, at: night.adding(seconds: minute * 60)))
  }

  private func send(_ database: BatchDatabase) throws {
    try database.database.execute(
      "UPDATE notification_queue SET status = 'sent' WHERE status = 'pending'")
  }

  /// The rows of one channel in the queue, lowest level first.
  private func queue(
    _ database: BatchDatabase, _ channel: String = "push",
    _ columns: String = "template_id, status, coalesce(status_reason, '-')"
  ) throws -> [String] {
    try database.database.rows(
      """
      SELECT \(columns) FROM notification_queue WHERE channel = '\(channel)'
      ORDER BY length(template_id), template_id, recipient_user_id
      """
    ).map { $0.replacing("pattern_alert.", with: "") }
  }

  // MARK: Do not disturb

  @Test(arguments: DatabaseKind.allCases)
  func aNotificationWaitsForHoursInWhichItsRecipientIsNotDisturbed(kind: DatabaseKind) throws {
    let database = try database(kind)
    // They begin within the quiet hours of recipients without a profile, and end after these.
    try database.database.execute(
      """
      INSERT INTO do_not_disturb (user_id, weekday, starts_at, ends_at)
      VALUES ('\(mother.lowercased)', \(night.utcDay.weekday), '06:30', '09:30')
      """)
    try run(30...33, in: database, BatchDatabase.thresholds("v2"))
    let due = night.utcDay.midnight.adding(seconds: 9 * 3600 + 30 * 60)
    #expect(try queue(database, "push", "scheduled_for, status_reason") == ["\(due)|quiet_hours"])
    #expect(try queue(database, "in_app", "coalesce(status_reason, '-')") == ["-"])
  }

  // MARK: Groups

  @Test(arguments: DatabaseKind.allCases)
  func anAlertAfterItsSnoozeJoinsTheGroupOfTheNight(kind: DatabaseKind) throws {
    var thresholds = try BatchDatabase.thresholds("v2")
    thresholds.notify.groupsByRecipient = true
    let database = try database(kind)
    try insert("8000x39 4000x12 8000x11", of: other, into: database)
    try addToFamily(other, .member, in: database)
    try run(30...33, in: database, thresholds)
    try send(database)
    try say(.snooze(until: Self.first + 40), of: person, in: database)
    try run(34...40, in: database, thresholds)
    #expect(
      try queue(database) == [
        "group|pending|quiet_hours", "level_3|sent|quiet_hours", "level_3|skipped|grouped",
        "level_7|skipped|grouped",
      ])
    // The group still covers the other alert.
    try say(.dismiss, of: other, in: database, minute: 3)
    #expect(try queue(database).first == "group|pending|quiet_hours")
    try say(.dismiss, of: person, in: database, minute: 4)
    #expect(try queue(database).first == "group|cancelled|dismissed")
  }

  // MARK: Late data

  @Test(arguments: DatabaseKind.allCases)
  func shadowCatchesUpLikeLiveAfterASnoozeThatAnotherFirstDayTakesOver(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let live = try database(kind)
    let shadow = try live.copy()
    for (mode, database) in [(RunRecord.Mode.live, live), (.shadow, shadow)] {
      try run(30...33, in: database, thresholds, mode)
      try send(database)
      try say(.snooze(until: Self.first + 37), of: person, in: database)
      // The drop turns out to have begun earlier, so that a higher level is reached at once.
      try insert("8000x26 4000x16 8000x20", of: person, into: database)
      try run(34...37, in: database, thresholds, mode)
    }
    #expect(try alert(of: person, in: live).lastNotifiedLevel == .day7)
    #expect(try alert(of: person, in: shadow).shadowNotifiedLevel == .day7)
    let notified = "template_id, CASE WHEN status = 'sent' THEN 'pending' ELSE status END"
    #expect(
      try queue(live, "push", notified)
        == shadow.database.rows(
          """
          SELECT \(notified) FROM shadow_notification_queue WHERE channel = 'push'
          ORDER BY template_id, recipient_user_id
          """
        ).map { $0.replacing("pattern_alert.", with: "") })
  }

  @Test(arguments: DatabaseKind.allCases, ["8000x30 4000x12 8000x20", "8000x27 4000x15 8000x20"])
  func whatWasSaidLastHoldsWhereverLateDataShiftTheFirstDay(
    kind: DatabaseKind, shifted: SeriesNotation
  ) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try database(kind)
    try run(30...33, in: database, thresholds)
    try say(.dismiss, of: person, in: database)
    try insert("8000x28 4000x14 8000x20", of: person, into: database)
    try run(34...34, in: database, thresholds)
    #expect(try alert(of: person, in: database).dismissedAt != nil)
    try say(.restore, of: person, in: database, minute: 3)
    try insert(shifted, of: person, into: database)
    try run(35...35, in: database, thresholds)
    #expect(try alert(of: person, in: database).dismissedAt == nil)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aDismissalHoldsWhenLateDataShiftTheFirstDayBack(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try database(kind)
    try run(30...33, in: database, thresholds)
    try insert("8000x31 4000x11 8000x20", of: person, into: database)
    try run(34...34, in: database, thresholds)
    try say(.dismiss, of: person, in: database)
    try insert("8000x30 4000x12 8000x20", of: person, into: database)
    try run(35...38, in: database, thresholds)
    #expect(try alert(of: person, in: database).dismissedAt != nil)
    #expect(try queue(database).last == "level_7|skipped|dismissed")
  }

  // MARK: Holding

  /// Plans level 7 of the person while the alert is snoozed, held because of the other person's
  /// notifications, and releases it after the snooze was taken back.
  private func releaseWhatWasSnoozed(in database: BatchDatabase) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    try insert("8000x34 4000x12 8000x16", of: other, into: database)
    try run(30...33, in: database, thresholds)
    try say(.snooze(until: Self.first + 40), of: person, in: database)
    let day = Self.first + 35
    let held = try database.run(
      day...day, thresholds: thresholds, kind: .run, mode: .live, rateLimit: .count(0), at: night)
    #expect(held.counts.notificationsHeld > 0)
    try say(.restore, of: person, in: database, minute: 3)
    _ = try HeldRunDecision(storage: database.storage, zones: .system)
      .carryOut(.release, run: held.id, at: night.adding(seconds: 300))
  }

  @Test(arguments: DatabaseKind.allCases)
  func whatIsRestoredBeforeItsReleaseSaysThatItWaitsForTheMorning(kind: DatabaseKind) throws {
    let database = try database(kind)
    try releaseWhatWasSnoozed(in: database)
    #expect(try queue(database).last == "level_7|pending|quiet_hours")
  }

  @Test(arguments: DatabaseKind.allCases)
  func aRecipientWithEveryChannelOffIsNotNotifiedOfARestoredAlert(kind: DatabaseKind) throws {
    let database = try database(kind)
    let no = kind == .sqlite ? "0" : "false"
    try database.database.execute(
      "INSERT INTO user_profiles (user_id, notify_in_app) VALUES ('\(mother.lowercased)', \(no))")
    try releaseWhatWasSnoozed(in: database)
    #expect(try queue(database, "in_app").last == "level_7|skipped|preference_off")
  }

  // MARK: Time

  @Test(arguments: DatabaseKind.allCases)
  func aRunThatTakesLongerThanAnAnswerMayTakeEndsAllTheSame(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try database(kind)
    // From noon on nothing waits for the morning.
    let clock = Mutex([0, 0, 5 * 3_600].map { night.adding(seconds: 9 * 3_600 + $0) })
    let day = Self.first + 31
    var options = RunOptions()
    options.rateLimit = .count(.max)
    let outcome = try BatchEngine(
      storage: database.storage,
      request: RunRequest(
        RunScope(
          kind: .run, days: day...day, mode: .live, thresholds: thresholds,
          vitality: try BatchDatabase.vitality("v1")),
        options: options, origin: .test),
      surroundings: .init(
        now: { clock.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }, zones: .system),
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    ).run()
    #expect(outcome.run.status == .succeeded)
    #expect(try database.database.rows("SELECT status FROM escalation_log") == ["pending"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func whatWasPlannedLongBeforeTheRunWasContinuedIsDueThen(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try database(kind)
    try insert("8000x30 4000x12 8000x20", of: other, into: database)
    try addToFamily(other, .member, in: database)
    let day = Self.first + 31
    // Planned at noon, continued in the next night but one.
    try database.run(
      day...day, thresholds: thresholds, stoppingAfter: 1, kind: .run, mode: .live, batchSize: 1,
      at: night.adding(seconds: 9 * 3_600))
    #expect(try queue(database).isEmpty)
    let later = night.adding(seconds: 2 * 86_400)
    let run = try database.run(
      day...day, thresholds: thresholds, kind: .run, mode: .live, batchSize: 1, at: later)
    #expect(run.status == .succeeded)
    #expect(
      try queue(database) == Array(repeating: "level_3|pending|quiet_hours", count: 2))
    #expect(try queue(database, "in_app") == Array(repeating: "level_3|pending|-", count: 2))
    #expect(try Set(queue(database, "in_app", "expires_at")).count == 1)
  }
}
