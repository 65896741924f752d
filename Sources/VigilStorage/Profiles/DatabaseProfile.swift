public import VigilModel

/// One row of `database_profile`: the settings file that rows of one kind are made with.
public struct DatabaseProfile: Hashable, Sendable {
  /// The part of runs that the file decides: `patterns` (a thresholds file) or `vitality`.
  public var part: RunPart
  public var profile: Profile
  public var adoptedAt: Timestamp
  /// Until a nightly run of all persons has succeeded for this day or a later one, runs are silent:
  /// they send no notification and count active episodes as notified.
  ///
  /// Nil where that is over, and where the profile was the database's first.
  public var settlesOn: Day?

  public init(part: RunPart, profile: Profile, adoptedAt: Timestamp, settlesOn: Day? = nil) {
    self.part = part
    self.profile = profile
    self.adoptedAt = adoptedAt
    self.settlesOn = settlesOn
  }
}
