import VigilModel

/// The observations that a detector of evidence may still compare with, after the ends of episodes.
struct EligibleDays {
  /// Index of the first day of the newest level that was adopted.
  private(set) var adoptedSince = Int.min
  /// Index of the day on which the last episode ended.
  private(set) var lastResolved = Int.min

  /// Takes the end of an episode into account.
  ///
  /// - Returns: Whether the observations of its days count no more.
  mutating func close(
    from activeSince: Int, on day: Int, _ reason: Episode.Resolution.Reason
  ) -> Bool {
    lastResolved = max(lastResolved, day)
    switch reason {
    case .recovered, .noData: return true
    case .rebased: adoptedSince = max(adoptedSince, activeSince)
    case .recalibrated, .superseded, .retracted, .profileChanged, .left, .limitEnded: break
    }
    return false
  }
}
