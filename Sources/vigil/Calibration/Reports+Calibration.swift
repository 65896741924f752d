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
      })
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
