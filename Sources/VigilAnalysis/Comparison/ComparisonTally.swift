/// The counts of a comparison: of one metric, of one person or of all together.
public struct ComparisonTally: Hashable, Sendable {
  /// Episodes that both profiles have.
  public private(set) var both = 0
  /// Episodes of one profile alone.
  public private(set) var only = ByProfile(first: 0, second: 0)
  /// Episodes of both of which the second profile knew earlier, or later.
  public private(set) var earlier = 0, later = 0
  /// Episodes of both with another level.
  public private(set) var otherLevel = 0
  /// Episodes with any difference, the end included.
  public private(set) var differences = 0
  /// By days of delay of the second profile, negative where it was earlier: episodes of both.
  public private(set) var delays: [Int: Int] = [:]
  /// The notifications of each profile.
  public internal(set) var notifications = ByProfile(first: 0, second: 0)

  public init() {}

  /// The episodes of each profile.
  public var episodes: ByProfile<Int> { only.map { both + $0 } }

  var notificationChange: Int { notifications.second - notifications.first }

  /// The median of the days by which the second profile was earlier, or later, among the episodes of which
  /// it was; the lower of two middle ones, nil where there is none.
  public func medianShift(earlier: Bool) -> Int? {
    let shifts = delays.filter { earlier ? $0.key < 0 : $0.key > 0 }
      .map { (days: abs($0.key), count: $0.value) }.sorted { $0.days < $1.days }
    let half = (shifts.reduce(0) { $0 + $1.count } + 1) / 2
    var seen = 0
    for shift in shifts {
      seen += shift.count
      if seen >= half { return shift.days }
    }
    return nil
  }

  mutating func add(_ pair: EpisodePair) {
    if !pair.isSame { differences += 1 }
    guard let delay = pair.delay else {
      if pair.first != nil { only.first += 1 } else { only.second += 1 }
      return
    }
    both += 1
    delays[delay, default: 0] += 1
    if delay < 0 { earlier += 1 }
    if delay > 0 { later += 1 }
    if pair.hasOtherLevel { otherLevel += 1 }
  }
}

/// The counts of one level.
public struct LevelTally: Hashable, Sendable {
  /// Episodes whose last level this was.
  public internal(set) var episodes = ByProfile(first: 0, second: 0)
  /// Episodes among them that the other profile does not have.
  public internal(set) var only = ByProfile(first: 0, second: 0)
  /// Notifications of this level.
  public internal(set) var notifications = ByProfile(first: 0, second: 0)

  public init() {}
}
