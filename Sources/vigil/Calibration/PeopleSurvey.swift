import Foundation
import VigilBatch
import VigilDetection
import VigilLaboratory
import VigilModel

/// The people of a database, as far as a calibration needs them.
struct PeopleSurvey {
  private(set) var survey: PopulationSurvey
  private let metrics: [MetricThresholds]

  init(of metrics: [MetricThresholds]) {
    self.metrics = metrics
    survey = PopulationSurvey(
      plans: metrics.compactMap { metric in
        metric.evidence.map { evidence in
          PopulationFit.MetricPlan(
            metric.metric.rawValue, scale: Scale(evidence.transform),
            badDirection: metric.pattern == .drop ? -1 : 1, step: 0,
            limits: metric.plausible ?? 0...1e9)
        }
      })
  }

  /// Adds the people of a block with `metrics`.
  mutating func add(_ block: ObservationBlock) {
    for person in 0..<block.personCount {
      survey.add(
        metrics.indices.map { index in
          let values = block.series(person: person, metric: index)
          // Values of two devices are two levels, which would look like a wide spread.
          let since = block.deviceChanges(person: person, metric: index).last?.since
          let first = since.map { max(0, $0 - block.days.lowerBound) } ?? 0
          let days = (first..<values.count).filter { !values[$0].isNaN }
          return RealSeries(
            person: person, metric: metrics[index].metric.rawValue,
            days: days.map { block.days.lowerBound + $0 }, values: days.map { values[$0] })
        })
    }
  }

  /// The profile with the medians of these people as its priors, where they are enough.
  func fitted(_ profile: Thresholds) -> Thresholds {
    var fitted = profile
    for index in fitted.metrics.indices {
      guard let evidence = fitted.metrics[index].evidence,
        let priors = survey.priors(fitted.metrics[index].metric.rawValue)
      else { continue }
      fitted.metrics[index].evidence = MetricEvidence(
        transform: evidence.transform,
        priorSpread: max(priors.spread.rounded(significant: 3), 1e-9),
        priorAutocorrelation: min(
          max((priors.autocorrelation * 100).rounded() / 100, 0),
          profile.evidence.mostAutocorrelation),
        thresholds: evidence.thresholds)
    }
    return fitted
  }
}

extension Scale {
  init(_ transform: MetricEvidence.Transform) {
    self =
      switch transform {
      case .none: .none
      case .squareRoot: .sqrt
      case .logarithm: .log
      }
  }
}

extension Double {
  /// The number with this many digits.
  fileprivate func rounded(significant digits: Int) -> Double {
    guard isFinite, self != 0, let rounded = Double(String(format: "%.\(digits - 1)e", self)) else {
      return self
    }
    return rounded
  }
}
