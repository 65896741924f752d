/// A table that can be exported.
public enum ExportTable: String, CaseIterable, Sendable {
  case alerts
  case insights
  case scores
  case adherence
  case notifications
  case observations

  /// One phrase about its rows, for help.
  public var summary: String {
    switch self {
    case .alerts: "episodes with their level, baseline, recent value and evidence"
    case .insights: "trends of scores and doses, suppressed ones too"
    case .scores: "vitality scores, one row a person and day"
    case .adherence: "doses and rates, one row a person, medication and period"
    case .notifications: "planned and sent notifications, without their payload"
    case .observations: "daily values as detection sees them, one row a value"
    }
  }

  /// The order of its rows.
  var order: String {
    switch self {
    case .alerts: "person, metric, pattern, first day, profile"
    case .insights: "person, day, pillar, medication (without one first), id"
    case .scores: "person, day, source"
    case .adherence: "person, medication (all together first), kind and last day of the period"
    case .notifications: "id, run"
    case .observations: "person, day, metric as in the thresholds file"
    }
  }

  /// The days that `--from` and `--to` choose by.
  var choice: String {
    switch self {
    case .alerts: "episodes that reach one of the days"
    case .insights: "`insight_date`"
    case .scores: "`score_date`"
    case .adherence: "`period_end`"
    case .notifications: "the UTC date of `scheduled_for`"
    case .observations: "`metric_date`"
    }
  }

  /// The declarations of its columns, as far as they do not depend on the row.
  public var columns: [ExportColumnDescription] {
    switch self {
    case .alerts: ExportColumns.alerts.map(\.description)
    case .insights: ExportColumns.insights.map(\.description)
    case .scores: ExportColumns.scores.map(\.description)
    case .adherence: ExportColumns.adherence.map(\.description)
    case .notifications: ExportColumns.notifications.map(\.description)
    case .observations: ExportColumns.observations.map(\.description)
    }
  }

  /// The table in the database whose rows these are; nil for what is made of several rows.
  var stored: String? {
    switch self {
    case .alerts: "pattern_alert_state"
    case .insights: "trend_insights"
    case .scores: "vitality_scores"
    case .adherence: "dose_analytics"
    case .notifications: "notification_queue"
    case .observations: nil
    }
  }

  /// The tables and columns of all exports and lists, as docs/export.md has them.
  ///
  /// - Parameter comments: Those on the columns of a table in the database, by their names.
  public static func markdown(_ comments: (_ table: String) -> [String: String]) -> String {
    let sections = allCases.map { table in
      let sentence = table.summary.prefix(1).uppercased() + table.summary.dropFirst()
      return section(
        table.rawValue,
        "\(sentence). Ordered by \(table.order). `--from` and `--to` choose by \(table.choice).",
        table.columns, table.stored.map(comments) ?? [:])
    }
    let runs = section(
      "runs", "What `vigil runs --format csv` lists; it is no table of `vigil export`.",
      ExportColumns.runs.map(\.description), comments("batch_runs"))
    return (sections + [runs]).joined(separator: "\n")
  }

  private static func section(
    _ title: String, _ text: String, _ columns: [ExportColumnDescription],
    _ comments: [String: String]
  ) -> String {
    let rows = columns.map { column in
      let meaning = column.meaning ?? comments[column.name] ?? ""
      return "| `\(column.name)` | \(column.type.rawValue) | \(column.unit ?? "-") | \(meaning) |\n"
    }
    return """
      ### \(title)

      \(text)

      | Column | Type | Unit | Meaning |
      |---|---|---|---|
      \(rows.joined())
      """
  }
}

/// The declaration of an exported column, without its values.
public struct ExportColumnDescription: Hashable, Sendable {
  public var name: String
  public var type: ExportType
  public var unit: String?
  /// Nil where the comment on a column of the database says it.
  public var meaning: String?
}

extension ExportColumn {
  var description: ExportColumnDescription {
    ExportColumnDescription(name: name, type: type, unit: unit, meaning: meaning)
  }
}
