public import VigilModel

/// A vitality file: the rules that compute scores from metrics and find insights in trends.
///
/// ```swift
/// import ShippedThresholds
///
/// let file = Data(ShippedThresholds.named("vitality.v1") ?? [])
/// let settings = try VitalitySettings(json: file, file: "vitality.v1.json", digest: "")
/// print(settings.version, settings.scores.windowDays, settings.trends.windowDays)  // vitality.v1 7 21
/// ```
///
/// Every difference between two versions is a value in here; there is one engine.
public struct VitalitySettings: Hashable, Sendable {
  /// The file's own name for itself, such as `vitality.v1`; stored with every score.
  public var version: String
  /// SHA-256 of the file's bytes in lower-case hexadecimal.
  public var digest: String
  public var scores: ScoreSettings
  public var trends: TrendSettings

  /// The identity of the file.
  public var profile: Profile { Profile(version: version, digest: digest) }

  public init(version: String, digest: String, scores: ScoreSettings, trends: TrendSettings) {
    self.version = version
    self.digest = digest
    self.scores = scores
    self.trends = trends
  }
}
