public import Foundation
public import VigilModel

/// The output of `vigil alerts list`: alerts, as a rule the most severe and newest first, and those of one event
/// together; persons without data are apart.
public struct AlertsReport: Sendable {
  /// In the order in which they are shown.
  public let alerts: [PatternAlertState]
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
  /// The absolute limits of their profiles.
  public var limits = AlertLimits()
  /// The ids of alerts that no night has confirmed yet.
  public var provisional: Set<UUID> = []
  /// The last evaluated day, from which days count in a terminal; nil shows dates there too.
  public var evaluatedDay: Day?

  /// - Parameters:
  ///   - alerts: All alert states that match, in any order.
  ///   - externalIDs: The ids of persons in the system their data come from.
  ///   - order: The order in which they are shown.
  ///   - limit: The number of alerts to show; nil for all.
  ///   - today: The day on which the list is read: a snooze until this day is over.
  ///   - emptyHint: The next step where nothing matches, as one sentence.
  public init(
    alerts: [PatternAlertState], externalIDs: [UUID: String] = [:],
    order: AlertOrder = .attention, limit: Int? = nil, today: Day, emptyHint: String
  ) {
    silences = alerts.filter(\.isActiveSilence).sorted {
      ($0.episode.activeSince, $0.series) < ($1.episode.activeSince, $1.series)
    }
    let sorted = alerts.filter { !$0.isActiveSilence }.sorted { left, right in
      order.puts(left, before: right) { externalIDs[$0] ?? $0.lowercased }
    }
    let byEvent = sorted.byEvent
    self.alerts = Array(byEvent.prefix(limit ?? byEvent.count))
    total = sorted.count
    events = Set(sorted.map(\.eventID)).count
    totals = Dictionary(sorted.map { ($0.severity, 1) }, uniquingKeysWith: +)
    self.externalIDs = externalIDs
    self.today = today
    self.emptyHint = emptyHint
  }
}

extension AlertsReport: ListReport {
  public func csv() -> String {
    RowEncoder(ExportColumns.alerts, as: .csv)
      .text(of: (alerts + silences).map { Exported($0, externalIDs) })
  }

  public func text(style: TextStyle) -> String {
    let apart = SilenceTable(silences, left: left ?? 0, externalIDs: externalIDs).text(style)
    guard !alerts.isEmpty else {
      return apart.isEmpty ? "No alerts match. \(emptyHint)\n" : apart
    }
    let daysAgo = style.width == nil ? nil : evaluatedDay.map(DaysAgo.init)
    var table = TextTable([
      .init("Alert"), .init("Severity", rank: 3), .init("Level", .right), .init("Metric"),
      .init("Person"), .init("Since"), .init("Days", .right, rank: 2),
      .init("Worst", .right, rank: 5), .init("Change", .right),
      .init("Baseline → recent", rank: 4), .init("State", rank: 1),
    ])
    table.rows = alerts.indices.map { index in
      let alert = alerts[index]
      let episode = alert.episode
      let isFurther = index > 0 && alerts[index - 1].eventID == alert.eventID
      return [
        .init((isFurther ? "  " : "") + alert.id.shortened),
        .init(alert.severity.rawValue, Emphasis(alert.severity)),
        .init(String(episode.level.rawValue)),
        metricCell(alert),
        PersonText.cell(alert.series.user, externalIDs),
        .init(daysAgo.map { $0.text(episode.activeSince) } ?? episode.activeSince.description),
        .init(NumberText.count(episode.duration)),
        worstCell(alert),
        changeCell(alert), .init(valuesText(alert)), stateCell(alert),
      ]
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
    guard alerts.count < total else { return counts + "\n" }
    return counts
      + " Shown: the first \(NumberText.count(alerts.count)); --limit 0 lists all.\n"
  }
}

extension [PatternAlertState] {
  /// The alerts of each event one after another, several metrics together first; otherwise in their order.
  fileprivate var byEvent: [PatternAlertState] {
    var places: [UUID: Int] = [:]
    for alert in self where places[alert.eventID] == nil { places[alert.eventID] = places.count }
    func key(_ index: Int) -> [Int] {
      [places[self[index].eventID] ?? 0, self[index].series.metric == .combined ? 0 : 1, index]
    }
    return indices.sorted { key($0).lexicographicallyPrecedes(key($1)) }.map { self[$0] }
  }
}

extension UUID {
  /// The first eight digits, which are enough to identify a row on one screen.
  public var shortened: String { String(lowercased.prefix(8)) }
}
