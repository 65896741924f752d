import VigilModel

/// Variables of the environment that look like settings and are none: without a warning, a mistyped
/// one would be ignored silently.
struct UnknownVariables: Hashable, Sendable, CustomStringConvertible {
  /// The names, each with the nearest known one.
  let description: String

  /// Nil where there are none.
  init?(in environment: [String: String]) {
    let known = SettingDeclarations.keys.map(\.environment) + [ConfigFile.environment]
    let unknown = environment.keys
      .filter { $0.hasPrefix("VIGIL_") && !known.contains($0) && !Self.ofTheBuild.contains($0) }
      .sorted()
    guard !unknown.isEmpty else { return nil }
    description = unknown.map { name in
      name + (NearestName.of(name, among: known).map { " (did you mean \($0)?)" } ?? "")
    }.joined(separator: ", ")
  }

  /// Set while Vigil itself is built and tested.
  private static let ofTheBuild = [
    "VIGIL_CHECK_INVARIANTS", "VIGIL_RECORD_SNAPSHOTS", "VIGIL_WARNINGS_AS_ERRORS",
  ]
}
