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
        vigil runs release 1f2e3d4c
      """,
    subcommands: [RunsList.self, RunsShow.self, RunsRelease.self, RunsDiscard.self],
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

  @Option(
    help: ArgumentHelp(
      "The order: newest, attention (failed and interrupted ones first) or slowest.",
      valueName: "key"),
    completion: .list(RunOrder.words), transform: RunOrder.choice)
  var sort = RunOrder.newest

  @Option(help: ArgumentHelp("How many at most; 0 for all.", valueName: "n"))
  var limit = 20

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit needs a number from 0 on") }
  }

  func run() throws {
    let context = try common.context(formats: OutputFormat.ofLists)
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let all = Int(Int32.max)
    let runs = try storage.runs(limit: sort == .newest && limit > 0 ? limit : all)
    try context.write(
      RunsReport(
        runs: runs, order: sort, limit: limit == 0 ? nil : limit,
        atWork: try storage.runsAtWork()))
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

  @OptionGroup var id: IDArgument<RunRecord>

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    try context.write(
      RunReport(run: try id.run(in: storage), atWork: try storage.runsAtWork()))
  }
}
