import ArgumentParser
import Foundation
import VigilImport
import VigilModel
import VigilReport

struct ImportCSV: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "csv",
    abstract: "Reads a folder of <table>.csv files, or one file of daily metrics.",
    discussion: """
      In a folder, each file has the columns of its table, in any order and possibly fewer; empty = \
      missing; UTF-8.

      A single file has a row a day with a column for each metric, or a row a value with the columns \
      person, date, metric and value. Separators (commas, semicolons, tabs), the form of dates and the \
      decimal mark are found from the whole file, which may be compressed with gzip or zstd. Standard error \
      shows what was read as what.

      Example:
        vigil import csv datasets/sample
        vigil import csv daily.csv --user anna --source ring --map "Sleep (h)=sleep_minutes:hours"
        ssh phone cat export.csv.gz | vigil import csv - --source app
      """)

  @Argument(
    help: "The folder, the file, or - for standard input.", completion: .file(extensions: ["csv"]))
  var path: String

  @Option(help: ArgumentHelp("The person of all rows of a file.", valueName: "id"))
  var user: String?

  @Option(
    help: ArgumentHelp("The source of all rows of a file, such as fitbit.", valueName: "name"))
  var source: String?

  @Option(
    help: ArgumentHelp(
      "The columns of a device's files: a name that vigil import presets lists, or a JSON file.",
      valueName: "name|file"))
  var preset: String?

  @Option(
    help: ArgumentHelp(
      "The meaning of a column of a file, such as Date=metric_date or Sleep=sleep_minutes:hours;"
        + " repeat it for more columns. Columns of one metric are added up.",
      valueName: "column=name"))
  var map: [String] = []

  @Option(
    help: ArgumentHelp(
      "The form of the dates of a file: iso, dmy, mdy, or named, where months have their names.",
      valueName: "form"),
    completion: .list(DateForm.words), transform: DateForm.choice)
  var dates: DateForm?

  @Option(
    help: ArgumentHelp("The decimal mark of a file: point or comma.", valueName: "mark"),
    completion: .list(DecimalMark.words), transform: DecimalMark.choice)
  var decimals: DecimalMark?

  @Option(
    help: ArgumentHelp(
      "What counts where a file has several rows of a day, such as a nap: sum, longest, last or max.",
      valueName: "rule"),
    completion: .list(SameDayRule.words), transform: SameDayRule.choice)
  var sameDay: SameDayRule?

  @Option(help: ArgumentHelp("Lines of a file before its header.", valueName: "n"))
  var skipLines = 0

  @OptionGroup var arguments: ImportArguments

  func validate() throws {
    if user?.isEmpty ?? false { throw ValidationError("--user needs an id") }
    if source?.isEmpty ?? false { throw ValidationError("--source needs a name") }
    if !(0...1_000).contains(skipLines) {
      throw ValidationError("--skip-lines needs a number from 0 to 1000")
    }
  }

  func run() throws {
    let folder = CommandSurroundings.current.folder
    let request = DailyFileRequest(
      user: user, source: source, preset: try preset.map { try ColumnPreset.named($0, in: folder) },
      columns: try map.map { try ColumnAssignment($0) }, dates: dates,
      decimals: decimals, sameDay: sameDay, skippedLines: skipLines)
    // A path without a file is one of a folder, as long as nothing else is asked for.
    if CSVFolderImport.takes(path, in: folder) ?? (path != "-" && request.isEmpty) {
      guard request.isEmpty else {
        throw ValidationError(
          "\(path) holds several files; --user, --source, --preset, --map, --dates, --decimals, --same-day and --skip-lines are for one"
            + " file"
        )
      }
      try arguments.run(
        open: { try CSVFolderImport(folder: path, options: $0) },
        load: { try $0.run(into: $1) })
    } else {
      try arguments.run(
        open: { try DailyFileImport(path: path, request: request, options: $0) },
        interpretation: { $0.interpretation },
        load: { try $0.run(into: $1) })
    }
  }
}

extension InterpretationText {
  init(_ interpretation: FileInterpretation) {
    self.init(
      file: interpretation.file, form: interpretation.form,
      columns: interpretation.columns.map { ($0.name, $0.meaning) },
      ignored: interpretation.ignored)
  }
}
