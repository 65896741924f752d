import VigilModel
import VigilStorage

extension InsightsReport {
  private struct Document: Encodable {
    var day: OrNull<Day>
    var insights: [Row]
    var scores: [Score]
    var coverage: [Coverage]
  }

  /// Names are those of the columns of `trend_insights`.
  private struct Row: Encodable {
    var id: String
    var userId: String
    var externalId: OrNull<String>
    var pillar: Pillar
    var insightDate: Day
    var rule: TrendRule
    var severity: InsightSeverity
    var recentMean: OrNull<Double>
    var baselineMean: OrNull<Double>
    /// A fraction of the baseline.
    var changeFraction: OrNull<Double>
    var coverageDays: Int
    var confidence: Double
    var slopePerDay: OrNull<Double>
    var slopeLower: OrNull<Double>
    var slopeUpper: OrNull<Double>
    var suppressedReason: OrNull<TrendInsight.SuppressedReason>
    var medicationId: OrNull<String>
    var missedDoses: OrNull<Int>
    var daysWithoutDose: OrNull<Int>
    var daysLeft: OrNull<Double>
    var alertStateId: OrNull<String>
    var relatedAlertStateId: OrNull<String>
    var relatedMetricType: OrNull<MetricType>

    init(_ insight: TrendInsight, externalID: String?) {
      id = insight.id.lowercased
      userId = insight.user.lowercased
      externalId = OrNull(externalID)
      pillar = insight.pillar
      insightDate = insight.day
      rule = insight.rule
      severity = insight.severity
      recentMean = OrNull(insight.recent)
      baselineMean = OrNull(insight.baseline)
      changeFraction = OrNull(insight.change)
      coverageDays = insight.coverage
      confidence = insight.confidence
      slopePerDay = OrNull(insight.slope?.perDay)
      slopeLower = OrNull(insight.slope?.lower)
      slopeUpper = OrNull(insight.slope?.upper)
      suppressedReason = OrNull(insight.suppressedReason)
      medicationId = OrNull(insight.medication?.lowercased)
      missedDoses = OrNull(insight.missed?.doses)
      daysWithoutDose = OrNull(insight.missed?.days)
      daysLeft = OrNull(insight.daysLeft)
      alertStateId = OrNull(insight.coOccurrence?.adherence.lowercased)
      relatedAlertStateId = OrNull(insight.coOccurrence?.other.lowercased)
      relatedMetricType = OrNull(insight.coOccurrence?.otherMetric)
    }
  }

  /// Names are those of the columns of `vitality_scores`.
  private struct Score: Encodable {
    var userId: String
    var scoreDate: Day
    var totalScore: OrNull<Int>
    var sleepScore: OrNull<Int>
    var movementScore: OrNull<Int>
    var stressScore: OrNull<Int>
    var schemaVersion: String
    var source: String
  }

  /// Names are those of the columns of `trend_coverage`.
  private struct Coverage: Encodable {
    var userId: String
    var externalId: OrNull<String>
    var evaluatedOn: Day
    var coverageDays: Int
    var daysNeeded: Int
    var lastScoreDate: OrNull<Day>
  }

  public func encode(to encoder: any Encoder) throws {
    try Document(
      day: OrNull(day),
      insights: insights.map { Row($0, externalID: externalIDs[$0.user]) },
      scores: scores.map {
        Score(
          userId: $0.user.lowercased, scoreDate: $0.day, totalScore: OrNull($0.total),
          sleepScore: OrNull($0.sleep), movementScore: OrNull($0.movement),
          stressScore: OrNull($0.stress), schemaVersion: $0.schemaVersion, source: $0.source)
      },
      coverage: coverages.map {
        Coverage(
          userId: $0.user.lowercased, externalId: OrNull(externalIDs[$0.user]),
          evaluatedOn: $0.day, coverageDays: $0.coverage, daysNeeded: $0.daysNeeded,
          lastScoreDate: OrNull($0.lastScoreDay))
      }
    ).encode(to: encoder)
  }
}
