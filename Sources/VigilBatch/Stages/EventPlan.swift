import Foundation
import VigilAlerts
import VigilDetection
import VigilModel
import VigilStorage

/// Brings the alerts of a batch together into events, and plans what members are notified of (specification,
/// evidence-person.md section 6).
///
/// Rows that would not change are not written, so that a second run writes nothing.
struct EventPlan {
  /// Rows to write.
  private(set) var changed: [PatternAlertState] = []
  private(set) var notifications: [PatternAlertNotification] = []
  /// The events of the alerts of these rows, by their ids; none for a row that has changed in another way.
  private(set) var events: [UUID: OutboxEvent.Kind] = [:]
  /// Episodes opened, escalated and resolved; the other counts are left at 0.
  private(set) var counts = RunRecord.Counts()

  private let window: FoldWindow
  private let mode: RunRecord.Mode
  private let notifiesRecovery: Bool
  private let isSilent: Bool
  private let limits: [MetricType: Double]
  private let provenance: Reconciliation.Provenance

  /// - Parameters:
  ///   - rows: The alerts of the batch; where they are grouped, all that the events of its persons depend on.
  ///   - isGrouping: Whether what is going on with a person at one time is one event; otherwise each alert is
  ///     an event of its own.
  ///   - notifiesRecovery: Whether a notification is planned when a person is back at their baseline.
  ///   - isSilent: Whether the run, in either mode, notifies no one and counts active episodes as notified.
  ///   - limits: By metric, the absolute limit below which its values deviate.
  init(
    of rows: [ReconciledRow], isGrouping: Bool, window: FoldWindow, mode: RunRecord.Mode,
    notifiesRecovery: Bool = false, isSilent: Bool = false, limits: [MetricType: Double] = [:],
    provenance: Reconciliation.Provenance
  ) {
    self.window = window
    self.mode = mode
    self.notifiesRecovery = notifiesRecovery && !isSilent
    self.isSilent = isSilent
    self.limits = limits
    self.provenance = provenance
    guard isGrouping else {
      for row in rows { plan(EventMembers(alone: row)) }
      return
    }
    var persons: [UUID] = []
    var rowsOf: [UUID: [ReconciledRow]] = [:]
    for row in rows {
      if rowsOf[row.row.series.user] == nil { persons.append(row.row.series.user) }
      rowsOf[row.row.series.user, default: []].append(row)
    }
    for person in persons {
      for event in EventMembers.events(of: rowsOf[person] ?? [], in: window) { plan(event) }
    }
  }

  // MARK: An event

  private mutating func plan(_ members: consuming EventMembers) {
    var event = members
    if isSilent { event.countAsNotified() }
    let planned = isSilent ? [] : event.plannedLevels(in: mode, limits: limits)
    for member in event.rows where member.row != member.known { write(member) }
    notifications += planned
    if let end = recovery(of: event) { notifications.append(end) }
  }

  /// The notification of the end of an event, where members were notified of the event and not of its end.
  ///
  /// An event ends with the last of its alerts. That a medication is taken again, or that a value is within a limit again,
  /// notifies no one.
  private func recovery(of event: EventMembers) -> PatternAlertNotification? {
    guard notifiesRecovery, event.start.series.medication == nil,
      !event.start.series.pattern.isOfLimit
    else { return nil }
    let ends = event.rows.compactMap { member in
      member.row.episode.resolution.map { (row: member.row, end: $0) }
    }
    guard ends.count == event.rows.count,
      let (last, end) = ends.max(by: { $0.end.day < $1.end.day }), end.reason == .recovered,
      let level = event.start.notifiedLevel(in: mode),
      window.notifying.contains(end.day)
        || event.rows.contains(where: { $0.known?.episode.isActive ?? false })
    else { return nil }
    return PatternAlertNotification(
      occasion: .recovery, series: last.series, alertStateID: event.start.id, level: level,
      of: last.episode, evaluatedDay: end.day, duration: last.episode.duration,
      figures: last.episode.figures, facts: DeliveryFacts(of: event.start, on: end.day))
  }

  // MARK: Rows

  private mutating func write(_ member: ReconciledRow) {
    let known = member.known
    var row = member.row
    if known == nil { counts.episodesOpened += 1 }
    if row.episode.level > known?.episode.level ?? .day3 { counts.episodesEscalated += 1 }
    if !row.episode.isActive, known?.episode.isActive ?? true { counts.episodesResolved += 1 }
    if let kind = member.event { events[row.id] = kind }
    row.runID = provenance.runID
    row.computedAt = provenance.at
    row.updatedAt = provenance.at
    changed.append(row)
  }
}
