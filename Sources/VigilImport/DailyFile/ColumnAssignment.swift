import VigilModel
import VigilStorage

/// The meaning of a column, as a user gives it: `Date=metric_date`, `Sleep (h)=sleep_minutes:hours`.
public struct ColumnAssignment: Sendable, Hashable {
  /// The name of the column in the file; in the long format also a word of its column of metrics.
  public var column: String
  var role: ColumnRole

  /// Reads `COLUMN=NAME[:UNIT]`, where `NAME` is a metric, `metric_date`, `user_id`, `source`, `metric` or
  /// `value`; with nothing behind `=` the column is ignored.
  ///
  /// - Throws: `ImportError` with code `.usage` for anything else.
  public init(_ text: String) throws {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex else {
      throw ImportError(
        .usage, "'\(text)' is no mapping; write it as COLUMN=NAME, such as Date=metric_date")
    }
    try self.init(
      column: String(text[..<equals]), target: String(text[text.index(after: equals)...]))
  }

  /// - Parameter target: The text behind `=`.
  init(column: String, target: String) throws {
    self.column = column
    let parts = target.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let unit = parts.count == 2 ? String(parts[1]) : nil
    role = try ColumnRole(target: String(parts.first ?? ""), unit: unit)
  }
}

/// The meaning of a column in a file of daily metrics.
enum ColumnRole: Sendable, Hashable {
  case day
  case person
  case source
  /// In the long format: the column with names of metrics.
  case metricName
  /// In the long format: the column with values.
  case value
  case metric(MetricType, MetricUnit)
  case ignored

  /// - Throws: `ImportError` with code `.usage` where there is no such name, or the metric has no such
  ///   unit.
  init(target: String, unit: String?) throws {
    if let metric = InputTable.wearableMetrics.first(where: { $0.rawValue == target }) {
      let units = MetricUnit.units(of: metric)
      guard let unit = unit.map(MetricUnit.init(rawValue:)) ?? units[0], units.contains(unit) else {
        throw ImportError(
          .usage,
          "'\(unit ?? "")' is no unit of \(target); it can be"
            + " \(units.map(\.rawValue).joined(separator: ", "))")
      }
      self = .metric(metric, unit)
      return
    }
    guard let role = Self.named[target] else {
      let known =
        Self.named.keys.filter { !$0.isEmpty } + InputTable.wearableMetrics.map(\.rawValue)
      let nearest = NearestName.of(target, among: known.sorted())
      throw ImportError(
        .usage,
        "'\(target)' is no column of daily metrics\(nearest.map { "; did you mean '\($0)'?" } ?? "")"
      )
    }
    guard unit == nil else { throw ImportError(.usage, "\(target) has no unit") }
    self = role
  }

  private static let named: [String: ColumnRole] = [
    "metric_date": .day, "user_id": .person, "source": .source, "metric": .metricName,
    "value": .value, "": .ignored,
  ]

  /// The name of the column that it fills; nil for none.
  var target: String? {
    switch self {
    case .day: "metric_date"
    case .person: "user_id"
    case .source: "source"
    case .metricName: "metric"
    case .value: "value"
    case .metric(let metric, _): metric.rawValue
    case .ignored: nil
    }
  }

  /// The meaning of a column by its name alone; nil where the name says nothing.
  ///
  /// Case, spaces and punctuation make no difference. A name that leaves the unit open is not
  /// understood.
  init?(header: String) {
    switch Self.letters(of: header) {
    case "date", "day", "metricdate", "calendardate": self = .day
    case "userid", "user", "person", "personid", "participant", "participantid": self = .person
    case "source", "device": self = .source
    case "metric": self = .metricName
    case "value": self = .value
    case "restingheartrate": self = .metric(MetricType("resting_hr"), .bpm)
    case let letters:
      guard
        let metric = InputTable.wearableMetrics.first(where: {
          Self.letters(of: $0.rawValue) == letters
        })
      else { return nil }
      self = .metric(metric, MetricUnit.units(of: metric)[0])
    }
  }

  static func letters(of name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
