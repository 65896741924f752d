public import Foundation
import VigilModel
public import VigilStorage

/// The output of `vigil runs show`: everything that is recorded of one run.
public struct RunReport: Sendable {
  public let run: RunRecord
  /// The runs whose processes hold the run lock; nil where that is not known.
  let atWork: Set<UUID>?

  public init(run: RunRecord, atWork: Set<UUID>?) {
    self.run = run
    self.atWork = atWork
  }
}

extension RunReport: Report {
  public func text(style: TextStyle) -> String {
    let counts = run.counts
    var pairs: [(String, String)] = [
      ("Run", run.id.lowercased),
      ("Kind", run.kind.rawValue),
      ("Days", run.daysText),
      ("Mode", run.mode.rawValue),
      ("Persons chosen", run.selection == nil ? "everybody" : "only those of --users"),
      ("Shards", NumberText.count(run.shards)),
      ("Status", run.statusText(atWork: atWork)),
      ("Started", run.startedAt.description),
      ("Finished", run.finishedAt?.description ?? "–"),
      ("Took", run.seconds.map(NumberText.duration) ?? "–"),
      ("Thresholds", "\(run.thresholds.version), SHA-256 \(run.thresholds.digest)"),
      ("Candidate", run.candidate.map { "\($0.version), SHA-256 \($0.digest)" } ?? "–"),
      ("Evaluated", run.partsText.map { "only \($0)" } ?? "everything"),
      ("Vitality", run.vitality.map { "\($0.version), SHA-256 \($0.digest)" } ?? "–"),
      ("Engine", run.engineVersion),
      ("Host", run.host),
      ("Persons", NumberText.count(counts.persons)),
      ("Series", NumberText.count(counts.series)),
      ("Series-days", NumberText.count(counts.daysEvaluated)),
      ("Rows read", NumberText.count(counts.rowsRead)),
      ("Rows changed", run.rowsChangedText),
      ("Watermark", run.watermark?.description ?? "–"),
      ("Values rejected", NumberText.count(counts.valuesRejected)),
      ("Episodes", run.episodesText()),
      ("Notifications", run.notificationsText()),
      ("Scores", run.vitalityText),
    ]
    if run.isSilent { pairs.append(("Silent", RunSummary.silence)) }
    if let feed = run.feedText { pairs.append(("Feed", feed)) }
    if let feed = run.doseFeedText { pairs.append(("Dose feed", feed)) }
    if let error = run.error { pairs.append(("Error", error)) }
    var text = TextTable(pairs: pairs, indent: "").render(style)
    if !run.dataQuality.isEmpty {
      var table = TextTable([.init("Metric"), .init("Reason"), .init("Count", .right), .init("Of")])
      table.rows = run.dataQuality.map {
        [
          .init($0.subjectText), .init($0.reasonText()), .init(NumberText.count($0.count)),
          .init($0.unit?.rawValue ?? "–"),
        ]
      }
      text += "\nData quality\n" + table.render(style)
    }
    return text
  }

  public func encode(to encoder: any Encoder) throws {
    try run.fields(atWork: atWork).encode(to: encoder)
  }
}

extension RunRecord {
  /// The run as JSON; names are those of the columns of `batch_runs`.
  ///
  /// - Parameter atWork: The runs whose processes hold the run lock; nil where that is not known.
  func fields(atWork: Set<UUID>?) -> JSONFields {
    [
      "id": id,
      "kind": kind.rawValue,
      "from_date": days.lowerBound,
      "to_date": days.upperBound,
      "mode": mode.rawValue,
      "shards": shards,
      "selection": selection,
      "is_silent": isSilent,
      "thresholds_version": thresholds.version,
      "thresholds_digest": thresholds.digest,
      "candidate_version": candidate?.version,
      "candidate_digest": candidate?.digest,
      "parts": parts.sorted().map(\.rawValue),
      "vitality_version": vitality?.version,
      "vitality_digest": vitality?.digest,
      "engine_version": engineVersion,
      "host": host,
      "started_at": startedAt,
      "finished_at": finishedAt,
      "seconds": seconds,
      "counts": counts.fields,
      "data_quality": dataQuality.map { count -> JSONFields in
        [
          "metric": count.metric?.rawValue,
          "reason": count.reason,
          "count": count.count,
          "unit": count.unit?.rawValue,
        ]
      },
      "watermark": watermark,
      "status": status.rawValue,
      // Whether it is recorded as running, and no process works on it.
      "process_is_gone": isAbandoned(atWork: atWork),
      "error": error,
    ]
  }
}

extension RunRecord.Counts {
  fileprivate var fields: JSONFields {
    [
      "persons": persons,
      "series": series,
      "days_evaluated": daysEvaluated,
      "rows_read": rowsRead,
      "rows_changed": rowsChanged,
      "values_rejected": valuesRejected,
      "episodes_opened": episodesOpened,
      "episodes_escalated": episodesEscalated,
      "episodes_resolved": episodesResolved,
      "notifications_enqueued": notificationsEnqueued,
      "notifications_held": notificationsHeld,
      "scores_changed": scoresChanged,
      "insights_found": insightsFound,
    ]
  }
}
