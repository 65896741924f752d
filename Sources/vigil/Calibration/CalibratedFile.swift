import Foundation
import VigilDetection
import VigilModel

/// A thresholds file with other priors and thresholds than the one that it was made from.
struct CalibratedFile {
  private var root: [String: JSONValue]

  /// - Parameters:
  ///   - base: The bytes of a valid thresholds file.
  ///   - isShipped: Whether the file is built in; its schema does not lie beside the new file.
  init(base: Data, isShipped: Bool) throws {
    guard case .object(let fields) = try JSONValue(parsing: base) else {
      throw CommandFailure(.internalError, "the thresholds are no JSON object")
    }
    root = fields
    if isShipped { root["$schema"] = nil }
  }

  /// Takes the figures of `profile`, of the metrics that it judges by evidence.
  ///
  /// - Parameter metrics: Those whose figures are taken.
  mutating func take(_ profile: Thresholds, metrics: Set<MetricType>) {
    root["version"] = .string(profile.version)
    guard case .object(var all)? = root["metrics"] else { return }
    for metric in profile.metrics where metrics.contains(metric.metric) {
      guard let evidence = metric.evidence, case .object(var own)? = all[metric.metric.rawValue]
      else { continue }
      own["prior_spread"] = .number(evidence.priorSpread)
      own["prior_autocorrelation"] = .number(evidence.priorAutocorrelation)
      own["thresholds"] = .object(
        Dictionary(
          uniqueKeysWithValues: evidence.thresholds.knots.map {
            (String($0.poolSize), .number($0.threshold))
          }))
      all[metric.metric.rawValue] = .object(own)
    }
    if profile.calibration?.doses?.areEnough ?? false { take(profile.adherenceMetric, in: &all) }
    root["metrics"] = .object(all)
    take(profile.combined)
    if profile.calibration?.pauses?.areEnough ?? false { take(profile.inactivity) }
    if let calibration = profile.calibration { root["calibration"] = Self.json(calibration) }
  }

  private func take(_ metric: MetricThresholds?, in all: inout [String: JSONValue]) {
    guard let metric, let doses = metric.doses?.doses,
      case .object(var own)? = all[metric.metric.rawValue]
    else { return }
    var fields: [String: JSONValue] = [:]
    if case .object(let known)? = own["doses"] { fields = known }
    fields["prior_missed"] = .number(doses.priorMissed)
    fields["prior_taken"] = .number(doses.priorTaken)
    fields["day_prior"] = .number(doses.dayPrior)
    own["doses"] = .object(fields)
    all[metric.metric.rawValue] = .object(own)
  }

  private mutating func take(_ inactivity: InactivitySettings?) {
    guard let inactivity, case .object(var own)? = root["inactivity"] else { return }
    own["prior"] = .array(inactivity.prior.map(JSONValue.number))
    root["inactivity"] = .object(own)
  }

  private mutating func take(_ combined: CombinedSettings?) {
    guard let combined, case .object(var own)? = root["combined"] else { return }
    own["thresholds"] = .object(
      Dictionary(
        uniqueKeysWithValues: combined.thresholds.map { (String($0.key), .number($0.value)) }))
    var correlation: [String: [String: JSONValue]] = [:]
    for (index, one) in combined.metrics.enumerated() {
      for other in combined.metrics[(index + 1)...] where combined.correlation(one, other) > 0 {
        correlation[one.rawValue, default: [:]][other.rawValue] =
          .number(combined.correlation(one, other))
      }
    }
    own["correlation"] = .object(correlation.mapValues(JSONValue.object))
    root["combined"] = .object(own)
  }

  private static func json(_ calibration: Calibration) -> JSONValue {
    var fields: [String: JSONValue] = [
      "openings_per_series_year": .number(calibration.openingsPerSeriesYear),
      "simulated_series": .number(Double(calibration.simulatedSeries)),
    ]
    fields["false_episodes_per_person_year"] = calibration.budget.map(JSONValue.number)
    fields["combined_openings_per_person_year"] =
      calibration.combinedOpeningsPerPersonYear.map(JSONValue.number)
    fields["seed"] = calibration.seed.map { .number(Double($0)) }
    fields["digest"] = calibration.digest.map(JSONValue.string)
    fields["source"] = calibration.source.map(JSONValue.string)
    fields["metrics"] = .object(
      Dictionary(
        uniqueKeysWithValues: calibration.people.map { ($0.key.rawValue, json($0.value)) }))
    fields["pauses"] = calibration.pauses.map(json)
    fields["doses"] = calibration.doses.map(json)
    return .object(fields)
  }

  private static func json(_ people: Calibration.FittedPeople) -> JSONValue {
    .object(["people": .number(Double(people.count)), "fitted": .boolean(people.areEnough)])
  }

  var text: String { JSONLayout.text(.object(root)) }
}
