public import VigilStorage

/// The row of a `ShardRecord` in `run_shards`.
public enum ShardRow {
  public static let table = "run_shards"

  public static let key = ["run_id", "shard"]
  public static let columns =
    key + ["status", "host", "started_at", "finished_at", "error", "data_quality", "carried"]

  public static func put(_ shard: ShardRecord, into row: some RowWriter) throws {
    row.put(shard.run)
    row.put(shard.index)
    row.put(shard.status.rawValue)
    row.put(shard.host)
    row.put(shard.startedAt)
    row.put(shard.finishedAt)
    row.put(shard.error)
    try row.put(encoding: shard.dataQuality)
    try row.put(encoding: shard.carried)
  }

  public static func decode(_ row: inout some RowReader) throws -> ShardRecord {
    var shard = try ShardRecord(
      run: row.uuid(), index: row.count(), status: row.word(), host: row.text(),
      startedAt: row.timestamp(), finishedAt: row.timestampIfPresent(), error: row.textIfPresent(),
      dataQuality: row.decoded())
    shard.carried = try row.decoded()
    return shard
  }
}
