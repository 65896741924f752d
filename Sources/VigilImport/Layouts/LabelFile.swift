public import VigilModel

/// A CSV file of changes that are known to have happened, such as the `labels.csv` of generated data.
///
/// Its columns are `user_id`, `first_day`, `last_day` and, if there is one, `metric_type`; `person`, `first`, `last`
/// and `metric` are other names for them. Further columns are ignored. An empty metric means any.
public struct LabelFile: Sendable {
  public struct Row: Hashable, Sendable {
    public var line: Int
    /// A UUID, or an id as in `users.external_id`.
    public var person: String
    public var metric: MetricType?
    public var days: ClosedRange<Day>
  }

  public let rows: [Row]

  /// Reads all rows; one that cannot be used refuses the file, as a missing label would count as a false alert.
  ///
  /// - Parameters:
  ///   - path: The file, as messages show it.
  ///   - currentFolder: The folder where a relative path begins; nil for the current one of the process.
  /// - Throws: `ImportError` where the file cannot be read (`.usage`), lacks a column or has unusable rows.
  public init(path: String, in currentFolder: String? = nil) throws {
    let reader = try CSVReader(path: path, in: currentFolder)
    let name = fileName(path)
    func column(_ names: String...) -> Int? {
      names.lazy.compactMap(reader.header.firstIndex(of:)).first
    }
    guard let person = column("user_id", "person"), let first = column("first_day", "first"),
      let last = column("last_day", "last")
    else {
      throw ImportError(
        .badData,
        "\(name): its header must name user_id, first_day, last_day and, for labels of one metric,"
          + " metric_type")
    }
    let metric = column("metric_type", "metric")
    var (rows, problems) = ([Row](), [String]())
    try reader.forEachRow { row in
      do throws(RowProblem) {
        if let problem = row.problem { throw RowProblem(column: nil, reason: problem.description) }
        rows.append(
          Row(
            line: row.line, person: try Self.text(row[person], "user_id"),
            metric: metric.flatMap { row[$0].bytes.isEmpty ? nil : MetricType(row[$0].text) },
            days: try Self.days(row[first], row[last])))
      } catch {
        problems.append(
          "\(name):\(row.line): \(error.column.map { "\($0): " } ?? "")\(error.reason)")
      }
    }
    guard problems.isEmpty else {
      let count = problems.count == 1 ? "one row" : "\(problems.count) rows"
      throw ImportError(.badData, "\(name): \(count) cannot be used", problems: problems)
    }
    self.rows = rows
  }

  private static func text(_ field: CSVField, _ column: String) throws(RowProblem) -> String {
    guard !field.bytes.isEmpty else { throw RowProblem(column: column, reason: "missing") }
    return field.text
  }

  private static func days(
    _ first: CSVField, _ last: CSVField
  ) throws(RowProblem) -> ClosedRange<Day> {
    func day(_ field: CSVField, _ column: String) throws(RowProblem) -> Day {
      guard let day = Day(try text(field, column)) else {
        throw RowProblem(column: column, reason: "not a date (YYYY-MM-DD)")
      }
      return day
    }
    let (from, to) = (try day(first, "first_day"), try day(last, "last_day"))
    guard from <= to else { throw RowProblem(column: "last_day", reason: "before first_day") }
    return from...to
  }
}
