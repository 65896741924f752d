/// All faults of the settings at once.
struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  var status: ExitStatus
  /// Each names the setting, its source, its value and the allowed values; never empty.
  var problems: [String]

  init(_ problems: [String], status: ExitStatus = .usage) {
    self.status = status
    self.problems = problems
  }

  var description: String { problems.joined(separator: "; ") }
}
