import ArgumentParser
import VigilModel
import VigilReport
import VigilStorage

struct QueuePrune: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Removes old rows of the queues, and old measures of doses.",
    discussion: """
      Removes rows that are sent, failed, cancelled or skipped, calls about alerts that have \
      ended, the remains of runs that were cut off or decided, and measures of doses of 7, 30 and \
      90 days. Keeps rows that are pending, being sent or held for a decision, the ids of \
      notifications, so that none is sent twice, and the measures of calendar months and of the \
      last 60 days. It may run at any time, also during a run.

      Example:
        vigil queue prune --older-than 90d --dry-run
        vigil queue prune --older-than 90d
      """)

  @Option(
    help: ArgumentHelp(
      "The least age of the rows: hours, days or weeks, such as 12h, 30d or 8w.",
      valueName: "age"),
    transform: Age.argument)
  var olderThan: Age

  @Flag(help: "Only says what it would remove.")
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
