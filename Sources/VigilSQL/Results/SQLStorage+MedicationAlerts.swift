public import Foundation
public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func medicationAlerts(withID prefix: UUIDPrefix) throws -> [MedicationAlert] {
    try withSession { session in
      try session.rows(
        MedicationAlertStatement.findMedicationAlerts, prefix.lowest, prefix.highest
      ) { try MedicationAlertRow.decode(&$0) }
    }
  }

  public func medicationAlerts(matching filter: AlertFilter) throws -> [MedicationAlert] {
    let name =
      filter.users == nil
      ? MedicationAlertStatement.listMatchingMedicationAlerts
      : .listMatchingMedicationAlertsOfPersons
    let values = filter.values + (filter.users.map { [.uuids($0)] } ?? [])
    let found = try withSession { session in
      try session.rows(session.statements.statement(name), values) {
        try MedicationAlertRow.decode(&$0)
      }
    }
    return filter.id.map { id in found.filter { (id.lowest...id.highest).contains($0.id) } }
      ?? found
  }

  public func carryOutOnMedicationAlert(
    _ action: AlertAction
  ) throws -> MedicationAlertActionOutcome {
    try requirePerson(action.actor)
    let prefix = UUIDPrefix(action.alert)
    guard let alert = try medicationAlerts(withID: prefix).first else {
      throw StorageError(
        .notFound, "\(displayName) has no alert \(action.alert.lowercased)",
        remedy: .listAlerts)
    }
    try require(action.actor, ofFamilyOf: alert.user, toActOn: alert.id)
    var outcome = try withRunSession { session in
      let present = try session.rows(
        MedicationAlertStatement.findMedicationAlerts, prefix.lowest, prefix.highest
      ) { try MedicationAlertRow.decode(&$0) }.first
      guard let present, present.isActive else {
        throw StorageError(
          .ended,
          "alert \(alert.id.lowercased) ended on \(present?.resolution?.day ?? alert.lastFound); no"
            + " action on it is possible")
      }
      try session.recordOnMedicationAlert(action)
      return MedicationAlertActionOutcome(
        action: action, alert: present,
        notifications: try session.changeMedicationAlert(by: action),
        escalations: try session.answerEscalations(of: alert.id, after: action))
    }
    outcome.alert = try medicationAlerts(withID: prefix).first ?? outcome.alert
    return outcome
  }

  public func actions(onMedicationAlert alert: UUID) throws -> [AlertAction] {
    try withSession { session in
      try session.rows(MedicationAlertStatement.listMedicationAlertActions, alert) {
        try AlertAction.decode(&$0)
      }
    }
  }
}

extension SQLSession {
  fileprivate func recordOnMedicationAlert(_ action: AlertAction) throws {
    let until: Day? = if case .snooze(let day) = action.kind { day } else { nil }
    try execute(
      MedicationAlertStatement.insertMedicationAlertAction, action.id, action.alert,
      action.kind.word.rawValue, action.actor, action.at, until)
  }

  /// Changes the alert and what waits in the queue; returns the number of rows of the queue.
  fileprivate func changeMedicationAlert(by action: AlertAction) throws -> Int {
    func cancel(because reason: PlannedNotification.StatusReason) throws -> Int {
      try execute(
        MedicationAlertStatement.cancelNotificationsOfMedicationAlert, action.alert, action.at,
        reason.rawValue)
    }
    switch action.kind {
    case .acknowledge:
      try execute(
        MedicationAlertStatement.acknowledgeMedicationAlert, action.alert, action.at, action.actor)
      return 0
    case .snooze(let day):
      try execute(
        MedicationAlertStatement.snoozeMedicationAlert, action.alert, action.at, day)
      return try cancel(because: .snoozed)
    case .dismiss:
      try execute(MedicationAlertStatement.dismissMedicationAlert, action.alert, action.at)
      return try cancel(because: .dismissed)
    case .restore:
      try execute(MedicationAlertStatement.restoreMedicationAlert, action.alert, action.at)
      return try execute(
        MedicationAlertStatement.restoreNotificationsOfMedicationAlert, action.alert, action.at)
    }
  }
}
