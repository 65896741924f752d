import ArgumentParser
import Foundation
import VigilModel
import VigilReport
import VigilStorage

struct PersonLimitsEnd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "end",
    abstract: "Ends a limit of one person, or removes one that was set by mistake.",
    discussion: """
      Without --yes it shows the limit, and changes nothing. An alert that is active ends on the day \
      after the last one, where no other limit of its side holds.

      Example:
        vigil person limits end participant-12 --metric resting_hr --limit above --yes
        vigil person limits end participant-12 --metric resting_hr --limit above --remove --yes
      """)

  @OptionGroup var argument: PersonArgument

  @Option(help: ArgumentHelp("The metric, such as resting_hr.", valueName: "name"))
  var metric: String

  @Option(
    help: ArgumentHelp("The side of the limit: below or above.", valueName: "side"),
    transform: CriticalLimit.Direction.choice)
  var limit: CriticalLimit.Direction

  @Option(
    help: ArgumentHelp("The last day whose value counts (default: today).", valueName: "date"),
    transform: Day.argument)
  var on: Day?

  @Option(
    help: ArgumentHelp(
      "Of several limits, the one with this number of values in a row.", valueName: "n"))
  var days: Int?

  @Option(
    help: ArgumentHelp("Of several limits, the one with this first day.", valueName: "date"),
    transform: Day.argument)
  var from: Day?

  @Flag(
    help: "Removes the limit in place of ending it: its alerts of the last days are taken back.")
  var remove = false

  @Flag(help: "Ends the limit, or, with --remove, removes it.")
  var yes = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    if remove, on != nil { throw ValidationError("--remove and --on exclude each other") }
  }

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(yes ? .existing : .existingReadOnly)
    let person = try argument.known(in: storage)
    let last = try on ?? context.today
    let all = try context.limits(of: person, in: storage)
    var found = try only(of: all, on: last)
    if !remove {
      guard found.days.lowerBound <= last else {
        throw CommandFailure(
          .usage,
          "the limit begins on \(found.days.lowerBound), after \(last): give a later --on, or take it back with"
            + " --remove")
      }
      if yes { try require(storage.end(found, of: person, on: last)) }
      found.days = found.days.lowerBound...last
    } else if yes {
      try require(storage.remove(found, of: person))
    }
    try context.write(
      PersonLimitChangeReport(
        found, of: person, remove ? .removed : .ended, isDryRun: !yes, others: all,
        externalIDs: storage.externalIDs(of: [person]), database: storage.displayName))
  }

  /// The limit that the arguments name.
  private func only(of limits: [PersonLimit], on last: Day) throws -> PersonLimit {
    let found = limits.filter { own in
      own.limit.metric.rawValue == metric && own.limit.direction == limit
        && (days.map { own.limit.days == $0 } ?? true)
        && (from.map { own.days.lowerBound == $0 } ?? true)
        && (remove || own.days.upperBound > last)
    }
    guard let first = found.first else {
      throw CommandFailure(
        .usage,
        "the person has no such limit of \(metric)"
          + (remove ? "" : " that holds after \(last)")
          + "; vigil person limits \(argument.id) --all lists them")
    }
    guard found.count == 1 else {
      let keys = found.map { "--days \($0.limit.days) --from \($0.days.lowerBound)" }
      throw CommandFailure(
        .usage, "the person has \(found.count) such limits; give \(keys.joined(separator: ", or "))"
      )
    }
    return first
  }

  private func require(_ isChanged: Bool) throws {
    guard !isChanged else { return }
    throw CommandFailure(
      .tryAgain, "the limit was changed by another meanwhile; run the command again")
  }
}
