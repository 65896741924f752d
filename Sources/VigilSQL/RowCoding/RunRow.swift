import Foundation
import VigilModel
public import VigilStorage

/// The row of a `RunRecord` in `batch_runs`; `put` and `decode` go through the columns in their
/// order.
public enum RunRow {
  public static let table = "batch_runs"

  public static let columns = [
    "id", "kind", "from_date", "to_date", "mode", "shards", "selection", "is_silent",
    "thresholds_version", "thresholds_digest", "parts", "vitality_version", "vitality_digest",
    "engine_version", "host",
    "started_at", "finished_at", "persons", "series",
    "days_evaluated", "rows_read", "rows_changed", "values_rejected", "episodes_opened",
    "episodes_escalated", "episodes_resolved", "notifications_enqueued", "notifications_held",
    "scores_changed", "insights_found",
    "data_quality", "watermark", "status", "error", "zone_rules",
    "candidate_version", "candidate_digest", "feed", "dose_feed",
  ]

  public static func put(_ run: RunRecord, into row: some RowWriter) throws {
    row.put(run.id)
    row.put(run.kind.rawValue)
    row.put(run.days.lowerBound)
    row.put(run.days.upperBound)
    row.put(run.mode.rawValue)
    row.put(run.shards)
    row.put(run.selection)
    row.put(run.isSilent)
    row.put(run.thresholds.version)
    row.put(run.thresholds.digest)
    row.put(run.parts.list)
    row.put(run.vitality?.version)
    row.put(run.vitality?.digest)
    row.put(run.engineVersion)
    row.put(run.host)
    row.put(run.startedAt)
    row.put(run.finishedAt)
    row.put(run.counts.persons)
    row.put(run.counts.series)
    row.put(run.counts.daysEvaluated)
    row.put(run.counts.rowsRead)
    row.put(run.counts.rowsChanged)
    row.put(run.counts.valuesRejected)
    row.put(run.counts.episodesOpened)
    row.put(run.counts.episodesEscalated)
    row.put(run.counts.episodesResolved)
    row.put(run.counts.notificationsEnqueued)
    row.put(run.counts.notificationsHeld)
    row.put(run.counts.scoresChanged)
    row.put(run.counts.insightsFound)
    try row.put(encoding: run.dataQuality)
    row.put(run.watermark)
    row.put(run.status.rawValue)
    row.put(run.error)
    row.put(run.zoneRules)
    row.put(run.candidate?.version)
    row.put(run.candidate?.digest)
    row.put(try run.feed.map(text(of:)))
    row.put(try run.doseFeed.map(text(of:)))
  }

  public static func decode(_ row: inout some RowReader) throws -> RunRecord {
    let id = try row.uuid()
    let kind: RunRecord.Kind = try row.word()
    let firstDay = try row.day()
    let days = try firstDay...max(firstDay, row.day())
    let mode: RunRecord.Mode = try row.word()
    let (shards, selection) = try (row.count(), row.uuidIfPresent())
    let isSilent = try row.bool()
    let thresholds = try Profile(version: row.text(), digest: row.text())
    guard let parts = Set<RunPart>(list: try row.text()) else {
      throw row.refusal(expected: "a list of parts that this version knows")
    }
    let (vitalityVersion, vitalityDigest) = try (row.textIfPresent(), row.textIfPresent())
    let vitality = vitalityVersion.flatMap { version in
      vitalityDigest.map { Profile(version: version, digest: $0) }
    }
    let (engineVersion, host) = try (row.text(), row.text())
    let startedAt = try row.timestamp()
    let finishedAt = try row.timestampIfPresent()
    var counts = RunRecord.Counts()
    counts.persons = try row.count()
    counts.series = try row.count()
    counts.daysEvaluated = try row.count()
    counts.rowsRead = try row.count()
    counts.rowsChanged = try row.count()
    counts.valuesRejected = try row.count()
    counts.episodesOpened = try row.count()
    counts.episodesEscalated = try row.count()
    counts.episodesResolved = try row.count()
    counts.notificationsEnqueued = try row.count()
    counts.notificationsHeld = try row.count()
    counts.scoresChanged = try row.count()
    counts.insightsFound = try row.count()
    let dataQuality: [DataQualityCount] = try row.decoded()
    var run = try RunRecord(
      id: id, kind: kind, days: days, mode: mode, shards: shards, selection: selection,
      isSilent: isSilent, thresholds: thresholds, parts: parts, vitality: vitality,
      engineVersion: engineVersion, host: host, startedAt: startedAt, finishedAt: finishedAt,
      counts: counts,
      dataQuality: dataQuality, watermark: row.timestampIfPresent(), status: row.word(),
      error: row.textIfPresent())
    run.zoneRules = try row.textIfPresent()
    if let version = try row.textIfPresent() {
      run.candidate = try Profile(version: version, digest: row.text())
    } else {
      row.skip()
    }
    run.feed = try feed(&row)
    run.doseFeed = try feed(&row)
    return run
  }

  private static func feed(_ row: inout some RowReader) throws -> FeedRecord? {
    guard let text = try row.textIfPresent() else { return nil }
    guard let feed = try? JSONDecoder().decode(FeedRecord.self, from: Data(text.utf8)) else {
      throw row.refusal(expected: "what this version writes there")
    }
    return feed
  }

  private static func text(of feed: FeedRecord) throws -> String {
    return String(decoding: try JSONEncoder.ofRows.encode(feed), as: UTF8.self)
  }
}
