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
    return min(first, vitality.scoredDays(forTrendsOf: days).lowerBound)...days.upperBound
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
    let scored = vitality.scoredDays(forTrendsOf: days)
    let stage = scoreStage ?? ScoreStage(vitality, scoredDays: scored)
    scoreStage = stage
    let others = persons.enumerated().flatMap { index, person in
      (scoreInput.others[person.id] ?? []).map { (person: index, score: $0) }
    }
    stage.score(
      scoredValues(of: persons, over: vitality.loadedDays(forScoresOf: scored)),
      birthDates: persons.map { scoreInput.birthDates[$0.id] }, foreign: others)
    for (index, person) in persons.enumerated() {
      for day in scored {
        if let row = stage.row(of: person.id, person: index, on: day) {
          scores.append(row, of: person)
        }
      }
    }
    let trends = stage.trends(
      of: persons.map(\.id), adherence: doses?.measures.daily, over: days)
    var found = DoseInsights(doses?.measures, with: thresholds.adherenceMetric?.metric)
    for (index, person) in persons.enumerated() {
      for insight in trends.flatMap({ $0[index].insights })
        + found.take(of: person, alerts: alerts[index])
      {
        insights.append(insight, of: person, medicationNames: medications.medicationNames)
      }
    }
  }

  /// The metrics of scores of some persons.
  private func scoredValues(
    of persons: [PersonRows], over days: ClosedRange<Day>
  ) -> ObservationBlock {
    let block = scoreBlock ?? .forVitality(personCount: 0, days: days)
    scoreBlock = block
    block.reset(personCount: persons.count, days: days)
    for (index, person) in persons.enumerated() {
      // A later person may have fewer columns.
      let gathered = GatheredValues(
        VitalityMetric.columns, among: columns.prefix(person.width))
      person.values.withUnsafeBufferPointer { values in
        for row in person.days.indices {
          let own = values[row * person.width..<(row + 1) * person.width]
          block.keepLargest(
            person: index, day: Day(ordinal: person.days[row]),
            values: gathered.gather(UnsafeBufferPointer(rebasing: own)))
        }
      }
    }
    return block
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
