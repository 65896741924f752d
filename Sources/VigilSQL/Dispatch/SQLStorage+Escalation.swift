public import Foundation
public import VigilAlerts
public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func chosenWindows() throws -> [AlertLevel: [Int]] {
    let found = try withSession {
      try $0.rows(EscalationStatement.listChosenWindows) {
        (level: try $0.level(), minutes: try $0.int())
      }
    }
    return Dictionary(grouping: found, by: \.level).mapValues { $0.map(\.minutes) }
  }

  public func escalationSettings(asOf now: Timestamp) throws -> [EscalationSetting] {
    try withSession {
      try $0.rows(EscalationStatement.listEscalationSettings, now) {
        try EscalationSetting(
          person: $0.uuid(), level: $0.level(),
          choice: EscalationChoice(minutes: $0.intIfPresent()),
          hasCaregiver: $0.int() != 0, hasContact: $0.int() != 0)
      }
    }
  }

  public func unansweredAlerts(
    of subject: EscalationSubject, at level: AlertLevel, in windows: EscalationWindows, limit: Int
  ) throws -> [UnansweredAlert] {
    let all = windows.all
    guard let start = all.map(\.start).min(), let end = all.map(\.end).max() else { return [] }
    if subject == .raisedAlert {
      return try withSession {
        try $0.rows(
          EscalationStatement.listUnansweredRaisedAlerts, level.rawValue, start, end, limit
        ) { UnansweredAlert(try $0.uuid()) }
      }
    }
    let statement: EscalationStatement =
      subject == .alert ? .listUnansweredAlerts : .listUnansweredStreaks
    return try withSession {
      try $0.rows(
        statement, level.rawValue, all.map { "\($0.minutes) \($0.start) \($0.end)" },
        windows.ofSender?.minutes, start, end, limit
      ) { row in
        let alert = try row.uuid()
        let hasChoice = try row.int() != 0
        let minutes = try row.intIfPresent()
        return UnansweredAlert(
          alert, chosen: hasChoice ? EscalationChoice(minutes: minutes) : nil)
      }
    }
  }

  public func escalations(of alert: UUID) throws -> [EscalationRecord] {
    try withSession {
      try $0.rows(EscalationStatement.listCalls, alert) { try EscalationRecord.decode(&$0) }
    }
  }

  public func escalationCourse(
    of alert: UUID, _ subject: EscalationSubject, at level: AlertLevel, asOf now: Timestamp
  ) throws -> EscalationCourse? {
    let records = try escalations(of: alert)
    let own = records.filter { $0.level == level }
    guard let first = own.first else { return nil }
    var course = EscalationCourse(
      subject: subject, alert: alert, person: first.person, level: level, type: first.type,
      calls: own.map(\.call), highestLevel: records.map(\.level).max())
    try withSession { session in
      // An alert that is gone needs no answer.
      course.state =
        try session.state(of: alert, subject) ?? EscalationCourse.AlertState(hasEnded: true)
      course.caregivers = try session.caregivers(of: first.person)
      course.contacts = try session.rows(
        EscalationStatement.listEmergencyContacts, first.person, now
      ) {
        EscalationCourse.Contact(
          try $0.uuid(), priority: try $0.int(), channel: try $0.word())
      }
    }
    let profiles = try profiles(of: course.caregivers.map(\.user))
    for index in course.caregivers.indices {
      course.caregivers[index].profile = profiles[course.caregivers[index].user]
    }
    return course
  }

  public func carryOut(
    _ step: EscalationStep, of course: EscalationCourse, at now: Timestamp
  ) throws -> Int? {
    switch step {
    case .wait: return nil
    case .end(let ending):
      return try withTransaction(on: "escalation_log") {
        let closed = try $0.close(course, before: Int(Int32.max), ending, at: now)
        return closed > 0 ? closed : nil
      }
    case .call(let call, let notices):
      return try withTransaction(on: "escalation_log") { session in
        let id = course.callID(ofStep: call.step)
        let isOurs =
          try session.insert(
            call, id: id, on: notices.map(\.channel), waited: course.waitedMinutes(at: now),
            of: course) > 0
        guard isOurs else { return nil }
        let closed = try session.close(course, before: call.step, .noResponse, at: now)
        for notice in notices { try session.insert(notice, callID: id, of: course, at: now) }
        return closed
      }
    }
  }

  public func markNotifiedCalls(at now: Timestamp) throws -> Int {
    try withTransaction(on: "escalation_log") {
      try $0.execute(EscalationStatement.markNotified, now)
    }
  }

  public func addresses(
    ofContacts contacts: [UUID], on channel: PlannedNotification.Channel
  ) throws -> [UUID: [DeliveryAddress]] {
    guard !contacts.isEmpty else { return [:] }
    let found = try withSession {
      try $0.rows(EscalationStatement.listContactAddresses, contacts, channel.rawValue) { row in
        let id = try row.uuid()
        let address = try row.text()
        return (
          id,
          DeliveryAddress(
            address, platform: try row.textIfPresent(), language: try row.textIfPresent())
        )
      }
    }
    return found.reduce(into: [:]) { $0[$1.0, default: []].append($1.1) }
  }
}

// MARK: Reading

extension SQLSession {
  fileprivate func state(
    of alert: UUID, _ subject: EscalationSubject
  ) throws -> EscalationCourse.AlertState? {
    if subject == .raisedAlert {
      return try rows(EscalationStatement.findRaisedState, alert) {
        EscalationCourse.AlertState(hasEnded: try $0.int() != 0)
      }.first
    }
    return try rows(EscalationStatement.findAlertState, alert) { row in
      let isDismissed = try row.int() != 0
      let snoozedUntil = try row.dayIfPresent()
      return EscalationCourse.AlertState(
        hasEnded: try row.int() != 0, isDismissed: isDismissed, snoozedUntil: snoozedUntil,
        acknowledgedAt: try row.timestampIfPresent())
    }.first
  }

  fileprivate func caregivers(of person: UUID) throws -> [EscalationCourse.Caregiver] {
    var caregivers = try rows(EscalationStatement.listCaregivers, person) {
      EscalationCourse.Caregiver(try $0.uuid(), priority: try $0.intIfPresent())
    }
    guard !caregivers.isEmpty else { return [] }
    let hours = try rows(EscalationStatement.listAvailability, caregivers.map(\.user)) { row in
      let user = try row.uuid()
      return (
        user, WeeklyHours(weekday: try row.int(), start: try row.time(), end: try row.time())
      )
    }
    for (user, own) in hours {
      for index in caregivers.indices where caregivers[index].user == user {
        caregivers[index].hours.append(own)
      }
    }
    return caregivers
  }
}

extension RowReader {
  fileprivate mutating func time() throws -> TimeOfDay {
    guard let time = TimeOfDay(try text()) else { throw refusal(expected: "a time such as 08:30") }
    return time
  }
}

extension EscalationRecord {
  /// Reads the columns of `ListCalls`.
  fileprivate static func decode(_ row: inout some RowReader) throws -> EscalationRecord {
    let (id, person) = try (row.uuid(), row.uuid())
    let (caregiver, contact) = try (row.uuidIfPresent(), row.uuidIfPresent())
    let recipient: EscalationCall.Recipient? =
      caregiver.map { .member($0) } ?? contact.map { .contact($0) }
    guard let recipient else { throw row.refusal(expected: "a caregiver or an emergency contact") }
    let type = try row.text()
    let level = try row.level()
    let (step, status): (Int, EscalationCall.Status) = try (row.int(), row.word())
    return EscalationRecord(
      id: id, person: person, type: type, level: level,
      call: EscalationCall(
        recipient, step: step, status: status, triggeredAt: try row.timestamp(),
        expiresAt: try row.timestamp()),
      acknowledgedAt: try row.timestampIfPresent(), resolvedAt: try row.timestampIfPresent(),
      resolution: try row.textIfPresent())
  }
}

// MARK: Writing

extension Timestamp {
  /// 9999-12-31T23:59:59Z, after every other instant in a table.
  fileprivate static let endOfYears = Timestamp(microseconds: 253_402_300_799_000_000)
}

extension SQLSession {
  /// Adds a call; returns 0 where another session was faster, or a member has answered.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - id: Its id.
  ///   - channels: The channels by which its recipient is notified.
  ///   - minutes: The time that those who were called before had for an answer.
  ///   - course: The calls about the alert so far.
  @discardableResult
  func insert(
    _ call: EscalationCall, id: UUID, on channels: [PlannedNotification.Channel],
    waited minutes: Int, of course: EscalationCourse
  ) throws -> Int {
    let (caregiver, contact): (UUID?, UUID?) =
      switch call.recipient {
      case .member(let user): (user, nil)
      case .contact(let id): (nil, id)
      }
    return try execute(
      EscalationStatement.insertCall, id, course.person, caregiver, contact, course.type,
      course.alert, course.level.rawValue, call.step, call.triggeredAt,
      channels.map(\.rawValue).sorted(), call.expiresAt, minutes)
  }

  fileprivate func close(
    _ course: EscalationCourse, before step: Int, _ ending: EscalationStep.Ending,
    at now: Timestamp
  ) throws -> Int {
    let status: EscalationCall.Status
    var (answer, end, resolution): (Timestamp?, Timestamp?, String?) = (nil, nil, nil)
    // A caregiver who is not reached yet, because of quiet hours, has not failed to answer.
    var latest = Timestamp.endOfYears
    switch ending {
    case .acknowledged(let time): (status, answer) = (.acknowledged, time)
    case .resolved: (status, end) = (.resolved, now)
    case .noResponse:
      (status, end, resolution) = (.expired, now, EscalationResolution.noResponse.rawValue)
      latest = now.adding(seconds: EscalationCall.lifetimeSeconds)
    }
    return try execute(
      EscalationStatement.closeCalls, course.alert, course.level.rawValue, step, status.rawValue,
      answer, end, resolution, latest)
  }

  fileprivate func insert(
    _ notice: EscalationNotice, callID: UUID, of course: EscalationCourse, at now: Timestamp
  ) throws {
    let isRaised = course.subject == .raisedAlert
    try execute(
      EscalationStatement.insertNotice, notice.id, notice.recipient, course.person,
      isRaised ? nil : course.alert, notice.type, notice.template.rawValue,
      isRaised ? nil : course.level.rawValue, notice.channel.rawValue,
      JSONParameter(text: notice.payload), notice.priority.rawValue,
      notice.scheduledFor, notice.expiresAt, notice.dedupeKey,
      callID, now, notice.contact, isRaised ? course.alert : nil)
  }
}
