import ArgumentParser
import VigilModel
import VigilReport
import VigilStorage

struct QueuePrune: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Removes what has ended long ago from the queues.",
    discussion: """
      Rows that are sent, failed, cancelled or skipped go, and what runs have left that were cut off \
      or decided about. What is pending, being sent or held for a decision stays. The ids of what was \
      told are kept, so that it is never sent again. It may run at any time, also during a run.

      Example:
        vigil queue prune --older-than 90d --dry-run
        vigil queue prune --older-than 90d
      """)

  @Option(
    help: ArgumentHelp(
      "How long ago it must have ended: hours, days or weeks, such as 12h, 30d or 8w.",
      valueName: "age"),
    transform: Age.argument)
  var olderThan: Age

  @Flag(help: "Only say what would go.")
  var dryRun = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(dryRun ? .existingReadOnly : .existing)
    let now = context.clock.now
    let cutoff = olderThan.before(now)
    let rows =
      dryRun
      ? try storage.prunableRows(endedBefore: cutoff, at: now)
      : try storage.pruneQueues(endedBefore: cutoff, at: now)
    try context.write(
      PruneReport(
        rows: rows, cutoff: cutoff, database: storage.displayName, isDryRun: dryRun))
  }
}
