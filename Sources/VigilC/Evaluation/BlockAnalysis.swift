import VigilAdherence
import VigilAnalysis
import VigilDetection
import VigilModel
import VigilPipeline

/// Evaluates blocks of persons as a backfill over the same days does that begins with an empty database.
///
/// Keeps its working memory from block to block.
final class BlockAnalysis {
  let profile: ProfilePlan
  let input: BlockInput
  private let days: ClosedRange<Day>
  private let fold: PatternFold
  /// By source of the caller, its number in the builder.
  private var sourceIndices: [Int] = []

  /// - Parameters:
  ///   - followsDoses: Whether the blocks come with measures of doses.
  ///   - followsCheckIns: Whether they come with check-ins.
  ///   - instant: The time now, by which deadlines of check-ins have passed or not.
  init(
    _ thresholds: Thresholds, over days: ClosedRange<Day>, followsDoses: Bool = false,
    followsCheckIns: Bool = false, asOf instant: Timestamp? = nil
  ) {
    self.days = days
    profile = ProfilePlan(
      thresholds, window: FoldWindow(evaluating: days, thresholds: thresholds),
      availableMetrics: nil, followsAdherence: followsDoses, followsCheckIns: followsCheckIns)
    input = BlockInput(profile)
    fold = PatternFold(profile, evaluatedAt: instant)
  }

  private var thresholds: Thresholds { profile.thresholds }
  private var window: FoldWindow { profile.window }
  private var block: ObservationBlock { input.block }
  private var builder: ObservationBuilder { input.observations }
  /// The metrics that come from wearables.
  var metrics: [MetricThresholds] { profile.wearableMetrics }

  /// Persons of a block that fills the caches and not more.
  func personsPerBlock(followsDoses: Bool) -> Int {
    BlockSize.persons(
      values: metrics.count * (loadedDays.upperBound - loadedDays.lowerBound + 1),
      evaluatedDays: days.upperBound - days.lowerBound + 1, followsDoses: followsDoses)
  }

  /// The faults of the observations of the last block, by place in `metrics`.
  var quality: DataQuality { builder.quality }

  /// The days whose observations are needed.
  var loadedDays: ClosedRange<Day> { window.loaded }

  /// The input of a block besides observations.
  struct Other {
    /// By name of a person.
    var workouts: [String: [Day]] = [:]
    /// The measures of the doses of the persons on at least the loaded days; nil where these are not followed.
    var doses: DoseFindings?
    /// By place in the block, the check-ins of persons.
    var checkIns: [Int: CheckInHistory] = [:]
    /// By place in the block, where they are not the profile's.
    var sensitivities: [Int: PersonalSensitivity] = [:]
    /// By place in the block, the limits that are set for persons.
    var limits: [Int: [PersonLimit]] = [:]
  }

  /// - Parameters:
  ///   - persons: The persons of a block.
  ///   - columns: The metrics of their values.
  ///   - sources: The names of their sources.
  ///   - other: The rest of their input.
  ///   - kept: Gets the alerts, unless it is nil.
  /// - Returns: By person, the alerts.
  /// - Throws: `Failure` where a person has two rows of one day and source; nothing is added then.
  func evaluate(
    _ persons: [PersonRows], columns: [MetricType], sources: [String], _ other: Other,
    keeping kept: inout KeptAlerts?
  ) throws(Failure) -> [[Alert]] {
    try load(persons, columns: columns, sources: sources, other)
    fold.fold(input, adherence: other.doses?.measures)
    let alerts = alerts(of: persons, other.doses?.measures)
    for (index, person) in persons.enumerated() where !alerts[index].isEmpty {
      kept?.add(alerts[index], of: person)
    }
    kept?.count(persons, in: block, of: metrics, by: thresholds, over: days)
    return alerts
  }

  /// Fills the block with the input of some persons.
  ///
  /// - Throws: `Failure` where a person has two rows of one day and source.
  func load(
    _ persons: [PersonRows], columns: [MetricType], sources: [String], _ other: Other
  ) throws(Failure) {
    var orders: [[Int]?] = []
    for person in persons { orders.append(try person.order(sources)) }
    input.begin(persons.map(\.id))
    input.sensitivities = other.sensitivities
    input.limits = other.limits
    for name in sources.dropFirst(sourceIndices.count) {
      sourceIndices.append(builder.index(ofSource: name))
    }
    let places = columns.enumerated().compactMap { column, name in
      builder.columns.firstIndex(of: name).map { (column: column, place: $0) }
    }
    // Values that only scores need have no place, but show that a device was worn.
    let others = columns.indices.filter {
      columns[$0] != .wornMinutes && !builder.columns.contains(columns[$0])
    }
    var values = [Double](repeating: .nan, count: builder.columns.count)
    for (index, person) in persons.enumerated() {
      load(person, at: index, in: orders[index], places, others, &values)
      for day in other.workouts[person.name] ?? [] { block.addWorkout(person: index, day: day) }
    }
    builder.finish()
    input.take(other.checkIns)
    if let doses = other.doses { input.addDoses(of: doses.rows) }
  }

  private func load(
    _ person: PersonRows, at index: Int, in order: [Int]?,
    _ places: [(column: Int, place: Int)], _ others: [Int], _ values: inout [Double]
  ) {
    let width = person.width
    for place in places { values[place.place] = .nan }
    let places = places.filter { $0.column < width }
    let others = others.filter { $0 < width }
    for position in person.days.indices {
      let row = order?[position] ?? position
      let day = Day(ordinal: person.days[row])
      guard window.loaded.contains(day) else { continue }
      for place in places {
        values[place.place] = person.values[row * width + place.column]
      }
      let isOtherPositive =
        person.otherPositive[row]
        || others.contains { ObservationBuilder.isPositive(person.values[row * width + $0]) }
      values.withUnsafeBufferPointer { buffer in
        builder.append(
          person: index, day: day, source: sourceIndices[Int(person.sources[row])],
          values: buffer, isOtherPositive: isOtherPositive, updatedAt: nil)
      }
    }
  }

  // MARK: Episodes

  /// By person, the alerts of the last block.
  private func alerts(of persons: [PersonRows], _ doses: AdherenceFindings?) -> [[Alert]] {
    var alerts = [[Alert]](repeating: [], count: persons.count)
    // The folds give the episodes of a series one after the other.
    var last: (series: SeriesKey, names: NameStart)?
    func add(_ episode: Episode, of series: SeriesKey, person: Int) {
      let names =
        if let last, last.series == series { last.names } else {
          PatternAlertState.nameStart(of: series, in: thresholds.profile)
        }
      last = (series, names)
      alerts[person].append(Alert(episode, of: series, names: names))
    }
    for folded in fold.metrics.episodes {
      add(
        folded.episode, of: input.key(ofSeries: folded.series),
        person: folded.series / profile.seriesPerPerson)
    }
    for folded in fold.silences.episodes {
      add(
        folded.episode, of: input.key(ofSilence: folded.series),
        person: folded.series / profile.silences.count)
    }
    // Two names may stand for one person, whose doses are those of the first.
    let places = Dictionary(
      persons.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    for folded in fold.medications.episodes {
      let series = fold.medicationKeys[folded.series]
      if let person = places[series.user] { add(folded.episode, of: series, person: person) }
    }
    for folded in fold.limits.episodes {
      let series = fold.limitKeys[folded.series]
      if let person = places[series.user] { add(folded.episode, of: series, person: person) }
    }
    for (series, days) in findings(doses) {
      guard let person = places[series.user] else { continue }
      for episode in FoundDays.episodes(on: days, evaluatedThrough: self.days.upperBound) {
        add(episode, of: series, person: person)
      }
    }
    if thresholds.groupsEvents {
      for person in persons.indices { Alert.findEvents(of: &alerts[person]) }
    }
    return alerts
  }

  /// The days on which something was found about a medication, by series and in their order.
  private func findings(_ doses: AdherenceFindings?) -> [(series: SeriesKey, days: [Day])] {
    guard let doses else { return [] }
    let streaks = profile.adherenceMetric?.doses == nil ? doses.missedStreaks : []
    return FoundDays.bySeries(streaks, doses.supplies, doses.expiries)
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  // MARK: One series

  /// The series of one metric of one person, as detection sees it, and the rows behind it.
  ///
  /// - Throws: `Failure` where the person has two rows of one day and source.
  func series(
    of metric: MetricType, _ person: PersonRows, columns: [MetricType], sources: [String],
    _ other: Other
  ) throws(Failure) -> (series: ExplainedSeries, observed: [ObservedDay], wear: WearDays)? {
    guard let place = metrics.firstIndex(where: { $0.metric == metric }),
      let column = columns.firstIndex(of: metric)
    else { return nil }
    let wearDays = WearDays(personCount: 1, days: window.loaded, keepsReasons: true)
    builder.wearDays = wearDays
    defer { builder.wearDays = nil }
    try load([person], columns: columns, sources: sources, other)
    let series = ExplainedSeries(
      firstDay: block.days.lowerBound, values: Array(block.series(person: 0, metric: place)),
      workouts: workouts, deviceChanges: block.deviceChanges(person: 0, metric: place))
    return (series, try observed(column, place, of: person, sources, series, wearDays), wearDays)
  }

  /// The daily adherence of one person, as detection sees it.
  ///
  /// - Throws: `Failure` where the person has two rows of one day and source.
  func doseSeries(
    of person: PersonRows, columns: [MetricType], sources: [String], _ other: Other,
    _ measures: AdherenceFindings
  ) throws(Failure) -> ExplainedSeries {
    try load([person], columns: columns, sources: sources, other)
    var series = ExplainedSeries(
      firstDay: measures.daily.days.lowerBound,
      values: Array(measures.daily.series(person: 0, metric: 0)), workouts: workouts)
    if let doses = measures.doses(for: profile.adherenceMetric) {
      series.doses = Array(doses.days(ofPerson: 0))
      series.unrecorded = input.unrecordedDays(of: doses)[0]
    }
    return series
  }

  /// The days with a workout of the one person of the block.
  private var workouts: Set<Day> {
    let worked = block.workouts(person: 0)
    return Set(block.days.filter { worked?[$0 - block.days.lowerBound] == 1 })
  }

  /// The rows by day, with the reason why a value does not count.
  private func observed(
    _ column: Int, _ place: Int, of person: PersonRows, _ sources: [String],
    _ series: ExplainedSeries, _ wearDays: WearDays
  ) throws(Failure) -> [ObservedDay] {
    var rejected: [Day: [String: DataQuality.Reason]] = [:]
    for rejection in builder.quality.rejections where rejection.metric == place {
      rejected[rejection.day, default: [:]][builder.sourceName(rejection.source)] =
        rejection.reason
    }
    var observed: [ObservedDay] = []
    guard column < person.width else { return observed }
    for row in try person.order(sources) ?? Array(person.days.indices) {
      let (day, value) = (
        Day(ordinal: person.days[row]), person.values[row * person.width + column]
      )
      guard window.loaded.contains(day), !value.isNaN else { continue }
      let source = sources[Int(person.sources[row])]
      let found = ObservedDay.SourceValue(
        source: source, value: value, rejected: rejected[day]?[source],
        isMissing: series[day].isNaN, wear: wearDays.wear(person: 0, day: day))
      if observed.last?.day == day {
        observed[observed.count - 1].rows.append(found)
      } else {
        observed.append(ObservedDay(day: day, rows: [found]))
      }
    }
    return observed
  }

  // MARK: Days

  /// Adds what detection saw of the persons of the last block, on evaluated days.
  func addDays(of persons: [PersonRows], to table: inout DayTable) {
    let offset = days.lowerBound - window.loaded.lowerBound
    for (index, person) in persons.enumerated() {
      for (place, metric) in metrics.enumerated() {
        let series = block.series(person: index, metric: place)
        for position in offset..<series.count where !series[position].isNaN {
          table.append(
            person, day: window.loaded.lowerBound + position, metric: metric.metric,
            value: series[position])
        }
      }
    }
  }
}
