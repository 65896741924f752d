import ArgumentParser
import Foundation
import VigilAnalysis
import VigilBatch
import VigilDetection
import VigilFiles
import VigilModel
import VigilReport
import VigilStorage

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares two profiles over the same data, and writes nothing to the database.",
    discussion: """
      Shows the episodes that both profiles find or only one of them, those that the second finds \
      earlier, later or at another level, and the notifications of both; by metric, by level, and the \
      persons with the most differences. The findings are those of a backfill of a new database.

      Episodes of one person, metric and direction are the same where their days overlap, those with \
      the longest overlap first.

      Example:
        vigil compare --thresholds v1 --thresholds v3 --from 2026-03-01 --to 2026-06-30
      """)

  @Option(
    help: ArgumentHelp(
      "A profile: \(ThresholdsSource.names) or a file. Give it twice.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var thresholds: [String] = []

  @Option(help: ArgumentHelp("The first day.", valueName: "date"), transform: Day.argument)
  var from: Day

  @Option(help: ArgumentHelp("The last day.", valueName: "date"), transform: Day.argument)
  var to: Day

  @Option(
    help: ArgumentHelp(
      "Only the persons of this file, one id a line; - reads standard input.", valueName: "file"),
    completion: .file())
  var users: String?

  @Option(
    help: ArgumentHelp(
      "Writes every episode of either profile to this file, as CSV.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var csv: String?

  @Flag(help: "Replaces the file of --csv.")
  var force = false

  @Option(
    help: ArgumentHelp("The persons to list at most; 0 for all (default: 10).", valueName: "n"))
  var limit = 10

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    guard thresholds.count == 2 else {
      throw ValidationError(
        "a comparison is of two profiles; give --thresholds twice, such as --thresholds v1"
          + " --thresholds v3")
    }
    if from > to { throw ValidationError("--from \(from) is after --to \(to); swap them") }
    if limit < 0 { throw ValidationError("--limit \(limit) is negative; give 0 for all") }
  }

  func run() throws {
    let context = try common.context()
    try context.requireBegun(to, option: "--to")
    let sources = try thresholds.map { text in
      guard let source = ThresholdsSource(text) else {
        throw CommandFailure(
          .usage, "--thresholds is empty; give \(ThresholdsSource.names) or a file")
      }
      return source
    }
    let profiles = ByProfile(first: try sources[0].load(), second: try sources[1].load())
    let vitality = try ThresholdsSource.vitality(with: sources[0]).requireVitality()
    let file = try csv.map { try context.newFile($0, option: "--csv", replaces: force) }
    let list = try users.map(PersonList.init(path:))
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let comparison = try context.comparison(
      of: profiles, vitality: vitality, on: from...to, of: list?.ids(in: storage), in: storage)
    let shown = comparison.mostAffected.prefix(limit == 0 ? .max : limit).map(\.person)
    let report = ComparisonReport(
      comparison, of: profiles.map(\.profile),
      externalIDs: try storage.externalIDs(of: Set(shown)), limit: limit == 0 ? nil : limit)
    try file?.write(report.csv())
    try context.write(report)
  }
}
