public import VigilModel
public import VigilStorage

/// The row of a `TrendInsight` in `trend_insights`.
public enum TrendInsightRow {
  public static let table = "trend_insights"

  /// Columns that decide whether a stored row has changed.
  static let figures = [
    "rule", "severity", "recent_mean", "baseline_mean", "change_fraction", "coverage_days",
    "confidence", "slope_per_day", "slope_lower", "slope_upper", "suppressed_reason",
    "missed_doses", "days_without_dose", "days_left",
  ]

  /// The columns that are read.
  public static let readColumns = columns.filter {
    !["severity", "run_id", "created_at", "updated_at"].contains($0)
  }

  public static let columns =
    ["id", "user_id", "pillar", "insight_date", "medication_id"] + figures
    + [
      "alert_state_id", "related_alert_state_id", "related_metric_type", "run_id", "created_at",
      "updated_at",
    ]

  public static func put(
    _ insight: TrendInsight, of batch: BatchWrite, into row: some RowWriter
  ) {
    row.put(insight.id)
    row.put(insight.user)
    row.put(insight.pillar.rawValue)
    row.put(insight.day)
    row.put(insight.medication)
    row.put(insight.rule.rawValue)
    row.put(insight.severity.rawValue)
    row.put(insight.recent)
    row.put(insight.baseline)
    row.put(insight.change)
    row.put(insight.coverage)
    row.put(insight.confidence)
    row.put(insight.slope?.perDay)
    row.put(insight.slope?.lower)
    row.put(insight.slope?.upper)
    row.put(insight.suppressedReason?.rawValue)
    row.put(insight.missed?.doses)
    row.put(insight.missed?.days)
    row.put(insight.daysLeft)
    row.put(insight.coOccurrence?.adherence)
    row.put(insight.coOccurrence?.other)
    row.put(insight.coOccurrence?.otherMetric.rawValue)
    row.put(batch.runID)
    row.put(batch.writtenAt)
    row.put(batch.writtenAt)
  }

  /// Reads the columns `readColumns`.
  public static func decode(_ row: inout some RowReader) throws -> TrendInsight {
    // Follows from what comes after it.
    row.skip()
    let user = try row.uuid()
    let pillar: Pillar = try row.word()
    let (day, medication) = try (row.day(), row.uuidIfPresent())
    let rule: TrendRule = try row.word()
    var insight = try TrendInsight(
      user: user, pillar: pillar, day: day, rule: rule, recent: row.finiteIfPresent(),
      baseline: row.finiteIfPresent(), change: row.finiteIfPresent(), coverage: row.dayCount(),
      confidence: row.finite())
    insight.medication = medication
    insight.slope = try whole(row.finiteIfPresent(), row.finiteIfPresent(), row.finiteIfPresent()) {
      SlopeEstimate(perDay: $0, lower: $1, upper: $2)
    }
    insight.suppressedReason = try row.wordIfPresent()
    insight.missed = try whole(row.countIfPresent(), row.dayCountIfPresent(), 0) { doses, days, _ in
      TrendInsight.MissedDoses(doses: doses, days: days)
    }
    insight.daysLeft = try row.finiteIfPresent()
    insight.coOccurrence = try whole(
      row.uuidIfPresent(), row.uuidIfPresent(), row.textIfPresent()
    ) {
      TrendInsight.CoOccurrence(adherence: $0, other: $1, otherMetric: MetricType($2))
    }
    return insight
  }

  /// The value of three columns together; nil where one of them is NULL.
  private static func whole<First, Second, Third, Value>(
    _ first: First?, _ second: Second?, _ third: Third?, _ make: (First, Second, Third) -> Value
  ) -> Value? {
    guard let first, let second, let third else { return nil }
    return make(first, second, third)
  }
}
