public import VigilModel

/// An episode as each of two profiles found it, or an episode of one of them alone.
public struct EpisodePair: Hashable, Sendable {
  public let first: ComparedEpisode?
  public let second: ComparedEpisode?
  /// The series of both.
  public let series: SeriesKey

  private init(_ first: ComparedEpisode?, _ second: ComparedEpisode?, of series: SeriesKey) {
    self.first = first
    self.second = second
    self.series = series
  }

  /// Days by which the second profile knew of it later than the first; negative where it was earlier, nil
  /// where only one of them has it.
  public var delay: Int? {
    guard let first, let second else { return nil }
    return second.openedOn - first.openedOn
  }

  /// Whether both profiles have it, with another level.
  public var hasOtherLevel: Bool {
    guard let first, let second else { return false }
    return first.level != second.level
  }

  /// Whether the profiles agree in all that is compared, the end of the episode included.
  ///
  /// Events do not matter: their ids differ by profile.
  public var isSame: Bool { first.map(Self.withoutEvent) == second.map(Self.withoutEvent) }

  private static func withoutEvent(_ episode: ComparedEpisode) -> ComparedEpisode {
    var episode = episode
    episode.event = nil
    return episode
  }
}

extension EpisodePair {
  /// Matches the episodes of two profiles, one to one.
  ///
  /// Two episodes can be matched where person, metric and direction are the same and their days overlap:
  /// those from `active_since` to the resolution, both included. The two that overlap on the most days are
  /// matched first; of several such pairs the one whose first episode began first, then the one whose second
  /// episode did. What is left is an episode of one profile alone.
  ///
  /// The episodes of one profile, compared with themselves, are matched with themselves: an episode overlaps
  /// with no other on more days than it has, and on as many only with a longer one, which is matched before.
  ///
  /// - Parameters:
  ///   - first: The episodes of the first profile, in any order; of one series, no two begin on the same day.
  ///   - second: Those of the second profile.
  /// - Returns: Every episode once, by series and first day.
  /// - Complexity: O(*n* log *n*), and for each series O(*a* * *b* log(*a* * *b*)) of its *a* and *b* episodes.
  public static func matching(
    _ first: [ComparedEpisode], with second: [ComparedEpisode]
  ) -> [EpisodePair] {
    let firstBySeries = Dictionary(grouping: first, by: \.series)
    let secondBySeries = Dictionary(grouping: second, by: \.series)
    let all = Set(firstBySeries.keys).union(secondBySeries.keys).sorted { $0.precedes($1) }
    return all.flatMap { series in
      matching(firstBySeries[series] ?? [], with: secondBySeries[series] ?? [], of: series)
    }
  }

  private static func matching(
    _ first: [ComparedEpisode], with second: [ComparedEpisode], of series: SeriesKey
  ) -> [EpisodePair] {
    let first = first.sorted { $0.days.lowerBound < $1.days.lowerBound }
    let second = second.sorted { $0.days.lowerBound < $1.days.lowerBound }
    var candidates: [(overlap: Int, first: Int, second: Int)] = []
    for (index, episode) in first.enumerated() {
      for (other, candidate) in second.enumerated() {
        let overlap = episode.days.overlap(with: candidate.days)
        if overlap > 0 { candidates.append((overlap, index, other)) }
      }
    }
    candidates.sort { ($1.overlap, $0.first, $0.second) < ($0.overlap, $1.first, $1.second) }
    var partners = [Int?](repeating: nil, count: first.count)
    var isTaken = [Bool](repeating: false, count: second.count)
    for pair in candidates where partners[pair.first] == nil && !isTaken[pair.second] {
      partners[pair.first] = pair.second
      isTaken[pair.second] = true
    }
    let pairs =
      zip(first, partners).map { episode, partner in
        EpisodePair(episode, partner.map { second[$0] }, of: series)
      } + zip(second, isTaken).filter { !$0.1 }.map { EpisodePair(nil, $0.0, of: series) }
    return pairs.sorted { $0.precedes($1) }
  }

  /// Whether it comes before another: by series, first day and profile, which no two share.
  func precedes(_ other: EpisodePair) -> Bool {
    series == other.series ? begin < other.begin : series.precedes(other.series)
  }

  private var begin: (Day, Int) {
    (first?.days.lowerBound ?? second?.days.lowerBound ?? Day(ordinal: 0), first == nil ? 1 : 0)
  }
}

extension SeriesKey {
  /// The order of the type, without making texts of ids: episodes come by the hundred thousand.
  fileprivate func precedes(_ other: SeriesKey) -> Bool {
    if user != other.user { return user < other.user }
    if metric != other.metric { return metric < other.metric }
    return pattern.rawValue < other.pattern.rawValue
  }
}

extension ClosedRange<Day> {
  /// The number of days in both.
  fileprivate func overlap(with other: ClosedRange<Day>) -> Int {
    Swift.max(
      0, Swift.min(upperBound, other.upperBound) - Swift.max(lowerBound, other.lowerBound) + 1)
  }
}
