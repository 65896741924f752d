public import Foundation
public import VigilModel

/// One row of `batch_checkpoints`: a batch of persons that a run has written, in the transaction of
/// that batch.
///
/// The figures of a run are the sums over its checkpoints. A run that is continued compares the
/// recorded fingerprint of the input with the present one, to decide whether the batch must be
/// repeated.
public struct BatchCheckpoint: Sendable, Hashable {
  /// `index` of the run's shard.
  public var shard: Int
  /// The first person of the batch; with run and shard it identifies the batch.
  public var firstPerson: UUID
  public var lastPerson: UUID
  /// The counts of the batch; the database itself counts the notifications that entered a queue.
  public var counts: RunRecord.Counts
  public var dataQuality: [DataQualityCount]
  /// The fingerprint of the input that the batch was computed from.
  public var input: InputFingerprint

  public init(
    shard: Int = 1, firstPerson: UUID, lastPerson: UUID, counts: RunRecord.Counts,
    dataQuality: [DataQualityCount] = [], input: InputFingerprint
  ) {
    self.shard = shard
    self.firstPerson = firstPerson
    self.lastPerson = lastPerson
    self.counts = counts
    self.dataQuality = dataQuality
    self.input = input
  }
}

/// A fingerprint that shows whether the input of some persons in the loaded days has changed.
public struct InputFingerprint: Sendable, Hashable {
  /// Rows of `wearable_daily_metrics`.
  public var metricRows: Int
  /// The newest `updated_at` of those rows; nil where there is none.
  public var newestUpdate: Timestamp?
  /// The sum of their `updated_at`, each in whole seconds since 1970; nil where a row has none.
  ///
  /// A correction may be older than the newest row: transactions begin before they commit.
  public var updateSeconds: Int?
  /// Days with a row of `exercise_sessions`; a day with several rows of a person counts as often.
  public var workoutDays: Int
  /// The digest of medications, schedules, doses (`MedicationRows.digest`) and check-ins; nil where a run
  /// follows neither.
  public var medicationDigest: Int?
  /// The digest of scores from elsewhere and of birth dates; nil where a run does not score.
  public var vitalityDigest: Int?
  /// The digest of the persons' own sensitivities and limits, 0 where there are none; nil where a run follows no patterns.
  public var sensitivityDigest: Int?

  public init(
    metricRows: Int, newestUpdate: Timestamp?, updateSeconds: Int?, workoutDays: Int,
    medicationDigest: Int? = nil, vitalityDigest: Int? = nil, sensitivityDigest: Int? = nil
  ) {
    self.sensitivityDigest = sensitivityDigest
    self.vitalityDigest = vitalityDigest
    self.medicationDigest = medicationDigest
    self.metricRows = metricRows
    self.newestUpdate = newestUpdate
    self.updateSeconds = updateSeconds
    self.workoutDays = workoutDays
  }

  /// Whether `now` has the fingerprint of the same input.
  ///
  /// Rows without `updated_at` could have been corrected in place, so they never count as
  /// unchanged. A correction that leaves `updated_at` unchanged is not detected.
  public func isUnchanged(in now: InputFingerprint) -> Bool {
    self == now && updateSeconds != nil
  }
}
