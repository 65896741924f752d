import VigilAnalysis
import VigilCharts
import VigilDetection
import VigilModel
import VigilPipeline

extension Evaluator {
  /// The days of a drawing at most, and where its first day is not given.
  private static let (mostDrawn, drawnDays) = (2_000, 60)

  /// Explains a day of a series of a person who waits.
  ///
  /// - Parameter limit: The side of the metric's limits; nil for the change against what is usual.
  func explain(
    person name: String, metric: String, limit: CriticalLimit.Direction?, on day: Int32
  ) throws(Failure) -> String {
    let day = try calendarDay(day)
    let person = try waitingPerson(name)
    if let limit {
      let found = try explained(limit, of: limited(metric), of: person, on: day)
      let fields = found.explanation.fields(
        of: ExplainedPerson(
          person.id, by: thresholds.profile, sensitivities[person.id][MetricType(metric)]))
      return (fields + ["person": person.name, "unit": found.unit]).json.compactText
    }
    let own = sensitivities[person.id]
    if let silence = try silence(metric, of: person, on: day) {
      let fields = silence.fields(
        of: ExplainedPerson(person.id, by: thresholds.profile, own[silence.metricType]))
      return (fields + ["person": person.name]).json.compactText
    }
    let followed = try followed(metric, by: person)
    guard let series = try loaded(followed, of: person, through: day) else {
      throw noColumn(of: metric)
    }
    let explanation = series.explainer.explain(series.series, on: day, from: series.first)
    let fields = explanation.fields(
      of: ExplainedPerson(person.id, by: thresholds.profile, own[followed.metric]),
      observed: series.observed, wear: series.wear)
    return (fields + ["person": person.name, "unit": followed.unit]).json.compactText
  }

  /// Draws the values of a person who waits.
  ///
  /// - Parameters:
  ///   - name: The person.
  ///   - metric: Nil for all that have an episode on the days, or a value where none has.
  ///   - limit: The side of the metric's limits, with their alerts; nil for those of changes.
  ///   - first: The first day; `Int32.min` for the 60 days up to the last.
  ///   - last: The last day; `Int32.min` for that of the person's rows.
  func draw(
    person name: String, metric: String?, limit: CriticalLimit.Direction?, from first: Int32,
    to last: Int32
  ) throws(Failure) -> String {
    let person = try waitingPerson(name)
    let last = try calendarDay(last == .min ? person.days.max() ?? last : last)
    let first = first == .min ? last - (Self.drawnDays - 1) : try calendarDay(first)
    guard first <= last, last - first < Self.mostDrawn else {
      throw .argument(
        "the days \(first) to \(last) cannot be drawn; give at most \(Self.mostDrawn) days in their order"
      )
    }
    if let limit {
      guard let metric else { throw .argument("a limit is one of a metric; give the metric, too") }
      let found = try explained(limit, of: limited(metric), of: person, on: last)
      return SeriesStrip(
        of: found.explanation, found.series, on: first...last,
        label: Self.label(of: found.explanation.metric), unit: found.unit
      ).drawing.file
    }
    if let metric {
      if let silence = try silence(metric, of: person, on: last) {
        return SeriesStrip(
          of: silence, on: first...last, label: Self.label(of: silence.metricType), unit: "days"
        ).drawing.file
      }
      let followed = try followed(metric, by: person)
      guard let found = try strip(followed, of: person, on: first...last) else {
        throw noColumn(of: metric)
      }
      return found.drawing.file
    }
    let own = thresholds.adjusted(to: sensitivities[person.id])
    var strips: [(metric: MetricType, strip: SeriesStrip)] = []
    for metric in own.wearableMetrics + [own.adherenceMetric].compactMap(\.self) {
      if let found = try strip(metric, of: person, on: first...last), !found.values.isEmpty {
        strips.append((metric.metric, found))
      }
    }
    for episode in try episodesTogether(of: person, through: last) {
      for contribution in episode.combined?.contributions ?? [] {
        guard let place = strips.firstIndex(where: { $0.metric == contribution.metric }) else {
          continue
        }
        strips[place].strip.add(SeriesStrip.Span(episode, contribution))
      }
    }
    let changed = strips.filter { !$0.strip.shownEpisodes.isEmpty }
    if !changed.isEmpty { strips = changed }
    guard !strips.isEmpty else {
      throw .data(
        "person \"\(name)\" has no value from \(first) to \(last); there is nothing to draw")
    }
    return Drawing(stacking: strips.map(\.strip.drawing), title: name).file
  }

  /// The episodes of several metrics together, where the profile follows them.
  private func episodesTogether(
    of person: PersonRows, through day: Day
  ) throws(Failure) -> [Episode] {
    let own = thresholds.adjusted(to: sensitivities[person.id])
    let metrics = own.wearableMetrics
    guard let explainer = CombinedExplainer(metrics, of: own) else { return [] }
    var (series, first): ([ExplainedSeries], Day?) = ([], nil)
    for metric in metrics {
      let found = try loaded(metric, of: person, through: day)
      series.append(found?.series ?? ExplainedSeries(firstDay: day, values: []))
      first = found?.first ?? first
    }
    return explainer.explain(series, stored: [], on: day, from: first, looksForOpposite: false)
      .episodes
  }

  private func strip(
    _ metric: MetricThresholds, of person: PersonRows, on days: ClosedRange<Day>
  ) throws(Failure) -> SeriesStrip? {
    guard let found = try loaded(metric, of: person, through: days.upperBound) else { return nil }
    let explanation = found.explainer.explain(
      found.series, on: days.upperBound, from: found.first, looksForOpposite: false)
    return SeriesStrip(
      of: explanation, found.series, found.observed, on: days, label: Self.label(of: metric.metric),
      unit: metric.unit)
  }

  /// The decision about the limits of a metric on one side.
  private func explained(
    _ side: CriticalLimit.Direction, of metric: MetricThresholds, of person: PersonRows,
    on day: Day
  ) throws(Failure) -> (explanation: LimitExplanation, series: ExplainedSeries, unit: String) {
    // A limit is no matter of sensitivity: one that is set for a person holds where the metric is off.
    guard let found = try loaded(metric, of: person, through: day, by: thresholds) else {
      throw noColumn(of: metric.metric.rawValue)
    }
    let explanation = LimitExplainer(
      metric.metric, side, of: thresholds, personal: limits[person.id],
      sensitivity: sensitivities[person.id][metric.metric]
    ).explain(found.series, stored: [], on: day, from: found.first)
    return (explanation, found.series, metric.unit)
  }

  private static func label(of metric: MetricType) -> String {
    String(metric.rawValue.map { $0 == "_" ? " " : $0 })
  }

  private struct LoadedSeries {
    let explainer: DecisionExplainer
    let series: ExplainedSeries
    let observed: [ObservedDay]
    /// Whether a device was worn on the last day; nil for doses.
    let wear: WearFinding?
    /// The day from which episodes are followed.
    let first: Day
  }

  /// The series up to a day; nil where no batch had a column of the metric, or a medication of the person.
  ///
  /// - Parameters:
  ///   - metric: One of the profile.
  ///   - profile: The profile; nil for the one as it is for the person.
  private func loaded(
    _ metric: MetricThresholds, of person: PersonRows, through day: Day,
    by profile: Thresholds? = nil
  ) throws(Failure) -> LoadedSeries? {
    let isAdherence = metric.source == .adherence
    if isAdherence, medications.indexed()[person.id] == nil { return nil }
    let own = profile ?? thresholds.adjusted(to: sensitivities[person.id])
    let first = try firstDay(of: person, through: day, withDoses: isAdherence)
    let analysis = BlockAnalysis(
      own, over: first...day, followsDoses: isAdherence, followsCheckIns: followsCheckIns)
    let other = try other(of: person, for: analysis, over: first...day, withDoses: isAdherence)
    let explainer = DecisionExplainer(metric, of: own)
    if let doses = other.doses {
      return LoadedSeries(
        explainer: explainer,
        series: try analysis.doseSeries(
          of: person, columns: columns, sources: sources.names, other, doses.measures,
          broken: brokenDays(in: analysis.profile.window).doses),
        observed: [], wear: nil, first: first)
    }
    guard
      let found = try analysis.series(
        of: metric.metric, person, columns: columns, sources: sources.names, other)
    else { return nil }
    return LoadedSeries(
      explainer: explainer, series: found.series, observed: found.observed,
      wear: found.wear.finding(person: 0, day: day), first: first)
  }

  /// The decision about the silence of a person; nil where the metric is none of silence.
  private func silence(
    _ metric: String, of person: PersonRows, on day: Day
  ) throws(Failure) -> SilenceExplanation? {
    guard [MetricType.inactivity, .checkInOverdue].contains(MetricType(metric)) else { return nil }
    try requireFollowed(MetricType(metric), by: person)
    let own = thresholds.adjusted(to: sensitivities[person.id])
    guard let series = own.silences.first(where: { $0.metric.rawValue == metric }) else {
      throw .argument("profile \(thresholds.version) does not follow \"\(metric)\"; v3 does")
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

  /// The day from which episodes are followed: the first evaluated day, or that of the person's rows.
  private func firstDay(
    of person: PersonRows, through day: Day, withDoses: Bool
  ) throws(Failure) -> Day {
    var known = [person.days.min().map { Day(ordinal: $0) }]
    if withDoses { known.append(medications.firstDay(of: person.id)) }
    let first = min(days?.lowerBound ?? known.compactMap(\.self).min() ?? day, day - 1)
    guard day - first < Self.mostDays else {
      throw .data(
        "the days from \(first) to \(day) are more than \(Self.mostDays); look for a wrong date")
    }
    return first
  }

  /// The input of a person besides observations.
  private func other(
    of person: PersonRows, for analysis: BlockAnalysis, over days: ClosedRange<Day>,
    withDoses: Bool
  ) throws(Failure) -> BlockAnalysis.Other {
    var other = BlockAnalysis.Other(
      workouts: workouts,
      checkIns: try checkInHistories(of: [person], through: days.upperBound))
    guard withDoses, let evaluatedAt else { return other }
    other.doses = MedicationAnalysis(
      over: days, daily: analysis.loadedDays, evaluatedAt: evaluatedAt, zones: knownZones(),
      rareDays: thresholds.adherenceMetric?.doses?.rareDays, measuresPeriods: false
    ).evaluate([person], of: &medications)
    try requireNoFault(of: knownZones())
    return other
  }

  // MARK: What is refused

  func calendarDay(_ ordinal: Int32) throws(Failure) -> Day {
    // The days before belong to the series, and must not leave the calendar's numbers.
    guard (Day.calendar.lowerBound.ordinal...Day.calendar.upperBound.ordinal).contains(ordinal)
    else { throw .argument("the day \(ordinal) since 1970-01-01 is not in the years 1 to 9999") }
    return Day(ordinal: ordinal)
  }

  private func waitingPerson(_ name: String) throws(Failure) -> PersonRows {
    if let person = open[name] { return person }
    // Who has doses or check-ins may have no observations.
    let person = PersonRows(name: name)
    guard medications.names[person.id] != nil || checkIns.names[person.id] != nil else {
      throw .data("there are no rows of person \"\(name)\", or the person is evaluated already")
    }
    return person
  }

  /// A metric of the profile as it is for a person.
  private func followed(
    _ metric: String, by person: PersonRows
  ) throws(Failure) -> MetricThresholds {
    try requireFollowed(MetricType(metric), by: person)
    let own = thresholds.adjusted(to: sensitivities[person.id])
    let metrics = own.wearableMetrics + [own.adherenceMetric].compactMap(\.self)
    guard let found = metrics.first(where: { $0.metric.rawValue == metric }) else {
      let names = metrics.map(\.metric.rawValue).joined(separator: ", ")
      throw .argument(
        "profile \(thresholds.version) has no metric \"\(metric)\" of days; it has \(names)")
    }
    return found
  }

  /// A metric of the profile that can have limits.
  private func limited(_ metric: String) throws(Failure) -> MetricThresholds {
    guard let found = thresholds.wearableMetrics.first(where: { $0.metric.rawValue == metric })
    else {
      let names = thresholds.wearableMetrics.map(\.metric.rawValue).joined(separator: ", ")
      throw .argument(
        "profile \(thresholds.version) has no metric \"\(metric)\" that can have limits; it has \(names)"
      )
    }
    return found
  }

  private func requireFollowed(_ metric: MetricType, by person: PersonRows) throws(Failure) {
    if sensitivities[person.id][metric] == .off {
      throw .data(
        "the sensitivity of person \"\(person.name)\" turns \"\(metric)\" off, so that no day of it is judged"
      )
    }
  }

  private func noColumn(of metric: String) -> Failure {
    if metric == MetricType.doseAdherence.rawValue {
      return .data("the person has no medication; give doses, medications and schedules")
    }
    return .data(
      "the rows have no column \"\(metric)\"; the columns of metrics are "
        + columns.filter(metrics.contains).map(\.rawValue).joined(separator: ", "))
  }
}
