import ArgumentParser
import Foundation
import Logging
import VigilImport
import VigilModel
import VigilReport
import VigilStorage

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Reads files into the input tables; creates the database.",
    discussion: """
      All of an import is written, or nothing. Rows that cannot be used go to quarantined_rows.

      Example:
        vigil import auto export.zip --user anna
        vigil import csv datasets/sample
      """,
    subcommands: [
      ImportAuto.self, ImportCSV.self, ImportLifeSnaps.self, ImportFitbit.self,
      ImportAdhereTech.self,
      ImportAppleHealth.self, ImportFHIR.self, ImportOpenMHealth.self, ImportPresets.self,
    ])
}

/// The arguments of every kind of import.
struct ImportArguments: ParsableArguments {
  @Flag(help: "Ends the import at the first row that cannot be used.")
  var strict = false

  @Option(
    help: .setting(\.maxBadRows, valueName: "share"))
  var maxBadRows: String?

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  /// - Parameters:
  ///   - open: Opens the files and checks them, before there is a database.
  ///   - interpretation: The meaning of a file that had to be found; it is shown before rows are written.
  ///   - load: Writes their rows.
  ///   - preview: The days of the files, which are shown in the place of an import; nil to import them.
  func run<Source>(
    replacesMissingDays: Bool = false,
    open: (ImportOptions) throws -> Source,
    interpretation: (Source) -> FileInterpretation? = { _ in nil },
    preview: ((Source) -> ImportPreview)? = nil,
    load: (Source, any Storage) throws -> ImportSummary
  ) throws {
    let context = try common.context(.option(\.maxBadRows, maxBadRows))
    context.interruption.begin()
    let progress = context.progress("Importing")
    defer { progress.finish() }
    var options = ImportOptions(
      today: try context.today, now: context.clock.now, zones: context.zones, isStrict: strict,
      maxBadRowFraction: context.settings.maxBadRows, replacesMissingDays: replacesMissingDays,
      progress: { progress.update(done: Int($0), total: Int($1)) },
      shouldStop: { context.interruption.isRequested },
      timeZoneOfPerson: { try presentDatabase(context)?.timeZones(of: [$0])[$0] },
      storedMetrics: { try presentDatabase(context)?.metricColumns().numeric ?? [] },
      currentFolder: context.surroundings.folder,
      standardInput: context.surroundings.standardInput)
    if preview == nil { options.isErased = try erasedPersons(context) }
    let source = try open(options)
    if let interpretation = interpretation(source), !context.settings.isQuiet {
      InterpretationText(interpretation).lines.forEach(context.surroundings.console.write)
    }
    if let preview {
      progress.finish()
      let days = preview(source)
      try context.write(days)
      let limit = context.settings.maxBadRows
      guard
        days.unusable == 0 || (!strict && Double(days.unusable) <= limit * Double(days.recordsRead))
      else {
        throw CommandFailure(
          .badData,
          "\(days.unusable) of \(days.recordsRead) records cannot be used; the import would be refused; correct them, or"
            + " raise --max-bad-rows")
      }
      return
    }
    let summary: ImportSummary
    let storage: any Storage
    if let draft = try context.settings.draftDatabase(in: context.surroundings.folder) {
      do {
        _ = try draft.storage.migrate(at: context.clock.now)
        summary = try load(source, draft.storage)
        try draft.publish()
      } catch {
        draft.discard()
        throw error
      }
      storage = try context.openDatabase(.existing)
      noteCreation(of: storage, context)
    } else {
      storage = try openAndMigrateIfNew(context)
      summary = try load(source, storage)
    }
    progress.finish()
    if summary.rowsLeftOut > 0 {
      context.logger.warning(
        "Rows of persons who were erased were left out",
        metadata: ["rows": "\(summary.rowsLeftOut)"])
    }
    var report = ImportReport(
      summary, database: storage.displayName, metricDays: try storage.metricDays())
    report.isEvaluated = try storage.succeededRuns().contains { $0.kind != .person }
    try context.write(report)
  }

  /// The database that is there already; a new one is not made to look into it.
  private func presentDatabase(_ context: CommandContext) throws -> (any Storage)? {
    if case .sqlite(let path) = context.settings.database,
      !FileManager.default.fileExists(atPath: path.path(startingIn: context.surroundings.folder))
    {
      return nil
    }
    let storage = try context.openDatabase(.existing)
    guard try storage.migrations().contains(where: { $0.state != .pending }) else { return nil }
    try storage.requireCurrentSchema()
    return storage
  }

  /// Whether a person was erased, by the list of the database; nil where it is empty, or there is no database yet.
  ///
  /// - Throws: `CommandFailure` (64) where the list cannot be checked without a key.
  private func erasedPersons(_ context: CommandContext) throws -> ((UUID) -> Bool)? {
    if case .sqlite(let path) = context.settings.database,
      !FileManager.default.fileExists(atPath: path.path(startingIn: context.surroundings.folder))
    {
      return nil
    }
    let storage = try context.openDatabase(.existing)
    guard (try? storage.requireCurrentSchema()) != nil else { return nil }
    return try context.erasedPersons(in: storage)
  }

  private func openAndMigrateIfNew(_ context: CommandContext) throws -> any Storage {
    let storage = try context.openDatabase(.createIfMissing)
    if try storage.migrations().allSatisfy({ $0.state == .pending }) {
      _ = try storage.migrate(at: context.clock.now)
      noteCreation(of: storage, context)
    } else {
      try storage.requireCurrentSchema()
    }
    return storage
  }

  private func noteCreation(of storage: any Storage, _ context: CommandContext) {
    context.logger.notice(
      "created the database", metadata: ["database": "\(storage.displayName)"])
  }
}

struct ImportLifeSnaps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lifesnaps",
    abstract: "Reads the daily table of the LifeSnaps data set as it is published.",
    discussion: """
      Example:
        vigil import lifesnaps daily_fitbit_sema_df_unprocessed.csv
      """)

  @Argument(help: "The file.", completion: .file(extensions: ["csv"]))
  var file: String

  @OptionGroup var arguments: ImportArguments

  func run() throws {
    try arguments.run(
      open: { try LifeSnapsImport(file: file, options: $0) },
      load: { try $0.run(into: $1) })
  }
}

struct ImportFitbit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fitbit",
    abstract: "Reads the export of a person's own Fitbit account, or Fitabase's daily files.",
    discussion: """
      With --user, it is the export of an account: a ZIP archive, or a folder with its files or archives. Without, it \
      is a folder that holds dailyActivity_merged.csv and sleepDay_merged.csv.

      Example:
        vigil import fitbit takeout.zip --user anna
        vigil import fitbit "Fitabase Data 4.12.16-5.12.16"
      """)

  @Argument(help: "The folder or archive.", completion: .file(extensions: ["zip"]))
  var dir: String

  @Option(help: ArgumentHelp("The person whose own export it is.", valueName: "id"))
  var user: String?

  @OptionGroup var archive: ArchiveArguments

  @OptionGroup var arguments: ImportArguments

  func validate() throws {
    if user?.isEmpty ?? false { throw ValidationError("--user needs an id") }
    if user == nil, archive.isGiven {
      throw ValidationError(
        "--time-zone, --replace and --dry-run are for the export of an account; give --user")
    }
  }

  func run() throws {
    if let user {
      try arguments.run(
        replacesMissingDays: archive.replace,
        open: {
          try ArchiveImport(
            path: dir, kind: "fitbit", user: user, timeZone: archive.timeZone, options: $0)
        },
        interpretation: { $0.interpretation },
        preview: archive.dryRun ? { ImportPreview($0.contents) } : nil,
        load: { try $0.run(into: $1) })
    } else {
      try arguments.run(
        open: { try FitbitImport(folder: dir, options: $0) },
        load: { try $0.run(into: $1) })
    }
  }
}

struct ImportAdhereTech: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adheretech",
    abstract: "Reads the dose-by-dose export of AdhereTech's pill bottles.",
    discussion: """
      Each deadline becomes an expected dose; the export must hold all doses of its medications.

      Example:
        vigil import adheretech test_adheretech_2.csv
      """)

  @Argument(help: "The file.", completion: .file(extensions: ["csv"]))
  var file: String

  @OptionGroup var arguments: ImportArguments

  func run() throws {
    try arguments.run(
      open: { try AdhereTechImport(file: file, options: $0) },
      load: { try $0.run(into: $1) })
  }
}

extension ImportReport {
  init(_ summary: ImportSummary, database: String, metricDays: ClosedRange<Day>?) {
    self.init(
      database: database,
      tables: summary.tables.map {
        Table(
          name: $0.name, file: $0.file, rowsRead: $0.rowsRead, rowsWritten: $0.rowsWritten,
          quarantined: $0.rowsQuarantined, duplicatesMerged: $0.rowsMerged)
      },
      personsCreated: summary.tables.reduce(0) { $0 + $1.personsAdded },
      ignoredFiles: summary.ignoredFiles, repeatedFiles: summary.repeatedFiles,
      missingDays: summary.missingDays, removesMissingDays: summary.removesMissingDays,
      metricDays: metricDays)
  }
}
