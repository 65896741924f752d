import Foundation
import VigilModel
public import VigilStorage

/// Reads one CSV file of daily metrics, whatever its columns are called.
///
/// The file has a column for each metric, or is in the long format with the columns person, date, metric
/// and value. It is read twice: once to find the form of its dates and numbers from all rows, and once to
/// import them.
public struct DailyFileImport {
  /// The meaning of the file's columns.
  public let interpretation: FileInterpretation

  private let reader: CSVReader
  private let columns: DailyColumns
  private let dates: DateForm
  private let hasLocalOffsets: Bool
  private let decimals: DecimalMark
  /// In the long format: the metric of each word.
  private let words: [String: ColumnRole]
  private let request: DailyFileRequest
  private let options: ImportOptions

  /// Opens the file and finds the meaning of its columns; writes nothing.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which may be compressed with gzip or zstd; `-` for standard input.
  ///   - request: What the user says about the file.
  ///   - options: The limits of the import and its callbacks.
  /// - Throws: `ImportError` where the file cannot be read, or its meaning cannot be known.
  public init(path: String, request: DailyFileRequest, options: ImportOptions) throws {
    let meter = ProgressMeter(totalBytes: 0, report: options.progress)
    let bytes =
      path == "-"
      ? try FileBytes.standardInput(
        options.standardInput, shouldStop: options.shouldStop, didRead: { meter.add($0) })
      : try FileBytes.regular(path: path, options: options, didRead: { meter.add($0) })
    // Each byte is read twice.
    meter.totalBytes = 2 * bytes.byteCount
    try self.init(bytes.decompressed(), request: request, options: options)
  }

  init(_ bytes: any ByteSource, request: DailyFileRequest, options: ImportOptions) throws {
    let file = fileName(bytes.path)
    let bytes = try bytes.inUTF8()
    let form = CSVReader.Form(skippedLines: request.skippedLines, isLenient: true)
    let first = try CSVReader(bytes, delimiter: nil, form: form)
    columns = try DailyColumns(header: first.header, request: request, file: file)
    let survey = try DailyFileSurvey(first, columns: columns, request: request, options: options)
    (dates, decimals) = (survey.dates, survey.decimals)
    hasLocalOffsets = survey.hasLocalOffsets
    let found = try Self.roles(of: survey, columns: columns, file: file)
    words = found.mapValues(\.role)
    interpretation = FileInterpretation(
      file: file, delimiter: first.delimiter, columns: columns, survey: survey, words: found,
      request: request)
    try bytes.rewind()
    reader = try CSVReader(bytes, delimiter: first.delimiter, form: form)
    self.request = request
    self.options = options
  }

  /// The meaning of each word in the column of metrics.
  private static func roles(
    of survey: DailyFileSurvey, columns: DailyColumns, file: String
  ) throws -> [String: (role: ColumnRole, rows: Int)] {
    guard let long = columns.long else { return [:] }
    var roles: [String: (role: ColumnRole, rows: Int)] = [:]
    for (word, rows) in survey.words {
      let role = columns.words[word] ?? ColumnRole(header: word) ?? .ignored
      if case .metric = role { roles[word] = (role, rows) } else { roles[word] = (.ignored, rows) }
    }
    let name = columns.names[long.metricName]
    let absent = columns.words.keys.filter { roles[$0] == nil }.sorted()
    guard absent.isEmpty else {
      throw ImportError(
        .badData, "\(file) cannot be read as daily metrics; nothing was imported",
        problems: absent.map {
          "\(file): '\($0)' is neither a column nor a word in column '\(name)'"
        }, remedy: .describeColumns)
    }
    guard survey.words.isEmpty || roles.values.contains(where: { $0.role != .ignored }) else {
      throw ImportError(
        .badData,
        "\(file): no row of column '\(name)' names a metric; nothing was imported",
        remedy: .describeColumns)
    }
    return roles
  }

  /// Imports the file in one transaction; once for each value of this type.
  ///
  /// - Throws: `ImportError` where rows cannot be used (see `ImportOptions`) or `shouldStop`
  ///   returns true, `StorageError` from the database. Nothing is imported then.
  public func run(into storage: some Storage) throws -> ImportSummary {
    try storage.importRows { try load(into: $0) }
  }

  func load(into writer: any ImportWriter) throws -> ImportSummary {
    let session = ImportSession(writer: writer, options: options)
    let table =
      try columns.long.map { try loadLong($0, session: session) } ?? loadWide(session: session)
    return try session.finish(tables: [table])
  }

  private static let key = ["user_id", "metric_date", "source"]

  private func loadWide(session: ImportSession) throws -> ImportSummary.Table {
    let parser = FieldParser(today: options.today, zones: options.zones)
    let loader = try loader(of: columns.metrics.map(\.metric), session: session)
    let common = try fixedPerson(parser)
    let missingZeros = columns.names.indices.filter {
      request.preset?.missingZeros.contains(columns.names[$0]) ?? false
    }
    let metrics = columns.metrics.map(\.metric)
    var days = RowsOfDays(metrics: metrics)
    var values: [InputValue] = []
    var numbers: [Double?] = []
    try reader.forEachRow { row in
      if lacksDate(row) { return try loader.merge() }
      values.removeAll(keepingCapacity: true)
      numbers.removeAll(keepingCapacity: true)
      let person: PersonID
      do throws(RowProblem) {
        person = try readKey(of: row, into: &values, common: common, parser: parser)
        for (metric, parts) in columns.metrics {
          var sum: Double? = 0
          for part in parts {
            var number = try number(row[part.index], in: part.index, parser) {
              parser, bytes throws(Refusal) in
              try part.unit.value(bytes, of: metric, mark: decimals, parser: parser)
            }
            if number == 0, missingZeros.contains(part.index) { number = nil }
            // Where one column has no value, the sum has none.
            sum = sum.flatMap { sum in number.map { sum + $0 } }
          }
          numbers.append(sum)
        }
      } catch {
        return try loader.reject(error, line: row.line)
      }
      if let rule = sameDay {
        days.add(numbers, key: values, person: person, line: row.line, by: rule)
      } else {
        for number in numbers { values.append(InputValue(number)) }
        try loader.load(&values, of: person, line: row.line)
      }
    }
    try write(days, with: loader)
    return loader.summary
  }

  private func loadLong(
    _ long: (metricName: Int, value: Int), session: ImportSession
  ) throws -> ImportSummary.Table {
    let parser = FieldParser(today: options.today, zones: options.zones)
    // Rows without a metric or a value, and those that cannot be used.
    let rest = try loader(of: [], session: session)
    var loaders: [MetricType: TableLoader] = [:]
    var days: [MetricType: RowsOfDays] = [:]
    let common = try fixedPerson(parser)
    var values: [InputValue] = []
    try reader.forEachRow { row in
      if lacksDate(row) { return try rest.merge() }
      values.removeAll(keepingCapacity: true)
      let person: PersonID
      let found: (metric: MetricType, number: Double)?
      do throws(RowProblem) {
        person = try readKey(of: row, into: &values, common: common, parser: parser)
        found = try measurement(in: row, long, parser)
      } catch {
        return try rest.reject(error, line: row.line)
      }
      guard let (metric, number) = found else { return try rest.merge() }
      let loader = try loaders[metric] ?? loader(of: [metric], session: session)
      loaders[metric] = loader
      if let rule = sameDay {
        days[metric, default: RowsOfDays(metrics: [metric])].add(
          [number], key: values, person: person, line: row.line, by: rule)
      } else {
        values.append(.real(number))
        try loader.load(&values, of: person, line: row.line)
      }
    }
    for (metric, rows) in days {
      if let loader = loaders[metric] { try write(rows, with: loader) }
    }
    return loaders.values.reduce(into: rest.summary) { $0.add($1.summary) }
  }

  /// The rule for several rows of one day; nil where they contradict each other.
  private var sameDay: SameDayRule? { request.sameDay ?? request.preset?.sameDay }

  /// Writes the days for which a rule has decided.
  private func write(_ days: RowsOfDays, with loader: TableLoader) throws {
    for day in days.all {
      var values = day.key + day.rows.result.map(InputValue.init)
      try loader.load(&values, of: day.person, line: day.rows.line)
      for _ in 1..<day.rows.count { try loader.merge() }
    }
  }

  /// The metric and the value of a row in the long format; nil where it has none.
  private func measurement(
    in row: CSVRow, _ long: (metricName: Int, value: Int), _ parser: FieldParser
  ) throws(RowProblem) -> (metric: MetricType, number: Double)? {
    guard case .metric(let metric, let unit) = words[row[long.metricName].text] else { return nil }
    let number = try number(row[long.value], in: long.value, parser) {
      parser, bytes throws(Refusal) in
      try unit.value(bytes, of: metric, mark: decimals, parser: parser)
    }
    return number.map { (metric, $0) }
  }

  /// Whether the preset says that a row says nothing.
  private func lacksDate(_ row: CSVRow) -> Bool {
    request.preset?.skipsRowsWithoutDate == true && row.problem == nil
      && row[columns.day].bytes.isEmpty
  }

  private func loader(of metrics: [MetricType], session: ImportSession) throws -> TableLoader {
    try TableLoader(
      table: .wearableDailyMetrics, columns: Self.key + metrics.map(\.rawValue),
      file: fileName(reader.path), session: session, countsContradictions: true)
  }

  private func fixedPerson(_ parser: FieldParser) throws -> PersonID? {
    try request.user.map(parser.personID)
  }

  /// Appends person, day and source of a row, and returns the person.
  private func readKey(
    of row: CSVRow, into values: inout [InputValue], common: PersonID?, parser: FieldParser
  ) throws(RowProblem) -> PersonID {
    if let problem = row.problem { throw RowProblem(reason: problem.description) }
    let person: PersonID
    if let common {
      person = common
    } else {
      let index = columns.person ?? 0
      person = try parser.person(of: row[index], in: columns.names[index])
    }
    values.append(.uuid(person.id))
    let bytes = row[columns.day].bytes
    let name = columns.names[columns.day]
    guard !bytes.isEmpty else { throw RowProblem(column: name, reason: "missing") }
    values.append(
      .day(
        try naming(name) { () throws(Refusal) in
          try parser.day(bytes, in: dates, hasLocalOffsets: hasLocalOffsets)
        }))
    if let index = columns.source {
      let bytes = row[index].bytes
      let name = columns.names[index]
      guard !bytes.isEmpty else { throw RowProblem(column: name, reason: "missing") }
      values.append(.text(try naming(name) { () throws(Refusal) in try parser.text(bytes) }))
    } else {
      values.append(.text(request.source ?? request.preset?.source ?? ""))
    }
    return person
  }

  /// The value of a field; nil where it is missing.
  private func number(
    _ field: CSVField, in index: Int, _ parser: FieldParser,
    read: (FieldParser, FieldParser.Bytes) throws(Refusal) -> Double
  ) throws(RowProblem) -> Double? {
    let bytes = field.bytes
    if bytes.isEmpty { return nil }
    if bytes.count <= 4, !bytes.contains(where: { $0 &- 0x30 < 10 }) {
      if MissingWord.matches(String(decoding: bytes, as: UTF8.self)) { return nil }
    }
    return try naming(columns.names[index]) { () throws(Refusal) in try read(parser, bytes) }
  }

  private func naming<Value>(
    _ column: String, _ body: () throws(Refusal) -> Value
  ) throws(RowProblem) -> Value {
    do throws(Refusal) {
      return try body()
    } catch {
      throw RowProblem(column: column, reason: error.reason)
    }
  }
}

extension ImportSummary.Table {
  /// Adds the counts of rows that came from the same file.
  mutating func add(_ other: ImportSummary.Table) {
    rowsRead += other.rowsRead
    rowsWritten += other.rowsWritten
    rowsQuarantined += other.rowsQuarantined
    rowsMerged += other.rowsMerged
    rowsLeftOut += other.rowsLeftOut
    personsAdded += other.personsAdded
  }
}
