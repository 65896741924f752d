import ArgumentParser
import Foundation
import VigilDetection
import VigilFiles
import VigilModel
import VigilReport
import VigilStorage

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a table as CSV or JSON Lines, or alerts as FHIR.",
    discussion: """
      Example:
        vigil export alerts --out alerts.csv
        vigil export scores --out scores.jsonl --from 2026-06-01 --to 2026-06-30
        vigil export observations --out - --users ward.txt | head
        vigil export alerts --out flags.ndjson --format fhir

      Tables:
      \(Self.tables)

      CSV follows RFC 4180; a text that a spreadsheet would take for a formula gets an apostrophe in front. \
      docs/export.md explains every column. The rows and their order are the same on both databases. A login \
      exports what it may read.
      """)

  private static var tables: String {
    ExportTable.allCases.map { table in
      "  " + table.rawValue.padding(toLength: 15, withPad: " ", startingAt: 0) + table.summary
    }.joined(separator: "\n")
  }

  @Argument(
    help: ArgumentHelp("The table.", valueName: "table"),
    completion: .list(ExportTable.words), transform: ExportTable.choice)
  var table: ExportTable

  @Option(
    help: ArgumentHelp(
      "The new file; - is standard output. Its ending .csv or .jsonl decides the format where --format does"
        + " not.", valueName: "file"),
    completion: .file(extensions: ["csv", "jsonl"]))
  var out: String

  @Flag(help: "Replaces the file where it is there already.")
  var force = false

  @Option(
    help: ArgumentHelp("Only rows of this day and later (default: the first).", valueName: "date"),
    transform: Day.argument)
  var from: Day?

  @Option(
    help: ArgumentHelp("Only rows of this day and earlier (default: the last).", valueName: "date"),
    transform: Day.argument)
  var to: Day?

  @Option(
    help: ArgumentHelp(
      "Only the persons of this file, one id a line; - reads standard input.", valueName: "file"),
    completion: .file())
  var users: String?

  @Option(
    help: ArgumentHelp(
      "Of alerts: only those of this thresholds profile, by version, such as v3.", valueName: "name"
    ))
  var profile: String?

  @Option(
    help: .setting(\.thresholds, valueName: "file"),
    completion: .file(extensions: ["json"]))
  var thresholds: String?

  @Flag(help: "Of notifications: those that shadow runs would have sent.")
  var shadow = false

  @Flag(help: "Of notifications: those that live runs hold until an operator decides.")
  var held = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    if let from, let to, from > to {
      throw ValidationError("--from \(from) is after --to \(to); swap them")
    }
    let misplaced = [
      (profile != nil, "--profile", ExportTable.alerts),
      (thresholds != nil, "--thresholds", .observations),
      (shadow, "--shadow", .notifications), (held, "--held", .notifications),
    ].first { $0.0 && $0.2 != table }
    if let (_, option, owner) = misplaced {
      throw ValidationError(
        "\(option) is for vigil export \(owner.rawValue), not for \(table.rawValue); leave it out")
    }
    if shadow, held { throw ValidationError("--shadow and --held exclude each other") }
    if out.isEmpty { throw ValidationError("--out needs the name of a file, or -") }
  }

  func run() throws {
    let context = try common.context(
      [:].with(.option(\.thresholds, thresholds)), formats: Set(OutputFormat.allCases))
    let format = try format(context.settings.format)
    if context.settings.format == .fhir, table != .alerts {
      throw CommandFailure(
        .usage, "only alerts are written as FHIR, not \(table.rawValue); use --format csv or jsonl")
    }
    context.interruption.begin()
    let isStandardOutput = out == "-"
    let file =
      isStandardOutput ? nil : try context.newFile(out, option: "--out", replaces: force)
    let list = try users.map(PersonList.init(path:))
    let storage = try openDatabase(context)
    let progress = context.progress("Exporting")
    defer { progress.finish() }
    let rows = try write(
      from: storage, persons: list?.ids(in: storage), as: format, to: file, context, progress)
    progress.finish()
    if !isStandardOutput, !context.settings.isQuiet {
      try context.surroundings.standardOutput.write(
        "\(rows) row\(rows == 1 ? "" : "s") of \(table.rawValue) written to \(out.terminalSafe).\n")
    }
  }

  /// - Throws: `StorageError`.
  private func openDatabase(_ context: CommandContext) throws -> any Storage {
    let storage = try context.openDatabase(.existingReadOnly)
    do {
      try storage.requireCurrentSchema()
    } catch let error as StorageError where error.code == .permissionDenied {
      // A reader of an app may not know the migrations, but may read rows of its person.
    }
    return storage
  }

  private func format(_ setting: OutputFormat) throws -> ExportFormat {
    switch setting {
    case .csv: return .csv
    case .jsonl, .fhir: return .jsonl
    case .text, .json:
      guard common.format == nil else {
        throw CommandFailure(
          .usage, "vigil export does not write \(setting.rawValue); use --format csv or jsonl")
      }
    }
    if out == "-" { return .csv }
    let ending = URL(filePath: out).pathExtension.lowercased()
    guard let format = ExportFormat(rawValue: ending) else {
      throw CommandFailure(
        .usage, "--out \(out): the ending is neither .csv nor .jsonl; give --format csv or jsonl")
    }
    return format
  }

  /// Writes alerts, to `output` where it is given.
  private func write(
    _ export: ResultExport, to output: ExportOutput<Exported<PatternAlertState>>?
  ) throws -> Int {
    func read(
      _ reader: any ResultReader, _ persons: [UUID], _ days: ClosedRange<Day>
    ) throws -> [PatternAlertState] {
      let rows = try reader.alertStates(of: persons, on: days)
      return profile.map { name in rows.filter { $0.profile.version == name } } ?? rows
    }
    guard let output else { return try export.write(.alerts, ExportColumns.alerts, read) }
    return try export.write(.alerts, to: output, read)
  }

  /// An output of alerts as Flags of FHIR.
  private func flags(
    from storage: any Storage, _ file: NewFile?, _ context: CommandContext
  ) throws -> ExportOutput<Exported<PatternAlertState>> {
    let limits = context.limits(in: storage)
    return try ExportOutput(to: file) { try FHIRFlag($0, limits: limits).append(to: &$1) }
  }

  private func write(
    from storage: any Storage, persons: Set<UUID>?, as format: ExportFormat, to file: NewFile?,
    _ context: CommandContext, _ progress: ProgressIndicator
  ) throws -> Int {
    let isBounded = from != nil || to != nil
    let days =
      isBounded ? (from ?? Day.calendar.lowerBound)...(to ?? Day.calendar.upperBound) : nil
    let export = ResultExport(
      storage: storage, persons: persons, days: days, format: format, file: file,
      progress: { progress.update(done: $0, total: $1) })
    switch table {
    case .alerts:
      return try write(
        export, to: context.settings.format == .fhir ? flags(from: storage, file, context) : nil)
    case .insights:
      return try export.write(.insights, ExportColumns.insights) {
        try $0.trendInsights(of: $1, on: $2)
      }
    case .scores:
      return try export.write(.scores, ExportColumns.scores) {
        try $0.vitalityScores(of: $1, on: $2)
      }
    case .adherence:
      return try export.write(.adherence, ExportColumns.adherence) {
        try $0.doseAnalytics(of: $1, on: $2)
      }
    case .notifications:
      return try export.writeNotifications(in: shadow ? .shadow : held ? .held : .live)
    case .observations:
      let profiles = try RunProfiles(
        context.settings, own: storage.databaseProfiles(), database: storage.displayName)
      return try ObservationExport(
        storage: storage, thresholds: try profiles.thresholds.load(), days: days,
        logger: context.logger
      ).write(of: persons, as: format, to: file, progress: export.progress)
    }
  }
}
