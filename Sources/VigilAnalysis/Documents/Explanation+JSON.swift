import VigilDetection
package import VigilModel

extension Explanation {
  /// The explanation in JSON, as the command line and the C library have it.
  ///
  /// - Parameter person: The person and the rules.
  package func fields(of person: ExplainedPerson) -> JSONFields {
    head(of: person) + figures + judgement.fields + [
      "wear": wear?.fields,
      "observations": observed.flatMap { day in
        day.rows.map { $0.fields(on: day.day) }
      },
    ]
  }

  private var figures: JSONFields {
    [
      "detector": metric.detector.rawValue,
      "value": value,
      "is_suppressed": isSuppressed,
      "unknown_reason": judgement.unknownReason,
      "usual_low": usualRange?.lowerBound,
      "usual_high": usualRange?.upperBound,
      "before": before?.fields,
      "after": after?.fields,
      "opposite": opposite?.fields,
    ] + EpisodeCourse.Wait.fields(of: wait)
  }
}

extension Explanation.Judgement {
  /// The comparison by the key of its kind; the others are null.
  fileprivate var fields: JSONFields {
    var fields: JSONFields = [
      "means": JSONValue.null, "evidence": JSONValue.null, "recovery": JSONValue.null,
      "doses": JSONValue.null, "dose_recovery": JSONValue.null,
    ]
    switch self {
    case .means(let found): fields["means"] = found.fields
    case .evidence(let day): fields["evidence"] = day.figures?.fields
    case .recovery(let day): fields["recovery"] = day.fields
    case .doses(let day): fields["doses"] = day.figures?.fields
    case .doseRecovery(let day): fields["dose_recovery"] = day.fields
    }
    return fields
  }
}

extension MeansJudgement {
  /// Nil where the day cannot be judged.
  fileprivate var fields: JSONFields? {
    evaluation.figures.map { figures in
      [
        "baseline": figures.baseline.fields,
        "recent": figures.recent.fields,
        "deviation_fraction": figures.deviation,
        "is_anchored": isAnchored,
        "is_clean": evaluation.isClean,
        "rules": rules.map(\.fields),
      ]
    }
  }
}

extension RuleMargin {
  fileprivate var fields: JSONFields {
    [
      "rule": rule.kind.rawValue,
      "threshold": rule.threshold,
      "actual": actual,
      "margin": margin,
      "is_matched": isMatched,
    ]
  }
}

extension EvidenceDay.Figures {
  fileprivate var fields: JSONFields {
    anchor.fields + [
      "baseline": baseline.fields,
      "threshold": threshold,
      "windows": windows.enumerated().map { $1.fields(isDeciding: $0 == deviating) },
    ]
  }
}

extension EvidenceDay.Window {
  fileprivate func fields(isDeciding: Bool) -> JSONFields {
    [
      "days": count,
      "start": start,
      "mean": recent,
      "z": z,
      "shift_spreads": shift,
      "is_held": isHeld,
      "matters": matters,
      "is_deciding": isDeciding,
    ]
  }
}

extension EvidenceRecovery {
  fileprivate var fields: JSONFields {
    [
      "shift_spreads": shift,
      "evidence": evidence,
      "calm_days": calmDays,
      "is_easing": isEasing,
      "is_over": isOver,
    ]
  }
}

extension DoseDay.Figures {
  fileprivate var fields: JSONFields {
    [
      "baseline_start": baseline.start,
      "baseline_end": baseline.end,
      "baseline_days": baseline.count,
      "usual": anchor.fields,
      "threshold": threshold,
      "windows": windows.enumerated().map { $1.fields(isDeciding: $0 == deciding) },
    ]
  }
}

extension DoseDay.Window {
  fileprivate func fields(isDeciding: Bool) -> JSONFields {
    [
      "days": count,
      "start": start,
      "missed_doses": missed,
      "expected_doses": expected,
      "usual_share": usualShare,
      "evidence": evidence,
      "matters": matters,
      "is_deciding": isDeciding,
    ]
  }
}

extension DoseRecovery {
  fileprivate var fields: JSONFields {
    [
      "evidence": evidence,
      "calm_days": calmDays,
      "is_easing": isEasing,
      "is_over": isOver,
    ]
  }
}

extension Opposite {
  fileprivate var fields: JSONFields {
    var (days, value): (Int?, Double?)
    let condition: String
    switch self {
    case .valueAtMost(let limit): (condition, value) = ("value_at_most", limit)
    case .valueAtLeast(let limit): (condition, value) = ("value_at_least", limit)
    case .noWorkout: condition = "no_workout"
    case .daysWithValue(let count): (condition, days) = ("days_with_value", count)
    case .daysLikeRecent(let count, let mean):
      (condition, days, value) = ("days_like_recent", count, mean)
    case .usualDays(let count): (condition, days) = ("usual_days", count)
    case .daysTaken(let count): (condition, days) = ("days_taken", count)
    case .daysMissed(let count): (condition, days) = ("days_missed", count)
    }
    return ["condition": condition, "days": days, "value": value]
  }
}

extension WearFinding {
  fileprivate var fields: JSONFields {
    [
      "state": wear.name,
      "reason": reason?.name,
      "worn_minutes": reason?.wornMinutes,
      "steps": reason?.steps,
      "usual_steps": reason?.usualSteps,
    ]
  }
}

extension ObservedDay.SourceValue {
  fileprivate func fields(on day: Day) -> JSONFields {
    ["date": day, "source": source, "value": value, "rejected": rejected?.rawValue]
  }
}
