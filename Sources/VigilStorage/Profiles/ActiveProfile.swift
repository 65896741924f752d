public import VigilModel

/// The active alerts of one profile.
public struct ActiveProfile: Hashable, Sendable {
  public var profile: Profile
  public var alerts: Int

  public init(profile: Profile, alerts: Int) {
    self.profile = profile
    self.alerts = alerts
  }
}
