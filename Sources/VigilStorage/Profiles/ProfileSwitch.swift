public import VigilModel

/// The change of the profile of a database when a run began.
public struct ProfileSwitch: Hashable, Sendable {
  /// Nil where several were mixed, or none was recorded.
  public var from: Profile?
  public var to: Profile
  /// Active episodes of other profiles that ended with `profile_changed`.
  public var episodesEnded: Int

  public init(from: Profile?, to: Profile, episodesEnded: Int) {
    self.from = from
    self.to = to
    self.episodesEnded = episodesEnded
  }
}
