import VigilModel

/// A column of `VIGIL_EPISODES`, with what it has of an alert.
struct EpisodeColumn: Sendable {
  let layout: ResultTable.Column
  /// Whether its cells are ids of alerts, which take the longest: they are hashed where a column has them.
  var isOfIDs = false
  fileprivate let add: @Sendable (_ row: Row, _ table: inout ResultTable) -> Void

  var name: String { layout.name }

  /// An alert of a person, beside the others of that person.
  struct Row {
    let alert: Alert
    let person: PersonRows
    let profile: String
    /// As the caller names it.
    let medicationName: String?
    /// The ids of all alerts of the person; empty where no column has them.
    let ids: [UUID]
    /// The place of the alert among them, and of the one that started its event.
    let place: (own: Int, start: Int)

    fileprivate var episode: Episode { alert.episode }
  }

  func add(_ row: Row, to table: inout ResultTable) { add(row, &table) }

  /// The columns of `vigil export alerts` that do not depend on a database, in their order, and the caller's names.
  static let all: [EpisodeColumn] = [
    text("person") { $0.person.name },
    ofIDs("id") { $0.ids[$0.place.own] },
    ofIDs("event_id") { $0.ids[$0.place.start] },
    text("profile") { $0.profile },
    uuid("user_id") { $0.person.id },
    text("medication", nullable: true) { $0.medicationName },
    uuid("medication_id", nullable: true) { $0.alert.series.medication },
    text("metric_type") { $0.alert.metric.rawValue },
    text("pattern_type") { $0.alert.pattern.rawValue },
    text("episode_status") { $0.episode.isActive ? "active" : "resolved" },
    date("active_since") { $0.episode.activeSince },
    date("last_evaluated_date") { $0.episode.lastEvaluated },
    integer("consecutive_true_days") { $0.episode.duration },
    integer("current_level") { $0.episode.level.rawValue },
    text("severity") { $0.alert.metric.severity(of: $0.episode.level).rawValue },
    date("baseline_start") { $0.episode.figures.baseline.start },
    date("baseline_end") { $0.episode.figures.baseline.end },
    integer("baseline_days") { $0.episode.figures.baseline.count },
    number("baseline_value") { $0.episode.figures.baseline.value },
    date("recent_start") { $0.episode.figures.recent.start },
    date("recent_end") { $0.episode.figures.recent.end },
    number("recent_value") { $0.episode.figures.recent.value },
    number("deviation_fraction", nullable: true) { $0.episode.figures.deviation },
    date("opened_on", nullable: true) { $0.episode.opening?.openedOn },
    integer("window_days", nullable: true) { $0.episode.opening?.windowDays },
    number("evidence", nullable: true) { $0.episode.opening?.evidence },
    number("evidence_threshold", nullable: true) { $0.episode.opening?.threshold },
    number("shift_spreads", nullable: true) { $0.episode.opening?.shift },
    integer("longest_pause_days", nullable: true) { $0.episode.silence?.longestPause },
    date("resolved_on", nullable: true) { $0.episode.resolution?.day },
    text("resolution_reason", nullable: true) { $0.episode.resolution?.reason.rawValue },
  ]

  // MARK: Kinds

  private static func text(
    _ name: String, nullable: Bool = false, _ cell: @escaping @Sendable (Row) -> String?
  ) -> EpisodeColumn {
    EpisodeColumn(layout: .text(name, nullable: nullable)) { $1.add(cell($0)) }
  }

  private static func uuid(
    _ name: String, nullable: Bool = false, _ cell: @escaping @Sendable (Row) -> UUID?
  ) -> EpisodeColumn {
    EpisodeColumn(layout: .text(name, nullable: nullable)) { $1.add(cell($0)) }
  }

  private static func ofIDs(
    _ name: String, _ cell: @escaping @Sendable (Row) -> UUID?
  ) -> EpisodeColumn {
    var column = uuid(name, cell)
    column.isOfIDs = true
    return column
  }

  private static func date(
    _ name: String, nullable: Bool = false, _ cell: @escaping @Sendable (Row) -> Day?
  ) -> EpisodeColumn {
    EpisodeColumn(layout: .date(name, nullable: nullable)) { $1.add(cell($0)?.ordinal) }
  }

  private static func integer(
    _ name: String, nullable: Bool = false, _ cell: @escaping @Sendable (Row) -> Int?
  ) -> EpisodeColumn {
    EpisodeColumn(layout: .integer(name, nullable: nullable)) { $1.add(cell($0).map(Int32.init)) }
  }

  private static func number(
    _ name: String, nullable: Bool = false, _ cell: @escaping @Sendable (Row) -> Double?
  ) -> EpisodeColumn {
    EpisodeColumn(layout: .number(name, nullable: nullable)) { $1.add(cell($0)) }
  }
}
