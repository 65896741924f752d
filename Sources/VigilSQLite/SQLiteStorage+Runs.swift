public import Foundation
import GRDB
import VigilModel
public import VigilStorage

extension SQLiteStorage {
  private static let runColumns = [
    "id", "kind", "from_date", "to_date", "mode", "thresholds_version", "thresholds_digest",
    "engine_version", "host", "started_at", "finished_at", "persons", "series", "days_evaluated",
    "rows_read", "values_rejected", "episodes_opened", "episodes_escalated", "episodes_resolved",
    "notifications_enqueued", "data_quality", "status", "error",
  ]

  public func record(_ run: RunRecord) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let dataQuality = String(decoding: try encoder.encode(run.dataQuality), as: UTF8.self)
    try write(table: "batch_runs") { db in
      let columns = Self.runColumns
      let updates = columns.dropFirst().map { "\($0) = excluded.\($0)" }
      let upsert = try RawStatement(
        """
        INSERT INTO batch_runs (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (id) DO UPDATE SET \(updates.joined(separator: ", "))
        """, on: db)
      upsert.put(run.id)
      upsert.put(run.kind.rawValue)
      upsert.put(run.days.lowerBound)
      upsert.put(run.days.upperBound)
      upsert.put(run.mode.rawValue)
      upsert.put(run.thresholdsVersion)
      upsert.put(run.thresholdsDigest)
      upsert.put(run.engineVersion)
      upsert.put(run.host)
      upsert.put(run.startedAt)
      upsert.put(run.finishedAt)
      upsert.put(run.counts.persons)
      upsert.put(run.counts.series)
      upsert.put(run.counts.daysEvaluated)
      upsert.put(run.counts.rowsRead)
      upsert.put(run.counts.valuesRejected)
      upsert.put(run.counts.episodesOpened)
      upsert.put(run.counts.episodesEscalated)
      upsert.put(run.counts.episodesResolved)
      upsert.put(run.counts.notificationsEnqueued)
      upsert.put(dataQuality)
      upsert.put(run.status.rawValue)
      upsert.put(run.error)
      try upsert.run()
    }
  }

  public func runs(limit: Int) throws -> [RunRecord] {
    try runs("ORDER BY started_at DESC, id LIMIT ?", max(0, limit))
  }

  public func run(id: UUID) throws -> RunRecord? {
    try runs("WHERE id = ?", id).first
  }

  private func runs(_ clause: String, _ value: some RawBindable) throws -> [RunRecord] {
    try read { db in
      let query = try RawStatement(
        "SELECT \(Self.runColumns.joined(separator: ", ")) FROM batch_runs \(clause)", on: db)
      query.put(value)
      var runs: [RunRecord] = []
      try query.forEachRow { try runs.append(decodeRun($0)) }
      return runs
    }
  }

  private func decodeRun(_ row: RawRow) throws -> RunRecord {
    var row = RowDecoder(row, of: "batch_runs", columns: Self.runColumns, in: file)
    let id = try row.uuid()
    let kind: RunRecord.Kind = try row.word()
    let firstDay = try row.day()
    let days = try firstDay...max(firstDay, row.day())
    let mode: RunRecord.Mode = try row.word()
    let (version, digest) = (row.text(), row.text())
    let (engineVersion, host) = (row.text(), row.text())
    let startedAt = try row.timestamp()
    let finishedAt = try row.timestampIfPresent()
    var counts = RunRecord.Counts()
    counts.persons = row.int()
    counts.series = row.int()
    counts.daysEvaluated = row.int()
    counts.rowsRead = row.int()
    counts.valuesRejected = row.int()
    counts.episodesOpened = row.int()
    counts.episodesEscalated = row.int()
    counts.episodesResolved = row.int()
    counts.notificationsEnqueued = row.int()
    let dataQualityText = row.text()
    guard
      let dataQuality = try? JSONDecoder().decode(
        [DataQualityCount].self, from: Data(dataQualityText.utf8))
    else {
      throw StorageError(
        .corrupt,
        "\(displayName): a row of batch_runs has a data_quality that this version "
          + "cannot read")
    }
    return try RunRecord(
      id: id, kind: kind, days: days, mode: mode, thresholdsVersion: version,
      thresholdsDigest: digest, engineVersion: engineVersion, host: host, startedAt: startedAt,
      finishedAt: finishedAt, counts: counts, dataQuality: dataQuality, status: row.word(),
      error: row.textIfPresent())
  }
}
