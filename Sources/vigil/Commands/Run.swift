import ArgumentParser
import Foundation
import VigilModel
import VigilReport
import VigilStorage

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Evaluates one day: the nightly job.",
    discussion: """
      Catches up on missed nights and late data. In shadow mode, the default, it records what it \
      would send and sends nothing.

      Example:
        vigil run
        vigil run --date 2026-06-30 --live
      """)

  @Option(
    help: ArgumentHelp("The evaluation day (default: yesterday).", valueName: "date"),
    transform: Day.argument)
  var date: Day?

  @Flag(help: "Only records what would be sent (the default), or enqueues it.")
  var mode: ModeFlag?

  @Option(
    help: .setting(\.timeZone, valueName: "zone"))
  var timeZone: String?

  @OptionGroup var batch: BatchArguments

  enum ModeFlag: String, EnumerableFlag {
    case shadow
    case live
  }

  func run() throws {
    let context = try batch.context(
      .option(
        \.mode, mode.map { $0 == .live ? "false" : "true" }, by: mode.map { "--\($0.rawValue)" }
      ).with(.option(\.timeZone, timeZone)))
    let day = try date ?? context.today - 1
    try context.requireBegun(day, option: "--date")
    try batch.run(
      .run, days: day...day, takesDayFromClock: date == nil, mode: context.settings.mode, context)
  }
}
