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
    help: ArgumentHelp(
      "Whose yesterday is evaluated, such as Europe/Berlin (default: UTC).", valueName: "zone"))
  var timeZone: String?

  @OptionGroup var batch: BatchArguments

  enum ModeFlag: String, EnumerableFlag {
    case shadow
    case live
  }

  func run() throws {
    let mode = mode.map { flag in
      [
        Setting.shadowMode: SettingValue(
          text: flag == .live ? "false" : "true", source: .flag("--\(flag.rawValue)"))
      ]
    }
    let own = (mode ?? [:]).merging(.flag(.timeZone, timeZone, "--time-zone")) { $1 }
    let context = try batch.context(own)
    let today = try context.today
    let day = date ?? today - 1
    guard day <= today else {
      throw CommandFailure(
        .usage,
        "--date \(day) is after today, \(today) in"
          + " \(context.settings.timeZoneName); give an earlier day, or set the clock")
    }
    try batch.run(
      .run, days: day...day, takesDayFromClock: date == nil, mode: context.settings.mode, context)
  }
}
