import ShippedPopulation
import VigilDetection
import VigilLaboratory
import VigilModel
import VigilReport

/// The false episodes that a profile causes in the simulated people that are built in.
enum ExpectedFalseEpisodes {
  /// The seed of the report on the quality of detection.
  private static let seed: UInt64 = 17

  /// - Parameters:
  ///   - people: The number of simulated people.
  ///   - interruption: Ends the simulation.
  ///   - progress: Called with the number of people that are done.
  /// - Returns: Nil without people, and where no metric of the profile can be simulated.
  /// - Throws: `CommandFailure` when the user stops it.
  static func simulated(
    _ thresholds: Thresholds, people: Int, interruption: Interruption, progress: (Int) -> Void
  ) async throws -> ThresholdsReport.Expectation? {
    let shipped = try Population.shipped()
    let population = shipped.filled(
      from: shipped, metrics: thresholds.wearableMetrics.map(\.metric.rawValue))
    guard people > 0, !population.metrics.isEmpty else { return nil }
    var done = 0
    let found = await FalseEpisodes.simulated(
      [thresholds.watching(only: population)],
      simulator: Simulator(population: population, seed: seed), people: 0..<people,
      shouldStop: { interruption.isRequested },
      progress: {
        done += $0
        progress(done)
      })
    let habits = await FalseHabitAlerts.simulated(
      thresholds, seed: seed, people: people, shouldStop: { interruption.isRequested })
    guard let found = found?.first, let habits else {
      throw CommandFailure(interruption.exitStatus)
    }
    return .init(
      total: found.rate,
      metrics: found.metrics.indices.map { index in
        .init(
          metricType: MetricType(found.metrics[index]),
          rate: found.rate(ofMetric: index))
      },
      combined: found.combinedRate, doses: habits.doses, silence: habits.silence,
      notSimulated: thresholds.metrics.filter {
        population.index(of: $0.metric.rawValue) == nil
          && ($0.source != .adherence || habits.doses == nil)
      }.map(\.metric)
        + (thresholds.combined != nil && found.combinedRate == nil ? [.combined] : []),
      people: people, days: FalseEpisodes.dayCount, seed: Int(seed),
      dataset: shipped.provenance.dataset)
  }
}

extension ThresholdsReport {
  /// - Parameters:
  ///   - file: The file as the user named it.
  ///   - expected: Nil where nothing was simulated.
  init(_ thresholds: Thresholds, file: String, expected: Expectation?) {
    self.init(
      file: file, version: thresholds.version, digest: thresholds.digest,
      metrics: thresholds.metrics.map { metric in
        Metric(
          metricType: metric.metric, patternType: metric.pattern, unit: metric.unit,
          rules: metric.doses.map { ["missed_share fall \(numberText($0.doses.fall))"] }
            ?? metric.rules.map { rule in
              "\(rule.kind.rawValue) \(numberText(rule.threshold))"
            },
          detector: metric.detector.rawValue, evidence: metric.evidence.map(Evidence.init))
      })
    combined = thresholds.combined.map(Combined.init)
    limits = thresholds.criticalLimits
    silences = thresholds.silences.map {
      switch $0 {
      case .inactivity(let settings):
        Silence(
          metricType: $0.metric, openAfterDays: settings.minDays, watchedDays: settings.maxDays)
      case .checkInOverdue(let settings):
        Silence(
          metricType: $0.metric, openAfterDays: settings.openAfterDays,
          watchedDays: settings.watchedDays)
      }
    }
    calibration = thresholds.calibration.map(Calibration.init)
    expectation = expected
  }
}

extension ThresholdsReport.Evidence {
  fileprivate init(_ evidence: MetricEvidence) {
    self.init(
      transform: evidence.transform.rawValue, priorSpread: evidence.priorSpread,
      priorAutocorrelation: evidence.priorAutocorrelation,
      thresholds: Dictionary(
        uniqueKeysWithValues: evidence.thresholds.knots.map { ($0.poolSize, $0.threshold) }))
  }
}

extension ThresholdsReport.Combined {
  fileprivate init(_ settings: CombinedSettings) {
    var correlations: [Correlation] = []
    for (index, one) in settings.metrics.enumerated() {
      for other in settings.metrics[(index + 1)...] where settings.correlation(one, other) > 0 {
        correlations.append(
          .init(metrics: [one, other], correlation: settings.correlation(one, other)))
      }
    }
    self.init(
      metricEvidence: settings.metricEvidence, thresholds: settings.thresholds,
      correlations: correlations)
  }
}

extension ThresholdsReport.Calibration {
  fileprivate init(_ calibration: VigilDetection.Calibration) {
    self.init(
      budget: calibration.budget, openingsPerSeriesYear: calibration.openingsPerSeriesYear,
      combinedOpeningsPerPersonYear: calibration.combinedOpeningsPerPersonYear,
      simulatedSeries: calibration.simulatedSeries, seed: calibration.seed,
      source: calibration.source, digest: calibration.digest)
  }
}

/// `45` for 45.0, `0.25` for 0.25.
private func numberText(_ value: Double) -> String {
  let text = String(value)
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
