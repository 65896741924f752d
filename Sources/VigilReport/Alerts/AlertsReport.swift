public import Foundation
public import VigilModel

/// The output of `vigil alerts list`: alerts, as a rule the most severe and newest first, and those of one event
/// together; persons without data are apart.
public struct AlertsReport: Sendable {
  /// In the order in which they are shown.
  let listed: [ListedAlert]
  /// Active alerts of silence, the longest first; all of them are shown.
  public let silences: [PatternAlertState]
  /// The number of persons who have left; nil where that is not known.
  public var left: Int?
  /// The number of all other alerts that match, shown or not.
  public let total: Int
  /// The number of events that they are of.
  let events: Int
  let totals: [Severity: Int]
  let externalIDs: [UUID: String]
  let today: Day
  let emptyHint: String
  /// By the alert's id; empty where the courses of the episodes are not known.
  public var courses: [UUID: EpisodeCourse] = [:]
  /// The ids of alerts that no night has confirmed yet.
  public var provisional: Set<UUID> = []
  /// The last evaluated day, from which days count in a terminal; nil shows dates there too.
  public var evaluatedDay: Day?

  /// - Parameters:
  ///   - alerts: All alert states that match, in any order.
  ///   - medicationAlerts: All alerts about medications that match, in any order.
  ///   - externalIDs: The ids of persons in the system their data come from.
  ///   - order: The order in which they are shown.
  ///   - limit: The number of alerts to show; nil for all.
  ///   - today: The day on which the list is read: a snooze until this day is over.
  ///   - emptyHint: The next step where nothing matches, as one sentence.
  public init(
    alerts: [PatternAlertState], medicationAlerts: [MedicationAlert] = [],
    externalIDs: [UUID: String] = [:],
    order: AlertOrder = .attention, limit: Int? = nil, today: Day, emptyHint: String
  ) {
    silences = alerts.filter(\.isActiveSilence).sorted {
      ($0.episode.activeSince, $0.series) < ($1.episode.activeSince, $1.series)
    }
    let others = alerts.filter { !$0.isActiveSilence }
    let all = others.map(ListedAlert.metric) + medicationAlerts.map(ListedAlert.medication)
    let sorted = all.sorted { left, right in
      order.puts(left, before: right) { externalIDs[$0] ?? $0.lowercased }
    }
    let byEvent = sorted.byEvent
    listed = Array(byEvent.prefix(limit ?? byEvent.count))
    total = sorted.count
    events = Set(sorted.map(\.eventID)).count
    totals = Dictionary(sorted.map { ($0.severity, 1) }, uniquingKeysWith: +)
    self.externalIDs = externalIDs
    self.today = today
    self.emptyHint = emptyHint
  }
}

extension AlertsReport {
  /// The alerts of metrics that are shown, in their order.
  public var alerts: [PatternAlertState] {
    listed.compactMap { if case .metric(let alert) = $0 { alert } else { nil } }
  }

  /// The alerts about medications that are shown, in their order.
  public var medicationAlerts: [MedicationAlert] {
    listed.compactMap { if case .medication(let alert) = $0 { alert } else { nil } }
  }
}

extension AlertsReport: ListReport {
  /// Alerts of metrics only: those about medications have none of the columns of figures.
  public func csv() -> String {
    RowEncoder(ExportColumns.alerts, as: .csv)
      .text(of: (alerts + silences).map { Exported($0, externalIDs) })
  }

  public func text(style: TextStyle) -> String {
    let apart = SilenceTable(silences, left: left ?? 0, externalIDs: externalIDs).text(style)
    guard !listed.isEmpty else {
      return apart.isEmpty ? "No alerts match. \(emptyHint)\n" : apart
    }
    let daysAgo = style.width == nil ? nil : evaluatedDay.map(DaysAgo.init)
    let hasEvidence = alerts.contains {
      $0.episode.evidence != nil || $0.episode.combined != nil
    }
    var table = TextTable(
      [
        .init("Alert"), .init("Severity", rank: 3), .init("Level", .right), .init("Metric"),
        .init("Person"), .init("Since"), .init("Days", .right, rank: 1),
        .init("Worst", .right, rank: 5), .init("Change", .right),
        .init("Baseline → recent", rank: 4),
      ] + (hasEvidence ? [.init("Evidence", rank: 6)] : []) + [.init("State", rank: 2)])
    table.rows = listed.indices.map { index in
      let alert = listed[index]
      let isFurther = index > 0 && listed[index - 1].eventID == alert.eventID
      var cells: [TextTable.Cell] = [
        .init((isFurther ? "  " : "") + alert.id.shortened),
        .init(alert.severity.rawValue, Emphasis(alert.severity)),
        .init(String(alert.level.rawValue)),
        metricCell(alert),
        PersonText.cell(alert.user, externalIDs),
        .init(daysAgo.map { $0.text(alert.activeSince) } ?? alert.activeSince.description),
        .init(NumberText.count(alert.duration)),
        .init(courses[alert.id]?.worst.map { NumberText.change($0.deviation) } ?? "–"),
        .init(alert.change.map(NumberText.change) ?? "–"),
        .init(valuesText(alert)),
      ]
      if hasEvidence { cells.append(.init(evidenceText(alert))) }
      return cells + [.init(stateText(alert))]
    }
    return table.render(style) + "\n" + footer + (daysAgo?.explanation ?? "")
      + (apart.isEmpty ? "" : "\n" + apart)
  }

  private var footer: String {
    let parts = Severity.allCases.reversed().compactMap { severity in
      totals[severity].map { "\(NumberText.count($0)) \(severity.rawValue)" }
    }
    let of = events < total ? " of \(NumberText.count(events, "event"))" : ""
    let counts = "\(NumberText.count(total, "alert"))\(of): \(parts.joined(separator: ", "))."
    guard listed.count < total else { return counts + "\n" }
    return counts
      + " Shown: the first \(NumberText.count(listed.count)); --limit 0 lists all.\n"
  }
}

extension UUID {
  /// The first eight digits, which are enough to identify a row on one screen.
  public var shortened: String { String(lowercased.prefix(8)) }
}
