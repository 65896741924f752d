public import VigilStorage

/// The row of a `BatchCheckpoint` in `batch_checkpoints`; `put` and `decode` go through the columns
/// in their order.
public enum CheckpointRow {
  public static let table = "batch_checkpoints"

  public static let columns = [
    "shard", "first_person", "last_person", "persons", "counts", "data_quality", "metric_rows",
    "newest_update", "update_seconds", "workout_days", "medication_digest", "vitality_digest",
    "sensitivity_digest",
  ]

  public static func put(_ checkpoint: BatchCheckpoint, into row: some RowWriter) throws {
    row.put(checkpoint.shard)
    row.put(checkpoint.firstPerson)
    row.put(checkpoint.lastPerson)
    row.put(checkpoint.counts.persons)
    try row.put(encoding: checkpoint.counts)
    try row.put(encoding: checkpoint.dataQuality)
    row.put(checkpoint.input.metricRows)
    row.put(checkpoint.input.newestUpdate)
    row.put(checkpoint.input.updateSeconds)
    row.put(checkpoint.input.workoutDays)
    row.put(checkpoint.input.medicationDigest)
    row.put(checkpoint.input.vitalityDigest)
    row.put(checkpoint.input.sensitivityDigest)
  }

  public static func decode(_ row: inout some RowReader) throws -> BatchCheckpoint {
    let (shard, first, last) = try (row.count(), row.uuid(), row.uuid())
    // The counts have it as well; the column of its own is for readers of the table.
    row.skip()
    return try BatchCheckpoint(
      shard: shard, firstPerson: first, lastPerson: last, counts: row.decoded(),
      dataQuality: row.decoded(),
      input: InputFingerprint(
        metricRows: row.count(), newestUpdate: row.timestampIfPresent(),
        updateSeconds: row.intIfPresent(), workoutDays: row.count(),
        medicationDigest: row.intIfPresent(), vitalityDigest: row.intIfPresent(),
        sensitivityDigest: row.intIfPresent()))
  }
}
