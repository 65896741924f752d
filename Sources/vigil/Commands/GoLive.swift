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
        vigil golive --dry-run
        vigil golive
        vigil run --live
      """)

  @Flag(help: "Only lists the alerts that families will never hear of; changes nothing.")
  var dryRun = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    if dryRun { return try preview(context) }
    let storage = try context.openCurrentDatabase(.existing)
    try storage.requireRights(for: .live)
    let lock = try storage.acquireRunLock(for: UUID())
    let marked = try withExtendedLifetime(lock) {
      try storage.withRuns { try $0.goLive(at: context.clock.now) }
    }
    try context.write(GoLiveReport(database: storage.displayName, episodesMarked: marked))
  }

  private func preview(_ context: CommandContext) throws {
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let profiles = Set(
      try storage.databaseProfiles().filter { $0.part == .patterns }.map(\.profile))
    let hidden = try storage.candidates()
    let alerts = try storage.alertStates(matching: AlertFilter(isActive: true)).filter { alert in
      (profiles.isEmpty || profiles.contains(alert.profile)) && !hidden.contains(alert.profile)
        && alert.lastNotifiedLevel.map { $0 < alert.episode.level } ?? true
    }
    try context.write(
      GoLivePreviewReport(
        database: storage.displayName, alerts: alerts,
        externalIDs: try storage.externalIDs(of: Set(alerts.map(\.series.user))),
        limits: context.limits(in: storage)))
  }
}
