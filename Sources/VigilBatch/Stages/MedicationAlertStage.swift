import Foundation
import VigilAdherence
import VigilDelivery
import VigilModel
import VigilStorage

/// Brings the missed doses and refills of a batch together with the stored alerts about them, and plans
/// notifications.
///
/// Used by one thread.
struct MedicationAlertStage {
  private let plan: RunPlan
  private let isSilent: Bool
  private let reader: SharedReader

  /// - Parameters:
  ///   - plan: The plan of the run.
  ///   - isSilent: Whether no one is notified, and active alerts count as notified.
  ///   - reader: For the stored alerts.
  init(_ plan: RunPlan, isSilent: Bool, reader: SharedReader) {
    self.plan = plan
    self.isSilent = isSilent
    self.reader = reader
  }

  /// - Throws: `StorageError` where the stored alerts cannot be read.
  func evaluate(
    _ found: AdherenceFindings, _ corrections: Corrections, of batch: LoadedBatch
  ) throws -> MedicationAlertFindings {
    let days = plan.scope.days
    var firstDays = corrections.firstDays
    for person in batch.personsWithoutMedication {
      firstDays[person] = min(plan.firstDayWithoutMedication, days.lowerBound)
    }
    let first = firstDays.values.min().map { min($0, days.lowerBound) } ?? days.lowerBound
    let stored = try reader.read {
      try $0.medicationAlerts(of: batch.persons, foundSince: first - 1)
    }
    let storedByKey = Dictionary(grouping: stored, by: AlertKey.init)
    let supplies = found.supplies + corrections.supplies
    let foundByKey = Dictionary(
      grouping: (found.missedStreaks + corrections.missedStreaks).map(AlertFinding.init)
        + supplies.flatMap(\.due).map(AlertFinding.init), by: \.key)
    let counts = SupplyForecast.firstDays(of: supplies)
    let lastEvaluated = batch.medications?.lastEvaluatedDays ?? [:]
    var findings = MedicationAlertFindings()
    for key in Set(storedByKey.keys).union(foundByKey.keys).sorted() {
      var first = firstDays[key.user] ?? days.lowerBound
      if key.kind == .refillDue, let counted = counts[key.medication] {
        // A count says nothing of days before it: what was found on them stays.
        first = max(first, counted ?? days.upperBound + 1)
      }
      let known = storedByKey[key] ?? []
      var changed: [MedicationAlert] = []
      if first <= days.upperBound {
        let course = MedicationAlertCourse(
          of: key.kind, user: key.user, medication: key.medication,
          evaluated: first...days.upperBound, horizon: lastEvaluated[key.user] ?? days.upperBound)
        changed = course.alerts(foundOn: (foundByKey[key] ?? []).map(\.day), stored: known)
      }
      let ids = Set(changed.map(\.id))
      for alert in changed + known.filter({ !ids.contains($0.id) }) {
        add(alert, known: known.first { $0.id == alert.id }, to: &findings)
      }
    }
    return findings
  }

  private func add(
    _ alert: MedicationAlert, known: MedicationAlert?, to findings: inout MedicationAlertFindings
  ) {
    var alert = alert
    if isSilent {
      if alert.isActive {
        alert.lastNotifiedLevel = .highest(alert.lastNotifiedLevel, alert.level)
        alert.shadowNotifiedLevel = .highest(alert.shadowNotifiedLevel, alert.level)
      }
    } else if !alert.isRetracted {
      findings.notifications += notifications(of: &alert)
    }
    if alert != known { findings.changed.append(alert) }
  }

  /// Plans a notification of each level that the alert has reached on the evaluated days.
  ///
  /// In shadow, what is planned counts as notified at once; live, when it is enqueued at the end of the run.
  private func notifications(of alert: inout MedicationAlert) -> [MedicationAlertNotification] {
    let mode = plan.scope.mode
    let found = alert.activeSince...alert.lastFound
    // Members are notified of what goes on, not of the past of a live backfill.
    let last = plan.scope.days.upperBound
    let days = mode == .live ? last...last : plan.scope.days
    guard found.overlaps(days) else { return [] }
    var planned: [MedicationAlertNotification] = []
    var notified = mode == .live ? alert.lastNotifiedLevel : alert.shadowNotifiedLevel
    for day in days.clamped(to: found) {
      let level = alert.level(on: day)
      if let notified, level <= notified { continue }
      let withheld: PlannedNotification.StatusReason? =
        if alert.dismissedAt != nil {
          .dismissed
        } else if let end = alert.snoozeUntil, end > day {
          .snoozed
        } else {
          nil
        }
      planned.append(
        MedicationAlertNotification(alert, level: level, evaluatedDay: day, withheld: withheld))
      if withheld == nil { notified = level }
    }
    if mode == .shadow { alert.shadowNotifiedLevel = notified }
    return planned
  }
}

/// The alerts that belong together: at most one of them is active.
private struct AlertKey: Hashable, Comparable {
  var user: UUID
  var medication: UUID
  var kind: MedicationAlert.Kind

  init(user: UUID, medication: UUID, kind: MedicationAlert.Kind) {
    self.user = user
    self.medication = medication
    self.kind = kind
  }

  init(_ alert: MedicationAlert) {
    self.init(user: alert.user, medication: alert.medication, kind: alert.kind)
  }

  static func < (left: AlertKey, right: AlertKey) -> Bool {
    (left.user, left.medication, left.kind.rawValue)
      < (right.user, right.medication, right.kind.rawValue)
  }
}

/// A day on which an alert is found.
private struct AlertFinding {
  var key: AlertKey
  var day: Day

  init(_ streak: MissedStreak) {
    key = AlertKey(user: streak.user, medication: streak.medication, kind: .missedStreak)
    day = streak.day
  }

  init(_ refill: RefillDue) {
    key = AlertKey(user: refill.user, medication: refill.medication, kind: .refillDue)
    day = refill.day
  }
}

extension SupplyForecast {
  /// By medication: the first of the days that its count says something of; nil where it is later than all of
  /// them.
  static func firstDays(of supplies: [SupplyForecast]) -> [UUID: Day?] {
    Dictionary(supplies.map { ($0.medication, $0.days?.lowerBound) }) { left, right in
      [left, right].compactMap(\.self).min()
    }
  }
}

/// The alerts about medications of a batch, and their notifications.
struct MedicationAlertFindings {
  /// Rows that are new or differ from what is stored.
  var changed: [MedicationAlert] = []
  /// Notifications without their recipients.
  var notifications: [MedicationAlertNotification] = []
}
