public import VigilModel

/// The comparison of two profiles over the same days and persons.
///
/// ```swift
/// guard let first = Day("2026-05-01") else { return }
/// let steps = SeriesKey(user: UUID(name: "anna"), metric: MetricType("steps"), pattern: .drop)
/// func episode(_ begin: Int, _ end: Int, _ level: AlertLevel) -> ComparedEpisode {
///   ComparedEpisode(
///     series: steps, days: first + begin...first + end, openedOn: first + begin + 2, level: level,
///     resolution: .recovered)
/// }
/// var comparison = ProfileComparison(of: first...(first + 59), persons: 1)
/// comparison.add(
///   ProfileFindings(episodes: [episode(3, 8, .day3), episode(20, 29, .day7)]),
///   ProfileFindings(episodes: [episode(22, 40, .day14)]))
/// let total = comparison.total
/// print(total.both, total.only.first, total.only.second)  // 1 1 0
/// print(total.later, total.otherLevel)  // 1 1
/// ```
///
/// `EpisodePair.matching(_:with:)` says which episodes of the two are one. An episode takes part where it is
/// active on one of the days, or is resolved on one.
public struct ProfileComparison: Hashable, Sendable {
  public let days: ClosedRange<Day>
  /// Persons with data on one of the days.
  public let persons: Int
  private var unsortedPairs: [EpisodePair] = []
  public private(set) var total = ComparisonTally()
  /// The events of each profile: episodes that began together count as one.
  public private(set) var events = ByProfile(first: 0, second: 0)
  /// A notification of an event counts for each metric that the event names, and once in all.
  public private(set) var metrics: [MetricType: ComparisonTally] = [:]
  public private(set) var levels: [AlertLevel: LevelTally] = [:]
  /// Persons with an episode or a notification.
  public private(set) var tallies: [UUID: ComparisonTally] = [:]

  private var recipients: Set<UUID> = []
  /// Groups of notifications that were counted.
  private var groups = ByProfile<Set<NotifiedNight>>(first: [], second: [])

  private struct NotifiedNight: Hashable, Sendable {
    var recipient: UUID
    var night: Day
  }

  /// A comparison without findings.
  ///
  /// - Parameters:
  ///   - days: The compared days.
  ///   - persons: The number of persons with data on one of the days.
  public init(of days: ClosedRange<Day>, persons: Int) {
    self.days = days
    self.persons = persons
  }

  /// Adds the findings of some persons; all findings of one person come in one call.
  ///
  /// - Complexity: That of `EpisodePair.matching(_:with:)`.
  public mutating func add(_ first: ProfileFindings, _ second: ProfileFindings) {
    let findings = ByProfile(first: first, second: second)
    let episodes = findings.map { findings in
      findings.episodes.filter { $0.days.upperBound >= days.lowerBound }
    }
    for pair in EpisodePair.matching(episodes.first, with: episodes.second) {
      unsortedPairs.append(pair)
      total.add(pair)
      metrics[pair.series.metric, default: ComparisonTally()].add(pair)
      tallies[pair.series.user, default: ComparisonTally()].add(pair)
      for (side, episode) in [(\ByProfile<Int>.first, pair.first), (\.second, pair.second)] {
        guard let episode else { continue }
        levels[episode.level, default: LevelTally()].episodes[keyPath: side] += 1
        if pair.delay == nil { levels[episode.level]?.only[keyPath: side] += 1 }
      }
    }
    events.first += Self.eventCount(episodes.first)
    events.second += Self.eventCount(episodes.second)
    for notification in findings.first.notifications { add(notification, \.first, \.first) }
    for notification in findings.second.notifications { add(notification, \.second, \.second) }
  }

  private static func eventCount(_ episodes: [ComparedEpisode]) -> Int {
    Set(episodes.compactMap(\.event)).count + episodes.count { $0.event == nil }
  }

  private mutating func add(
    _ notification: ComparedNotification, _ side: WritableKeyPath<ByProfile<Int>, Int>,
    _ groupSide: WritableKeyPath<ByProfile<Set<NotifiedNight>>, Set<NotifiedNight>>
  ) {
    let series = notification.series
    recipients.insert(notification.recipient)
    for metric in notification.metrics {
      metrics[metric, default: ComparisonTally()].notifications[keyPath: side] += 1
    }
    tallies[series.user, default: ComparisonTally()].notifications[keyPath: side] += 1
    levels[notification.level, default: LevelTally()].notifications[keyPath: side] += 1
    if let night = notification.groupNight {
      let group = NotifiedNight(recipient: notification.recipient, night: night)
      guard groups[keyPath: groupSide].insert(group).inserted else { return }
    }
    total.notifications[keyPath: side] += 1
  }

  /// Every episode of either profile once, by series and first day.
  ///
  /// - Complexity: O(*n* log *n*)
  public var pairs: [EpisodePair] { unsortedPairs.sorted { $0.precedes($1) } }

  /// Whether the profiles agree in every episode and in the numbers of notifications.
  public var isEmpty: Bool {
    total.differences == 0
      && tallies.values.allSatisfy { $0.notifications.first == $0.notifications.second }
  }

  // MARK: Rates

  /// Evaluated days of all persons.
  public var personDays: Int { persons * dayCount }

  /// Recipients who are notified under either profile.
  public var recipientCount: Int { recipients.count }

  /// Notifications in 100 evaluated days of a person; nil without persons.
  public var notificationsPer100PersonDays: ByProfile<Double>? {
    guard personDays > 0 else { return nil }
    return total.notifications.map { 100 * Double($0) / Double(personDays) }
  }

  /// Notifications that one recipient gets in a week, on average over those who are notified under either
  /// profile; nil without any.
  public var notificationsPerRecipientWeek: ByProfile<Double>? {
    guard recipientCount > 0 else { return nil }
    let weeks = Double(dayCount) / 7
    return total.notifications.map { Double($0) / (Double(recipientCount) * weeks) }
  }

  private var dayCount: Int { days.upperBound - days.lowerBound + 1 }

  // MARK: Persons

  /// The persons with differences, those with the most first; of as many, by the difference in
  /// notifications, then by id.
  ///
  /// - Complexity: O(*n* log *n*)
  public var mostAffected: [(person: UUID, tally: ComparisonTally)] {
    tallies.filter { $0.value.differences > 0 || $0.value.notificationChange != 0 }
      .map { (person: $0.key, tally: $0.value) }
      .sorted { left, right in
        let (one, other) = (left.tally, right.tally)
        return (other.differences, abs(other.notificationChange), left.person)
          < (one.differences, abs(one.notificationChange), right.person)
      }
  }
}
