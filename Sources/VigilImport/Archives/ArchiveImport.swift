import Foundation
import VigilModel
public import VigilStorage

/// Reads the export of a person's own account at a maker of devices: a folder, a ZIP archive or a file of it.
///
/// `ArchiveLayout` has the files of each maker, as data. All is read before anything is written.
public struct ArchiveImport {
  /// The files that were read, and the days of each metric.
  public let interpretation: FileInterpretation

  private let archive: RecognizedArchive
  private let reading: ArchiveReading
  private let person: PersonID
  private let repeatedFiles: [String]
  private let options: ImportOptions

  /// Finds the files of one maker and reads them; writes nothing.
  ///
  /// - Parameters:
  ///   - path: The export: a folder, a ZIP archive or one of its files.
  ///   - kind: The name of the maker, such as `fitbit`.
  ///   - user: The id of the person whose export it is.
  ///   - timeZone: The zone of times in UTC; nil for that of the person.
  ///   - options: The limits of the import and its callbacks.
  /// - Throws: `ImportError` where there is no such file, or one cannot be read.
  public init(
    path: String, kind: String, user: String, timeZone: String? = nil, options: ImportOptions
  ) throws {
    let files = try InputFiles(path, in: options.currentFolder)
    let layout = try ArchiveLayout.shipped().first { $0.name == kind }
    guard let layout, let archive = try RecognizedArchive(layout, in: files.files) else {
      let expected = layout?.tables.flatMap(\.files) ?? []
      throw ImportError(
        .usage,
        "nothing to import in \(path): it holds none of \(Set(expected).sorted().joined(separator: ", "))"
      )
    }
    try self.init(
      archive, of: files, user: user, timeZone: timeZone, options: options)
  }

  init(
    _ archive: RecognizedArchive, of files: InputFiles, user: String, timeZone: String?,
    options: ImportOptions
  ) throws {
    let parser = FieldParser(today: options.today, zones: options.zones)
    person = try parser.personID(user)
    let zone =
      try archive.needsZone || timeZone != nil ? options.zone(timeZone, of: person.id) : nil
    let reading = ArchiveReading(options: options, zone: zone?.rules)
    (self.archive, repeatedFiles) = try archive.withoutRepeatedFiles()
    let distinct = self.archive.distinctFiles
    let meter = ProgressMeter(
      totalBytes: zip(self.archive.layout.tables, self.archive.files).reduce(0) { total, table in
        table.1.reduce(total) { $0 + $1.byteCount }
      }, report: options.progress)
    for (table, files) in zip(self.archive.layout.tables, self.archive.files) where !files.isEmpty {
      switch table.format {
      case .fitbit:
        let days = try FitbitFiles.days(of: files, reading: reading, didRead: { meter.add($0) })
        reading.add(days, from: "*.json")
      case .fit:
        var days = try FITDays()
        for file in files { try days.add(file, reading: reading, didRead: { meter.add($0) }) }
        let found = days.finish()
        reading.add(found.days, from: table.files[0])
        // Parts of a night from two files do not belong together.
        reading.add(reading.withoutKnownDays(found.sleeps), from: table.files[0])
      case .csv, .json, .sqlite:
        if let rule = table.workout {
          var workouts = ArchiveTableWorkouts(table, by: rule)
          for file in files { try workouts.add(file, reading: reading, didRead: { meter.add($0) }) }
          reading.add(workouts.workouts, from: table.files[0])
          continue
        }
        var days = ArchiveTableDays(table)
        for file in files { try days.add(file, reading: reading, didRead: { meter.add($0) }) }
        reading.add(days.finish(), from: table.files[0])
      }
    }
    // A zone that the system cannot read would give other days.
    try options.zones.requireNoFault()
    guard !reading.days.isEmpty || !reading.workouts.isEmpty || reading.problemCount > 0 else {
      throw ImportError(
        .badData,
        "\(files.name): the export (\(self.archive.layout.name)) has no day with a value; nothing was imported"
      )
    }
    guard !options.replacesMissingDays || reading.problemCount == 0 else {
      throw ImportError(
        .badData,
        "\(reading.problemCount) of \(reading.recordCount) records cannot be used, and their days would be removed as missing"
          + " ones; nothing was imported",
        problems: Self.texts(of: reading.problems), remedy: .correctRecordsOrKeepDays)
    }
    self.reading = reading
    self.options = options
    interpretation = FileInterpretation(
      archive: self.archive, of: files, reading: reading, read: distinct, user: user,
      zone: zone?.name)
  }

  /// The days and counts of the export.
  public var contents: ArchiveContents {
    ArchiveContents(
      days: reading.days, recordCount: reading.recordCount, problemCount: reading.problemCount,
      firstProblems: Self.texts(of: reading.problems))
  }

  /// The first problems, with their places.
  private static func texts(
    of problems: [ArchiveReading.Problem]
  ) -> [String] {
    problems.prefix(5).map { found in
      let column = found.problem.column.map { "\($0): " } ?? ""
      return "\(found.file):\(found.line): \(column)\(found.problem.reason)"
    }
  }

  /// Imports the days in one transaction; once for each value of this type.
  ///
  /// - Throws: `ImportError` where records cannot be used (see `ImportOptions`) or `shouldStop` returns
  ///   true, `StorageError` from the database. Nothing is imported then.
  public func run(into storage: some Storage) throws -> ImportSummary {
    try storage.importRows { try load(into: $0) }
  }

  func load(into writer: any ImportWriter) throws -> ImportSummary {
    let session = ImportSession(writer: writer, options: options)
    let days = reading.days
    let metrics = InputTable.wearableMetrics.filter { metric in
      days.contains { $0.values[metric] != nil }
    }
    let source = archive.layout.source
    for found in reading.problems {
      try session.reject(
        found.problem, table: found.isOfWorkout ? .exerciseSessions : .wearableDailyMetrics,
        file: found.file, line: found.line)
    }
    // A value that the export does not have stays, as one of its files may be missing; a whole export replaces all.
    let byMetrics = Dictionary(grouping: days) { day in
      options.replacesMissingDays ? metrics : metrics.filter { day.values[$0] != nil }
    }
    var table = ImportSummary.Table(
      name: InputTable.wearableDailyMetrics.name, file: "\(archive.layout.name) export")
    for metrics in byMetrics.keys.sorted(by: {
      $0.map(\.rawValue).lexicographicallyPrecedes($1.map(\.rawValue))
    }) {
      let loader = try TableLoader(
        table: .wearableDailyMetrics,
        columns: ["user_id", "metric_date", "source"] + metrics.map(\.rawValue),
        file: table.file, session: session)
      for (day, found) in byMetrics[metrics] ?? [] {
        var values: [InputValue] = [.uuid(person.id), .day(day), .text(source)]
        values += metrics.map { InputValue(found[$0]) }
        try loader.load(&values, of: person, line: 0)
      }
      table.rowsWritten += loader.summary.rowsWritten
      table.rowsLeftOut += loader.summary.rowsLeftOut
      table.personsAdded += loader.summary.personsAdded
    }
    table.rowsRead = reading.recordCount - reading.workoutRecordCount
    table.rowsQuarantined = reading.problemCount - reading.workoutProblemCount
    table.rowsMerged =
      table.rowsRead - table.rowsQuarantined - table.rowsWritten - table.rowsLeftOut
    var tables = [table]
    if reading.workoutRecordCount > 0 {
      var workouts = try session.load(reading.workouts, of: person, file: table.file)
      workouts.rowsRead = reading.workoutRecordCount
      workouts.rowsQuarantined = reading.workoutProblemCount
      workouts.rowsMerged =
        workouts.rowsRead - workouts.rowsQuarantined - workouts.rowsWritten - workouts.rowsLeftOut
      tables.append(workouts)
    }
    let missing = try session.settleMissingDays(
      days.map(\.day), of: person.id, source: source)
    return try session.finish(
      tables: tables, repeatedFiles: repeatedFiles, missingDays: missing)
  }
}

extension FileInterpretation {
  fileprivate init(
    archive: RecognizedArchive, of files: InputFiles, reading: ArchiveReading, read: [InputFile],
    user: String, zone: String?
  ) {
    file = fileName(files.name)
    let days = reading.days
    form = [archive.layout.name, Self.count(read.count, "file")]
    if let first = days.first?.day, let last = days.last?.day {
      form.append("\(Self.count(days.count, "day")) from \(first) to \(last)")
    } else {
      form.append("no day")
    }
    columns = [
      Column(name: "(all rows)", meaning: "user_id \(user), source \(archive.layout.source)")
    ]
    let usesZone = zip(archive.layout.tables, archive.files).contains {
      (($0.day.form == .instant && $0.day.offset == nil) || $0.format == .fit) && !$1.isEmpty
    }
    if let zone, usesZone {
      columns.append(Column(name: "(times in UTC)", meaning: "zone \(zone)"))
    }
    for metric in InputTable.wearableMetrics {
      guard let origins = reading.origins[metric] else { continue }
      let texts = origins.map { "\($0.files) (\(Self.count($0.days, "day")))" }
      columns.append(
        Column(name: metric.rawValue, meaning: "from \(texts.joined(separator: ", "))"))
    }
    if !reading.workoutOrigins.isEmpty {
      let texts = reading.workoutOrigins.map {
        "\($0.files) (\(Self.count($0.workouts, "workout")))"
      }
      columns.append(
        Column(
          name: InputTable.exerciseSessions.name, meaning: "from \(texts.joined(separator: ", "))"))
    }
    let paths = Set(read.map(\.identity))
    ignored =
      reading.leftOut.sorted()
      + files.files.filter { !paths.contains($0.identity) }.map { fileName($0.path) }
  }
}
