import VigilModel
public import VigilStorage

extension ExportColumns {
  /// Rows of `batch_runs`, as lists of runs have them.
  public static let runs: [ExportColumn<RunRecord>] = [
    .uuid("id") { $0.id },
    .text("kind") { $0.kind.rawValue },
    .date("from_date") { $0.days.lowerBound },
    .date("to_date") { $0.days.upperBound },
    .text("mode") { $0.mode.rawValue },
    .text("parts") { $0.parts.sorted().map(\.rawValue).joined(separator: ",") },
    .text("status") { $0.status.rawValue },
    .text("thresholds_version") { $0.thresholds.version },
    .text("vitality_version") { $0.vitality?.version },
    .text("engine_version") { $0.engineVersion },
    .text("host") { $0.host },
    .instant("started_at") { $0.startedAt },
    .instant("finished_at") { $0.finishedAt },
    .number("seconds", unit: "seconds", "The time from start to end.") { $0.seconds },
    .integer("persons", unit: "persons") { $0.counts.persons },
    .integer("rows_read", unit: "rows") { $0.counts.rowsRead },
    .integer("values_rejected", unit: "values") { $0.counts.valuesRejected },
    .integer("episodes_opened", unit: "episodes") { $0.counts.episodesOpened },
    .integer("episodes_escalated", unit: "episodes") { $0.counts.episodesEscalated },
    .integer("episodes_resolved", unit: "episodes") { $0.counts.episodesResolved },
    .integer("notifications_enqueued", unit: "notifications") { $0.counts.notificationsEnqueued },
    .integer("notifications_held", unit: "notifications") { $0.counts.notificationsHeld },
    .text("error") { $0.error },
  ]
}
