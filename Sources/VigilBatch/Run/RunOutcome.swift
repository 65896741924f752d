public import VigilStorage

/// How a process that did a run, or its shard of one, ended.
public struct RunOutcome: Sendable {
  /// The run as it stands in `batch_runs`; where it is shared, the other shards may still be at work.
  public var run: RunRecord
  /// What this process did of it.
  public var shard: ShardRecord
  /// What this process switched before it began; nil where the profile stayed what it was.
  public var switched: ProfileSwitch?
}
