import ShippedThresholds
import VigilDetection
import VigilModel
import VigilReport
import VigilStorage
import VigilVitality

/// The thresholds file, or the vitality file, that an operator chose.
enum ThresholdsChoice: Hashable, Sendable {
  /// The file that the database's rows are made with; in a new database the default.
  case auto
  case given(ThresholdsSource)

  init?(_ text: String) {
    if text == "auto" {
      self = .auto
      return
    }
    guard let source = ThresholdsSource(text) else { return nil }
    self = .given(source)
  }

  /// The meaning of `auto` in a database without runs.
  static let standard = ThresholdsSource.shipped("v3")
}

/// The files that a run on one database works with.
struct RunProfiles {
  var thresholds: ThresholdsSource
  var vitality: ThresholdsSource

  /// - Parameters:
  ///   - own: The profiles that the database's rows are made with.
  ///   - isSwitching: Whether given files replace those.
  ///   - database: The name of the database in messages.
  /// - Throws: `CommandFailure` where no file was given and the database's own file is not one of
  ///   those that are built in.
  init(
    _ settings: Settings, own: [DatabaseProfile], isSwitching: Bool = false, database: String
  ) throws {
    let patterns = own.first { $0.part == .patterns }?.profile
    let scores = own.first { $0.part == .vitality }?.profile
    switch settings.thresholds {
    case .given(let source): thresholds = source
    case .auto:
      thresholds =
        try Self.builtIn(patterns, option: "thresholds", database) ?? ThresholdsChoice.standard
    }
    switch settings.vitality {
    case .given(let source): vitality = source
    case .auto:
      // Where the thresholds are switched, the vitality settings that belong to them are switched
      // too.
      let goesWithThresholds = isSwitching && settings.thresholds != .auto
      vitality =
        try (goesWithThresholds ? nil : Self.builtIn(scores, option: "vitality", database))
        ?? .vitality(with: thresholds)
    }
  }

  private static func builtIn(
    _ profile: Profile?, option: String, _ database: String
  ) throws -> ThresholdsSource? {
    guard let profile else { return nil }
    if let shipped = ThresholdsSource.builtIn(profile) { return shipped }
    throw CommandFailure(
      .badData,
      "the rows of \(database) are made with \(profile.id), which is not built in; give its file with"
        + " --\(option), or another one with --switch-profile")
  }
}

extension ThresholdsSource {
  /// The built-in file with this digest.
  static func builtIn(_ profile: Profile) -> ThresholdsSource? {
    (ShippedThresholds.names + ShippedThresholds.vitalityNames).map(ThresholdsSource.shipped)
      .first { (try? $0.digest()) == profile.digest }
  }
}
