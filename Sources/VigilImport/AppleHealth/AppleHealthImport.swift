import Foundation
import VigilModel
public import VigilStorage

/// Reads the `export.xml` of Apple Health into daily metrics and exercise sessions.
///
/// The file is read record by record; what is kept grows with days, and by 8 to 22 bytes with each record, so that one
/// that is there twice counts once. `HealthDays.metrics()` has the rules of sources and sleep.
///
/// Apple writes all history by the clock of the moment of the export. A record belongs to the day on which it begins,
/// by the clock of:
///
/// 1. the zone that the record names (`HKTimeZone`);
/// 2. the zone that is given, or else that of the person;
/// 3. the zone that most records name, where that of the export differs: it was made on a journey, and is read again;
/// 4. the export.
public struct AppleHealthImport {
  /// The source of all rows.
  public static let source = "apple_health"

  /// The types of records that were read, and those that were not.
  public let interpretation: FileInterpretation

  private let person: PersonID
  private let days: [(day: Day, values: [MetricType: Double])]
  private let workouts: [ImportedWorkout]
  private let problems: [(problem: RowProblem, line: Int)]
  private let problemCount: Int
  private let recordCount: Int
  private let path: String
  private let options: ImportOptions

  /// Reads the whole file; writes nothing.
  ///
  /// - Parameters:
  ///   - path: The path of `export.xml`, which may be compressed with gzip or zstd, or of `export.zip` or a folder with it.
  ///   - user: The id of the person whose export it is.
  ///   - timeZone: The zone of records that name none; nil for that of the person.
  ///   - options: The limits of the import and its callbacks.
  /// - Throws: `ImportError` where the file cannot be read, is no export of Apple Health, or ends too early, and where
  ///   there is no such zone.
  public init(
    path: String, user: String, timeZone: String? = nil, options: ImportOptions
  ) throws {
    let place = path.path(startingIn: options.currentFolder)
    if ZipDirectory.isZip(place) || isFolder(place) {
      let exports = try AutoImport.appleExports(
        in: InputFiles(path, in: options.currentFolder).files)
      guard exports.count == 1 else {
        throw ImportError(
          .usage,
          "\(path) holds \(exports.isEmpty ? "no export" : "several exports") of Apple Health; nothing was imported"
        )
      }
      try self.init(exports[0], user: user, timeZone: timeZone, options: options)
      return
    }
    let meter = ProgressMeter(paths: [place], report: options.progress)
    let bytes = try FileBytes.regular(path: path, options: options, didRead: { meter.add($0) })
      .decompressed()
    try self.init(bytes, user: user, timeZone: timeZone, options: options)
  }

  init(
    _ file: InputFile, user: String, timeZone: String?, options: ImportOptions
  ) throws {
    let meter = ProgressMeter(totalBytes: file.byteCount, report: options.progress)
    try self.init(
      try file.open(didRead: { meter.add($0) }), user: user, timeZone: timeZone, options: options)
  }

  init(
    _ bytes: any ByteSource, user: String, timeZone: String?, options: ImportOptions
  ) throws {
    let parser = FieldParser(today: options.today, zones: options.zones)
    person = try parser.personID(user)
    var zone = try options.zone(timeZone, of: person.id)
    var collector = HealthCollector(
      file: fileName(bytes.path), zone: zone?.rules, options: options)
    try collector.collect(bytes)
    if let home = collector.homeZone {
      zone = home
      try bytes.rewind()
      collector = HealthCollector(file: fileName(bytes.path), zone: home.rules, options: options)
      try collector.collect(bytes)
    }
    // A zone that the system cannot read would give other days.
    try options.zones.requireNoFault()
    path = bytes.path
    days = collector.days.metrics()
    workouts = collector.workouts
    problems = collector.problems
    problemCount = collector.problemCount
    recordCount = collector.recordCount
    interpretation = collector.interpretation(user: user, zone: zone?.name)
    self.options = options
  }

  /// The days and counts of the export.
  public var contents: ArchiveContents {
    ArchiveContents(
      days: days, recordCount: recordCount, problemCount: problemCount,
      firstProblems: problems.prefix(5).map { problem, line in
        "\(fileName(path)):\(line): \(problem.column.map { "\($0): " } ?? "")\(problem.reason)"
      })
  }

  /// Imports the days and workouts in one transaction; once for each value of this type.
  ///
  /// - Throws: `ImportError` where records cannot be used (see `ImportOptions`) or `shouldStop` returns
  ///   true, `StorageError` from the database. Nothing is imported then.
  public func run(into storage: some Storage) throws -> ImportSummary {
    try storage.importRows { try load(into: $0) }
  }

  func load(into writer: any ImportWriter) throws -> ImportSummary {
    let session = ImportSession(writer: writer, options: options)
    let file = fileName(path)
    let metrics = InputTable.wearableMetrics.filter { metric in
      days.contains { $0.values[metric] != nil }
    }
    let loader = try TableLoader(
      table: .wearableDailyMetrics,
      columns: ["user_id", "metric_date", "source"] + metrics.map(\.rawValue), file: file,
      session: session)
    for (problem, line) in problems { try loader.reject(problem, line: line) }
    for (day, found) in days {
      var values: [InputValue] = [.uuid(person.id), .day(day), .text(Self.source)]
      values += metrics.map { InputValue(found[$0]) }
      try loader.load(&values, of: person, line: 0)
    }
    var table = loader.summary
    table.rowsQuarantined = problemCount
    table.rowsRead = recordCount
    table.rowsMerged = recordCount - table.rowsWritten - table.rowsLeftOut - problemCount
    var tables = [table]
    if !workouts.isEmpty { tables.append(try session.load(workouts, of: person, file: file)) }
    let missing = try session.settleMissingDays(
      days.map(\.day), of: person.id, source: Self.source)
    return try session.finish(tables: tables, missingDays: missing)
  }
}
