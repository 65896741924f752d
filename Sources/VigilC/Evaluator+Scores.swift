import CVigil
import ShippedThresholds
import VigilDetection
import VigilModel
import VigilPipeline
import VigilVitality

extension Evaluator {
  /// Asks for scores by the settings of a vitality file.
  ///
  /// - Parameter name: A shipped file where there are no settings.
  func setScores(settings: [UInt8]?, name: String) throws(Failure) {
    try requireNoRows("the wanted tables")
    guard let settings = settings ?? ShippedThresholds.named(name),
      settings.isEmpty == false
    else {
      let names = ShippedThresholds.vitalityNames.joined(separator: ", ")
      throw .argument("there is no vitality file \"\(name)\"; there are \(names)")
    }
    do {
      let digest = Self.digest(of: settings)
      vitality = try VitalitySettings(json: settings, file: name, digest: digest)
    } catch {
      throw .settings("\(error)")
    }
    // Values of a metric that the profile follows have a place already.
    metrics += VitalityMetric.columns.filter { !metrics.contains($0) }
  }

  func pushScoreInput(_ table: InputTable, _ batch: RecordBatch) throws(Failure) {
    guard vitality != nil else {
      throw .order("scores were not asked for; call vigil_set_scores first")
    }
    if table == .birthDates {
      try scoreInput.addBirthDates(batch)
      return
    }
    let persons = try scoreInput.addScores(batch)
    // A person may have scores and no observations; where rows come together, only those with rows count.
    if !isTogether { for name in persons { _ = person(name) } }
  }

  /// The days of daily adherence: those of detection, and those that trends look at.
  func dailyDays(of analysis: BlockAnalysis, over days: ClosedRange<Day>) -> ClosedRange<Day> {
    let first = analysis.loadedDays.lowerBound
    guard let vitality else { return first...days.upperBound }
    let reach = TrendEvaluator(settings: vitality.trends).reachDays
    return min(first, days.lowerBound - (reach - 1))...days.upperBound
  }

  /// Scores the persons of a block, where scores are wanted.
  ///
  /// - Parameters:
  ///   - persons: The persons.
  ///   - days: The evaluated days.
  ///   - doses: The measures of their doses; nil where these are not followed.
  ///   - alerts: By person.
  func score(
    _ persons: [PersonRows], over days: ClosedRange<Day>, doses: DoseFindings?, alerts: [[Alert]]
  ) {
    guard let vitality else { return }
    let analysis = scoreAnalysis ?? ScoreAnalysis(vitality, over: days)
    scoreAnalysis = analysis
    let trends = analysis.evaluate(
      persons, columns: columns, scoreInput, adherence: doses?.measures.daily, into: &scores)
    var found = DoseInsights(doses?.measures, with: thresholds.adherenceMetric?.metric)
    for (index, person) in persons.enumerated() {
      for insight in trends[index] + found.take(of: person, alerts: alerts[index]) {
        insights.append(insight, of: person, medicationNames: medications.medicationNames)
      }
    }
  }

  func takeScores() throws(Failure) -> ArrowArrayStream {
    try requireScores()
    return scores.take()
  }

  func takeInsights() throws(Failure) -> ArrowArrayStream {
    try requireScores()
    return insights.take()
  }

  private func requireScores() throws(Failure) {
    guard vitality != nil else {
      throw .order("scores were not asked for; call vigil_set_scores before the first rows")
    }
  }
}
