public import Foundation
public import VigilModel

/// One row of `run_shards`: how a process that shares a run is getting on.
///
/// A run that is not shared has one of them.
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
  /// What it found before its first batch.
  public var dataQuality: [DataQualityCount]
  /// What to count besides the checkpoints: what batches have written whose checkpoints were forgotten,
  /// less what was grouped, and what was released whose rows were pruned; kept by the database.
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

  /// Whether both speak of the same process: one that takes a shard over begins later, or elsewhere.
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
    case running
    case succeeded
    case failed
    case interrupted
    /// Everything is evaluated and written, and its notifications wait for somebody's decision.
    case held
  }
}
