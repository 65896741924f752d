public import VigilModel

extension TrendInsight {
  /// An insight about an episode of dose adherence and another of the same person; nil where they share no day.
  ///
  /// - Parameters:
  ///   - adherence: The episode of dose adherence.
  ///   - other: The other episode.
  ///   - user: Their person.
  ///   - naming: Gives the ids of the two, which costs time, where they share a day.
  public init?(
    _ adherence: Episode, beside other: Episode, of user: UUID, naming: () -> CoOccurrence
  ) {
    guard adherence.days.overlaps(other.days) else { return nil }
    let shared = adherence.days.clamped(to: other.days)
    self.init(
      user: user, pillar: .adherence, day: shared.lowerBound, rule: .concurrentEpisodes,
      coverage: shared.upperBound - shared.lowerBound + 1, confidence: 1, coOccurrence: naming())
  }
}

extension Episode {
  /// The days from its beginning to its end, or to the last evaluated one.
  fileprivate var days: ClosedRange<Day> {
    activeSince...max(activeSince, resolution?.day ?? lastEvaluated)
  }
}
