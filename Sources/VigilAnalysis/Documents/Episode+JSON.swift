package import VigilModel

extension Episode {
  /// An episode of one series in JSON, with the evidence that it opened with.
  var fields: JSONFields {
    course + [
      "baseline": figures.baseline.fields,
      "recent": figures.recent.fields,
      "deviation_fraction": figures.deviation,
      "evidence": evidence?.fields,
      "doses": doses?.fields,
    ]
  }

  /// An episode of several metrics together in JSON.
  var combinedFields: JSONFields { course + ["combined": combined?.fields] }

  private var course: JSONFields {
    [
      "active_since": activeSince,
      "last_evaluated_date": lastEvaluated,
      "consecutive_true_days": duration,
      "current_level": level.rawValue,
      "resolved_on": resolution?.day,
      "resolution_reason": resolution?.reason.rawValue,
    ]
  }
}

extension EpisodeFigures.Window {
  var fields: JSONFields { ["value": value, "start": start, "end": end, "days": count] }
}

extension EvidenceAnchor {
  var fields: JSONFields {
    [
      "mean": mean,
      // Sunday first.
      "weekdays": (0..<7).map { weekdays[$0] },
      "spread": spread,
      "autocorrelation": autocorrelation,
      "noise": noise,
    ]
  }
}

extension EpisodeEvidence {
  /// The evidence of an alert in JSON; names are those of the columns, except for `z` and `threshold`.
  package var fields: JSONFields {
    [
      "opened_on": openedOn,
      "window_days": windowDays,
      "z": z,
      "threshold": threshold,
      "shift_spreads": shift,
      "anchor": anchor.fields,
    ]
  }
}

extension CombinedEvidence {
  /// The evidence of several metrics together in JSON.
  package var fields: JSONFields {
    [
      "opened_on": openedOn,
      "window_days": windowDays,
      "evidence": evidence,
      "threshold": threshold,
      "contributing": contributions.map { $0.fields(share: share(of: $0)) },
      "unchanged": unchanged.map(\.rawValue),
    ]
  }
}

extension CombinedEvidence.Contribution {
  /// - Parameter share: The fraction of the evidence.
  fileprivate func fields(share: Double) -> JSONFields {
    [
      "metric_type": metric.rawValue,
      "z": z,
      "share": share,
      "shift_spreads": shift,
      "baseline_start": baseline.start,
      "baseline_end": baseline.end,
      "baseline_days": baseline.count,
      "baseline_value": baseline.value,
      "recent_start": recent.start,
      "recent_end": recent.end,
      "recent_days": recent.count,
      "recent_value": recent.value,
      "anchor": anchor.fields,
    ]
  }
}

extension DoseEvidence {
  /// The counts of an alert of missed doses in JSON.
  package var fields: JSONFields {
    [
      "opened_on": openedOn,
      "window_days": windowDays,
      "missed_doses": missed,
      "expected_doses": expected,
      "recorded_on": recordedOn,
      "evidence": evidence,
      "threshold": threshold,
      "held_level": heldLevel,
      "usual": anchor.fields,
    ]
  }
}

extension DoseAnchor {
  var fields: JSONFields {
    [
      "missed_doses": missed,
      "expected_doses": expected,
      "share": share,
      // Sunday first.
      "weekdays": (0..<7).map { weekdays[$0] },
      "within_day": withinDay,
      "run": run,
      "counted_doses": countedDoses,
    ]
  }
}

extension EpisodeCourse.Wait {
  /// The reason why an alert is still active in JSON; all null where it is not known.
  package static func fields(of wait: Self?) -> JSONFields {
    var (name, since, seen, needed): (String?, Day?, Int?, Int?)
    switch wait {
    case .clean(let days, let all): (name, seen, needed) = ("clean_days", days, all)
    case .noData(let day): (name, since) = ("data", day)
    case .gaps(let day): (name, since) = ("days_without_gaps", day)
    case .workouts(let day): (name, since) = ("days_without_workouts", day)
    case nil: break
    }
    return [
      "waits_for": name, "waits_since": since, "clean_days": seen, "clean_days_needed": needed,
    ]
  }
}
