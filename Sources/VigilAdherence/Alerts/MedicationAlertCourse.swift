public import VigilModel

/// The alerts of one kind about one medication: one for each run of days on which its finding was made
/// (specification, adherence.md section 5).
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let course = MedicationAlertCourse(
///   of: .missedStreak, user: UUID(name: "anna"), medication: UUID(name: "tablets"),
///   evaluated: (day - 6)...day, horizon: day)
/// let alerts = course.alerts(foundOn: [day - 5, day - 1, day], stored: [])
/// print(alerts.map(\.isActive))  // [false, true]
/// ```
///
/// It depends on the days alone, so that nights, a backfill and shards leave the same alerts.
public struct MedicationAlertCourse: Sendable {
  private let kind: MedicationAlert.Kind
  private let user: UUID
  private let medication: UUID
  private let evaluated: ClosedRange<Day>
  private let horizon: Day

  /// - Parameters:
  ///   - kind: The kind of its alerts.
  ///   - user: The person.
  ///   - medication: The medication.
  ///   - evaluated: The days whose findings are known anew.
  ///   - horizon: The newest day that was evaluated of the person; an alert that was found on it is active.
  public init(
    of kind: MedicationAlert.Kind, user: UUID, medication: UUID, evaluated: ClosedRange<Day>,
    horizon: Day
  ) {
    self.kind = kind
    self.user = user
    self.medication = medication
    self.evaluated = evaluated
    self.horizon = max(horizon, evaluated.upperBound)
  }

  /// Returns the alerts that are new or differ from what is stored; days ascend.
  ///
  /// An alert whose first day late data have moved takes over what members were notified of and have set.
  /// Alerts that no day supports any more are retracted.
  ///
  /// - Parameters:
  ///   - days: The evaluated days on which the finding was made, in any order.
  ///   - stored: The alerts of this kind about the medication that reach the day before the evaluated ones or a later day.
  /// - Complexity: O(n log n) in days and alerts.
  public func alerts(foundOn days: [Day], stored: [MedicationAlert]) -> [MedicationAlert] {
    let supported = stored.filter { !$0.isRetracted }
    let known = Dictionary(stored.map { ($0.activeSince, $0) }) { first, _ in first }
    let intervals = intervals(foundOn: days, stored: supported)
    let current = intervals.map { alert(over: $0, known: known[$0.lowerBound], among: supported) }
    let starts = Set(intervals.map(\.lowerBound))
    let retracted = supported.filter { !starts.contains($0.activeSince) }.map { alert in
      var alert = alert
      alert.resolution = .init(day: evaluated.upperBound, reason: .retracted)
      return alert
    }
    return (current + retracted).filter { $0 != known[$0.activeSince] }
      .sorted { $0.activeSince < $1.activeSince }
  }

  /// The runs of days without a gap: what is stored of days before and after the evaluated ones, and what was
  /// found on these.
  private func intervals(
    foundOn days: [Day], stored: [MedicationAlert]
  ) -> [ClosedRange<Day>] {
    var parts = Set(days.filter(evaluated.contains)).map { $0...$0 }
    for alert in stored {
      if alert.activeSince < evaluated.lowerBound {
        parts.append(alert.activeSince...min(alert.lastFound, evaluated.lowerBound - 1))
      }
      if alert.lastFound > evaluated.upperBound {
        parts.append(max(alert.activeSince, evaluated.upperBound + 1)...alert.lastFound)
      }
    }
    var runs: [ClosedRange<Day>] = []
    for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = runs.last, part.lowerBound <= last.upperBound + 1 {
        runs[runs.count - 1] = last.lowerBound...max(last.upperBound, part.upperBound)
      } else {
        runs.append(part)
      }
    }
    return runs
  }

  private func alert(
    over days: ClosedRange<Day>, known: MedicationAlert?, among stored: [MedicationAlert]
  ) -> MedicationAlert {
    var alert =
      known
      ?? MedicationAlert(
        user: user, medication: medication, kind: kind, activeSince: days.lowerBound,
        lastFound: days.upperBound)
    alert.lastFound = days.upperBound
    alert.level = alert.level(on: days.upperBound)
    if days.upperBound >= horizon {
      alert.resolution = nil
    } else if known?.lastFound != days.upperBound || known?.isRetracted != false
      || known?.isActive == true
    {
      alert.resolution = .init(day: days.upperBound + 1, reason: .recovered)
    }
    for other in stored
    where other.activeSince != alert.activeSince
      && days.overlaps(other.activeSince...other.lastFound)
    {
      alert.takeOver(other, withSettings: known?.isRetracted != false)
    }
    return alert
  }
}

extension MedicationAlert {
  /// Takes over from an alert in whose place this one is: what members were notified of, and what they have set.
  fileprivate mutating func takeOver(_ other: MedicationAlert, withSettings: Bool) {
    lastNotifiedLevel = .highest(lastNotifiedLevel, other.lastNotifiedLevel)
    shadowNotifiedLevel = .highest(shadowNotifiedLevel, other.shadowNotifiedLevel)
    lastNotifiedAt = [lastNotifiedAt, other.lastNotifiedAt].compactMap(\.self).max()
    guard withSettings else { return }
    snoozeUntil = [snoozeUntil, other.snoozeUntil].compactMap(\.self).max()
    dismissedAt = dismissedAt ?? other.dismissedAt
    if acknowledgedAt == nil {
      (acknowledgedAt, acknowledgedBy) = (other.acknowledgedAt, other.acknowledgedBy)
    }
  }
}
