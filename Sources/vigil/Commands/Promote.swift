import ArgumentParser
import Foundation
import VigilDetection
import VigilModel
import VigilReport
import VigilStorage

struct Promote: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "promote",
    abstract: "Makes a candidate the profile of the database.",
    discussion: """
      Needs a run with --candidate of all persons for the newest evaluated day. The active alerts of the \
      candidate then count as notified at their present level, and those of the old profile end; \
      no one is notified. Scores keep their settings.

      Without --yes it shows what would change, and changes nothing.

      Example:
        vigil run --candidate v3
        vigil promote v3
        vigil promote v3 --yes
      """)

  @Argument(
    help: ArgumentHelp("The candidate: \(ThresholdsSource.names) or a file.", valueName: "profile"),
    completion: .file(extensions: ["json"]))
  var profile: String

  @Flag(help: "Changes the profile.")
  var yes = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    guard let source = ThresholdsSource(profile) else {
      throw CommandFailure(.usage, "the profile is empty; give \(ThresholdsSource.names) or a file")
    }
    let wanted = try source.load().profile
    let storage = try context.openCurrentDatabase(.existing)
    let lock = try storage.acquireRunLock(for: UUID())
    let promotion = try withExtendedLifetime(lock) {
      try storage.withRuns { runs in
        let promotion = try runs.promotion(of: wanted, database: storage.displayName)
        if yes, let promotion { try runs.promote(promotion, at: context.clock.now) }
        return promotion
      }
    }
    try context.write(
      PromotionReport(
        promotion, of: wanted, argument: profile, isDone: yes && promotion != nil,
        database: storage.displayName))
  }
}
