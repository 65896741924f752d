import ArgumentParser
import Foundation
import VigilAlerts
import VigilDispatch
import VigilModel
import VigilReport
import VigilStorage

struct PersonSettings: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Lists what persons have chosen about calls when an alert has no answer.",
    discussion: """
      Persons choose in the app. A choice has no effect where the senders make no calls, or no one \
      can be called.

      Example:
        vigil person settings
        vigil person settings participant-12 --providers /etc/vigil/providers.json
      """)

  @Argument(
    help: ArgumentHelp(
      "The person, by UUID, its first 8 digits, or original id (default: all persons).",
      valueName: "id"))
  var id: String?

  @Option(
    help: .setting(\.providers, valueName: "file"), completion: .file(extensions: ["json"]))
  var providers: String?

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context(.option(\.providers, providers), formats: OutputFormat.ofLists)
    let calls = try context.senderCalls()
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let persons = try id.map { try PersonList(option: "person", id: $0).ids(in: storage) }
    let settings = try storage.escalationSettings(asOf: context.clock.now).filter {
      persons?.contains($0.person) ?? true
    }
    try context.write(
      EscalationSettingsReport(
        settings, under: calls, externalIDs: storage.externalIDs(of: Set(settings.map(\.person)))))
  }
}

extension CommandContext {
  /// The calls of the senders, by the file of providers that the settings name.
  ///
  /// - Throws: `CommandFailure` (65) for a file that cannot be used.
  func senderCalls() throws -> EscalationSetting.SenderCalls {
    guard settings.providers.path != nil else { return .unknown }
    return try ProvidersFile(settings.providers).escalation.map { .made($0) } ?? .none
  }
}
