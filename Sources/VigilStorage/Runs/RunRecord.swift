public import Foundation
public import VigilModel

/// One row of `batch_runs`; all shards of a run share it.
public struct RunRecord: Sendable, Hashable {
  public var id: UUID
  public var kind: Kind
  /// First and last evaluation day; the same for a nightly run.
  public var days: ClosedRange<Day>
  public var mode: Mode
  /// How many processes share it, each a part of the persons.
  public var shards: Int
  /// UUIDv5 of the ids of the chosen persons; nil where everybody was to be evaluated.
  public var selection: UUID?
  public var thresholdsVersion: String
  public var thresholdsDigest: String
  /// What it evaluates.
  public var parts: Set<RunPart>
  /// Version and digest of the vitality file; nil where `parts` is without vitality.
  public var vitality: VitalityFile?
  public var engineVersion: String
  /// The machine that began it.
  public var host: String
  public var startedAt: Timestamp
  public var finishedAt: Timestamp?
  public var counts: Counts
  public var dataQuality: [DataQualityCount]
  /// The newest `updated_at` among the metric rows that the run has read; nil where the input has
  /// none.
  public var watermark: Timestamp?
  public var status: Status
  /// One line without any value of a person; nil unless the run failed or was cut off.
  public var error: String?

  public init(
    id: UUID, kind: Kind, days: ClosedRange<Day>, mode: Mode, shards: Int = 1,
    selection: UUID? = nil, thresholdsVersion: String, thresholdsDigest: String,
    parts: Set<RunPart>, vitality: VitalityFile?, engineVersion: String, host: String,
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
    self.thresholdsVersion = thresholdsVersion
    self.thresholdsDigest = thresholdsDigest
    self.parts = parts
    self.vitality = vitality
    self.engineVersion = engineVersion
    self.host = host
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.counts = counts
    self.dataQuality = dataQuality
    self.watermark = watermark
    self.status = status
    self.error = error
  }

  /// Which vitality file a run uses.
  public struct VitalityFile: Sendable, Hashable {
    public var version: String
    /// SHA-256 of the file's bytes in lower-case hexadecimal.
    public var digest: String

    public init(version: String, digest: String) {
      self.version = version
      self.digest = digest
    }
  }

  public enum Kind: String, Sendable, Codable, CaseIterable {
    case run
    case backfill
  }

  public enum Mode: String, Sendable, Codable, CaseIterable {
    case shadow
    case live
  }

  public enum Status: String, Sendable, Codable, CaseIterable {
    case running
    case succeeded
    case failed
    case interrupted
  }

  /// What a run read and did; counts of batches add up.
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
    /// Planned by a live run, and neither enqueued nor given up.
    public var notificationsHeld = 0
    /// Rows of `vitality_scores` that are new, changed or gone.
    public var scoresChanged = 0
    /// Insights of the evaluated days that are not suppressed, and two episodes at the same time on one of
    /// these days; what is corrected of earlier days is not counted again.
    public var insightsFound = 0

    public init() {}

    /// Counts that an earlier version did not have are 0.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func count(_ key: CodingKeys) throws -> Int {
        try values.decodeIfPresent(Int.self, forKey: key) ?? 0
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

    /// What was written, without what was read or counted.
    var written: Counts {
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

/// How often something was to be known of the data that a run has read.
public struct DataQualityCount: Sendable, Hashable, Codable {
  /// Nil where a whole day or row is concerned.
  public var metric: MetricType?
  /// What `unit` tells the unit of; `insufficient_history`, for instance.
  public var reason: String
  public var count: Int

  public init(metric: MetricType?, reason: String, count: Int) {
    self.metric = metric
    self.reason = reason
    self.count = count
  }

  /// What a count counts.
  public enum Unit: String, Sendable, Codable, CaseIterable {
    /// Values that were treated as missing.
    case values
    /// Days of a person that were treated as missing.
    case days
    /// Persons for whom something is to be known of the metric, whose values all count.
    case persons
    /// Rows of the input tables that cannot be used.
    case rows
  }

  /// What is counted; nil for a reason that this version does not know.
  public var unit: Unit? {
    switch reason {
    case "not_finite", "implausible": .values
    case "non_wear": .days
    case "insufficient_history", "source_changed": .persons
    default: UnusableRow.Reason(rawValue: reason) == nil ? nil : .rows
    }
  }
}
