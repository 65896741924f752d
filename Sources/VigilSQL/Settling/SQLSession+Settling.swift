public import Foundation
import VigilModel
public import VigilStorage

/// A person of the batch was evaluated since the batch was read; nothing of its transaction may stay.
public struct BatchOvertaken: Error {
  public init() {}
}

/// The steps of a batch about evaluations of single persons, before and after its rows are written.
///
/// All of it is part of the transaction of the batch, during which no other evaluation of its persons is written.
extension SQLSession {
  /// Takes back what the provisional alerts of the persons have changed beyond what the batch confirms; in an
  /// evaluation of one person, gives it its number, too.
  ///
  /// - Throws: `BatchOvertaken` where the batch was evaluated with other rows than there are now.
  public func beginSettling(_ batch: inout BatchWrite) throws {
    guard let settlement = batch.settlement else { return }
    let present = try provisionalAlerts(of: settlement)
    guard
      present.elementsEqual(settlement.provisional, by: { $0.isSameState(as: $1) })
    else { throw BatchOvertaken() }
    if let evaluation = settlement.evaluation {
      let alerts = try alertStates(matching: AlertFilter(users: [evaluation.person]))
      guard Set(alerts) == Set(evaluation.alertsBefore) else { throw BatchOvertaken() }
      batch.settlement?.evaluation?.number = try begin(evaluation)
    }
    guard !present.isEmpty else { return }
    let written = Dictionary(batch.alertStates.map { ($0.id, $0) }) { $1 }
    let planned = batch.notifications.filter { $0.status == .pending }.map(\.id)
    for mark in present {
      let alert = written[mark.row.id] ?? mark.base
      try withdraw(
        mark, keeping: planned, upTo: alert.isRetracted ? nil : alert.episode.level,
        at: batch.writtenAt)
    }
    // A sender may have taken a notification since the batch was read, and takes none of them after this.
    let now = try provisionalAlerts(of: settlement)
    guard now.map(\.sentLevel) == settlement.provisional.map(\.sentLevel) else {
      throw BatchOvertaken()
    }
    for mark in present {
      try execute(
        PersonStatement.resetNotifiedLevels, mark.row.id,
        (mark.confirmed?.lastNotifiedLevel?.rawValue), (mark.notifiedLevel?.rawValue),
        (mark.confirmed?.shadowNotifiedLevel?.rawValue), (mark.shadowNotifiedLevel?.rawValue))
    }
  }

  /// Removes the marks of the alerts that a batch of a run has settled; releases the notifications of the evaluation
  /// of one person, and marks what it has changed.
  ///
  /// - Parameters:
  ///   - batch: The batch, whose rows and notifications are written.
  ///   - enqueued: The notifications that were inserted.
  public func finishSettling(_ batch: BatchWrite, enqueued: Int) throws -> BatchWriteResult {
    guard let settlement = batch.settlement else { return BatchWriteResult(enqueued: enqueued) }
    if let evaluation = settlement.evaluation {
      return try finish(evaluation, settlement, of: batch, enqueued: enqueued)
    }
    let written = Dictionary(batch.alertStates.map { ($0.id, $0) }) { $1 }
    for mark in settlement.provisional {
      let alert = written[mark.row.id] ?? mark.base
      let isConfirmed = !alert.isRetracted
      try putEvent(isConfirmed ? .confirmed : .retracted, about: alert, of: batch)
      try execute(PersonStatement.removeNotificationMarks, mark.row.id)
      try execute(PersonStatement.removeAlertMark, mark.row.id)
    }
    return BatchWriteResult(enqueued: enqueued)
  }

  /// Adds the events of a night, one statement for each kind.
  ///
  /// A provisional alert has an event of its own, confirmed or retracted.
  public func putEvents(of batch: BatchWrite) throws {
    let settled = Set(batch.settlement?.provisional.map(\.row.id) ?? [])
    for kind in OutboxEvent.Kind.allCases {
      let alerts = batch.events.filter { $0.value == kind && !settled.contains($0.key) }.keys
      guard !alerts.isEmpty else { continue }
      try execute(
        PersonStatement.putEventsOfNight, kind.rawValue, Array(alerts), batch.runID,
        batch.writtenAt)
    }
  }

  /// The provisional alerts of the persons of a batch that are of its profile.
  private func provisionalAlerts(of settlement: Settlement) throws -> [ProvisionalAlert] {
    try provisionalAlerts(of: settlement.persons).filter { $0.row.profile == settlement.profile }
  }

  func provisionalAlerts(of persons: [UUID]) throws -> [ProvisionalAlert] {
    try rows(PersonStatement.listProvisionalAlerts, persons) {
      try ProvisionalAlertRow.decode(&$0)
    }
  }

  /// Withdraws the notifications of an alert that the batch does not plan, too.
  ///
  /// - Parameters:
  ///   - mark: The alert.
  ///   - planned: The ids of all notifications that the batch plans.
  ///   - level: The level of the alert now; nil where it is retracted.
  ///   - now: The present instant.
  private func withdraw(
    _ mark: ProvisionalAlert, keeping planned: [UUID], upTo level: AlertLevel?, at now: Timestamp
  ) throws {
    let alert = mark.row.id
    let withdrawn = try execute(PersonStatement.withdrawNotifications, alert, planned, now)
    try execute(PersonStatement.withdrawShadowNotifications, alert, planned, now)
    guard withdrawn > 0 else { return }
    try execute(PersonStatement.withdrawEscalations, alert)
    if let level {
      try execute(PersonStatement.restoreSupersededNotifications, alert, level.rawValue, now)
    }
  }

  private func putEvent(
    _ kind: OutboxEvent.Kind, about alert: PatternAlertState, of batch: BatchWrite
  ) throws {
    try execute(
      PersonStatement.putEvent, kind.rawValue, alert.series.user, alert.id, batch.runID,
      batch.writtenAt)
  }
}

// MARK: The evaluation of one person

extension SQLSession {
  /// Counts an evaluation in its record, and returns its number.
  private func begin(_ evaluation: PersonEvaluation) throws -> Int {
    let runs = SQLRunTransaction(session: self)
    var record = evaluation.record
    if let present = try runs.run(record.id) {
      record.startedAt = present.startedAt
      record.counts += present.counts
      record.isSilent = record.isSilent || present.isSilent
    }
    try runs.put(record)
    return record.counts.persons
  }

  private func finish(
    _ evaluation: PersonEvaluation, _ settlement: Settlement, of batch: BatchWrite, enqueued: Int
  ) throws -> BatchWriteResult {
    let runs = SQLRunTransaction(session: self)
    var result = BatchWriteResult(enqueued: enqueued)
    switch batch.queue {
    case .live where !batch.notifications.isEmpty:
      (result.enqueued, result.leftToNight) = try release(evaluation, of: batch)
    case .live: break
    case .shadow:
      try execute(
        PersonStatement.markShadowNotifications, batch.runID, batch.notifications.map(\.id))
    }
    if result.enqueued > 0, var record = try runs.run(batch.runID) {
      record.counts.notificationsEnqueued += result.enqueued
      try runs.put(record)
    }
    try mark(evaluation, settlement, of: batch)
    return result
  }

  /// Puts what the evaluation holds into the queue, unless a night holds it or it is more than the rate limit.
  private func release(
    _ evaluation: PersonEvaluation, of batch: BatchWrite
  ) throws -> (enqueued: Int, leftToNight: Int) {
    let runs = SQLRunTransaction(session: self)
    let (run, number, now) = (batch.runID, evaluation.number, batch.writtenAt)
    let held = SQLRunTransaction<Self>.HeldRows(run: run, shard: number, decidedAt: now)
    var left = try execute(PersonStatement.leaveToHoldingRuns, run, number)
    let others = try count(PersonStatement.countOthersNotified, run, evaluation.person)
    var released = 0
    do {
      try savepoint {
        try runs.give(.release, to: held)
        released = try count(HeldStatement.countReleased, run, number)
        let limit = evaluation.rateLimit.limit(persons: evaluation.number)
        guard others + min(released, 1) <= limit else { throw OverLimit() }
      }
      try runs.carryOut(.release, held)
      try execute(PersonStatement.markLiveNotifications, run, number)
    } catch is OverLimit {
      left += try execute(PersonStatement.leaveToNight, run, number)
      released = 0
    }
    try execute(PersonStatement.removeHeldOfEvaluation, run, number)
    return (released, left)
  }

  /// Marks the alerts that the evaluation has written, and those in whose name it notifies.
  private func mark(
    _ evaluation: PersonEvaluation, _ settlement: Settlement, of batch: BatchWrite
  ) throws {
    let written = batch.alertStates.map(\.id)
    let named = batch.notifications.map(\.alertStateID).filter { !written.contains($0) }
    let marked = Dictionary(settlement.provisional.map { ($0.row.id, $0) }) { $1 }
    for alert in written + Set(named).sorted() {
      let confirmed: PatternAlertState? =
        if let known = marked[alert] { known.confirmed } else { evaluation.bases[alert] }
      let text = try confirmed.map { state in
        try RowText.text { AlertStateRow.put(state, into: $0) }
      }
      try execute(
        PersonStatement.markProvisionalAlert, alert, evaluation.record.days.upperBound, text,
        confirmed?.lastNotifiedLevel?.rawValue, confirmed?.shadowNotifiedLevel?.rawValue,
        batch.runID, batch.writtenAt)
    }
    for alert in batch.alertStates {
      try putEvent(alert.isRetracted ? .retracted : .provisional, about: alert, of: batch)
    }
  }
}

/// The record of evaluations has enqueued as many notifications as it may.
private struct OverLimit: Error {}

extension PatternAlertState {
  fileprivate var isRetracted: Bool { episode.resolution?.reason == .retracted }
}

extension SQLReader {
  public func provisionalAlerts(of persons: [UUID]) throws -> [ProvisionalAlert] {
    try withSession { try $0.provisionalAlerts(of: persons) }
  }
}

extension SQLStorage {
  public func outboxEvents(after id: Int, limit: Int) throws -> [OutboxEvent] {
    try withSession { session in
      try session.rows(PersonStatement.listEvents, id, max(0, limit)) {
        try OutboxEvent(
          id: $0.int(), kind: $0.word(), person: $0.uuid(), alert: $0.uuid(), run: $0.uuid())
      }
    }
  }

  public func provisionalAlertIDs() throws -> Set<UUID> {
    try withSession { session in
      Set(try session.rows(PersonStatement.listProvisionalAlertIDs) { try $0.uuid() })
    }
  }

  /// Adds the persons with provisional alerts to ids in ascending order: the next night settles them.
  public func addPersonsWithProvisionalAlerts(to persons: [UUID]) throws -> [UUID] {
    try withSession { session in
      let found = try session.rows(PersonStatement.listPersonsWithProvisionalAlerts) {
        try $0.uuid()
      }
      return found.isEmpty ? persons : Set(persons).union(found).sorted()
    }
  }
}
