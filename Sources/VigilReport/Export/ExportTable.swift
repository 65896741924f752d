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

  /// The tables and columns of all exports, as docs/export.md has them.
  public static var markdown: String {
    allCases.map(\.markdown).joined(separator: "\n")
  }

  private var markdown: String {
    let rows = columns.map { column in
      "| `\(column.name)` | \(column.type.rawValue) | \(column.unit ?? "-") | \(column.meaning) |\n"
    }
    let sentence = summary.prefix(1).uppercased() + summary.dropFirst()
    return """
      ### \(rawValue)

      \(sentence). Ordered by \(order). `--from` and `--to` choose by \(choice).

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
  public var meaning: String
}

extension ExportColumn {
  var description: ExportColumnDescription {
    ExportColumnDescription(name: name, type: type, unit: unit, meaning: meaning)
  }
}
