import VigilModel
import VigilStorage

extension InsightsReport {
  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "day": day,
      "insights": insights.map {
        ExportColumns.insights.fields(of: Exported($0, externalIDs))
      },
      "scores": scores.map {
        ExportColumns.scores.fields(of: Exported($0, externalIDs), without: ["external_id"])
      },
      // Names are those of the columns of `trend_coverage`.
      "coverage": coverages.map { coverage -> JSONFields in
        [
          "user_id": coverage.user,
          "external_id": externalIDs[coverage.user],
          "evaluated_on": coverage.day,
          "coverage_days": coverage.coverage,
          "days_needed": coverage.daysNeeded,
          "last_score_date": coverage.lastScoreDay,
        ]
      },
    ]
    try fields.encode(to: encoder)
  }
}
