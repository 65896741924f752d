import Foundation
import StorageConformance
import Synchronization
import TestDatabases
import TestSupport
import Testing
import VigilAlerts
import VigilModel
import VigilStorage

/// The functions for apps and the steps in Swift do the same: each check of the contract runs on both databases, and after
/// every action both have the same rows and have said the same.
@Suite("what members do, on both databases")
struct MemberActionsTests {
  @Test("each action of the contract", arguments: ConformanceCheck.actions)
  func contract(_ check: ConformanceCheck) throws {
    try TemporaryDirectory.with { folder in
      let steps = try [DatabaseKind.sqlite, .postgres].map { kind in
        let recorded = try RecordedFixture(kind.makeMigratedDatabase(in: folder.path))
        try check.run(recorded)
        return recorded.record.steps
      }
      #expect(steps[0].count == steps[1].count)
      for (index, (sqlite, postgres)) in zip(steps[0], steps[1]).enumerated() {
        #expect(sqlite == postgres, "step \(index + 1)")
      }
    }
  }
}

@Suite("what members do, by the login of an engine")
struct EngineActionsTests {
  @Test("an engine acts for a member, and not for a stranger")
  func actsForMembers() throws {
    let family = try FamilySchema()
    let storage = try TestDatabase.postgres(family.schema).open(asMemberOf: "vigil_engine")
    func person(_ number: Int) throws -> UUID {
      try #require(UUID(uuidString: FamilySchema.id(number)))
    }
    let now = try #require(Timestamp("2026-07-01T10:00:00Z"))
    let dismissed = try storage.carryOut(
      AlertAction(.dismiss, alert: person(1), by: person(2), at: now))
    #expect(dismissed.alert.dismissedAt == now)
    #expect(try storage.markRead(person(1), by: person(2), at: now).map(\.at).contains(now))
    #expect(throws: StorageError.self) {
      try storage.carryOut(AlertAction(.restore, alert: person(1), by: person(6), at: now))
    }
  }
}

/// A database that notes what every action has said and left behind.
private struct RecordedFixture: StorageFixture {
  let database: TestDatabase
  let record = ActionRecord()
  let storage: any Storage

  init(_ database: TestDatabase) throws {
    self.database = database
    storage = RecordedStorage(base: try database.open(), database: database, record: record)
  }

  func reopened() throws -> any Storage { try database.open() }
  func execute(_ sql: String) throws { try database.execute(sql) }
  func executeWithoutReferences(_ sql: String) throws {
    try database.executeWithoutReferences(sql)
  }
  func strings(_ sql: String) throws -> [String?] {
    try database.result(of: sql).rows.map { $0[0] }
  }
}

/// The lines of each action.
private final class ActionRecord: Sendable {
  private let noted = Mutex<[[String]]>([])

  var steps: [[String]] { noted.withLock { $0 } }
  func note(_ lines: [String]) { noted.withLock { $0.append(lines) } }
}

private struct RecordedStorage: ForwardingStorage {
  let base: any Storage
  let database: TestDatabase
  let record: ActionRecord

  func carryOut(_ action: AlertAction) throws -> AlertActionOutcome {
    try noting({ "\($0.otherAlerts) \($0.notifications) \($0.escalations)" }) {
      try base.carryOut(action)
    }
  }

  func markRead(_ alert: UUID, by member: UUID, at now: Timestamp) throws -> [AlertRead] {
    try noting({ "\($0)" }) { try base.markRead(alert, by: member, at: now) }
  }

  func record(_ checkIn: CheckIn) throws {
    try noting({ "recorded" }) { try base.record(checkIn) }
  }

  func raiseAlert(by person: UUID, at now: Timestamp) throws -> RaisedAlert {
    try noting({ "\($0)" }) { try base.raiseAlert(by: person, at: now) }
  }

  func resolveRaisedAlert(
    _ alert: UUID, by member: UUID, at now: Timestamp
  ) throws -> RaisedAlert {
    try noting({ "\($0)" }) { try base.resolveRaisedAlert(alert, by: member, at: now) }
  }

  func ping(_ recipient: UUID, by sender: UUID, at now: Timestamp) throws -> Ping {
    try noting({ "\($0)" }) { try base.ping(recipient, by: sender, at: now) }
  }

  func respond(to ping: UUID, by recipient: UUID, at now: Timestamp) throws -> Ping {
    try noting({ "\($0)" }) { try base.respond(to: ping, by: recipient, at: now) }
  }

  func resolveEscalation(
    _ escalation: UUID, _ resolution: EscalationResolution, by member: UUID, at now: Timestamp
  ) throws -> EscalationAnswer {
    try noting({ "\($0)" }) {
      try base.resolveEscalation(escalation, resolution, by: member, at: now)
    }
  }

  func mark(
    _ notification: UUID, as mark: NotificationReceipt.Mark, by member: UUID, at now: Timestamp
  ) throws -> NotificationReceipt {
    try noting({ "\($0)" }) { try base.mark(notification, as: mark, by: member, at: now) }
  }

  func choose(
    _ choice: EscalationChoice?, at levels: [AlertLevel], by person: UUID
  ) throws -> [AlertLevel: EscalationChoice] {
    try noting({ "\($0.sorted { $0.key < $1.key })" }) {
      try base.choose(choice, at: levels, by: person)
    }
  }

  private func noting<Outcome>(
    _ said: (Outcome) -> String, _ action: () throws -> Outcome
  ) throws -> Outcome {
    let outcome = Result { try action() }
    let words =
      switch outcome {
      case .success(let value): said(value)
      case .failure(let error as StorageError): "\(error.code)"
      case .failure(let error): "\(error)"
      }
    record.note([words] + (try rows()))
    return try outcome.get()
  }

  /// The rows that actions change.
  ///
  /// The databases keep JSON and lists in different ways, and ids of runs are random.
  private func rows() throws -> [String] {
    let tables = [
      "alert_actions", "alert_reads", "pattern_alert_state", "notification_queue", "escalation_log",
      "raised_alerts", "pings",
    ]
    let dumped = try tables.flatMap {
      try database.dump($0, without: ["channels_used", "evidence", "payload", "run_id"])
    }
    return try dumped
      + database.rows("SELECT user_id, checked_in_at, kind FROM check_ins ORDER BY 1, 2")
      + database.rows(
        "SELECT user_id, level, window_minutes FROM escalation_settings ORDER BY 1, 2")
  }
}
