public import Foundation
public import VigilModel

/// A candidate that takes the place of the database's profile, and the alerts that this changes.
public struct ProfilePromotion: Hashable, Sendable {
  public var from: Profile
  public var to: Profile
  /// The run that followed the candidate last.
  public var run: UUID
  /// The last day of that run.
  public var evaluatedThrough: Day
  /// Active alerts of the candidate, which count as notified from then on.
  public var alertsCounted: Int
  /// Active alerts of other profiles, which end with `profile_changed`.
  public var alertsEnded: Int

  public init(
    from: Profile, to: Profile, run: UUID, evaluatedThrough: Day, alertsCounted: Int,
    alertsEnded: Int
  ) {
    self.from = from
    self.to = to
    self.run = run
    self.evaluatedThrough = evaluatedThrough
    self.alertsCounted = alertsCounted
    self.alertsEnded = alertsEnded
  }
}
