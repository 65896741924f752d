import VigilAnalysis
import VigilDetection
import VigilLaboratory
import VigilModel
import VigilReport

extension CalibrationReport {
  /// - Parameters:
  ///   - file: The path of the new file.
  ///   - written: The new file, as it is read.
  init(
    _ result: ProfileCalibration.Result, of calibration: ProfileCalibration, file: String,
    written: Thresholds, database: String
  ) {
    let survey = calibration.survey.survey
    self.init(
      file: file, version: written.version, digest: written.digest,
      base: calibration.base.profile.version, database: database, days: calibration.days,
      people: survey.people,
      fewest: (PopulationSurvey.fewestObservations, PopulationSurvey.fewestPeople),
      budget: calibration.budget, openingsPerSeriesYear: result.openingsPerSeriesYear,
      simulatedPeople: calibration.people, simulatedDays: FalseEpisodes.dayCount,
      seed: calibration.seed, expected: result.falseEpisodes.rate,
      expectedOfBase: result.falseEpisodesOfBase.rate,
      metrics: calibration.base.calibrated.metrics.compactMap { before in
        guard let old = before.evidence,
          let new = written.metrics.first(where: { $0.metric == before.metric })?.evidence
        else { return nil }
        let name = before.metric.rawValue
        return Metric(
          metricType: before.metric, people: survey.people(name),
          source: survey.isFitted(name)
            ? .database : result.metrics.contains(before.metric) ? .base : .notSimulated,
          now: Figures(new), before: Figures(old),
          expected: result.falseEpisodes.metrics.firstIndex(of: name).map {
            result.falseEpisodes.rate(ofMetric: $0)
          })
      },
      together: Together(result, written: written, base: calibration.base.profile))
    pauses = Pauses(result, of: calibration, written: written)
    doses = Doses(result, of: calibration, written: written)
  }
}

extension CalibrationReport.Pauses {
  fileprivate init?(
    _ result: ProfileCalibration.Result, of calibration: ProfileCalibration, written: Thresholds
  ) {
    guard let survey = calibration.habits.pauses, let now = written.inactivity?.prior,
      let before = calibration.base.profile.inactivity?.prior,
      let expected = result.falseHabitAlerts.silence,
      let expectedOfBase = result.falseHabitAlertsOfBase.silence
    else { return nil }
    self.init(
      fit: .init(
        people: survey.people, fewest: (PauseSurvey.fewestDays, PauseSurvey.fewestPeople),
        isFitted: survey.isFitted, expected: expected, expectedOfBase: expectedOfBase),
      now: now, before: before)
  }
}

extension CalibrationReport.Doses {
  fileprivate init?(
    _ result: ProfileCalibration.Result, of calibration: ProfileCalibration, written: Thresholds
  ) {
    guard let survey = calibration.habits.doses, let now = written.adherenceMetric?.doses?.doses,
      let before = calibration.base.profile.adherenceMetric?.doses?.doses,
      let expected = result.falseHabitAlerts.doses,
      let expectedOfBase = result.falseHabitAlertsOfBase.doses
    else { return nil }
    self.init(
      fit: .init(
        people: survey.people, fewest: (DoseSurvey.fewestDays, DoseSurvey.fewestPeople),
        isFitted: survey.isFitted, expected: expected, expectedOfBase: expectedOfBase),
      now: Priors(now), before: Priors(before))
  }
}

extension CalibrationReport.Doses.Priors {
  fileprivate init(_ doses: DoseEvidenceSettings.Doses) {
    self.init(
      priorMissed: doses.priorMissed, priorTaken: doses.priorTaken, dayPrior: doses.dayPrior)
  }
}

extension CalibrationReport.Together {
  fileprivate init?(_ result: ProfileCalibration.Result, written: Thresholds, base: Thresholds) {
    guard let now = written.combined, let expected = result.falseEpisodes.combinedRate,
      let before = base.combined
    else { return nil }
    var correlations: [CalibrationReport.Correlation] = []
    for (index, one) in now.metrics.enumerated() {
      for other in now.metrics[(index + 1)...] {
        let values = (now.correlation(one, other), before.correlation(one, other))
        guard values != (0, 0) else { continue }
        let found = result.correlations[MetricPair(one, other)]
        correlations.append(
          .init(
            metrics: [one, other],
            found: found.flatMap { found in
              found.interval.map {
                ExactInterval(
                  estimate: found.estimate, lower: $0.lowerBound, upper: $0.upperBound)
              }
            }, now: values.0, before: values.1))
      }
    }
    self.init(
      expected: expected, thresholds: now.thresholds, thresholdsBefore: before.thresholds,
      correlations: correlations)
  }
}

extension CalibrationReport.Figures {
  fileprivate init(_ evidence: MetricEvidence) {
    self.init(
      priorSpread: evidence.priorSpread, priorAutocorrelation: evidence.priorAutocorrelation,
      thresholds: Dictionary(
        uniqueKeysWithValues: evidence.thresholds.knots.map { ($0.poolSize, $0.threshold) }))
  }
}
