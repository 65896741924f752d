/// When days with an overdue check-in become an episode (specification, silence.md section 7).
///
/// ```swift
/// let settings = OverdueSettings(openAfterDays: 3, watchedDays: 30)
/// print(settings.opens(afterOverdueDays: 2), settings.opens(afterOverdueDays: 3))  // false true
/// print(settings.opens(afterOverdueDays: 31))  // false
/// ```
public struct OverdueSettings: Hashable, Sendable {
  /// The overdue days in a row with which an episode opens.
  public var openAfterDays: Int
  /// The most overdue days with which one still opens.
  ///
  /// A check-in that was overdue for longer before the first evaluated day gives no alert.
  public var watchedDays: Int

  public init(openAfterDays: Int = 1, watchedDays: Int = 30) {
    self.openAfterDays = openAfterDays
    self.watchedDays = watchedDays
  }

  /// Whether a day opens an episode that is the last of so many overdue ones.
  public func opens(afterOverdueDays days: Int) -> Bool {
    (openAfterDays...max(openAfterDays, watchedDays)).contains(days)
  }
}
