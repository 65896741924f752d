import VigilAnalysis
import VigilDetection
import VigilModel
import VigilPipeline

/// The series of persons who wait, as they are explained and drawn.
extension Evaluator {
  struct LoadedSeries {
    let explainer: DecisionExplainer
    let series: ExplainedSeries
    /// The day from which episodes are followed.
    let first: Day
  }

  /// The series up to a day; nil where no batch had a column of the metric, or a medication of the person.
  ///
  /// - Parameters:
  ///   - metric: One of the profile.
  ///   - profile: The profile; nil for the one as it is for the person.
  func loaded(
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
        first: first)
    }
    return try analysis.series(
      of: metric.metric, person, columns: columns, sources: sources.names, other
    ).map { LoadedSeries(explainer: explainer, series: $0, first: first) }
  }

  /// The day from which episodes are followed: the first evaluated day, or that of the person's rows.
  func firstDay(
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
  func other(
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

  func waitingPerson(_ name: String) throws(Failure) -> PersonRows {
    if let person = open[name] { return person }
    // Who has doses or check-ins may have no observations.
    let person = PersonRows(name: name)
    guard medications.names[person.id] != nil || checkIns.names[person.id] != nil else {
      throw .data("there are no rows of person \"\(name)\", or the person is evaluated already")
    }
    return person
  }

  /// A metric of the profile as it is for a person.
  func followed(
    _ metric: MetricType, by person: PersonRows
  ) throws(Failure) -> MetricThresholds {
    try requireFollowed(metric, by: person)
    let own = thresholds.adjusted(to: sensitivities[person.id])
    let metrics = own.wearableMetrics + [own.adherenceMetric].compactMap(\.self)
    guard let found = metrics.first(where: { $0.metric == metric }) else {
      let names = metrics.map(\.metric.rawValue).joined(separator: ", ")
      throw .argument(
        "profile \(thresholds.version) has no metric \"\(metric)\" of days; it has \(names)")
    }
    return found
  }

  /// A metric of the profile that can have limits.
  func limited(_ metric: MetricType) throws(Failure) -> MetricThresholds {
    guard let found = thresholds.wearableMetrics.first(where: { $0.metric == metric })
    else {
      let names = thresholds.wearableMetrics.map(\.metric.rawValue).joined(separator: ", ")
      throw .argument(
        "profile \(thresholds.version) has no metric \"\(metric)\" that can have limits; it has \(names)"
      )
    }
    return found
  }

  func requireFollowed(_ metric: MetricType, by person: PersonRows) throws(Failure) {
    if sensitivities[person.id][metric] == .off {
      throw .data(
        "the sensitivity of person \"\(person.name)\" turns \"\(metric)\" off, so that no day of it is judged"
      )
    }
  }

  func notFollowed(_ metric: MetricType) -> Failure {
    .argument("profile \(thresholds.version) does not follow \"\(metric)\"; v3 does")
  }

  func noColumn(of metric: MetricType) -> Failure {
    if metric == .doseAdherence {
      return .data("the person has no medication; give doses, medications and schedules")
    }
    return .data(
      "the rows have no column \"\(metric)\"; the columns of metrics are "
        + columns.filter(metrics.contains).map(\.rawValue).joined(separator: ", "))
  }
}
