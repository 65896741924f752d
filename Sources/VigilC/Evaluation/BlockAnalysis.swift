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
  ///   - broken: The days with a broken feed.
  init(
    _ thresholds: Thresholds, over days: ClosedRange<Day>, followsDoses: Bool = false,
    followsCheckIns: Bool = false, asOf instant: Timestamp? = nil,
    broken: BrokenDays = BrokenDays()
  ) {
    self.days = days
    profile = ProfilePlan(
      thresholds, window: FoldWindow(evaluating: days, thresholds: thresholds),
      availableMetrics: nil, followsAdherence: followsDoses, followsCheckIns: followsCheckIns)
    input = BlockInput(profile)
    fold = PatternFold(
      profile, evaluatedAt: instant, brokenFeed: broken.observations, brokenDoseDays: broken.doses)
  }

  private var thresholds: Thresholds { profile.thresholds }
  private var window: FoldWindow { profile.window }
  private var block: ObservationBlock { input.block }
  private var builder: ObservationBuilder { input.observations }
  /// The metrics that come from wearables.
  var metrics: [MetricThresholds] { profile.wearableMetrics }

  /// Persons of a block that fills the caches and not more.
  ///
  /// - Parameters:
  ///   - scored: The days of the metrics that scores are computed from; nil where none are.
  ///   - followsDoses: Whether doses are evaluated, too.
  func personsPerBlock(scoredFrom scored: ClosedRange<Day>?, followsDoses: Bool) -> Int {
    BlockSize.persons(
      under: [profile], evaluating: days, scoredFrom: scored, followsDoses: followsDoses)
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
    var gathering: RowColumns?
    for (index, person) in persons.enumerated() {
      let own: RowColumns
      if let gathering, gathering.width == person.width {
        own = gathering
      } else {
        own = RowColumns(columns.prefix(person.width), for: builder)
      }
      gathering = own
      load(person, at: index, in: orders[index], own)
      for day in other.workouts[person.name] ?? [] { block.addWorkout(person: index, day: day) }
    }
    builder.finish()
    input.take(other.checkIns)
    if let doses = other.doses { input.addDoses(of: doses.rows) }
  }

  /// The values of rows with as many columns.
  private struct RowColumns {
    let width: Int
    let values: GatheredValues
    /// Values that only scores need have no place, but show that a device was worn.
    let others: OtherMeasurements

    init(_ columns: ArraySlice<MetricType>, for builder: ObservationBuilder) {
      width = columns.count
      values = GatheredValues(builder.columns, among: columns)
      others = OtherMeasurements(beside: builder.columns, among: columns)
    }
  }

  private func load(
    _ person: PersonRows, at index: Int, in order: [Int]?, _ columns: RowColumns
  ) {
    person.values.withUnsafeBufferPointer { values in
      for position in person.days.indices {
        let row = order?[position] ?? position
        let day = Day(ordinal: person.days[row])
        guard window.loaded.contains(day) else { continue }
        let own = UnsafeBufferPointer(
          rebasing: values[row * columns.width..<(row + 1) * columns.width])
        builder.append(
          person: index, day: day, source: sourceIndices[Int(person.sources[row])],
          values: columns.values.gather(own),
          isOtherPositive: person.otherPositive[row] || columns.others.isAnyPositive(in: own),
          updatedAt: nil)
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
    for found in fold.found(in: input) {
      for folded in found.result.episodes {
        guard let person = found.person(ofSeries: folded.series) else { continue }
        add(folded.episode, of: found.key(ofSeries: folded.series), person: person)
      }
    }
    for (series, days) in findings(doses) {
      // Two names may stand for one person, whose doses are those of the first.
      guard let person = input.place(of: series.user) else { continue }
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
    return FoundDays.bySeries(doses.missedStreaks, doses.supplies, doses.expiries, under: profile)
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  // MARK: One series

  /// The series of one metric of one person, as detection sees it, with the rows behind it.
  ///
  /// - Throws: `Failure` where the person has two rows of one day and source.
  func series(
    of metric: MetricType, _ person: PersonRows, columns: [MetricType], sources: [String],
    _ other: Other
  ) throws(Failure) -> ExplainedSeries? {
    guard let place = metrics.firstIndex(where: { $0.metric == metric }),
      let column = columns.firstIndex(of: metric)
    else { return nil }
    let wearDays = WearDays(personCount: 1, days: window.loaded, keepsReasons: true)
    builder.wearDays = wearDays
    defer { builder.wearDays = nil }
    try load([person], columns: columns, sources: sources, other)
    var series = ExplainedSeries(of: 0, metric: place, in: block)
    series.observed = try observed(column, place, of: person, sources, series, wearDays)
    series.wear = wearDays.finding(person: 0, day: days.upperBound)
    return series
  }

  /// The daily adherence of one person, as detection sees it.
  ///
  /// - Parameter broken: The days with a broken feed of doses.
  /// - Throws: `Failure` where the person has two rows of one day and source.
  func doseSeries(
    of person: PersonRows, columns: [MetricType], sources: [String], _ other: Other,
    _ measures: AdherenceFindings, broken: Set<Day>
  ) throws(Failure) -> ExplainedSeries {
    try load([person], columns: columns, sources: sources, other)
    let doses = measures.doses(for: profile.adherenceMetric)
    return ExplainedSeries(
      of: 0, adherence: measures.daily, doses: doses,
      unrecorded: input.unrecordedDays(of: doses, broken: broken)[0],
      workouts: block.workoutDays(ofPerson: 0))
  }

  /// The rows by day, with the reason why a value does not count.
  private func observed(
    _ column: Int, _ place: Int, of person: PersonRows, _ sources: [String],
    _ series: ExplainedSeries, _ wearDays: WearDays
  ) throws(Failure) -> [ObservedDay] {
    var rows: [(day: Day, source: String, value: Double)] = []
    guard column < person.width else { return [] }
    for row in try person.order(sources) ?? Array(person.days.indices) {
      let value = person.values[row * person.width + column]
      let day = Day(ordinal: person.days[row])
      guard window.loaded.contains(day), !value.isNaN else { continue }
      rows.append((day, sources[Int(person.sources[row])], value))
    }
    return ObservedDay.days(
      of: rows, rejected: builder.rejections(ofMetric: place), in: series, wear: wearDays)
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
