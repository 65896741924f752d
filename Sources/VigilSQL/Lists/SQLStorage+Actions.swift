public import Foundation
public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func actions(on alert: UUID) throws -> [AlertAction] {
    try withSession { session in
      try session.rows(AlertStatement.listAlertActions, alert) { try AlertAction.decode(&$0) }
    }
  }

  public func alertReads(by member: UUID) throws -> [AlertRead] {
    try withSession { session in
      try session.rows(MemberStatement.listAlertReads, member) {
        AlertRead(alert: try $0.uuid(), member: try $0.uuid(), at: try $0.timestamp())
      }
    }
  }

  /// Returns the alert on which a member wants to act.
  ///
  /// - Throws: `StorageError` where there is no such person or alert, where the member is neither the person of the
  ///   alert nor an accepted member of their family, or where the person has excluded the member.
  public func alert(_ id: UUID, forActionBy member: UUID) throws -> PatternAlertState {
    try requirePerson(member)
    guard let alert = try alertStates(matching: AlertFilter(id: UUIDPrefix(id))).first else {
      throw StorageError(
        .notFound, "\(displayName) has no alert \(id.lowercased)", remedy: .listAlerts)
    }
    try requireMember(member, toActFor: alert.series.user, about: "alert \(id.lowercased)")
    return alert
  }

  /// Returns an alert that a person has raised, for a member who acts on it.
  ///
  /// - Throws: `StorageError` where there is none, or the member has no right to it.
  public func raisedAlert(_ id: UUID, forActionBy member: UUID) throws -> RaisedAlert {
    try requirePerson(member)
    let found = try withSession {
      try $0.rows(MemberStatement.findRaisedAlert, id) { try RaisedAlert.decode(&$0) }
    }
    guard let alert = found.first else {
      throw StorageError(
        .notFound, "\(displayName) has no raised alert \(id.lowercased)",
        remedy: "name it by an id of the table raised_alerts")
    }
    try requireMember(member, toActFor: alert.person, about: "raised alert \(id.lowercased)")
    return alert
  }

  public func raisedAlerts(of person: UUID) throws -> [RaisedAlert] {
    try withSession {
      try $0.rows(MemberStatement.listRaisedAlerts, person) { try RaisedAlert.decode(&$0) }
    }
  }

  /// - Throws: `StorageError` where a member is neither the person nor one who may act for them.
  public func requireMember(
    _ member: UUID, toActFor person: UUID, about subject: String
  ) throws {
    guard member != person else { return }
    let reader = try makeReader()
    guard
      try reader.familyMembers(of: [person]).joined()
        .contains(where: {
          $0.user == member && $0.inviteStatus == .accepted && $0.role.mayReadOthers
        })
    else {
      throw StorageError(
        .permissionDenied,
        "\(member.lowercased) is neither the person of \(subject) nor an"
          + " accepted member of their family other than a dependent")
    }
    guard try reader.exclusions(of: [person])[person]?.contains(member) != true else {
      throw StorageError(
        .permissionDenied,
        "the person of \(subject) has excluded \(member.lowercased)")
    }
  }

  /// - Throws: `StorageError` where there is no such person.
  public func requirePerson(_ actor: UUID) throws {
    guard try persons(among: [actor]).isEmpty else { return }
    throw StorageError(
      .notFound, "\(displayName) has no person \(actor.lowercased)",
      remedy: "name the person who acts by an id of the table users")
  }

  /// Returns what a member has read of the event of an alert, by id of the alert.
  public func reads(ofEventOf alert: UUID, by member: UUID) throws -> [AlertRead] {
    let event = Set(try withSession { try $0.alertsOfEvent(of: alert).map(\.id) })
    return try alertReads(by: member).filter { event.contains($0.alert) }
      .sorted { $0.alert.lowercased < $1.alert.lowercased }
  }
}

extension SQLSession {
  /// Returns the alerts of the event in which an alert is.
  public func alertsOfEvent(of alert: UUID) throws -> [(id: UUID, isActive: Bool)] {
    try rows(AlertStatement.listAlertsOfEvent, alert) {
      (id: try $0.uuid(), isActive: try $0.text() == "active")
    }
  }
}

extension StorageError {
  /// The refusal of an action on an alert whose event has ended.
  public static func hasEnded(_ alert: PatternAlertState) -> StorageError {
    StorageError(
      .ended,
      "alert \(alert.id.lowercased) ended on \(alert.episode.lastEvaluated); no action on it is"
        + " possible")
  }
}

extension AlertAction {
  /// Reads the columns of `ListAlertActions`.
  static func decode(_ row: inout some RowReader) throws -> AlertAction {
    let alert = try row.uuid()
    let word: Word = try row.word()
    let (actor, at) = try (row.uuid(), row.timestamp())
    let until = try row.dayIfPresent()
    let kind: Kind? =
      switch word {
      case .acknowledge: .acknowledge
      case .snooze: until.map(Kind.snooze)
      case .dismiss: .dismiss
      case .restore: .restore
      }
    guard let kind else { throw row.refusal(expected: "the day on which a snooze ends") }
    return AlertAction(kind, alert: alert, by: actor, at: at)
  }
}

extension RaisedAlert {
  /// Reads id, person, the instants of raising and resolving, and who resolved it.
  static func decode(_ row: inout some RowReader) throws -> RaisedAlert {
    try RaisedAlert(
      id: row.uuid(), person: row.uuid(), raisedAt: row.timestamp(),
      resolvedAt: row.timestampIfPresent(), resolvedBy: row.uuidIfPresent())
  }
}
