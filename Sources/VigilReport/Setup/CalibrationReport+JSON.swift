import VigilAnalysis
import VigilModel

extension CalibrationReport: Encodable {
  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "file": file,
      "version": version,
      "digest": digest,
      "base": base,
      "database": database,
      "from": days.lowerBound,
      "to": days.upperBound,
      "people": people,
      "budget": budget,
      "keeps_budget": keepsBudget,
      "false_episodes_per_person_year": expected,
      "false_episodes_per_person_year_of_base": expectedOfBase,
      "openings_per_series_year": openingsPerSeriesYear,
      "simulated_people": simulatedPeople,
      "simulated_days": simulatedDays,
      "seed": seed,
      "metrics": metrics.map(\.fields),
      "combined": together?.fields,
      "pauses": pauses?.fields,
      "doses": doses?.fields,
    ]
    try fields.encode(to: encoder)
  }
}

extension CalibrationReport.Metric {
  fileprivate var fields: JSONFields {
    [
      "metric_type": metricType.rawValue,
      "people": people,
      "source": source.rawValue,
      "now": now.fields,
      "before": before.fields,
      "false_episodes_per_person_year": expected,
    ]
  }
}

extension CalibrationReport.Figures {
  fileprivate var fields: JSONFields {
    [
      "prior_spread": priorSpread,
      "prior_autocorrelation": priorAutocorrelation,
      "thresholds": thresholds,
    ]
  }
}

extension CalibrationReport.Together {
  fileprivate var fields: JSONFields {
    [
      "false_episodes_per_person_year": expected,
      "thresholds": thresholds.fields,
      "thresholds_before": thresholdsBefore.fields,
      "correlations": correlations.map { pair -> JSONFields in
        [
          "metrics": pair.metrics.map(\.rawValue),
          "found": pair.found,
          "now": pair.now,
          "before": pair.before,
        ]
      },
    ]
  }
}

extension CalibrationReport.Fit {
  fileprivate var fields: JSONFields {
    let source = isFitted ? CalibrationReport.Source.database : .base
    return [
      "people": people,
      "source": source.rawValue,
      "false_alerts_per_person_year": expected,
      "false_alerts_per_person_year_of_base": expectedOfBase,
    ]
  }
}

extension CalibrationReport.Pauses {
  fileprivate var fields: JSONFields {
    fit.fields + ["now": Self.byLength(now), "before": Self.byLength(before)]
  }

  /// A year, by the least length in days.
  private static func byLength(_ rates: [Double]) -> [String: Double] {
    Dictionary(
      uniqueKeysWithValues: rates.enumerated().map { (String($0.offset + 2), $0.element) })
  }
}

extension CalibrationReport.Doses {
  fileprivate var fields: JSONFields {
    fit.fields + ["now": now.fields, "before": before.fields]
  }
}

extension CalibrationReport.Doses.Priors {
  fileprivate var fields: JSONFields {
    ["prior_missed": priorMissed, "prior_taken": priorTaken, "day_prior": dayPrior]
  }
}
