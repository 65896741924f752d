public import Foundation
public import VigilModel

/// One row of `batch_checkpoints`: a batch of persons that a run has written, in the transaction of
/// that batch.
///
/// The figures of a run are the sums over its checkpoints. What a run saw of the input says whether it
/// may be believed later, when the run is continued.
public struct BatchCheckpoint: Sendable, Hashable {
  /// `index` of the run's shard.
  public var shard: Int
  /// The first person of the batch; with run and shard it identifies the batch.
  public var firstPerson: UUID
  public var lastPerson: UUID
  /// What the batch read and did; the notifications that entered a queue are counted by the database.
  public var counts: RunRecord.Counts
  public var dataQuality: [DataQualityCount]
  /// What of the input the batch was computed from.
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

/// Tells whether the input of some persons in the loaded days is what it was.
public struct InputFingerprint: Sendable, Hashable {
  /// Rows of `wearable_daily_metrics`.
  public var metricRows: Int
  /// The newest `updated_at` of those rows; nil where there is none, or the input does not say.
  public var newestUpdate: Timestamp?
  /// The sum of their `updated_at`, each in whole seconds since 1970; nil where a row does not say.
  ///
  /// A correction may be older than the newest row: transactions begin before they commit.
  public var updateSeconds: Int?
  /// Days with a row of `exercise_sessions`, a person's day counted once a row.
  public var workoutDays: Int
  /// What was read of medications, schedules and doses (`MedicationRows.digest`); nil where a run does
  /// not follow them.
  public var medicationDigest: Int?
  /// What was read of scores from elsewhere and of birth dates; nil where a run does not score.
  public var vitalityDigest: Int?

  public init(
    metricRows: Int, newestUpdate: Timestamp?, updateSeconds: Int?, workoutDays: Int,
    medicationDigest: Int? = nil, vitalityDigest: Int? = nil
  ) {
    self.vitalityDigest = vitalityDigest
    self.medicationDigest = medicationDigest
    self.metricRows = metricRows
    self.newestUpdate = newestUpdate
    self.updateSeconds = updateSeconds
    self.workoutDays = workoutDays
  }

  /// Whether `now` was read of the same input.
  ///
  /// Rows without `updated_at` could have been corrected in place, so they are never taken for
  /// unchanged. A correction that leaves `updated_at` as it was is not seen.
  public func isUnchanged(in now: InputFingerprint) -> Bool {
    self == now && updateSeconds != nil
  }
}
