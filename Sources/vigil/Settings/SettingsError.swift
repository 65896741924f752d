/// Everything that is wrong with the settings, all at once.
struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  var status: ExitStatus
  /// Each says which setting, where from, which value and what is allowed; never empty.
  var problems: [String]

  init(_ problems: [String], status: ExitStatus = .usage) {
    self.status = status
    self.problems = problems
  }

  var description: String { problems.joined(separator: "; ") }
}
