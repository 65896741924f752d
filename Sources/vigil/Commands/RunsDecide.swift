import ArgumentParser
import VigilBatch
import VigilModel
import VigilReport
import VigilStorage

struct RunsRelease: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "release",
    abstract: "Enqueues the notifications that a run holds.",
    discussion: """
      Leaves out alerts that have ended since, were dismissed or snoozed, or were notified at this \
      level by another run.

      Example:
        vigil runs release 1f2e3d4c
      """)

  @OptionGroup var id: IDArgument<RunRecord>

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    try DecisionCommand(decision: .release, id: id).carryOut(try common.context())
  }
}

struct RunsDiscard: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "discard",
    abstract: "Discards the notifications that a run holds.",
    discussion: """
      No member is notified. The alerts count as notified at this level; Vigil notifies of later \
      escalations.

      Example:
        vigil runs discard 1f2e3d4c
      """)

  @OptionGroup var id: IDArgument<RunRecord>

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    try DecisionCommand(decision: .discard, id: id).carryOut(try common.context())
  }
}

/// The work of both commands.
private struct DecisionCommand {
  let decision: HeldDecision
  let id: IDArgument<RunRecord>

  func carryOut(_ context: CommandContext) throws {
    let storage = try context.openCurrentDatabase(.existing)
    let before = try id.run(in: storage)
    guard before.counts.notificationsHeld > 0 else {
      throw CommandFailure(.usage, "run \(before.id.shortened) holds no notification back")
    }
    let after = try HeldRunDecision(storage: storage, zones: context.zones).carryOut(
      decision, run: before.id, at: context.clock.now)
    try context.write(HeldDecisionReport(decision: decision, before: before, after: after))
  }
}
