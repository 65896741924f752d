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

      With --user it evaluates the metrics of one person at once, for example when new data have \
      arrived. Alerts that it finds are provisional until the next night confirms or retracts them.

      Example:
        vigil run
        vigil run --date 2026-06-30 --live
        vigil run --user participant-12 --wait 30s
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

  @Option(
    help: ArgumentHelp(
      "Evaluates only this person, between nights; a UUID or the original id.", valueName: "id"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "With --user: for how long another evaluation of the person is waited for, such as 30s or 2m"
        + " (default: not at all).", valueName: "time"),
    transform: WaitingTime.argument)
  var wait: WaitingTime?

  @OptionGroup var batch: BatchArguments

  enum ModeFlag: String, EnumerableFlag {
    case shadow
    case live
  }

  func validate() throws {
    guard user != nil else {
      if wait != nil { throw ValidationError("--wait needs --user; a night waits for no one") }
      return
    }
    let others = batch.optionsOfManyPersons
    guard others.isEmpty else {
      throw ValidationError(
        "--user evaluates one person by itself; leave out \(others.joined(separator: ", "))")
    }
  }

  func run() throws {
    let context = try batch.context(
      .option(
        \.mode, mode.map { $0 == .live ? "false" : "true" }, by: mode.map { "--\($0.rawValue)" }
      ).with(.option(\.timeZone, timeZone)))
    let day = try date ?? context.today - 1
    try context.requireBegun(day, option: "--date")
    if let user {
      return try batch.run(
        user: user, on: day, takesDayFromClock: date == nil, waitingFor: wait?.duration ?? .zero,
        context)
    }
    try batch.run(
      .run, days: day...day, takesDayFromClock: date == nil, mode: context.settings.mode, context)
  }
}
