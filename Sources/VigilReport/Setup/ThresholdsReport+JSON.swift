import VigilAnalysis
import VigilModel

extension ThresholdsReport: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var fields: JSONFields = [
      "file": file,
      "version": version,
      "digest": digest,
      "metrics": metrics.map(\.fields),
      "combined": combined?.fields,
      "silences": silences.map(\.fields),
      "calibration": calibration?.fields,
      "false_episodes": expectation?.fields,
    ]
    // Left out where there are none.
    if !limits.isEmpty { fields["critical_limits"] = limits.map(\.fields) }
    try fields.encode(to: encoder)
  }
}

extension [Int: Double] {
  /// Settings by a number, such as the size of the baseline.
  var fields: [String: Double] {
    Dictionary<String, Double>(uniqueKeysWithValues: map { (String($0.key), $0.value) })
  }
}

extension ThresholdsReport.Metric {
  fileprivate var fields: JSONFields {
    [
      "metric_type": metricType.rawValue,
      "pattern_type": patternType.rawValue,
      "unit": unit,
      "rules": rules,
      "detector": detector,
      "transform": evidence?.transform,
      "prior_spread": evidence?.priorSpread,
      "prior_autocorrelation": evidence?.priorAutocorrelation,
      "thresholds": evidence?.thresholds.fields,
    ]
  }
}

extension ThresholdsReport.Combined {
  fileprivate var fields: JSONFields {
    [
      "metric_evidence": metricEvidence,
      "thresholds": thresholds.fields,
      "correlations": correlations.map { pair -> JSONFields in
        ["metrics": pair.metrics.map(\.rawValue), "correlation": pair.correlation]
      },
    ]
  }
}

extension ThresholdsReport.Silence {
  fileprivate var fields: JSONFields {
    [
      "metric_type": metricType.rawValue,
      "open_after_days": openAfterDays,
      "watched_days": watchedDays,
    ]
  }
}

extension CriticalLimit {
  fileprivate var fields: JSONFields {
    [
      "metric_type": metric.rawValue,
      "direction": direction.rawValue,
      "limit_value": value,
      "days": days,
      "severity": severity.rawValue,
    ]
  }
}

extension ThresholdsReport.Calibration {
  fileprivate var fields: JSONFields {
    [
      "false_episodes_per_person_year": budget,
      "openings_per_series_year": openingsPerSeriesYear,
      "combined_openings_per_person_year": combinedOpeningsPerPersonYear,
      "simulated_series": simulatedSeries,
      "seed": seed,
      "digest": digest,
      "source": source,
    ]
  }
}

extension ThresholdsReport.Expectation {
  fileprivate var fields: JSONFields {
    [
      "per_person_year": total,
      "metrics": metrics.map { metric -> JSONFields in
        ["metric_type": metric.metricType.rawValue, "per_person_year": metric.rate]
      },
      // Of several metrics together; where it is given, `per_person_year` counts events.
      "combined": combined,
      "doses": doses,
      "silence": silence,
      "not_simulated": notSimulated.map(\.rawValue),
      "simulated_people": people,
      "simulated_days": days,
      "seed": seed,
      "dataset": dataset,
    ]
  }
}
