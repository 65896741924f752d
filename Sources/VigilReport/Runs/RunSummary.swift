public import VigilModel
public import VigilStorage

/// The output of `vigil run` and `vigil backfill` when they have ended.
public struct RunSummary: Sendable {
  public let run: RunRecord
  /// The shard that this process has evaluated.
  public let shard: ShardRecord
  /// The change of the profile before the run began.
  public let switched: ProfileSwitch?
  /// The name of the database in messages.
  public let database: String
  /// First and last day of all metrics in the database; read only where the run found none.
  public let metricDays: ClosedRange<Day>?
  /// Whether the run evaluated chosen persons only.
  public let isOfChosenPersons: Bool

  public init(
    run: RunRecord, shard: ShardRecord, switched: ProfileSwitch? = nil, database: String,
    metricDays: ClosedRange<Day>?,
    isOfChosenPersons: Bool = false
  ) {
    self.run = run
    self.shard = shard
    self.switched = switched
    self.database = database
    self.metricDays = metricDays
    self.isOfChosenPersons = isOfChosenPersons
  }
}

extension RunSummary: Report {
  public func text(style: TextStyle) -> String {
    let counts = run.counts
    let kind = run.kind == .backfill ? "Backfill" : "Run"
    let status = style.apply(shard.status.emphasis, to: shard.status.rawValue)
    var pairs: [(String, String)] = []
    if let switched { pairs.append(("Profile", switchedText(switched))) }
    if run.isSilent { pairs.append(("Silent", Self.silence)) }
    if counts.persons > 0 { pairs.append(("Evaluated", evaluatedText)) }
    if counts.series > 0, let speedText { pairs.append(("Speed", speedText)) }
    if counts.persons > 0, run.parts.contains(.patterns) {
      pairs += [("Episodes", run.episodesText()), ("Notifications", run.notificationsText())]
    }
    if counts.persons > 0, run.parts != [.patterns] {
      pairs.append((run.parts.contains(.vitality) ? "Vitality" : "Insights", run.vitalityText))
    }
    if let candidate = run.candidate, counts.persons > 0 {
      pairs.append(("Candidate", "\(candidate.id) was followed beside, and notifies no one"))
    }
    if counts.rowsRead > 0 { pairs.append(("Data quality", run.dataQualityText())) }
    if let feed = run.feedText { pairs.append(("Feed", feed)) }
    if let feed = run.doseFeedText { pairs.append(("Dose feed", feed)) }
    if let others { pairs.append(("Shards", others)) }
    if let error = shard.error { pairs.append(("Error", error)) }
    pairs.append(("Next", nextStep))
    let part = run.shards > 1 ? ", shard \(shard.index)/\(run.shards)," : ""
    let only = run.partsText.map { ", only \($0)" } ?? ""
    let thresholds = run.thresholds.version.terminalSafe
    return "\(kind) \(run.id.shortened) of \(run.daysText)\(part) \(status)"
      + " (\(run.mode.rawValue), thresholds \(thresholds)\(only), \(database.terminalSafe))\n"
      + TextTable(pairs: pairs).render(style)
  }

  /// The reason why a run sends no notification.
  static let silence = "the profile was switched: active episodes count as notified"

  private func switchedText(_ switched: ProfileSwitch) -> String {
    let from = switched.from.map { "from \($0.id) " } ?? ""
    return "switched \(from)to \(switched.to.id);"
      + " \(NumberText.count(switched.episodesEnded, "active episode")) of others ended"
  }

  private var evaluatedText: String {
    guard run.parts.contains(.patterns) else {
      return "\(NumberText.count(run.counts.persons, "person"))"
    }
    if run.counts.series == 0, hasData {
      return "\(NumberText.count(run.counts.persons, "person")), no metrics that are watched"
    }
    // A person without data is evaluated because of an episode that has not ended.
    guard run.counts.series > 0 else {
      return "\(NumberText.count(run.counts.persons, "person")) with an active episode,"
        + " none with data in this period"
    }
    return "\(NumberText.count(run.counts.persons, "person")), "
      + "\(NumberText.count(run.counts.series)) series, "
      + NumberText.count(run.counts.daysEvaluated, "series-day")
  }

  /// Whether there was anything to evaluate: metrics, doses or scores.
  private var hasData: Bool {
    let counts = run.counts
    return counts.series + counts.rowsRead + counts.scoresChanged + counts.insightsFound > 0
  }

  /// Nil where other processes have contributed to the figures.
  private var speedText: String? {
    guard let seconds = run.seconds, run.shards == 1, shard.startedAt == run.startedAt else {
      return nil
    }
    let days = NumberText.rate(Double(run.counts.daysEvaluated) / seconds, "series-days")
    let rows = NumberText.rate(Double(run.counts.rowsRead) / seconds, "rows")
    return "\(NumberText.duration(seconds: seconds)): \(days), \(rows)"
  }

  /// The state of a run that several processes share; the figures are those of all of them so far.
  private var others: String? {
    guard run.shards > 1 else { return nil }
    return switch run.status {
    case .running: "the figures are those of all \(run.shards) so far; others are still to come"
    case .succeeded: "all \(run.shards) have succeeded, and the figures are theirs"
    case .failed: "at least one of \(run.shards) has failed: vigil runs show \(run.id.shortened)"
    case .held: "all \(run.shards) are evaluated, and their notifications wait for a decision"
    case .interrupted: "at least one of \(run.shards) was interrupted; its command continues it"
    }
  }

  private var nextStep: String {
    switch shard.status {
    case .interrupted: "the same command again continues where this one stopped"
    case .failed: "fix the cause, then run the same command again"
    case .held: "vigil runs release \(run.id.shortened), or discard"
    case .running: "vigil runs show \(run.id.lowercased)"
    case .succeeded:
      stepToData ?? (run.parts.contains(.patterns) ? "vigil alerts list" : "vigil insights")
    }
  }

  /// The next step where there was nothing to evaluate.
  private var stepToData: String? {
    guard !hasData, let metricDays else { return nil }
    let who = isOfChosenPersons ? "none of the chosen persons" : "no person"
    let command =
      switch run.kind {
      case .run, .person: "vigil run --date \(metricDays.upperBound)"
      case .backfill:
        "vigil backfill --from \(metricDays.lowerBound) --to \(metricDays.upperBound)"
      }
    return "\(who) has data in this period; all data are from \(metricDays.lowerBound) to"
      + " \(metricDays.upperBound): \(command)"
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = ["database": database, "run": run.fields(atWork: [run.id])]
    try fields.encode(to: encoder)
  }
}
