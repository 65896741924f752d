public import Foundation
public import VigilModel
public import VigilStorage

/// In the order in which they are sent.
private let priorities = Array(PlannedNotification.Priority.allCases.reversed())

extension SQLStorage {
  public func claim(
    _ request: DispatchClaim, at now: Timestamp
  ) throws -> [ClaimedNotification] {
    guard request.limit > 0 else { return [] }
    let rows = try withTransaction(on: ClaimRow.table) { session in
      var rows: [ClaimedNotification] = []
      for priority in priorities {
        while rows.count < request.limit {
          let claimed = try session.rows(
            DispatchStatement.claimNotifications, request.channel.rawValue, now,
            request.limit - rows.count, request.owner, request.leaseUntil,
            priority.rawValue
          ) { try ClaimRow.decodeOrLease(&$0) }
          let unreadable = claimed.compactMap(\.unreadable)
          for lease in unreadable { try session.fail(unreadable: lease, at: now) }
          rows += claimed.compactMap(\.row)
          if unreadable.isEmpty { break }
        }
      }
      return rows
    }
    // A database returns updated rows in any order.
    return rows.sorted {
      ($0.rank, $0.turn, $0.id.lowercased) < ($1.rank, $1.turn, $1.id.lowercased)
    }
  }

  public func dueNotifications(
    on channel: PlannedNotification.Channel, _ priority: PlannedNotification.Priority,
    after place: DuePage.Place?, limit: Int, leasesEndedBy end: Timestamp, at now: Timestamp
  ) throws -> DuePage {
    let place = place ?? .beforeAll
    return try withSession { session in
      let found = try session.rows(
        DispatchStatement.listDueNotifications, channel.rawValue, priority.rawValue, now, limit,
        end, place.dueAt, place.id
      ) { row in
        var last = row
        let id = try last.uuid()
        for _ in 1..<ClaimRow.columnCount { last.skip() }
        let place = DuePage.Place(dueAt: try last.timestamp(), id: id)
        return (row: try ClaimRow.decodeOrLease(&row).row, place: place)
      }
      return DuePage(
        rows: found.compactMap(\.row), unreadable: found.filter { $0.row == nil }.map(\.place.id),
        end: found.last?.place)
    }
  }

  public func renew(_ leases: [DispatchLease], until end: Timestamp) throws -> Set<UUID> {
    guard !leases.isEmpty else { return [] }
    return try withTransaction(on: ClaimRow.table) { session in
      try session.hold(leases)
      return Set(
        try session.rows(
          DispatchStatement.renewLeases, leases.map(\.id), leases.map { "\($0.fencingToken)" }, end
        ) { try $0.uuid() })
    }
  }

  public func settle(_ outcomes: [DispatchOutcome], at now: Timestamp) throws -> Set<UUID> {
    guard !outcomes.isEmpty else { return [] }
    let sent = outcomes.filter { $0.result == .sent }.map(\.lease)
    return try withTransaction(on: ClaimRow.table) { session in
      try session.hold(outcomes.map(\.lease))
      var settled: Set<UUID> = []
      if !sent.isEmpty {
        settled.formUnion(
          try session.rows(
            DispatchStatement.settleSent, sent.map(\.id), sent.map { "\($0.fencingToken)" }, now
          ) { try $0.uuid() })
      }
      for outcome in outcomes {
        guard let change = outcome.change else { continue }
        settled.formUnion(
          try session.rows(
            DispatchStatement.settleOther, outcome.lease.id, outcome.lease.fencingToken,
            change.status.rawValue, change.reason?.rawValue, change.nextAttempt,
            change.error?.text, change.wasAttempted ? 0 : 1, now
          ) { try $0.uuid() })
      }
      for outcome in outcomes where settled.contains(outcome.lease.id) {
        guard let end = outcome.message else { continue }
        try session.execute(
          DispatchStatement.settleMessage, outcome.lease.id, outcome.lease.fencingToken,
          end.rawValue, now, outcome.receipt?.id, outcome.receipt?.segments,
          outcome.receipt?.cost?.micros, outcome.receipt?.cost?.currency)
      }
      // In one order, so that of two senders none waits for the other and is waited for.
      for device in outcomes.flatMap(\.devices).sorted() {
        try session.execute(device.state.statement, device.platform, device.token, now)
      }
      return settled
    }
  }

  public func takeBackLeases(endedBy now: Timestamp) throws -> TakenBackLeases {
    try withTransaction(on: ClaimRow.table) { session in
      let statuses: [PlannedNotification.Status] = try session.rows(
        DispatchStatement.takeBackLeases, now,
        now.adding(seconds: DispatchOutcome.secondsToAnswerCall)
      ) { try $0.word() }
      let failed = statuses.count { $0 == .failed }
      return TakenBackLeases(waiting: statuses.count - failed, failed: failed)
    }
  }

  public func cancelInApp(
    _ reasons: [UUID: PlannedNotification.StatusReason], at now: Timestamp
  ) throws -> [PlannedNotification.StatusReason: Int] {
    guard !reasons.isEmpty else { return [:] }
    return try withTransaction(on: ClaimRow.table) { session in
      _ = try session.rows(DispatchStatement.holdNotifications, Array(reasons.keys)) { _ in }
      return try Dictionary(grouping: reasons.keys) { reasons[$0] }
        .reduce(into: [:]) { cancelled, rows in
          guard let reason = rows.key else { return }
          let changed = try session.execute(
            DispatchStatement.cancelInApp, rows.value, reason.rawValue, now)
          if changed > 0 { cancelled[reason] = changed }
        }
    }
  }

  public func dispatchBacklog(
    on channels: [PlannedNotification.Channel], at now: Timestamp, limit: Int
  ) throws -> DispatchBacklog {
    try withSession { session in
      var backlog = DispatchBacklog()
      for channel in channels {
        for priority in priorities {
          let found = try session.rows(
            DispatchStatement.findBacklog, channel.rawValue, now, limit, priority.rawValue
          ) { (due: try $0.int(), oldest: try $0.timestampIfPresent()) }
          backlog.due = min(limit, backlog.due + found.map(\.due).reduce(0, +))
          backlog.oldestDue = ([backlog.oldestDue] + found.map(\.oldest)).compactMap { $0 }.min()
        }
      }
      return backlog
    }
  }

  public func addresses(
    of users: [UUID], on channel: PlannedNotification.Channel
  ) throws -> [UUID: [DeliveryAddress]] {
    guard !users.isEmpty else { return [:] }
    func decode(_ row: inout Session.Row) throws -> (UUID, DeliveryAddress) {
      let user = try row.uuid()
      let address = try row.text()
      return (
        user,
        DeliveryAddress(
          address, platform: try row.textIfPresent(), language: try row.textIfPresent())
      )
    }
    let found: [(UUID, DeliveryAddress)] = try withSession { session in
      switch channel.address {
      case .devices:
        return try session.rows(
          DispatchStatement.listPushTokens, users, DeviceReport.mostRefusals, decode: decode)
      case .contactPoint:
        return try session.rows(
          DispatchStatement.listContactPoints, users, channel.rawValue, decode: decode)
      case .none: return []
      }
    }
    return found.reduce(into: [:]) { $0[$1.0, default: []].append($1.1) }
  }
}

extension SQLSession {
  /// Makes a row that no sender can read a dead letter, so that it holds up no other one.
  fileprivate func fail(unreadable lease: DispatchLease, at now: Timestamp) throws {
    let failure = DispatchOutcome(.failed(DeliveryErrorCode("unreadable")), of: lease).change
    _ = try rows(
      DispatchStatement.settleOther, lease.id, lease.fencingToken,
      PlannedNotification.Status.failed.rawValue, failure?.reason?.rawValue, failure?.nextAttempt,
      failure?.error?.text, 1, now
    ) { try $0.uuid() }
  }

  /// Waits for other transactions that hold the rows.
  fileprivate func hold(_ leases: [DispatchLease]) throws {
    _ = try rows(DispatchStatement.holdNotifications, leases.map(\.id)) { _ in }
  }
}

extension ClaimedNotification {
  /// The place of its priority.
  fileprivate var rank: Int { priorities.firstIndex(of: priority) ?? priorities.count }

  /// Ascends with the order in which rows of one priority are sent.
  fileprivate var turn: Int64 {
    scheduledFor.microseconds
  }
}

extension DeviceReport.State {
  fileprivate var statement: DispatchStatement {
    switch self {
    case .reached: .notePushTokenUsed
    case .refused: .notePushTokenRefused
    case .gone: .revokePushToken
    }
  }
}

extension DispatchOutcome {
  fileprivate struct Change {
    var status: PlannedNotification.Status
    var reason: PlannedNotification.StatusReason?
    var nextAttempt: Timestamp?
    var error: DeliveryErrorCode?
    /// Whether it keeps the attempt that its taking has counted.
    var wasAttempted = false
  }

  /// The new values of its row; nil for `.sent`, which has a statement of its own.
  fileprivate var change: Change? {
    switch result {
    case .sent: nil
    case .retry(let time, let error):
      Change(status: .pending, nextAttempt: time, error: error, wasAttempted: true)
    case .notStarted(let time, let error):
      Change(status: .pending, nextAttempt: time, error: error)
    case .failed(let error): Change(status: .failed, error: error, wasAttempted: true)
    case .cancelled(let reason): Change(status: .cancelled, reason: reason)
    case .postponed(let time, let reason):
      Change(status: .pending, reason: reason, nextAttempt: time)
    case .released: Change(status: .pending)
    }
  }
}

extension DuePage.Place {
  /// No row is due before the year 1, the first that both databases have.
  fileprivate static let beforeAll = Self(
    dueAt: Timestamp(microseconds: -62_135_596_800_000_000),
    id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
}
