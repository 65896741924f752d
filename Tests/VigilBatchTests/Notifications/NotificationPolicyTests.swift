import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Notifications that a recipient does not want, cannot get yet, or gets in a group.
@Suite struct NotificationPolicyTests {
  static let first = Day(ordinal: 20_000)
  private let person = UUID(name: "watched person")
  private let mother = UUID(name: "their mother")
  /// 03:00 in UTC.
  private let night = Timestamp(microseconds: 1_789_959_600_000_000)

  /// A person of a family whose steps drop on day 30 for `days` days, and then recover.
  private func database(_ kind: DatabaseKind, days: Int = 12) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try insert(
      SeriesNotation(stringLiteral: "8000x30 4000x\(days) 8000x20"), of: person, "steps",
      into: database)
    try database.insert([member(person, .member), member(mother, .admin)])
    return database
  }

  private func insert(
    _ notation: SeriesNotation, of person: UUID, _ metric: String, into database: BatchDatabase
  ) throws {
    let values = notation.values.enumerated().map { (Self.first + $0, $1) }
    try database.insert([
      .init(person: person, metric: metric, values: Dictionary(uniqueKeysWithValues: values))
    ])
  }

  private func member(_ user: UUID, _ role: FamilyMember.Role) -> FamilyMember {
    FamilyMember(family: UUID(name: "family"), user: user, role: role, inviteStatus: .accepted)
  }

  /// Nights of which each is a second after the one before, so that nothing becomes due in between.
  private func live(
    _ offsets: ClosedRange<Int>, in database: BatchDatabase, _ thresholds: Thresholds,
    secondsApart: Int64 = 1
  ) throws {
    for offset in offsets {
      try database.run(
        (Self.first + offset)...(Self.first + offset), thresholds: thresholds, kind: .run,
        mode: .live, at: night.adding(seconds: Int64(offset) * secondsApart))
    }
  }

  /// The rows of one channel in the queue, oldest level first.
  private func queue(
    _ database: BatchDatabase, _ channel: String = "push", type: String = "pattern_alert"
  ) throws -> [String] {
    try database.database.rows(
      """
      SELECT template_id, status, coalesce(status_reason, '-') FROM notification_queue
      WHERE channel = '\(channel)' AND notification_type = '\(type)'
      ORDER BY length(template_id), template_id, recipient_user_id
      """
    ).map { $0.replacing("pattern_alert.", with: "") }
  }

  private func alert(_ database: BatchDatabase) throws -> PatternAlertState {
    try #require(try database.storage.alertStates(matching: AlertFilter()).last)
  }

  // MARK: Snoozed and dismissed

  @Test(arguments: DatabaseKind.allCases)
  func aSnoozedAlertCatchesUpWhenItHasEscalatedMeanwhile(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try database(kind)
    try live(30...33, in: database, thresholds)
    try database.database.execute("UPDATE notification_queue SET status = 'sent'")
    let until = Self.first + 40
    _ = try database.storage.carryOut(
      AlertAction(
        .snooze(until: until), alert: alert(database).id, by: mother, at: night))
    try live(34...39, in: database, thresholds)
    #expect(try alert(database).episode.level == .day7)
    #expect(try alert(database).lastNotifiedLevel == .day3)
    #expect(try queue(database) == ["level_3|sent|quiet_hours", "level_7|skipped|snoozed"])
    // On the last day of the snooze it is over.
    try live(40...40, in: database, thresholds)
    #expect(try alert(database).lastNotifiedLevel == .day7)
    let notified = try queue(database)
    #expect(notified.count == 2 && notified[1].hasPrefix("level_7|pending"))
  }

  @Test(arguments: DatabaseKind.allCases)
  func aDismissedAlertIsNotNotifiedAndTheNextOneIs(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try database(kind)
    try insert(
      SeriesNotation("8000x30 4000x8 8000x20 4000x5"), of: person, "steps", into: database)
    try live(30...33, in: database, thresholds)
    let dismissed = try database.storage.carryOut(
      AlertAction(.dismiss, alert: alert(database).id, by: person, at: night))
    #expect(dismissed.alert.dismissedAt == night)
    // What waited for the morning is called off.
    #expect(try queue(database).allSatisfy { $0 == "level_3|cancelled|dismissed" })
    try live(34...61, in: database, thresholds)
    #expect(
      try queue(database) == [
        "level_3|cancelled|dismissed", "level_3|pending|quiet_hours", "level_7|skipped|dismissed",
      ])
    #expect(try alert(database).dismissedAt == nil)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aRestoredAlertIsNotified(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try database(kind)
    try live(30...32, in: database, thresholds)
    let alert = try alert(database).id
    for (minute, action) in [AlertAction.Kind.dismiss, .restore].enumerated() {
      let at = night.adding(seconds: Int64(minute + 1) * 60)
      _ = try database.storage.carryOut(AlertAction(action, alert: alert, by: mother, at: at))
    }
    #expect(try queue(database) == ["level_3|pending|quiet_hours"])
    #expect(try queue(database, "in_app") == ["level_3|pending|-"])
    #expect(try database.storage.actions(on: alert).map(\.kind) == [.dismiss, .restore])
  }

  @Test(arguments: DatabaseKind.allCases)
  func whatIsSaidOfAnAlertHoldsWhenLateDataShiftItsFirstDay(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try database(kind)
    try live(30...34, in: database, thresholds)
    let before = try alert(database)
    for action in [AlertAction.Kind.dismiss, .acknowledge] {
      _ = try database.storage.carryOut(
        AlertAction(action, alert: before.id, by: mother, at: night))
    }
    try database.database.execute("UPDATE notification_queue SET status = 'sent'")
    // The drop turns out to have begun two days earlier.
    try insert(SeriesNotation("8000x28 4000x14 8000x20"), of: person, "steps", into: database)
    try live(35...40, in: database, thresholds)
    let after = try #require(
      try database.storage.alertStates(matching: AlertFilter(isActive: true)).first)
    #expect(after.id != before.id && after.episode.level > .day3)
    #expect(after.dismissedAt == night && after.acknowledgedBy == mother)
    #expect(try queue(database).filter { $0.hasPrefix("level_7") } == ["level_7|skipped|dismissed"])
  }

  // MARK: Preferences and times

  @Test(arguments: DatabaseKind.allCases)
  func aRecipientWithEveryChannelOffIsSkippedOnceALevel(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try database(kind)
    try database.database.execute(
      "INSERT INTO user_profiles (user_id, notify_in_app) VALUES ('\(mother.lowercased)', \(kind.no))"
    )
    try live(30...38, in: database, thresholds)
    #expect(
      try queue(database, "in_app") == [
        "level_3|skipped|preference_off", "level_7|skipped|preference_off",
      ])
    #expect(try queue(database, "push").isEmpty)
    #expect(try alert(database).lastNotifiedLevel == .day7)
    let run = try #require(try database.storage.runs(limit: 1).first)
    #expect(run.counts.notificationsEnqueued == 0 && run.counts.notificationsHeld == 0)
    #expect(try database.rows(of: "escalation_log").isEmpty)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aHigherLevelTakesThePlaceOfALowerOneThatIsNotDueYet(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try database(kind)
    try live(30...38, in: database, thresholds)
    #expect(
      try queue(database) == ["level_3|cancelled|superseded", "level_7|pending|quiet_hours"])
    // What was due at once may have been sent.
    #expect(try queue(database, "in_app") == ["level_3|pending|-", "level_7|pending|-"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func aWaitingNotificationOfAnEndedAlertIsCancelled(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try database(kind, days: 3)
    try live(30...45, in: database, thresholds)
    #expect(try alert(database).episode.resolution != nil)
    #expect(try queue(database) == ["level_3|cancelled|resolved"])
    // In the app it was due at once, and waits until it is read.
    #expect(try queue(database, "in_app") == ["level_3|cancelled|resolved"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func aNotificationNotSentInTimeExpires(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try database(kind)
    try live(30...32, in: database, thresholds, secondsApart: 86_400)
    // Notified on the second of these nights: in the app at once, by push from 07:00 on.
    #expect(try queue(database) == ["level_3|pending|quiet_hours"])
    #expect(try queue(database, "in_app") == ["level_3|cancelled|expired"])
    try live(33...33, in: database, thresholds, secondsApart: 86_400)
    #expect(try queue(database) == ["level_3|cancelled|expired"])
    #expect(try alert(database).lastNotifiedLevel == .day3)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aRecipientExcludedBeforeTheReleaseIsNotNotified(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try database(kind)
    let father = UUID(name: "their father")
    try database.insert([member(father, .admin)])
    let day = Self.first + 31
    let run = try database.run(
      day...day, thresholds: thresholds, kind: .run, mode: .live, rateLimit: .count(0), at: night)
    #expect(run.counts.notificationsHeld == 4)
    try database.insert(exclusionsBy: person, of: [mother])
    _ = try HeldRunDecision(storage: database.storage, zones: .system).carryOut(
      .release, run: run.id, at: night)
    #expect(
      try queue(database, "in_app").sorted() == ["level_3|pending|-", "level_3|skipped|excluded"])
    #expect(try database.rows(of: "escalation_log").count == 1)
  }

  // MARK: Recovery

  @Test(arguments: DatabaseKind.allCases, [true, false])
  func aRecoveryIsNotifiedWhereTheThresholdsSaySo(kind: DatabaseKind, notifies: Bool) throws {
    var thresholds = try BatchDatabase.thresholds("v2")
    thresholds.notify.onRecovery = notifies
    let database = try database(kind)
    let shadow = try database.copy()
    try live(30...52, in: database, thresholds)
    try shadow.runNightly(
      (Self.first + 30)...(Self.first + 52), thresholds: thresholds, mode: .shadow)
    #expect(try alert(database).episode.resolution?.reason == .recovered)
    let notified = try queue(database, "in_app", type: "pattern_recovery")
    #expect(notified.count == (notifies ? 1 : 0))
    #expect(notified.allSatisfy { $0.hasPrefix("recovered|") })
    let keys = "SELECT dedupe_key FROM %@ ORDER BY dedupe_key"
    #expect(
      try database.database.rows(keys.replacing("%@", with: "notification_queue"))
        == shadow.database.rows(keys.replacing("%@", with: "shadow_notification_queue")))
  }

  @Test(arguments: DatabaseKind.allCases)
  func theEndOfAnAlertWithoutANotificationIsNotNotified(kind: DatabaseKind) throws {
    var thresholds = try BatchDatabase.thresholds("v2")
    thresholds.notify.onRecovery = true
    let database = try database(kind)
    for offset in 30...34 {
      try database.run(
        (Self.first + offset)...(Self.first + offset), thresholds: thresholds, kind: .run, at: night
      )
    }
    // The state after live nights without a notification; after shadow nights golive comes first.
    try database.database.execute("UPDATE batch_runs SET mode = 'live'")
    try live(48...52, in: database, thresholds)
    #expect(try alert(database).episode.resolution?.reason == .recovered)
    #expect(try queue(database, "in_app", type: "pattern_recovery").isEmpty)
  }

  // MARK: Escalations

  @Test(arguments: DatabaseKind.allCases)
  func everyLevelAsksEachCaregiverUntilOneAnswers(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try database(kind)
    let father = UUID(name: "their father")
    try database.insert([member(father, .superadmin)])
    try live(30...31, in: database, thresholds, secondsApart: 86_400)
    func log(_ columns: String) throws -> [String] {
      try database.database.rows(
        "SELECT \(columns) FROM escalation_log ORDER BY level, caregiver_id")
    }
    #expect(try log("patient_id") == [person.lowercased, person.lowercased])
    #expect(
      try log("caregiver_id") == [mother, father].map(\.lowercased).sorted())
    #expect(
      try log("escalation_type, status, window_minutes, relation_id IS NULL")
        == Array(repeating: "pattern_anomaly|pending|0|1", count: 2))
    #expect(try log("related_blob_id") == Array(repeating: alert(database).id.lowercased, count: 2))
    let channels = try log("channels_used")
    #expect(channels.allSatisfy { $0.contains("in_app") && $0.contains("push") })
    // Push waits for 07:00, and an answer is waited for until 11:00.
    let state = try alert(database)
    let notified = try #require(state.lastNotifiedAt)
    let expiry = try #require(try log("expires_at").first)
    #expect(Timestamp(expiry)?.microseconds == notified.microseconds + 8 * 3_600_000_000)

    // The mother answers in time; the next level has no open escalation to answer.
    _ = try database.storage.carryOut(
      AlertAction(
        .acknowledge, alert: state.id, by: mother, at: notified.adding(seconds: 3600)))
    #expect(try log("status") == ["acknowledged", "acknowledged"])
    try live(32...38, in: database, thresholds, secondsApart: 86_400)
    #expect(
      try log("status, level, window_minutes") == [
        "acknowledged|3|0", "acknowledged|3|0", "expired|7|0", "expired|7|0",
      ])
    #expect(try alert(database).acknowledgedBy == mother)
  }

  // MARK: Groups

  @Test(arguments: DatabaseKind.allCases, PayloadDetail.allCases)
  func severalAlertsOfANightComeAsOne(kind: DatabaseKind, detail: PayloadDetail) throws {
    var thresholds = try BatchDatabase.thresholds("v2")
    thresholds.notify.groupsByRecipient = true
    thresholds.notify.payloadDetail = detail
    let database = try database(kind)
    let other = UUID(name: "another of the family")
    try insert(SeriesNotation("8000x30 4000x12 8000x20"), of: other, "steps", into: database)
    try insert(SeriesNotation("420x30 340x12 420x20"), of: person, "sleep_minutes", into: database)
    try database.insert([member(other, .member)])
    try live(30...31, in: database, thresholds)
    for channel in ["push", "in_app"] {
      let groups = try queue(database, channel, type: "pattern_alert_group")
      #expect(groups.count == 1 && groups[0].hasPrefix("group|pending"))
      #expect(
        try queue(database, channel) == Array(repeating: "level_3|skipped|grouped", count: 3))
    }
    let schema = try JSONSchema(
      contentsOf: SharedFolder.repository.appending(
        path: "schemas/notification_payload.schema.json"))
    for payload in try database.database.rows("SELECT payload FROM notification_queue") {
      #expect(try schema.problems(of: JSON(text: payload)) == [])
    }
    let run = try #require(try database.storage.runs(limit: 1).first)
    #expect(run.counts.notificationsEnqueued == 2)
    let states = try database.storage.alertStates(matching: AlertFilter(isActive: true))
    #expect(states.count == 3 && states.allSatisfy { $0.lastNotifiedLevel == .day3 })
    // One caregiver, three alerts.
    #expect(try database.rows(of: "escalation_log").count == 3)
  }

  @Test(arguments: DatabaseKind.allCases, [1, 3])
  func shadowAndLivePlanTheSameGroupsReasonsAndIds(kind: DatabaseKind, shards: Int) throws {
    var thresholds = try BatchDatabase.thresholds("v2")
    thresholds.notify.groupsByRecipient = true
    thresholds.notify.onRecovery = true
    let histories = try RandomHistories(seed: 31, persons: 30, days: 150)
    let live = try histories.database(kind)
    try setPreferences(of: histories.persons, in: live)
    let shadow = try live.copy()
    let last = histories.days.upperBound
    for night in (last - 5)...last {
      for mode in [RunRecord.Mode.live, .shadow] {
        for index in 1...shards {
          try (mode == .live ? live : shadow).run(
            night...night, thresholds: thresholds, kind: .run, mode: mode, batchSize: 4,
            shard: #require(RunShard(index, of: shards)))
        }
      }
      // A row that is superseded before it is due belongs to a later night.
      let columns = """
        id, template_id, recipient_user_id, member_user_id, alert_state_id, channel, priority,
        scheduled_for, expires_at, group_night, group_id, dedupe_key,
        CASE WHEN status = 'cancelled' THEN 'pending' ELSE status END,
        CASE WHEN status = 'skipped' THEN status_reason END
        """
      func rows(_ database: BatchDatabase, _ queue: DeliveryQueue) throws -> [String] {
        try database.database.rows("SELECT \(columns) FROM \(queue.rawValue) ORDER BY id")
      }
      try expectSame(rows(live, .live), rows(shadow, .shadow), "night \(night)")
    }
    let reasons = try live.database.rows(
      "SELECT DISTINCT status_reason FROM notification_queue WHERE status_reason IS NOT NULL")
    #expect(Set(reasons).isSuperset(of: ["grouped", "preference_off", "quiet_hours"]))
    let counts = try [live, shadow].map { database in
      try database.storage.runs(limit: 100).map(\.counts.notificationsEnqueued).sorted()
    }
    #expect(counts[0].reduce(0, +) > 0 && counts[0] == counts[1])
  }

  /// Gives some persons profiles, so that all preferences come up.
  private func setPreferences(of persons: [UUID], in database: BatchDatabase) throws {
    for (index, person) in persons.enumerated() where index % 4 != 0 {
      let isOff = index % 3 == 0
      try database.database.execute(
        """
        INSERT INTO user_profiles (user_id, timezone, notify_in_app, notify_push, quiet_hours_end)
        VALUES (
          '\(person.lowercased)', 'Pacific/Auckland',
          \(isOff ? database.database.kind.no : database.database.kind.yes),
          \(index % 2 == 0 ? database.database.kind.no : database.database.kind.yes), '08:30'
        )
        """)
    }
  }
}

extension DatabaseKind {
  fileprivate var yes: String { self == .sqlite ? "1" : "true" }
  fileprivate var no: String { self == .sqlite ? "0" : "false" }
}
