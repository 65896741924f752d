public import Foundation
public import VigilModel

/// One row of `run_shards`: the state of a process that shares a run.
///
/// A run that is not shared has one such row.
public struct ShardRecord: Sendable, Hashable {
  public var run: UUID
  /// `index` of the shard.
  public var index: Int
  public var status: Status
  public var host: String
  public var startedAt: Timestamp
  public var finishedAt: Timestamp?
  /// One line without any value of a person; nil unless something went wrong.
  public var error: String?
  /// The data quality that it found before its first batch.
  public var dataQuality: [DataQualityCount]
  /// Counts besides the checkpoints, kept by the database: rows of batches whose checkpoints were
  /// removed, minus notifications that were grouped, and released ones whose rows were pruned.
  public package(set) var carried = RunRecord.Counts()

  public init(
    run: UUID, index: Int = 1, status: Status, host: String, startedAt: Timestamp,
    finishedAt: Timestamp? = nil, error: String? = nil,
    dataQuality: [DataQualityCount] = []
  ) {
    self.run = run
    self.index = index
    self.status = status
    self.host = host
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.error = error
    self.dataQuality = dataQuality
  }

  /// Whether both are records of the same process: one that takes a shard over begins later, or
  /// elsewhere.
  package func isSameProcess(as other: ShardRecord) -> Bool {
    host == other.host && startedAt == other.startedAt
  }

  /// Whether this is the state before an end with `status`, or that end, whose answer was lost.
  package func canEnd(as status: Status) -> Bool {
    switch self.status {
    case .running: true
    case .held: status == .succeeded
    case .succeeded, .failed, .interrupted: self.status == status
    }
  }

  public enum Status: String, Sendable, CaseIterable {
    /// Set when the shard begins. A later run that finds its process gone makes it `interrupted`.
    case running
    /// All its persons are written; or an operator has decided what was held.
    case succeeded
    /// It ended with an error, which is recorded beside.
    case failed
    /// It was ended by a signal, or its process went away.
    case interrupted
    /// All its persons are evaluated and written, and its notifications wait for an operator's
    /// decision.
    case held
  }
}
