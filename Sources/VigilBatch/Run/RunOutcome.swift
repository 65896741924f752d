public import VigilStorage

/// The end of a process that did a run, or its shard of one.
public struct RunOutcome: Sendable {
  /// The run as it stands in `batch_runs`; where it is shared, the other shards may still be at work.
  public var run: RunRecord
  /// The part of this process.
  public var shard: ShardRecord
  /// The switch of profile with which this process began; nil where there was none.
  public var switched: ProfileSwitch?
}
