import ArgumentParser
import VigilModel
import VigilReport
import VigilStorage

struct Runs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "Runs and backfills that the database has recorded.",
    discussion: """
      Example:
        vigil runs
        vigil runs show 1f2e3d4c
      """,
    subcommands: [RunsList.self, RunsShow.self],
    defaultSubcommand: RunsList.self)
}

struct RunsList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists recorded runs, the newest first.",
    discussion: """
      Example:
        vigil runs list --limit 5
      """)

  @Option(help: ArgumentHelp("How many at most.", valueName: "n"))
  var limit = 20

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit needs a number from 1 on") }
  }

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    try context.write(RunsReport(runs: try storage.runs(limit: limit)))
  }
}

struct RunsShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows all that is recorded of one run.",
    discussion: """
      Example:
        vigil runs show 1f2e3d4c --format json
      """)

  @Argument(help: "The run's id, or enough of its beginning.")
  var id: String

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    let isPlausible = id.count >= 4 && id.allSatisfy { $0.isHexDigit || $0 == "-" }
    guard isPlausible else {
      throw ValidationError("'\(id)' is no id of a run; give at least its first four digits")
    }
  }

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let beginning = id.lowercased()
    let matches = try storage.runs(limit: .max).filter { $0.id.lowercased.hasPrefix(beginning) }
    guard let run = matches.first else {
      throw CommandFailure(
        .usage, "no run of \(storage.displayName) begins with '\(id)'; vigil runs lists them")
    }
    guard matches.count == 1 else {
      throw CommandFailure(
        .usage, "\(matches.count) runs begin with '\(id)'; give more digits")
    }
    try context.write(RunReport(run: run))
  }
}
