public import Foundation
public import VigilModel

/// The output of `vigil person limits list`: limits that are set for persons, those of a person together.
public struct PersonLimitsReport: Sendable {
  private let rows: [Row]
  private let externalIDs: [UUID: String]
  private let today: Day

  /// A limit of a person.
  public struct Row: Sendable, Hashable {
    public var person: UUID
    public var limit: PersonLimit

    public init(_ limit: PersonLimit, of person: UUID) {
      self.person = person
      self.limit = limit
    }
  }

  /// - Parameters:
  ///   - rows: The limits.
  ///   - today: The present day, which says whether a limit holds.
  ///   - externalIDs: The ids of persons in the system their data come from.
  public init(rows: [Row], today: Day, externalIDs: [UUID: String]) {
    self.rows = rows
    self.today = today
    self.externalIDs = externalIDs
  }

  private var columns: [ExportColumn<Row>] {
    [
      .uuid("user_id", "The person.") { $0.person },
      .text("metric_type", "The metric.") { $0.limit.limit.metric.rawValue },
      .text("direction", "The side that is bad.") { $0.limit.limit.direction.rawValue },
      .number("limit_value", "The limit, in the unit of the metric.") { $0.limit.limit.value },
      .integer("days", "The values in a row that open an alert.") { $0.limit.limit.days },
      .text("severity", "The severity of an alert when it opens.") {
        $0.limit.limit.severity.rawValue
      },
      .date("starts_on", "The first day whose value counts.") { $0.limit.days.lowerBound },
      .date("ends_on", "The last day whose value counts.") { $0.limit.days.upperBound },
      .text("set_by", "The name of who set it.") { $0.limit.setBy },
    ]
  }
}

extension PersonLimitsReport: ListReport {
  public func text(style: TextStyle) -> String {
    guard !rows.isEmpty else {
      return "No limit is set that holds now or later. --all also lists those that have ended.\n"
    }
    var table = TextTable([
      .init("Person"), .init("Metric"), .init("Limit"), .init("Values", .right, rank: 2),
      .init("Severity", rank: 1), .init("From", rank: 3), .init("Until"), .init("Set by", rank: 0),
    ])
    table.rows = rows.map { row in
      let (rule, days) = (row.limit.limit, row.limit.days)
      return [
        PersonText.cell(row.person, externalIDs),
        .init(rule.metric.words, short: rule.metric.shortWords), .init(rule.bound),
        .init("\(rule.days)"), .init(rule.severity.rawValue), .init("\(days.lowerBound)"),
        .init("\(days.upperBound)"), .init(row.limit.setBy),
      ]
    }
    return table.render(style)
  }

  /// The columns of an import of `person_limits`, without the note.
  public func csv() -> String { RowEncoder(columns, as: .csv).text(of: rows) }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = ["limits": rows.map { $0.fields(on: today) }]
    try fields.encode(to: encoder)
  }
}

extension PersonLimitsReport.Row {
  fileprivate func fields(on today: Day) -> JSONFields {
    limit.fields + ["person": person, "state": limit.state(on: today)]
  }
}

extension PersonLimit {
  var fields: JSONFields {
    [
      "metric_type": limit.metric.rawValue,
      "direction": limit.direction.rawValue,
      "limit_value": limit.value,
      "days": limit.days,
      "severity": limit.severity.rawValue,
      "starts_on": days.lowerBound,
      "ends_on": days.upperBound,
      "set_by": setBy,
    ]
  }

  /// `planned`, `holds` or `ended`.
  func state(on today: Day) -> String {
    days.upperBound < today ? "ended" : days.lowerBound > today ? "planned" : "holds"
  }
}
