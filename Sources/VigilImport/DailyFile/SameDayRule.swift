import VigilModel
import VigilStorage

/// The rule for several rows of one person, source and day, such as a night and a nap.
public enum SameDayRule: String, Sendable, Hashable, CaseIterable {
  /// Steps, minutes and calories are added up; of everything else the longest row has the value.
  case sum
  /// All values come from the row with most sleep, or most of the first metric where the file has no sleep.
  case longest
  /// All values come from the row that is furthest down.
  case last
  /// Each metric has its largest value.
  case max
}

/// The rows of one person, source and day.
struct SameDayRows {
  /// The line of the first one.
  let line: Int
  private(set) var count = 0
  private var values: [Double?]
  private var longest = -Double.infinity

  init(line: Int, width: Int) {
    self.line = line
    values = Array(repeating: nil, count: width)
  }

  /// - Parameters:
  ///   - row: A value, or none, of each of `metrics`.
  ///   - rule: What counts.
  mutating func add(_ row: [Double?], of metrics: [MetricType], by rule: SameDayRule) {
    count += 1
    let length = Self.length(of: row, metrics)
    let isLongest = length > longest
    if isLongest { longest = length }
    for (index, metric) in metrics.enumerated() {
      let (old, new) = (values[index], row[index])
      values[index] =
        switch rule {
        case .sum where metric.isAdditive: Self.sum(old, new)
        case .sum: isLongest ? new ?? old : old ?? new
        case .longest: isLongest ? new : old
        case .last: new
        case .max: [old, new].compactMap(\.self).max()
        }
    }
  }

  var result: [Double?] { values }

  private static func sum(_ old: Double?, _ new: Double?) -> Double? {
    guard let new else { return old }
    return (old ?? 0) + new
  }

  private static func length(of row: [Double?], _ metrics: [MetricType]) -> Double {
    let sleep = metrics.firstIndex { $0.rawValue == "sleep_minutes" }
    return row[sleep ?? 0] ?? 0
  }
}

/// The rows of a file by person, source and day, in the order of the first of each.
struct RowsOfDays {
  private let metrics: [MetricType]
  private var places: [[InputValue]: Int] = [:]
  private(set) var all: [(key: [InputValue], person: PersonID, rows: SameDayRows)] = []

  init(metrics: [MetricType]) { self.metrics = metrics }

  mutating func add(
    _ row: [Double?], key: [InputValue], person: PersonID, line: Int, by rule: SameDayRule
  ) {
    let place = places[key] ?? all.count
    if place == all.count {
      places[key] = place
      all.append((key, person, SameDayRows(line: line, width: metrics.count)))
    }
    all[place].rows.add(row, of: metrics, by: rule)
  }
}

extension MetricType {
  /// Whether parts of a day can be added up.
  fileprivate var isAdditive: Bool {
    rawValue == "steps" || rawValue == "active_calories" || rawValue.hasSuffix("_minutes")
  }
}
