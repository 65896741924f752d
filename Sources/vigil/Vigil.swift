import ArgumentParser

/// The root command.
struct Vigil: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vigil",
    abstract: "Finds lasting deviations in people's daily wearable metrics.",
    discussion: """
      Compares each person's last days with their own baseline, follows deviations as episodes and \
      writes alert states and notifications.

      First steps:
        vigil migrate
        vigil import csv DIR
        vigil backfill --from 2026-03-01 --to 2026-06-30
        vigil run
        vigil alerts list

      Settings (a flag wins over the environment, that over the file of --config, that over the \
      default; 'vigil config' shows what is in force):
      \(SettingKey.helpTable)

      Exit codes:
      \(ExitStatus.helpTable)
      """,
    version: engineVersion,
    subcommands: [
      Migrate.self, Import.self, Generate.self, Run.self, Backfill.self, Alerts.self,
      Adherence.self, Insights.self, Explain.self, Compare.self, Evaluate.self,
      ReportCommand.self, Export.self, Queue.self, Dispatch.self, Runs.self, Quarantine.self,
      PersonCommand.self, Retain.self,
      GoLive.self, Promote.self,
      ThresholdsCommand.self, Calibrate.self, Doctor.self, Config.self,
    ])
}

extension ExitStatus {
  /// One line a status, for the root command's help.
  fileprivate static var helpTable: String {
    allCases.map { status in
      let code = String(status.rawValue)
      return String(repeating: " ", count: 5 - code.count) + code + "  " + status.meaning
    }.joined(separator: "\n")
  }
}

extension SettingKey {
  /// One line a setting, for the root command's help.
  fileprivate static var helpTable: String {
    let keys = SettingDeclarations.keys
    let width = keys.map(\.name.count).max() ?? 0
    return keys.map { key in
      "  " + key.name + String(repeating: " ", count: width - key.name.count + 2)
        + "\(key.environment), default \(key.defaultText)"
    }.joined(separator: "\n")
  }
}
