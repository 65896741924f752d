public import VigilModel

/// The columns of `wearable_daily_metrics`, which may be a view of another table.
public struct MetricColumns: Sendable, Hashable {
  /// The columns of a numeric type, which can be metrics.
  public var numeric: Set<MetricType>
  /// The types of all others, by name.
  public var others: [MetricType: String]
  /// Whether they are a view's, which no `ALTER TABLE` can give a column.
  public var isView: Bool
  /// The numeric type to use in advice, as the database writes it.
  public var numericType: String

  public init(
    numeric: Set<MetricType> = [], others: [MetricType: String] = [:], isView: Bool = false,
    numericType: String
  ) {
    self.numeric = numeric
    self.others = others
    self.isView = isView
    self.numericType = numericType
  }

  /// Sorts columns by whether their type is a number's.
  ///
  /// - Parameters:
  ///   - columns: All columns of the table, with their types.
  ///   - isView: Whether the table is a view.
  ///   - numericType: The type that a metric should have, for messages.
  ///   - isNumeric: Whether a metric can be read from a column of this type.
  public init(
    _ columns: [(name: String, type: String)], isView: Bool, numericType: String,
    isNumeric: (String) -> Bool
  ) {
    self.init(isView: isView, numericType: numericType)
    for column in columns {
      if isNumeric(column.type) {
        numeric.insert(MetricType(column.name))
      } else {
        others[MetricType(column.name)] = column.type
      }
    }
  }

  /// The columns of measurements that are not asked for; minutes of wear are no measurement.
  ///
  /// - Parameters:
  ///   - names: The numeric columns.
  ///   - metrics: Those that are asked for.
  package static func measurements(
    among names: [String], besides metrics: [MetricType]
  ) -> [String] {
    let asked = Set(metrics.map(\.rawValue) + [MetricType.wornMinutes.rawValue])
    return names.filter { !asked.contains($0) }
  }
}
