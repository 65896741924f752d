import Foundation
import VigilModel
public import VigilStorage

/// Reads the export of a person's own Fitbit account: JSON files by month, wherever in the folder they are.
///
/// Several archives of one account may be in the folder, and copies as a browser names them: an entry of a time that an
/// earlier one had counts once, with the larger value, because a later archive knows more of a minute. A file with the
/// contents of another one is not read.
///
/// - `steps-*.json` are added up by the date in the file; Fitbit documents no time zone for it.
/// - `movement_minutes` is the sum of `moderately_active_minutes-*.json` and `very_active_minutes-*.json`,
///   missing where either is. Fitbit fills these files with 0 to the end of their month; those after the newest entry of
///   another value say nothing.
/// - `resting_heart_rate-*.json`: 0 means that there is none.
/// - `worn_minutes` is the sum of the zones of `time_in_heart_rate_zones-*.json`, the minutes with a heart rate; 0
///   says nothing, as there are trackers that measure none.
/// - `sleep-*.json`: logs of one date are added up; one that is there twice, by its `logId`, counts once.
public struct FitbitAccountImport {
  private let files: [(kind: Kind, path: String)]
  /// The places in the folder of files that have the contents of another one.
  private let repeatedFiles: [String]
  private let user: String
  private let options: ImportOptions

  enum Kind: String, CaseIterable {
    case steps = "steps-"
    case moderate = "moderately_active_minutes-"
    case vigorous = "very_active_minutes-"
    case restingHeartRate = "resting_heart_rate-"
    case heartRateZones = "time_in_heart_rate_zones-"
    case sleep = "sleep-"
  }

  /// Finds the files; reads none yet.
  ///
  /// - Parameters:
  ///   - folder: The unpacked export, or a folder of it.
  ///   - user: The id of the person whose export it is.
  ///   - options: The limits of the import and its callbacks.
  /// - Throws: `ImportError` with code `.usage` where there is no such folder or no such file in it.
  public init(folder: String, user: String, options: ImportOptions) throws {
    let place = folder.path(startingIn: options.currentFolder)
    _ = try fileNames(inFolder: folder, at: place)
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: place)) ?? []
    var contents: Set<String> = []
    var repeated: [String] = []
    // Names that a browser has made longer come after those that they are copies of.
    let ordered = paths.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    files = try ordered.compactMap { path -> (kind: Kind, path: String)? in
      let name = fileName(path)
      guard name.hasSuffix(".json"),
        let kind = Kind.allCases.first(where: { name.hasPrefix($0.rawValue) })
      else { return nil }
      let whole = VigilImport.path(of: path, in: place)
      let digest = SHA256.hexadecimal(of: try Self.contents(of: whole))
      guard contents.insert(digest).inserted else {
        repeated.append(path)
        return nil
      }
      return (kind, whole)
    }
    repeatedFiles = repeated
    guard !files.isEmpty else {
      let expected = Kind.allCases.map { "\($0.rawValue)*.json" }.joined(separator: ", ")
      throw ImportError(.usage, "nothing to import in \(folder): it holds none of \(expected)")
    }
    self.user = user
    self.options = options
  }

  /// Imports the files in one transaction; once for each value of this type.
  ///
  /// - Throws: `ImportError` where a file or entries cannot be used (see `ImportOptions`) or `shouldStop`
  ///   returns true, `StorageError` from the database. Nothing is imported then.
  public func run(into storage: some Storage) throws -> ImportSummary {
    try storage.importRows { try load(into: $0) }
  }

  func load(into writer: any ImportWriter) throws -> ImportSummary {
    let session = ImportSession(writer: writer, options: options)
    let parser = FieldParser(today: options.today, zones: options.zones)
    let meter = ProgressMeter(paths: files.map(\.path), report: options.progress)
    var days = FitbitDays(parser: parser)
    var tables: [ImportSummary.Table] = []
    for (kind, path) in files {
      let file = fileName(path)
      var table = ImportSummary.Table(name: InputTable.wearableDailyMetrics.name, file: file)
      for (index, entry) in try entries(of: path, file: file, meter: meter).enumerated() {
        try session.checkForStop()
        table.rowsRead += 1
        do throws(RowProblem) {
          try days.add(entry, of: kind)
          table.rowsMerged += 1
        } catch {
          table.rowsQuarantined += 1
          try session.reject(error, table: .wearableDailyMetrics, file: file, line: index + 1)
        }
      }
      tables.append(table)
    }
    return try session.finish(
      tables: [try write(days.metrics(), counting: tables, session: session)],
      repeatedFiles: repeatedFiles)
  }

  /// Writes a row a day, and returns the counts of all files as those of one.
  private func write(
    _ days: [(day: Day, values: [MetricType: Double])], counting tables: [ImportSummary.Table],
    session: ImportSession
  ) throws -> ImportSummary.Table {
    let parser = FieldParser(today: options.today, zones: options.zones)
    var user = user
    let result = user.withUTF8 { bytes in
      Result<PersonID, Refusal> { () throws(Refusal) in try parser.personID(bytes) }
    }
    let person = try result.get()
    let metrics = InputTable.wearableMetrics.filter { metric in
      days.contains { $0.values[metric] != nil }
    }
    let loader = try TableLoader(
      table: .wearableDailyMetrics,
      columns: ["user_id", "metric_date", "source"] + metrics.map(\.rawValue),
      file: "Fitbit export", session: session)
    for (day, found) in days {
      var values: [InputValue] = [.uuid(person.id), .day(day), .text("fitbit")]
      values += metrics.map { InputValue(found[$0]) }
      try loader.load(&values, of: person, line: 0)
    }
    var total = loader.summary
    total.rowsRead = 0
    for table in tables { total.add(table) }
    total.rowsMerged -= total.rowsWritten
    return total
  }

  private static func contents(of path: String) throws -> Data {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ImportError(.badData, "cannot read \(path); check its permissions")
    }
    return data
  }

  private func entries(
    of path: String, file: String, meter: ProgressMeter
  ) throws -> [[String: Any]] {
    let data = try Self.contents(of: path)
    meter.add(data.count)
    let found = try? JSONSerialization.jsonObject(with: data)
    guard let entries = found as? [[String: Any]] else {
      throw ImportError(
        .badData,
        "\(file) is not in the layout of Fitbit's export, a JSON list of objects; nothing was imported;"
          + " copy it again")
    }
    return entries
  }
}
