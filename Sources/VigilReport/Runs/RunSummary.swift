public import VigilModel
public import VigilStorage

/// What `vigil run` and `vigil backfill` say when they have ended.
public struct RunSummary: Sendable {
  public let run: RunRecord
  /// What the process did that says this.
  public let shard: ShardRecord
  /// What it switched before it began.
  public let switched: ProfileSwitch?
  /// The database as messages name it.
  public let database: String
  /// First and last day of all metrics in the database; asked for where the run found none.
  public let metricDays: ClosedRange<Day>?
  /// Whether the run was told whom to evaluate.
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
    let kind = run.kind == .run ? "Run" : "Backfill"
    let status = style.apply(shard.status.emphasis, to: shard.status.rawValue)
    var pairs: [(String, String)] = []
    if let switched { pairs.append(("Profile", switchedText(switched))) }
    if run.isSilent { pairs.append(("Silent", Self.silence)) }
    if counts.persons > 0 { pairs.append(("Evaluated", evaluatedText)) }
    if counts.series > 0, let speedText { pairs.append(("Speed", speedText)) }
    if counts.persons > 0, run.parts.contains(.patterns) {
      pairs += [("Episodes", run.episodesText), ("Notifications", run.notificationsText)]
    }
    if counts.persons > 0, run.parts != [.patterns] {
      pairs.append((run.parts.contains(.vitality) ? "Vitality" : "Insights", run.vitalityText))
    }
    if counts.rowsRead > 0 { pairs.append(("Data quality", run.dataQualityText)) }
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

  /// Why a run notifies nobody.
  static let silence = "the profile was switched: what is going on counts as told"

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
    // Somebody without data is there for an episode that has not ended.
    guard run.counts.series > 0 else {
      return "\(NumberText.count(run.counts.persons, "person")) with an active episode,"
        + " nobody with data in this period"
    }
    return "\(NumberText.count(run.counts.persons, "person")), "
      + "\(NumberText.count(run.counts.series)) series, "
      + NumberText.count(run.counts.daysEvaluated, "series-day")
  }

  /// Whether there was anything to evaluate, be it doses or scores.
  private var hasData: Bool {
    let counts = run.counts
    return counts.series + counts.rowsRead + counts.scoresChanged + counts.insightsFound > 0
  }

  /// Nil where the figures are not the work of this process alone.
  private var speedText: String? {
    guard let seconds = run.seconds, run.shards == 1, shard.startedAt == run.startedAt else {
      return nil
    }
    let days = NumberText.rate(Double(run.counts.daysEvaluated) / seconds, "series-days")
    let rows = NumberText.rate(Double(run.counts.rowsRead) / seconds, "rows")
    return "\(NumberText.duration(seconds: seconds)): \(days), \(rows)"
  }

  /// How the run stands, where others share it; the figures are those of all so far.
  private var others: String? {
    guard run.shards > 1 else { return nil }
    return switch run.status {
    case .running: "the figures are those of all \(run.shards) so far; others are still to come"
    case .succeeded: "all \(run.shards) have succeeded, and the figures are theirs"
    case .failed: "at least one of \(run.shards) has failed: vigil runs show \(run.id.shortened)"
    case .interrupted: "at least one of \(run.shards) was interrupted; its command continues it"
    }
  }

  private var nextStep: String {
    switch shard.status {
    case .interrupted: "the same command again continues where this one stopped"
    case .failed: "mend the cause, then the same command again"
    case .held: "vigil runs release \(run.id.shortened), or discard"
    case .running: "vigil runs show \(run.id.lowercased)"
    case .succeeded:
      stepToData ?? (run.parts.contains(.patterns) ? "vigil alerts list" : "vigil insights")
    }
  }

  /// What to do where there was nothing to evaluate.
  private var stepToData: String? {
    guard !hasData, let metricDays else { return nil }
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
    try Document(database: database, run: RunDocument(run, atWork: [run.id])).encode(to: encoder)
  }
}
