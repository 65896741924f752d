import Foundation
import VigilAnalysis
import VigilModel

extension AlertsReport {
  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "alerts": alerts.map {
        $0.fields(
          externalIDs, isProvisional: provisional.contains($0.id), course: courses[$0.id],
          limits: limits)
      },
      // Persons without data, who have an active alert of silence.
      "no_data": silences.map { $0.silenceFields(externalIDs) },
      // The number of persons who have left; null where that is not known.
      "left": left,
      "shown": alerts.count,
      "total": total,
    ]
    try fields.encode(to: encoder)
  }
}

extension PatternAlertState {
  /// Columns of an export that say what stands in `evidence`, `combined` or `doses`, or has another name.
  private static let flattened: Set = [
    "metric_unit", "opened_on", "window_days", "evidence", "evidence_threshold", "shift_spreads",
    "longest_pause_days",
  ]

  /// The alert as JSON; names are those of the columns of `pattern_alert_state`.
  ///
  /// - Parameters:
  ///   - externalIDs: The ids of persons in the system their data come from.
  ///   - isProvisional: Whether no night has confirmed it yet; nil in an explanation and in an answer, which lack
  ///     the field.
  ///   - course: From the present input; nil where it is not known.
  ///   - limits: The absolute limits of its profile.
  func fields(
    _ externalIDs: [UUID: String], isProvisional: Bool? = nil, course: EpisodeCourse?,
    limits: AlertLimits
  ) -> JSONFields {
    let unit = series.metric.unit
    var fields =
      ExportColumns.alerts.fields(of: Exported(self, externalIDs), without: Self.flattened)
      + EpisodeCourse.Wait.fields(of: course?.wait) + [
        "sentence": sentence(limits),
        // Null for an alert whose profile compares means.
        "evidence": episode.evidence?.fields,
        "unit": unit.isEmpty ? String?.none : unit,
        "worst_deviation_fraction": course?.worst?.deviation,
        "worst_on": course?.worst?.day,
        // The metric of the alert, or the one of several.
        "worst_metric_type": course?.worst.map { ($0.metric ?? series.metric).rawValue },
        "run_id": runID,
        "computed_at": computedAt,
        "created_at": createdAt,
        "updated_at": updatedAt,
      ]
    if let isProvisional { fields["provisional"] = isProvisional }
    // Of other alerts without the fields.
    if let combined = episode.combined { fields["combined"] = combined.fields }
    if let doses = episode.doses { fields["doses"] = doses.fields }
    return fields
  }

  /// An alert of silence as JSON: a person without data.
  fileprivate func silenceFields(_ externalIDs: [UUID: String]) -> JSONFields {
    [
      "id": id,
      "user_id": series.user,
      "external_id": externalIDs[series.user],
      "last_sign": lastSign,
      "silent_days": episode.duration,
      // Of the half-year before the silence.
      "longest_pause_days": episode.silence?.longestPause,
      "opened_on": episode.silence?.openedOn,
      "acknowledged_at": acknowledgedAt,
    ]
  }
}
