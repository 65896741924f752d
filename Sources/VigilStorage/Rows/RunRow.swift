import Foundation
import VigilModel

/// How a `RunRecord` lies in `batch_runs`: the order of columns is the order in which `put` and
/// `decode` go through them.
public enum RunRow {
  public static let table = "batch_runs"

  public static let columns = [
    "id", "kind", "from_date", "to_date", "mode", "thresholds_version", "thresholds_digest",
    "engine_version", "host", "started_at", "finished_at", "persons", "series", "days_evaluated",
    "rows_read", "values_rejected", "episodes_opened", "episodes_escalated", "episodes_resolved",
    "notifications_enqueued", "data_quality", "status", "error",
  ]

  public static func put(_ run: RunRecord, into row: some RowWriter) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let dataQuality = String(decoding: try encoder.encode(run.dataQuality), as: UTF8.self)
    row.put(run.id)
    row.put(run.kind.rawValue)
    row.put(run.days.lowerBound)
    row.put(run.days.upperBound)
    row.put(run.mode.rawValue)
    row.put(run.thresholdsVersion)
    row.put(run.thresholdsDigest)
    row.put(run.engineVersion)
    row.put(run.host)
    row.put(run.startedAt)
    row.put(run.finishedAt)
    row.put(run.counts.persons)
    row.put(run.counts.series)
    row.put(run.counts.daysEvaluated)
    row.put(run.counts.rowsRead)
    row.put(run.counts.valuesRejected)
    row.put(run.counts.episodesOpened)
    row.put(run.counts.episodesEscalated)
    row.put(run.counts.episodesResolved)
    row.put(run.counts.notificationsEnqueued)
    row.put(json: dataQuality)
    row.put(run.status.rawValue)
    row.put(run.error)
  }

  public static func decode(_ row: some RowReader) throws -> RunRecord {
    var row = row
    let id = try row.uuid()
    let kind: RunRecord.Kind = try row.word()
    let firstDay = try row.day()
    let days = try firstDay...max(firstDay, row.day())
    let mode: RunRecord.Mode = try row.word()
    let (version, digest) = try (row.text(), row.text())
    let (engineVersion, host) = try (row.text(), row.text())
    let startedAt = try row.timestamp()
    let finishedAt = try row.timestampIfPresent()
    var counts = RunRecord.Counts()
    counts.persons = try row.int()
    counts.series = try row.int()
    counts.daysEvaluated = try row.int()
    counts.rowsRead = try row.int()
    counts.valuesRejected = try row.int()
    counts.episodesOpened = try row.int()
    counts.episodesEscalated = try row.int()
    counts.episodesResolved = try row.int()
    counts.notificationsEnqueued = try row.int()
    let dataQualityText = try row.json()
    guard
      let dataQuality = try? JSONDecoder().decode(
        [DataQualityCount].self, from: Data(dataQualityText.utf8))
    else { throw row.refusal(expected: "what this version writes there") }
    return try RunRecord(
      id: id, kind: kind, days: days, mode: mode, thresholdsVersion: version,
      thresholdsDigest: digest, engineVersion: engineVersion, host: host, startedAt: startedAt,
      finishedAt: finishedAt, counts: counts, dataQuality: dataQuality, status: row.word(),
      error: row.textIfPresent())
  }
}
