public import VigilModel

/// One row of `database_profile`: the settings file that rows of one kind are made with.
public struct DatabaseProfile: Hashable, Sendable {
  /// What of a run the file decides about: `patterns` (a thresholds file) or `vitality`.
  public var part: RunPart
  public var profile: Profile
  public var adoptedAt: Timestamp
  /// Until a nightly run of everybody has succeeded for this day or a later one, runs notify nobody and
  /// count what is going on as told.
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
