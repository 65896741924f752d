import VigilDetection
package import VigilModel

extension CombinedExplanation {
  /// The explanation in JSON.
  ///
  /// - Parameter person: The person and the rules.
  package func fields(of person: ExplainedPerson) -> JSONFields {
    var (windows, recovery): ([JSONFields]?, JSONFields?)
    switch figures {
    case .evidence(let found): windows = found.map(\.fields)
    case .recovery(let found): recovery = found.fields
    case nil: break
    }
    return head(of: person) + [
      "values": JSONValue.object(
        Dictionary(values.map { ($0.key.rawValue, $0.value.json) }, uniquingKeysWith: { $1 })),
      "is_workout_day": isWorkoutDay,
      // Null while an alert is active.
      "windows": windows,
      // Null while none is.
      "recovery": recovery,
      "before": before?.combinedFields,
      "after": after?.combinedFields,
      "opposite": opposite?.fields,
    ]
  }
}

extension CombinedDay.Window {
  fileprivate var fields: JSONFields {
    [
      "days": days,
      "evidence": evidence,
      "threshold": threshold,
      "contributing": contributing.map(\.rawValue),
      "is_proven": isProven,
      "decides": decides,
      "metrics": metrics.map(\.fields),
    ]
  }
}

extension CombinedDay.Metric {
  fileprivate var fields: JSONFields {
    [
      "metric_type": metric.rawValue,
      "values": count,
      "z": z,
      "shift_spreads": shift,
      "recent_value": recent,
      "baseline_value": baseline,
      "matters": matters,
      "counts": counts,
    ]
  }
}

extension CombinedDay.Recovery {
  fileprivate var fields: JSONFields {
    [
      "has_value": hasValue,
      "evidence": evidence,
      "is_easing": isEasing,
      "calm_days": calmDays,
      "level": level,
    ]
  }
}

extension CombinedExplanation.Opposite {
  fileprivate var fields: JSONFields {
    var (days, metric, value): (Int?, MetricType?, Double?)
    let condition: String
    switch self {
    case .valueAtMost(let own, let limit):
      (condition, metric, value) = ("value_at_most", own, limit)
    case .valueAtLeast(let own, let limit):
      (condition, metric, value) = ("value_at_least", own, limit)
    case .noWorkout: condition = "no_workout"
    case .daysLikeRecent(let count): (condition, days) = ("days_like_recent", count)
    case .usualDays(let count): (condition, days) = ("usual_days", count)
    }
    return ["condition": condition, "days": days, "metric_type": metric?.rawValue, "value": value]
  }
}
