import ArgumentParser
import Foundation
import VigilModel
import VigilReport
import VigilStorage

struct GoLive: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "golive",
    abstract: "Prepares a database for its first live run.",
    discussion: """
      From now on, every active episode counts as notified at its present level, so that the \
      first live run does not notify of old episodes. Sends no notification; running it again \
      changes nothing.

      Example:
        vigil golive
        vigil run --live
      """)

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(.existing)
    try storage.requireRights(for: .live)
    let lock = try storage.acquireRunLock(for: UUID())
    let marked = try withExtendedLifetime(lock) {
      try storage.withRuns { try $0.goLive(at: context.clock.now) }
    }
    try context.write(GoLiveReport(database: storage.displayName, episodesMarked: marked))
  }
}
