import VigilAnalysis
import VigilCharts
import VigilDetection
import VigilModel

extension Evaluator {
  /// The days of a drawing at most, and where its first day is not given.
  private static let (mostDrawn, drawnDays) = (2_000, 60)

  /// Explains a day of a series of a person who waits.
  func explain(person name: String, metric: String, on day: Int32) throws(Failure) -> String {
    let day = try calendarDay(day)
    let person = try waitingPerson(name)
    let series = try loaded(try followed(metric), of: person, through: day)
    guard let series else { throw noColumn(of: metric) }
    let explanation = series.explainer.explain(series.series, on: day, from: series.first)
    return ExplanationDocument(
      explanation: explanation, observed: series.observed, wear: series.wear,
      person: person, profile: thresholds.profile
    ).text
  }

  /// Draws the values of a person who waits.
  ///
  /// - Parameters:
  ///   - name: The person.
  ///   - metric: Nil for all that have an episode on the days, or a value where none has.
  ///   - first: The first day; `Int32.min` for the 60 days up to the last.
  ///   - last: The last day; `Int32.min` for that of the person's rows.
  func draw(
    person name: String, metric: String?, from first: Int32, to last: Int32
  ) throws(Failure) -> String {
    let person = try waitingPerson(name)
    let last = try calendarDay(last == .min ? person.days.max() ?? last : last)
    let first = first == .min ? last - (Self.drawnDays - 1) : try calendarDay(first)
    guard first <= last, last - first < Self.mostDrawn else {
      throw .argument(
        "the days \(first) to \(last) cannot be drawn; give at most \(Self.mostDrawn) days in their order"
      )
    }
    if let metric {
      guard let found = try strip(try followed(metric), of: person, on: first...last) else {
        throw noColumn(of: metric)
      }
      return found.drawing.file
    }
    var strips: [(metric: MetricType, strip: SeriesStrip)] = []
    for metric in thresholds.wearableMetrics {
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
    let metrics = thresholds.wearableMetrics
    guard let explainer = CombinedExplainer(metrics, of: thresholds) else { return [] }
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
    return SeriesStrip(of: explanation, found.series, found.observed, on: days)
  }

  private struct LoadedSeries {
    let explainer: DecisionExplainer
    let series: ExplainedSeries
    let observed: [ObservedDay]
    /// Whether a device was worn on the last day.
    let wear: WearFinding
    /// The day from which episodes are followed.
    let first: Day
  }

  /// The series up to a day; nil where no batch had a column of the metric.
  private func loaded(
    _ metric: MetricThresholds, of person: PersonRows, through day: Day
  ) throws(Failure) -> LoadedSeries? {
    let begun = days?.lowerBound ?? person.days.min().map { Day(ordinal: $0) } ?? day
    let first = min(begun, day - 1)
    guard day - first < Self.mostDays else {
      throw .data(
        "the days from \(first) to \(day) are more than \(Self.mostDays); look for a wrong date")
    }
    let analysis = BlockAnalysis(thresholds, over: first...day)
    guard
      let found = try analysis.series(
        of: metric.metric, person, columns: columns, sources: sources.names, workouts: workouts)
    else { return nil }
    return LoadedSeries(
      explainer: DecisionExplainer(metric, of: thresholds), series: found.series,
      observed: found.observed,
      wear: found.wear.finding(person: 0, day: day), first: first)
  }

  // MARK: What is refused

  private func calendarDay(_ ordinal: Int32) throws(Failure) -> Day {
    // The days before belong to the series, and must not leave the calendar's numbers.
    guard (Day.calendar.lowerBound.ordinal...Day.calendar.upperBound.ordinal).contains(ordinal)
    else { throw .argument("the day \(ordinal) since 1970-01-01 is not in the years 1 to 9999") }
    return Day(ordinal: ordinal)
  }

  private func waitingPerson(_ name: String) throws(Failure) -> PersonRows {
    guard let person = open[name] else {
      throw .data("there are no rows of person \"\(name)\", or the person is evaluated already")
    }
    return person
  }

  private func followed(_ metric: String) throws(Failure) -> MetricThresholds {
    let metrics = thresholds.wearableMetrics
    guard let found = metrics.first(where: { $0.metric.rawValue == metric }) else {
      let names = metrics.map(\.metric.rawValue).joined(separator: ", ")
      throw .argument(
        "profile \(thresholds.version) has no metric \"\(metric)\" of days; it has \(names)")
    }
    return found
  }

  private func noColumn(of metric: String) -> Failure {
    .data(
      "the rows have no column \"\(metric)\"; the columns of metrics are "
        + columns.filter(metrics.contains).map(\.rawValue).joined(separator: ", "))
  }
}
