public import VigilModel

/// A vitality file: how scores are computed from metrics, and when a trend is an insight.
///
/// What tells v1 from v2 is a value in here; there is one engine.
public struct VitalitySettings: Hashable, Sendable {
  /// The file's own name for itself, such as `vitality.v1`; stored with every score.
  public var version: String
  /// SHA-256 of the file's bytes in lower-case hexadecimal.
  public var digest: String
  public var scores: ScoreSettings
  public var trends: TrendSettings

  /// What tells the file apart from every other.
  public var profile: Profile { Profile(version: version, digest: digest) }

  public init(version: String, digest: String, scores: ScoreSettings, trends: TrendSettings) {
    self.version = version
    self.digest = digest
    self.scores = scores
    self.trends = trends
  }
}
