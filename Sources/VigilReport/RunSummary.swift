public import VigilModel
public import VigilStorage

/// What `vigil run` and `vigil backfill` say when they have ended.
public struct RunSummary: Sendable {
  public let run: RunRecord
  /// The database as messages name it.
  public let database: String
  /// First and last day of all metrics in the database; nil where there are none.
  public let metricDays: ClosedRange<Day>?
  /// Whether the run was told whom to evaluate.
  public let isOfChosenPersons: Bool

  public init(
    run: RunRecord, database: String, metricDays: ClosedRange<Day>?,
    isOfChosenPersons: Bool = false
  ) {
    self.run = run
    self.database = database
    self.metricDays = metricDays
    self.isOfChosenPersons = isOfChosenPersons
  }
}

extension RunSummary: Report {
  public func text(style: TextStyle) -> String {
    let counts = run.counts
    let kind = run.kind == .run ? "Run" : "Backfill"
    let status = style.apply(run.status.emphasis, to: run.status.rawValue)
    var pairs: [(String, String)] = []
    if counts.persons > 0 { pairs.append(("Evaluated", evaluatedText)) }
    if counts.series > 0 { pairs.append(("Speed", speedText)) }
    if counts.persons > 0 {
      pairs += [("Episodes", run.episodesText), ("Notifications", run.notificationsText)]
    }
    if counts.rowsRead > 0 { pairs.append(("Data quality", dataQualityText)) }
    if let error = run.error { pairs.append(("Error", error)) }
    pairs.append(("Next", nextStep))
    return "\(kind) \(run.id.shortened) of \(run.daysText) \(status)"
      + " (\(run.mode.rawValue), thresholds \(run.thresholdsVersion), \(database))\n"
      + TextTable(pairs: pairs).render(style)
  }

  private var evaluatedText: String {
    // Somebody without data is there for an episode that has not ended.
    guard run.counts.series > 0 else {
      return "\(NumberText.count(run.counts.persons, "person")) with an active episode,"
        + " nobody with data in this period"
    }
    return "\(NumberText.count(run.counts.persons, "person")), "
      + "\(NumberText.count(run.counts.series)) series, "
      + NumberText.count(run.counts.daysEvaluated, "series-day")
  }

  private var speedText: String {
    guard let seconds = run.seconds else { return "–" }
    let days = NumberText.rate(Double(run.counts.daysEvaluated) / seconds, "series-days")
    let rows = NumberText.rate(Double(run.counts.rowsRead) / seconds, "rows")
    return "\(NumberText.duration(seconds: seconds)): \(days), \(rows)"
  }

  private var dataQualityText: String {
    guard !run.dataQuality.isEmpty else { return "no value rejected" }
    // The largest three say where to look; the others are in `runs show`.
    let largest = run.dataQuality.sorted {
      ($1.count, $0.metric?.rawValue ?? "", $0.reason)
        < ($0.count, $1.metric?.rawValue ?? "", $1.reason)
    }
    let parts = largest.prefix(3).map {
      "\(NumberText.count($0.count)) \($0.metric?.words ?? "days") \($0.reasonText)"
    }
    let rest = largest.count - parts.count
    return parts.joined(separator: ", ") + (rest > 0 ? " and \(rest) more kinds" : "")
  }

  private var nextStep: String {
    switch run.status {
    case .interrupted: "the same command again continues where this one stopped"
    case .failed: "mend the cause, then the same command again"
    case .running: "vigil runs show \(run.id.lowercased)"
    case .succeeded where run.counts.series == 0: stepToData
    case .succeeded: "vigil alerts list"
    }
  }

  /// What to do where there was nothing to evaluate.
  private var stepToData: String {
    guard let metricDays else {
      return "there are no data yet; vigil import csv DIR brings some in"
    }
    let who = isOfChosenPersons ? "none of the chosen persons" : "nobody"
    let command =
      switch run.kind {
      case .run: "vigil run --date \(metricDays.upperBound)"
      case .backfill:
        "vigil backfill --from \(metricDays.lowerBound) --to \(metricDays.upperBound)"
      }
    return "\(who) has data in this period; all data are from \(metricDays.lowerBound) to"
      + " \(metricDays.upperBound): \(command)"
  }

  private struct Document: Encodable {
    var database: String
    var run: RunDocument
  }

  public func encode(to encoder: any Encoder) throws {
    try Document(database: database, run: RunDocument(run)).encode(to: encoder)
  }
}
