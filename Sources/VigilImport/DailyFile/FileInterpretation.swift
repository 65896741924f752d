import VigilModel

/// The meaning that an import found in a file, for the user to check.
public struct FileInterpretation: Sendable, Hashable {
  /// The name of the file.
  public var file: String
  /// The form of the file in words, such as `365 rows`, `semicolons` and `dates D/M/YYYY`.
  public var form: [String]
  /// Each column that is read, or option in the place of one, and what it fills.
  public var columns: [Column]
  /// The names of columns that are not read.
  public var ignored: [String]

  /// A column of the file, or an option in its place.
  public struct Column: Sendable, Hashable {
    public var name: String
    /// The column of the table and the unit, such as `sleep_minutes, from hours`.
    public var meaning: String
  }
}

extension FileInterpretation {
  init(
    file: String, delimiter: UInt8, columns: DailyColumns, survey: DailyFileSurvey,
    words: [String: (role: ColumnRole, rows: Int)], request: DailyFileRequest
  ) {
    self.file = file
    let separator =
      switch delimiter {
      case UInt8(ascii: ";"): "semicolons"
      case UInt8(ascii: "\t"): "tabs"
      default: "commas"
      }
    form = [
      Self.count(survey.rowCount), separator,
      "decimal \(survey.decimals.rawValue)", "dates \(survey.dates.example)",
    ]
    self.columns = []
    if let user = request.user {
      self.columns.append(Column(name: "(all rows)", meaning: "user_id \(user)"))
    }
    if let preset = request.preset {
      let source =
        columns.source == nil && request.source == nil
        ? preset.source.map { ", source \($0)" } : nil
      self.columns.append(Column(name: "(preset)", meaning: preset.name + (source ?? "")))
    }
    if let source = request.source {
      self.columns.append(Column(name: "(all rows)", meaning: "source \(source)"))
    }
    for (index, name) in columns.names.enumerated() {
      guard let meaning = columns.roles[index].meaning else { continue }
      if columns.long != nil, case .metric = columns.roles[index] { continue }
      self.columns.append(Column(name: name, meaning: meaning))
    }
    ignored = zip(columns.names, columns.roles).filter { _, role in
      if case .metric = role { columns.long != nil } else { role == .ignored }
    }.map(\.0)
    for (word, found) in words.sorted(by: { $0.key < $1.key }) {
      if let meaning = found.role.meaning {
        self.columns.append(Column(name: word, meaning: "\(meaning) (\(Self.count(found.rows)))"))
      } else {
        ignored.append("\(word) (\(Self.count(found.rows)))")
      }
    }
  }
}

extension FileInterpretation {
  static func count(_ number: Int, _ noun: String = "row") -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

extension ColumnRole {
  /// The column of the table and the unit; nil for a column that is not read.
  fileprivate var meaning: String? {
    guard case .metric(let metric, let unit) = self else { return target }
    let isStoredUnit = unit == MetricUnit.units(of: metric)[0]
    return "\(metric.rawValue), \(isStoredUnit ? "" : "from ")\(unit.rawValue)"
  }
}
