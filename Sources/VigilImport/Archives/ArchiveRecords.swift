import Foundation
import VigilModel

/// The records of one table of an export, whatever its format.
///
/// A record is a function from the name of a column to its value; nil where it has none.
struct ArchiveRecords {
  typealias Record = (_ column: String) -> String?

  let file: InputFile
  let table: ArchiveTable
  var didRead: (_ bytes: Int) -> Void = { _ in }

  /// Calls `body` with each record and its line, or its number in the list; a record that it refuses is counted.
  ///
  /// - Throws: `ImportError` where the file cannot be read, or the zone of its times is not known.
  func forEach(
    reading: ArchiveReading, _ body: (_ record: Record, _ line: Int) throws(RowProblem) -> Void
  ) throws {
    guard table.day.form != .instant || table.day.offset != nil || reading.zone != nil else {
      throw ImportError(
        .usage,
        "\(file.path): its times are in UTC, and the time zone of the person is not known; nothing was imported; give the"
          + " zone, such as Europe/Berlin")
    }
    let name = fileName(file.path)
    try forEach(shouldStop: reading.options.shouldStop) { record, line, problem in
      try reading.willRead(isWorkout: table.workout != nil)
      do throws(RowProblem) {
        if let problem {
          if table.workout != nil { reading.willKeepWorkout() }
          throw RowProblem(reason: problem)
        }
        try body(record, line)
      } catch {
        reading.reject(error, isWorkout: table.workout != nil, file: name, line: line)
      }
    }
  }

  /// Calls `body` with each record and its line, or its number in the list.
  ///
  /// - Throws: What `body` throws; `ImportError` where the file cannot be read.
  private func forEach(
    shouldStop: @escaping () -> Bool,
    _ body: (_ record: @escaping Record, _ line: Int, _ problem: String?) throws -> Void
  ) throws {
    switch table.format {
    case .csv: try forEachRow(body)
    case .json: try forEachObject(body)
    case .sqlite:
      let query = SQLiteExport.query(
        table.query ?? "", in: PackageResources.health_connect_sql)
      try SQLiteExport(file, shouldStop: shouldStop).forEachRow(of: query, body)
    case .fitbit, .fit: preconditionFailure("FitbitFiles and FITDays read them")
    }
  }

  // MARK: CSV

  private static let form = CSVReader.Form(isLenient: true, hasPlainQuotes: true)

  private func reader() throws -> CSVReader {
    var form = Self.form
    form.skippedLines = table.skippedLines
    return try CSVReader(
      file.open(didRead: didRead).inUTF8(), delimiter: nil, form: form)
  }

  /// The letters of a heading, or those of the one that it stands for.
  private func letters(of heading: String) -> String {
    let letters = ColumnRole.letters(of: heading)
    return table.headings[letters] ?? letters
  }

  /// The columns of a CSV file, by their letters; nil where the file has none.
  ///
  /// - Throws: `ImportError` where the file cannot be read to its end, so that it is not known what it holds.
  func header() throws -> Set<String>? {
    do {
      return Set(try reader().header.map(letters))
    } catch let error as ImportError where error.code == .badData || error.code == .usage {
      _ = try file.digest()
      return nil
    }
  }

  private func forEachRow(
    _ body: (_ record: @escaping Record, _ line: Int, _ problem: String?) throws -> Void
  ) throws {
    let reader = try reader()
    let places = Dictionary(
      reader.header.enumerated().map { (letters(of: $1), $0) },
      uniquingKeysWith: { first, _ in first })
    // Letters of a name are found once.
    var known: [String: Int?] = [:]
    try reader.forEachRow { row in
      let record: Record = { column in
        let place: Int?
        if let found = known[column] {
          place = found
        } else {
          place = places[ColumnRole.letters(of: column)]
          known[column] = place
        }
        guard let place, row.problem == nil else { return nil }
        let text = row[place].text
        return text.isEmpty ? nil : text
      }
      try body(record, row.line, row.problem?.description)
    }
  }

  // MARK: JSON

  private func forEachObject(
    _ body: (_ record: @escaping Record, _ line: Int, _ problem: String?) throws -> Void
  ) throws {
    let contents = try file.contents(didRead: didRead)
    let data =
      table.skippedKeys.isEmpty ? contents : LooseJSON.without(table.skippedKeys, contents)
    func document(_ data: Data) -> Any? {
      try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    }
    guard let document = document(data) ?? document(LooseJSON.withoutNaN(data)) else {
      throw ImportError(
        .badData, "\(fileName(file.path)) is not JSON; nothing was imported; copy it again")
    }
    var number = 0
    let parts = table.rows.split(separator: ".").map(String.init)
    try walk(document, parts[...], within: []) { chain in
      number += 1
      try body({ Self.value($0, in: chain) }, number, nil)
    }
  }

  /// Calls `body` with each object at the end of a path, and the objects around it, the innermost first.
  private func walk(
    _ value: Any, _ path: ArraySlice<String>, within chain: [[String: Any]],
    _ body: ([[String: Any]]) throws -> Void
  ) throws {
    if let list = value as? [Any] {
      for element in list { try walk(element, path, within: chain, body) }
    } else if let object = value as? [String: Any] {
      guard let name = path.first else { return try body([object] + chain) }
      if let inner = object[name] {
        try walk(inner, path.dropFirst(), within: [object] + chain, body)
      }
    }
  }

  /// The value at a path such as `summary.stepCount`, in the innermost object that has one.
  private static func value(_ column: String, in chain: [[String: Any]]) -> String? {
    let parts = column.split(separator: ".").map(String.init)
    for object in chain {
      var value: Any? = object
      for part in parts { value = (value as? [String: Any])?[part] }
      switch value {
      case let text as String: return text.isEmpty ? nil : text
      case let number as NSNumber: return number.stringValue
      default: continue
      }
    }
    return nil
  }
}
