import VigilModel

/// The first reading of a file: how many rows it has, and the form of its dates and numbers.
struct DailyFileSurvey {
  let rowCount: Int
  let dates: DateForm
  /// Whether a date has an offset that is not 0.
  let hasLocalOffsets: Bool
  let decimals: DecimalMark
  /// In the long format: each word of the column of metrics, and how many rows have it.
  let words: [String: Int]

  /// More words than this are no names of metrics.
  private static let mostWords = 1000

  /// - Throws: `ImportError` where the form of dates or numbers cannot be known, or the import is to
  ///   stop.
  init(
    _ reader: CSVReader, columns: DailyColumns, request: DailyFileRequest, options: ImportOptions
  ) throws {
    var rowCount = 0
    var words: [String: Int] = [:]
    var dates = DateSurvey()
    var decimals = DecimalSurvey()
    let valueColumns = columns.roles.indices.filter { index in
      switch columns.roles[index] {
      case .metric(_, let unit): columns.long == nil && unit != .clock
      case .value: true
      default: false
      }
    }
    try reader.forEachRow { row in
      rowCount += 1
      if rowCount % 4096 == 0, options.shouldStop() { throw ImportError.interruption }
      guard row.problem == nil else { return }
      dates.add(row[columns.day].bytes, line: row.line)
      for index in valueColumns {
        let isCount =
          if case .metric(_, .count) = columns.roles[index] { true } else { false }
        decimals.add(NumberWithUnit(row[index].bytes).number, line: row.line, isCount: isCount)
      }
      if let long = columns.long {
        let word = row[long.metricName].text
        if words[word] != nil || words.count < Self.mostWords { words[word, default: 0] += 1 }
      }
    }
    self.rowCount = rowCount
    self.words = words
    hasLocalOffsets = dates.hasLocalOffsets
    let file = fileName(reader.path)
    self.dates =
      try request.dates ?? request.preset?.dates
      ?? dates.form(file: file, column: columns.names[columns.day])
    self.decimals =
      try request.decimals ?? request.preset?.decimals
      ?? decimals.mark(file: file, delimiter: reader.delimiter)
  }
}
