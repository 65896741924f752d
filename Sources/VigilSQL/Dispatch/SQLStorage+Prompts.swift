import Foundation
public import VigilAlerts
public import VigilModel
import VigilStorage

extension SQLStorage {
  public func duePrompts(
    of kinds: some Sequence<Prompt.Kind>, at now: Timestamp, limit: Int
  ) throws -> [Prompt] {
    var prompts: [Prompt] = []
    var families: [UUID: [Prompt.Member]] = [:]
    try withSession { session in
      for kind in kinds {
        switch kind {
        case .raisedAlert: prompts += try session.raisedAlertsToPlan(limit: limit)
        case .ping: prompts += try session.pingsToPlan(at: now, limit: limit)
        case .checkInReminder: prompts += try session.checkInsDueSoon(at: now, limit: limit)
        case .quotaWarning: prompts += try session.quotasToWarnOf(at: now, limit: limit)
        }
      }
      families = try session.promptMembers(
        of: prompts.filter { $0.kind == .raisedAlert }.map(\.person))
    }
    guard !prompts.isEmpty else { return [] }
    let users = Set(prompts.map(\.person)).union(families.values.joined().map(\.user))
    let profiles = try profiles(of: Array(users))
    for index in prompts.indices {
      let person = prompts[index].person
      prompts[index].profile = profiles[person]
      prompts[index].members = (families[person] ?? []).map { member in
        var member = member
        member.profile = profiles[member.user]
        return member
      }
    }
    return prompts
  }

  public func expirePings(at now: Timestamp) throws -> Int {
    try withTransaction(on: "pings") { try $0.execute(PromptStatement.expirePings, now) }
  }

  public func plan(
    _ prompt: Prompt, _ notices: [PromptNotice], at now: Timestamp
  ) throws -> Bool {
    try withTransaction(on: "notification_queue") { session in
      guard try session.mark(prompt, at: now) else { return false }
      if prompt.kind == .raisedAlert { try session.insertCalls(for: prompt, notices, at: now) }
      for notice in notices { try session.insert(notice, of: prompt, at: now) }
      return true
    }
  }
}

// MARK: Reading

extension SQLSession {
  fileprivate func raisedAlertsToPlan(limit: Int) throws -> [Prompt] {
    try rows(PromptStatement.listRaisedAlertsToPlan, limit) {
      Prompt(.raisedAlert, id: try $0.uuid(), about: try $0.uuid())
    }
  }

  fileprivate func pingsToPlan(at now: Timestamp, limit: Int) throws -> [Prompt] {
    try rows(PromptStatement.listPingsToPlan, now, limit) {
      Prompt(.ping, id: try $0.uuid(), about: try $0.uuid(), expiresAt: try $0.timestamp())
    }
  }

  fileprivate func checkInsDueSoon(at now: Timestamp, limit: Int) throws -> [Prompt] {
    try rows(PromptStatement.listCheckInsDueSoon, now, limit) { row in
      let person = try row.uuid()
      let (interval, grace, reminder) = try (row.int(), row.int(), row.int())
      let plan = CheckInPlan(
        intervalMinutes: interval, graceMinutes: grace, startsAt: try row.timestamp(),
        reminderMinutes: reminder)
      return Prompt(remindingOf: plan, person, at: now)
    }
    .compactMap(\.self)
  }

  fileprivate func quotasToWarnOf(at now: Timestamp, limit: Int) throws -> [Prompt] {
    let month = now.utcDay.firstOfMonth
    return try rows(PromptStatement.listQuotasToWarnOf, month, limit) {
      Prompt(warningOfQuotaOf: try $0.uuid(), in: month)
    }
  }

  fileprivate func promptMembers(of persons: [UUID]) throws -> [UUID: [Prompt.Member]] {
    guard !persons.isEmpty else { return [:] }
    let found = try rows(PromptStatement.listPromptMembers, persons) { row in
      let person = try row.uuid()
      return (
        person,
        Prompt.Member(try row.uuid(), role: try row.word(), isExcluded: try row.int() != 0)
      )
    }
    return found.reduce(into: [:]) { $0[$1.0, default: []].append($1.1) }
  }
}

// MARK: Writing

extension SQLSession {
  /// Whether this session has marked it as planned, and not another one before.
  fileprivate func mark(_ prompt: Prompt, at now: Timestamp) throws -> Bool {
    switch prompt.kind {
    case .raisedAlert:
      return try execute(PromptStatement.markRaisedAlertPlanned, prompt.id, now) > 0
    case .ping: return try execute(PromptStatement.markPingPlanned, prompt.id, now) > 0
    case .checkInReminder:
      guard let start = prompt.intervalStart else { return false }
      return try execute(PromptStatement.markReminded, prompt.person, start, now) > 0
    case .quotaWarning:
      guard let month = prompt.intervalStart?.utcDay else { return false }
      return try execute(PromptStatement.markQuotaWarned, prompt.person, month, now) > 0
    }
  }

  /// Calls upon all who are notified, to whom others follow where none of them answers; upon the person where no one is,
  /// so that caregivers and emergency contacts follow then, too.
  fileprivate func insertCalls(
    for prompt: Prompt, _ notices: [PromptNotice], at now: Timestamp
  ) throws {
    let course = EscalationCourse(
      subject: .raisedAlert, alert: prompt.id, person: prompt.person, level: .day21,
      type: EscalationType.panicButton.rawValue, calls: [])
    var sent = Dictionary(grouping: notices.filter { $0.status == .pending }, by: \.recipient)
    if sent.isEmpty { sent[prompt.person] = [] }
    for (recipient, own) in sent {
      let due = own.map(\.scheduledFor).max() ?? now
      let call = EscalationCall(
        .member(recipient), triggeredAt: now,
        expiresAt: due.adding(seconds: EscalationCall.lifetimeSeconds))
      try insert(
        call, id: course.callID(of: recipient), on: own.map(\.channel), waited: 0, of: course)
    }
  }

  fileprivate func insert(
    _ notice: PromptNotice, of prompt: Prompt, at now: Timestamp
  ) throws {
    try execute(
      PromptStatement.insertPromptNotice, notice.id, notice.recipient, prompt.person, prompt.id,
      prompt.kind.rawValue, notice.channel.rawValue, JSONParameter(text: notice.payload),
      prompt.kind.priority.rawValue, notice.scheduledFor, notice.expiresAt, notice.status.rawValue,
      notice.statusReason?.rawValue, notice.dedupeKey, now)
  }
}
