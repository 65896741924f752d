import VigilAnalysis
import VigilModel

extension ComparisonReport: Encodable {
  private enum CodingKeys: CodingKey {
    case firstProfile, secondProfile, firstDay, lastDay, persons, personDays, recipients
    case isSame, events, total, metrics, levels, mostAffected, differences
    case notificationsPer100PersonDays, notificationsPerRecipientWeek
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(ProfileDocument(profiles.first), forKey: .firstProfile)
    try container.encode(ProfileDocument(profiles.second), forKey: .secondProfile)
    try container.encode(comparison.days.lowerBound, forKey: .firstDay)
    try container.encode(comparison.days.upperBound, forKey: .lastDay)
    try container.encode(comparison.persons, forKey: .persons)
    try container.encode(comparison.personDays, forKey: .personDays)
    try container.encode(comparison.recipientCount, forKey: .recipients)
    try container.encode(comparison.isEmpty, forKey: .isSame)
    try container.encode(SidesDocument(comparison.events), forKey: .events)
    try container.encode(TallyDocument(comparison.total), forKey: .total)
    try container.encode(
      OrNull(comparison.notificationsPer100PersonDays.map(SidesDocument.init)),
      forKey: .notificationsPer100PersonDays)
    try container.encode(
      OrNull(comparison.notificationsPerRecipientWeek.map(SidesDocument.init)),
      forKey: .notificationsPerRecipientWeek)
    try container.encode(
      comparison.metrics.sorted { $0.key < $1.key }.map { TallyDocument($0.value, metric: $0.key) },
      forKey: .metrics)
    try container.encode(
      comparison.levels.sorted { $0.key < $1.key }.map(LevelDocument.init), forKey: .levels)
    try container.encode(
      listed.map { person, tally in
        PersonDocument(
          userId: person.lowercased, externalId: OrNull(externalIDs[person]),
          tally: TallyDocument(tally))
      }, forKey: .mostAffected)
    try container.encode(
      comparison.pairs.filter { !$0.isSame }.map(PairDocument.init), forKey: .differences)
  }
}

private struct ProfileDocument: Encodable {
  var version, digest: String

  init(_ profile: Profile) {
    version = profile.version
    digest = profile.digest
  }
}

private struct SidesDocument<Value: Encodable>: Encodable {
  var first, second: Value

  init(_ sides: ByProfile<Value>) {
    (first, second) = (sides.first, sides.second)
  }
}

private struct TallyDocument: Encodable {
  /// Null in counts of several metrics.
  var metricType: OrNull<MetricType>
  var both, earlier, later, otherLevel: Int
  var only, notifications: SidesDocument<Int>
  /// Days; null where no episode is earlier, or later.
  var medianDaysEarlier, medianDaysLater: OrNull<Int>

  init(_ tally: ComparisonTally, metric: MetricType? = nil) {
    metricType = OrNull(metric)
    (both, earlier, later) = (tally.both, tally.earlier, tally.later)
    otherLevel = tally.otherLevel
    only = SidesDocument(tally.only)
    notifications = SidesDocument(tally.notifications)
    medianDaysEarlier = OrNull(tally.medianShift(earlier: true))
    medianDaysLater = OrNull(tally.medianShift(earlier: false))
  }
}

private struct LevelDocument: Encodable {
  var level: Int
  var episodes, only, notifications: SidesDocument<Int>

  init(_ level: AlertLevel, _ tally: LevelTally) {
    self.level = level.rawValue
    episodes = SidesDocument(tally.episodes)
    only = SidesDocument(tally.only)
    notifications = SidesDocument(tally.notifications)
  }
}

private struct PersonDocument: Encodable {
  var userId: String
  var externalId: OrNull<String>
  var tally: TallyDocument
}

private struct PairDocument: Encodable {
  var userId: String
  var metricType: MetricType
  var patternType: PatternType
  /// Negative where the second profile was earlier; null where only one of them has the episode.
  var daysLater: OrNull<Int>
  var first, second: OrNull<EpisodeDocument>

  struct EpisodeDocument: Encodable {
    var activeSince, openedOn: Day
    var level: Int
    /// Null while it is active.
    var resolvedOn: OrNull<Day>
    var resolutionReason: OrNull<String>

    init(_ episode: ComparedEpisode) {
      activeSince = episode.days.lowerBound
      openedOn = episode.openedOn
      level = episode.level.rawValue
      resolvedOn = OrNull(episode.resolvedOn)
      resolutionReason = OrNull(episode.resolution?.rawValue)
    }
  }

  init(_ pair: EpisodePair) {
    userId = pair.series.user.lowercased
    metricType = pair.series.metric
    patternType = pair.series.pattern
    daysLater = OrNull(pair.delay)
    first = OrNull(pair.first.map(EpisodeDocument.init))
    second = OrNull(pair.second.map(EpisodeDocument.init))
  }
}
