import CVigil
import VigilAnalysis
import VigilModel

/// The rows of `VIGIL_EVALUATION`: the figures of `vigil evaluate --format json`, one row a metric and one for all.
struct EvaluationTable {
  private var table = ResultTable(
    [
      .text("metric_type", nullable: true), .integer("labels"), .integer("judged"),
      .integer("found"),
    ]
      + interval("recall") + interval("precision") + interval("alerts_per_person_year")
      + [
        .number("median_delay", nullable: true), .number("ninth_decile_delay", nullable: true),
        .integer("reached_7"), .integer("reached_14"), .integer("reached_21"),
        .integer("alerts"), .integer("finding"), .integer("repeated"), .integer("others"),
        .integer("events", nullable: true), .integer("other_events", nullable: true),
        .integer("limit_alerts", nullable: true),
      ])

  private static func interval(_ name: String) -> [ResultTable.Column] {
    [
      .number(name, nullable: true), .number("\(name)_lower", nullable: true),
      .number("\(name)_upper", nullable: true),
    ]
  }

  /// - Parameters:
  ///   - evaluation: The counts.
  ///   - personDays: Judged days of all persons.
  init(_ evaluation: DetectionEvaluation, personDays: Int) {
    for (metric, tally) in evaluation.metrics.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      append(metric, tally, personDays: personDays)
      for _ in 0..<3 { table.add(Int32?.none) }
    }
    append(nil, evaluation.total, personDays: personDays)
    table.add(Int32(clamping: evaluation.events.count))
    table.add(Int32(clamping: evaluation.events.others))
    table.add(Int32(clamping: evaluation.ofLimits))
  }

  private mutating func append(
    _ metric: MetricType?, _ tally: DetectionEvaluation.Tally, personDays: Int
  ) {
    table.beginRow()
    table.add(metric?.rawValue)
    add(tally.labels)
    add(tally.judged)
    add(tally.found)
    for interval in [
      tally.recall, tally.precision, tally.alertsPerPersonYear(personDays: personDays),
    ] {
      table.add(interval?.estimate)
      table.add(interval?.lower)
      table.add(interval?.upper)
    }
    for share in [0.5, 0.9] {
      let days = tally.delays.quantile(share).estimate
      table.add(days.isFinite ? days : nil)
    }
    for level in [AlertLevel.day7, .day14, .day21] { add(tally.reached[level, default: 0]) }
    for count in [tally.alerts, tally.finding, tally.repeated, tally.others] { add(count) }
  }

  private mutating func add(_ count: Int) { table.add(Int32(clamping: count)) }

  mutating func take() -> ArrowArrayStream { table.take() }
}

/// The rows of `vigil_compare`: every episode of either profile once.
struct ComparisonTable {
  private var table = ResultTable(
    [
      .text("person"), .text("user_id"), .text("metric_type"), .text("pattern_type"),
      .text("found_by"), .integer("delay_days", nullable: true), .boolean("same"),
    ] + side("first") + side("second"))

  private static func side(_ name: String) -> [ResultTable.Column] {
    [
      .date("\(name)_active_since", nullable: true), .date("\(name)_opened_on", nullable: true),
      .date("\(name)_last_day", nullable: true), .integer("\(name)_level", nullable: true),
      .text("\(name)_resolution", nullable: true),
    ]
  }

  init(_ pairs: [EpisodePair], names: [UUID: String]) {
    for pair in pairs {
      table.beginRow()
      table.add(names[pair.series.user] ?? pair.series.user.lowercased)
      table.add(pair.series.user)
      table.add(pair.series.metric.rawValue)
      table.add(pair.series.pattern.rawValue)
      table.add(pair.first == nil ? "second" : pair.second == nil ? "first" : "both")
      table.add(pair.delay.map { Int32(clamping: $0) })
      table.add(pair.isSame)
      for episode in [pair.first, pair.second] {
        table.add(episode?.days.lowerBound.ordinal)
        table.add(episode?.openedOn.ordinal)
        table.add(episode?.days.upperBound.ordinal)
        table.add(episode.map { Int32($0.level.rawValue) })
        table.add(episode?.resolution?.rawValue)
      }
    }
  }

  mutating func take() -> ArrowArrayStream { table.take() }
}
