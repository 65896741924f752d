import ArgumentParser
import Foundation
import VigilModel
import VigilStorage

struct Backfill: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backfill",
    abstract: "Evaluates a range of days as nightly runs would have.",
    discussion: """
      Always in shadow mode unless --live is given; a live backfill enqueues at most the \
      notifications of the last day.

      Example:
        vigil backfill --from 2026-03-01 --to 2026-06-30
      """)

  @Option(help: ArgumentHelp("The first day.", valueName: "date"), transform: Day.argument)
  var from: Day

  @Option(help: ArgumentHelp("The last day.", valueName: "date"), transform: Day.argument)
  var to: Day

  @Flag(help: "Enqueues the notifications of the last day.")
  var live = false

  @OptionGroup var batch: BatchArguments

  func validate() throws {
    if from > to { throw ValidationError("--from \(from) is after --to \(to); swap them") }
  }

  func run() throws {
    let context = try batch.context()
    try context.requireBegun(to, option: "--to")
    try batch.run(.backfill, days: from...to, mode: live ? .live : .shadow, context)
  }
}
