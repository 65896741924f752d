import VigilAdherence
import VigilAnalysis
import VigilDetection
import VigilModel
import VigilPipeline

/// Decisions about a day of a person who waits.
extension Evaluator {
  /// Explains a day of a series.
  ///
  /// - Parameter limit: The side of the metric's limits; nil for the change against what is usual.
  func explain(
    person name: String, metric: String, limit: CriticalLimit.Direction?, on day: Int32
  ) throws(Failure) -> String {
    let day = try calendarDay(day)
    let person = try waitingPerson(name)
    let fields = try fields(of: MetricType(metric), limit, of: person, on: day)
    return (fields + ["person": person.name]).json.compactText
  }

  private func fields(
    of metric: MetricType, _ limit: CriticalLimit.Direction?, of person: PersonRows, on day: Day
  ) throws(Failure) -> JSONFields {
    let subject = ExplainedPerson(
      person.id, by: thresholds.profile, sensitivities[person.id][metric])
    if let limit {
      let found = try explained(limit, of: limited(metric), of: person, on: day)
      return found.explanation.fields(of: subject) + ["unit": found.unit]
    }
    if metric == .combined {
      return try together(of: person, on: day, looksForOpposite: true)
        .explanation.fields(of: subject)
    }
    if let silence = try silence(metric, of: person, on: day) { return silence.fields(of: subject) }
    let followed = try followed(metric, by: person)
    guard let series = try loaded(followed, of: person, through: day) else {
      throw noColumn(of: metric)
    }
    let explanation = series.explainer.explain(series.series, on: day, from: series.first)
    return explanation.fields(of: subject) + ["unit": followed.unit]
  }

  /// The decision about the metrics of a person together.
  func together(
    of person: PersonRows, on day: Day, looksForOpposite: Bool
  ) throws(Failure) -> ExplainedTogether {
    try requireFollowed(.combined, by: person)
    let found = try explainedTogether(of: person, on: day, looksForOpposite: looksForOpposite)
    if let found { return found }
    throw thresholds.combined == nil
      ? notFollowed(.combined)
      : .data(
        "too few metrics of person \"\(person.name)\" are followed together; explain one of them")
  }

  /// The decision about the metrics of a person together; nil where the profile, or the person's sensitivities, do
  /// not have them followed.
  ///
  /// - Parameter looksForOpposite: Whether the least other input is wanted, which takes longer than all the rest.
  func explainedTogether(
    of person: PersonRows, on day: Day, looksForOpposite: Bool
  ) throws(Failure) -> ExplainedTogether? {
    let own = thresholds.adjusted(to: sensitivities[person.id])
    let metrics = own.wearableMetrics.filter { columns.contains($0.metric) }
    guard let explainer = CombinedExplainer(metrics, of: own) else { return nil }
    var (series, first): ([ExplainedSeries], Day?) = ([], nil)
    for metric in metrics {
      guard let found = try loaded(metric, of: person, through: day) else {
        throw noColumn(of: metric.metric)
      }
      series.append(found.series)
      first = found.first
    }
    return ExplainedTogether(
      explanation: explainer.explain(
        series, stored: [], on: day, from: first, looksForOpposite: looksForOpposite),
      metrics: metrics, series: series, thresholds: own)
  }

  /// The decision about the metrics of a person together, and what led to it.
  struct ExplainedTogether {
    let explanation: CombinedExplanation
    let metrics: [MetricThresholds]
    /// One for each of the metrics.
    let series: [ExplainedSeries]
    /// The profile as it is for the person.
    let thresholds: Thresholds
  }

  /// The decision about the limits of a metric on one side.
  func explained(
    _ side: CriticalLimit.Direction, of metric: MetricThresholds, of person: PersonRows,
    on day: Day
  ) throws(Failure) -> (explanation: LimitExplanation, series: ExplainedSeries, unit: String) {
    // A limit is no matter of sensitivity: one that is set for a person holds where the metric is off.
    guard let found = try loaded(metric, of: person, through: day, by: thresholds) else {
      throw noColumn(of: metric.metric)
    }
    let explanation = LimitExplainer(
      metric.metric, side, of: thresholds, personal: limits[person.id],
      sensitivity: sensitivities[person.id][metric.metric]
    ).explain(found.series, stored: [], on: day, from: found.first)
    return (explanation, found.series, metric.unit)
  }

  /// The decision about the silence of a person; nil where the metric is none of silence.
  func silence(
    _ metric: MetricType, of person: PersonRows, on day: Day
  ) throws(Failure) -> SilenceExplanation? {
    guard [.inactivity, .checkInOverdue].contains(metric) else { return nil }
    try requireFollowed(metric, by: person)
    let own = thresholds.adjusted(to: sensitivities[person.id])
    guard let series = own.silences.first(where: { $0.metric == metric }) else {
      throw notFollowed(metric)
    }
    let first = try firstDay(of: person, through: day, withDoses: true)
    let analysis = BlockAnalysis(
      own, over: first...day, followsDoses: followsDoses, followsCheckIns: true)
    analysis.input.readsAllDoses = true
    try analysis.load(
      [person], columns: columns, sources: sources.names,
      try other(of: person, for: analysis, over: first...day, withDoses: followsDoses))
    let days = SilenceDays(
      of: series, signs: analysis.input.signs, checkIns: analysis.input.checkIns,
      folded: analysis.profile.window.folded)
    return SilenceExplainer(series, of: own).explain(
      days, stored: [], on: day, from: first,
      brokenFeed: brokenDays(in: analysis.profile.window).observations)
  }

  // MARK: Doses

  /// Explains the doses of a medication up to a day.
  func explainDoses(
    person name: String, medication: String, on day: Int32
  ) throws(Failure) -> String {
    let day = try calendarDay(day)
    let person = try waitingPerson(name)
    let evaluatedAt = try requiredInstant()
    let rows = MedicationRows(zones: knownZones())
    rows.fill([person.id], of: &medications, evaluatedAt: evaluatedAt)
    let all = DoseExplanation.all(of: rows, through: day, evaluatedAt: evaluatedAt)
    try requireNoFault(of: knownZones())
    let id = UUID(uuidString: medication) ?? UUID(name: medication)
    guard let found = all.first(where: { $0.medication == id }) else {
      throw .data(
        "person \"\(name)\" has no medication \"\(medication)\" with a schedule or doses that count"
      )
    }
    let names: JSONFields = ["person": person.name, "medication": medication]
    return (found.fields(of: person.id) + names).json.compactText
  }
}
