public import Foundation
public import VigilModel

/// One row of `batch_runs`; all shards of a run share it.
public struct RunRecord: Sendable, Hashable {
  public var id: UUID
  public var kind: Kind
  /// First and last evaluation day; the same for a nightly run.
  public var days: ClosedRange<Day>
  public var mode: Mode
  /// The number of processes that share the run, each with a part of the persons.
  public var shards: Int
  /// UUIDv5 of the ids of the chosen persons; nil for a run of all persons.
  public var selection: UUID?
  /// Whether it sends no notification and counts active episodes as notified, because the profile
  /// was switched.
  public var isSilent: Bool
  public var thresholds: Profile
  /// The profile that was followed beside it and notifies no one; nil where there was none.
  public var candidate: Profile?
  /// The evaluated parts.
  public var parts: Set<RunPart>
  /// The vitality file; nil where `parts` is without vitality.
  public var vitality: Profile?
  public var engineVersion: String
  /// The release of the time zone rules, such as `2026a`; nil where the system has no zone files.
  public var zoneRules: String?
  /// The machine that began it.
  public var host: String
  public var startedAt: Timestamp
  public var finishedAt: Timestamp?
  public var counts: Counts
  public var dataQuality: [DataQualityCount]
  /// The newest `updated_at` among the metric rows that the run has read; nil where the rows have
  /// none.
  public var watermark: Timestamp?
  /// The state of the feed of metric rows; nil where the run does not follow silence.
  public var feed: FeedRecord?
  /// The state of the feed of doses; nil where the run does not weigh missed doses.
  public var doseFeed: FeedRecord?
  public var status: Status
  /// One line without any value of a person; nil unless the run failed or was cut off.
  public var error: String?

  public init(
    id: UUID, kind: Kind, days: ClosedRange<Day>, mode: Mode, shards: Int = 1,
    selection: UUID? = nil, isSilent: Bool = false, thresholds: Profile, candidate: Profile? = nil,
    parts: Set<RunPart>, vitality: Profile?, engineVersion: String, zoneRules: String? = nil,
    host: String,
    startedAt: Timestamp, finishedAt: Timestamp? = nil,
    counts: Counts = Counts(), dataQuality: [DataQualityCount] = [], watermark: Timestamp? = nil,
    status: Status, error: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.days = days
    self.mode = mode
    self.shards = shards
    self.selection = selection
    self.isSilent = isSilent
    self.thresholds = thresholds
    self.candidate = candidate
    self.parts = parts
    self.vitality = vitality
    self.engineVersion = engineVersion
    self.zoneRules = zoneRules
    self.host = host
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.counts = counts
    self.dataQuality = dataQuality
    self.watermark = watermark
    self.status = status
    self.error = error
  }

  public enum Kind: String, Sendable, Codable, CaseIterable {
    case run
    case backfill
    /// The evaluations of single persons in one day of UTC; `counts.persons` is their number.
    case person
  }

  public enum Mode: String, Sendable, Codable, CaseIterable {
    case shadow
    case live
  }

  public enum Status: String, Sendable, Codable, CaseIterable {
    /// Set when the run begins. A later run that finds its process gone makes it `interrupted`.
    case running
    /// All its persons are written; or an operator has decided what was held.
    case succeeded
    /// It ended with an error, which is recorded beside.
    case failed
    /// It was ended by a signal, or its process went away.
    case interrupted
    /// All its persons are evaluated and written, and its notifications wait for an operator's decision.
    case held
  }

  /// The rows that a run read and wrote; counts of batches add up.
  public struct Counts: Sendable, Hashable, Codable {
    public var persons = 0
    /// Series with at least one observation in the loaded window.
    public var series = 0
    /// Series times evaluation days.
    public var daysEvaluated = 0
    public var rowsRead = 0
    /// Metric rows newer than the watermark of the last run that succeeded.
    public var rowsChanged = 0
    public var valuesRejected = 0
    public var episodesOpened = 0
    public var episodesEscalated = 0
    public var episodesResolved = 0
    /// Rows that entered the queue of the run's mode.
    public var notificationsEnqueued = 0
    /// Notifications planned by a live run, and neither enqueued nor discarded.
    public var notificationsHeld = 0
    /// Rows of `vitality_scores` that are new, changed or gone.
    public var scoresChanged = 0
    /// Insights of the evaluated days that are not suppressed, and two episodes at the same time on
    /// one of these days; corrections of days before are not counted again.
    public var insightsFound = 0

    public init() {}

    /// Counts that are carried over may be negative.
    ///
    /// - Throws: `DecodingError` also for a count that cannot be added to others.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func count(_ key: CodingKeys) throws -> Int {
        let count = try values.decode(Int.self, forKey: key)
        guard count.magnitude <= RowBounds.counts.upperBound.magnitude else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: values, debugDescription: "the count is out of bounds")
        }
        return count
      }
      persons = try count(.persons)
      series = try count(.series)
      daysEvaluated = try count(.daysEvaluated)
      rowsRead = try count(.rowsRead)
      rowsChanged = try count(.rowsChanged)
      valuesRejected = try count(.valuesRejected)
      episodesOpened = try count(.episodesOpened)
      episodesEscalated = try count(.episodesEscalated)
      episodesResolved = try count(.episodesResolved)
      notificationsEnqueued = try count(.notificationsEnqueued)
      notificationsHeld = try count(.notificationsHeld)
      scoresChanged = try count(.scoresChanged)
      insightsFound = try count(.insightsFound)
    }

    /// The counts of written rows, without those of rows read and days evaluated.
    package var written: Counts {
      var written = Counts()
      written.episodesOpened = episodesOpened
      written.episodesEscalated = episodesEscalated
      written.episodesResolved = episodesResolved
      written.notificationsEnqueued = notificationsEnqueued
      written.scoresChanged = scoresChanged
      return written
    }

    public static func += (total: inout Counts, part: Counts) {
      total.persons += part.persons
      total.series += part.series
      total.daysEvaluated += part.daysEvaluated
      total.rowsRead += part.rowsRead
      total.rowsChanged += part.rowsChanged
      total.valuesRejected += part.valuesRejected
      total.episodesOpened += part.episodesOpened
      total.episodesEscalated += part.episodesEscalated
      total.episodesResolved += part.episodesResolved
      total.notificationsEnqueued += part.notificationsEnqueued
      total.notificationsHeld += part.notificationsHeld
      total.scoresChanged += part.scoresChanged
      total.insightsFound += part.insightsFound
    }
  }
}

/// The number of times that a fault or property of the data was met in a run.
public struct DataQualityCount: Sendable, Hashable, Codable {
  /// Nil for a whole day or row.
  public var metric: MetricType?
  /// The reason, for example `insufficient_history`; its unit is `unit`.
  public var reason: String
  public var count: Int

  public init(metric: MetricType?, reason: String, count: Int) {
    self.metric = metric
    self.reason = reason
    self.count = count
  }

  /// - Throws: `DecodingError` also for a count that cannot be added to others.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    metric = try values.decodeIfPresent(MetricType.self, forKey: .metric)
    reason = try values.decode(String.self, forKey: .reason)
    count = try values.decode(Int.self, forKey: .count)
    guard RowBounds.counts.contains(count) else {
      throw DecodingError.dataCorruptedError(
        forKey: .count, in: values, debugDescription: "the count is out of bounds")
    }
  }

  /// The unit of a count.
  public enum Unit: String, Sendable, Codable, CaseIterable {
    /// Values that were treated as missing.
    case values
    /// Days of a person that were treated as missing.
    case days
    /// Persons whose series of the metric has a trait, although all its values count.
    case persons
    /// Rows of the input tables that cannot be used.
    case rows
    /// Metrics of the thresholds that the database has no column for.
    case metrics
  }

  /// The unit; nil for a reason that this version does not know.
  public var unit: Unit? {
    switch reason {
    case "not_finite", "implausible": .values
    case "non_wear", "part_worn": .days
    case "no_column": .metrics
    case "insufficient_history", "source_changed": .persons
    default: UnusableRow.Reason(rawValue: reason) == nil ? nil : .rows
    }
  }
}
