import VigilModel
public import VigilStorage

extension ExportColumns {
  /// Rows of `batch_runs`, as lists of runs have them.
  public static let runs: [ExportColumn<RunRecord>] = [
    .uuid("id", "The run.") { $0.id },
    .text("kind", "run (a night) or backfill.") { $0.kind.rawValue },
    .date("from_date", "The first evaluated day.") { $0.days.lowerBound },
    .date("to_date", "The last evaluated day.") { $0.days.upperBound },
    .text("mode", "shadow or live.") { $0.mode.rawValue },
    .text("parts", "What the run evaluated: adherence, patterns and vitality, with commas.") {
      $0.parts.sorted().map(\.rawValue).joined(separator: ",")
    },
    .text(
      "status",
      "running, succeeded, failed, interrupted or held (its notifications wait for a decision)."
    ) { $0.status.rawValue },
    .text("thresholds_version", "Version of the thresholds file.") { $0.thresholds.version },
    .text("vitality_version", "Version of the vitality settings.") { $0.vitality?.version },
    .text("engine_version", "Version of Vigil.") { $0.engineVersion },
    .text("host", "The machine that began the run.") { $0.host },
    .instant("started_at", "When the run began.") { $0.startedAt },
    .instant("finished_at", "When the run ended; missing while it is running.") { $0.finishedAt },
    .number("seconds", unit: "seconds", "The time from start to end.") { $0.seconds },
    .integer("persons", unit: "persons", "Persons that were evaluated.") { $0.counts.persons },
    .integer("rows_read", unit: "rows", "Metric rows that were read.") { $0.counts.rowsRead },
    .integer("values_rejected", unit: "values", "Values that could not be used.") {
      $0.counts.valuesRejected
    },
    .integer("episodes_opened", unit: "episodes", "Episodes that began.") {
      $0.counts.episodesOpened
    },
    .integer("episodes_escalated", unit: "episodes", "Episodes that reached a higher level.") {
      $0.counts.episodesEscalated
    },
    .integer("episodes_resolved", unit: "episodes", "Episodes that ended.") {
      $0.counts.episodesResolved
    },
    .integer(
      "notifications_enqueued", unit: "notifications", "Notifications that entered the queue."
    ) {
      $0.counts.notificationsEnqueued
    },
    .integer("notifications_held", unit: "notifications", "Notifications that wait for a decision.")
    {
      $0.counts.notificationsHeld
    },
    .text("error", "One line on why the run failed.") { $0.error },
  ]
}
