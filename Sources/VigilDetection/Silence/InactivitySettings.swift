public import VigilModel

/// When days without a sign of life become an alert (specification, silence.md sections 2, 3 and 6).
///
/// ```swift
/// let settings = InactivitySettings()
/// print(settings.rate, settings.adjusted(to: .lower).rate)  // 1.0 0.5
/// print(settings.lookBackDays)  // 208
/// ```
public struct InactivitySettings: Hashable, Sendable {
  /// The least and the greatest threshold, in silent days.
  public var minDays = 4
  public var maxDays = 21
  /// The pauses a year that may alert.
  public var rate = 1.0
  /// The years that the prior counts for.
  public var weight = 0.2
  /// By length from 2 days, the pauses a year of at least that length that people make.
  public var prior = Self.publicPrior
  /// The days before a silence that say what is usual for the person.
  public var habitDays = 180
  /// The most days that a sign can be late and still say something.
  public var maxLagDays = 21
  /// The silent days with which a person has left.
  public var leftAfterDays = 30
  /// The days after the opening with which an alert reaches its second level; nil for never.
  public var remindAfterDays: Int? = 7
  /// The fraction of the usual persons whose rows may be missing before no alert opens; nil for any.
  public var feedLimit: Double? = 0.3

  public init() {}

  /// The pauses of people in public data.
  public static let publicPrior = [
    6.3, 4.0, 3.3, 2.8, 2.4, 1.9, 1.6, 1.45, 1.3, 1.1, 0.95, 0.9, 0.8, 0.65, 0.5, 0.4, 0.35, 0.3,
    0.27,
  ]

  /// The length of the first pause of `prior`, in days.
  static let shortestPause = 2

  /// The days before a folded day that say whether an alert opens on it.
  public var lookBackDays: Int { habitDays + leftAfterDays - 2 }

  /// The same for a person with some sensitivity for silence; `off` changes nothing here.
  public func adjusted(to sensitivity: Sensitivity) -> InactivitySettings {
    var own = self
    switch sensitivity {
    case .lower: own.rate /= 2
    case .higher: own.rate *= 2
    case .normal, .off: break
    }
    return own
  }
}
