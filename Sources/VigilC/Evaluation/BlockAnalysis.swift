import VigilAdherence
import VigilAnalysis
import VigilDetection
import VigilModel

/// Evaluates blocks of persons as a backfill over the same days does that begins with an empty database.
///
/// Keeps its working memory from block to block.
final class BlockAnalysis {
  private let thresholds: Thresholds
  /// The metrics that come from wearables.
  let metrics: [MetricThresholds]
  /// These, and that of doses where it is followed.
  private let followed: [MetricThresholds]
  private let days: ClosedRange<Day>
  private let followsDoses: Bool
  private let window: FoldWindow
  private let block: ObservationBlock
  private let builder: ObservationBuilder
  private let fold: BlockFold
  private let signs: SignsOfLife?
  private let silence: BlockSilenceFold
  /// Nil where no check-ins are followed.
  private let overdue: OverdueDays?
  private var found = FoldResult()
  private var foundSilences = FoldResult()
  /// By source of the caller, its number in the builder.
  private var sourceIndices: [Int] = []

  /// Values of a block at most, some 4 MB.
  private static let blockValues = 500_000
  /// As many values take the memory of the doses of a person on an evaluated day.
  private static let valuesOfDoses = 64

  /// - Parameters:
  ///   - followsDoses: Whether the blocks come with measures of doses.
  ///   - followsCheckIns: Whether they come with check-ins.
  init(
    _ thresholds: Thresholds, over days: ClosedRange<Day>, followsDoses: Bool = false,
    followsCheckIns: Bool = false
  ) {
    self.thresholds = thresholds
    self.days = days
    self.followsDoses = followsDoses
    metrics = thresholds.wearableMetrics
    followed = metrics + (followsDoses ? [thresholds.adherenceMetric].compactMap(\.self) : [])
    window = FoldWindow(evaluating: days, thresholds: thresholds)
    block = ObservationBlock(personCount: 0, metricCount: metrics.count, days: window.loaded)
    builder = ObservationBuilder(
      block: block, metrics: metrics, thresholds: thresholds,
      wearColumns: thresholds.wearColumns(beside: metrics) { _ in true })
    fold = BlockFold(thresholds: thresholds, metrics: followed)
    signs =
      thresholds.inactivity == nil ? nil : SignsOfLife(personCount: 0, days: window.loaded)
    builder.signs = signs
    let silences = thresholds.silences.filter { $0.metric == .inactivity || followsCheckIns }
    silence = BlockSilenceFold(silences)
    let folded = window.folded
    overdue =
      silences.contains { $0.metric == .checkInOverdue }
      ? OverdueDays(personCount: 0, days: folded) : nil
  }

  /// Persons of a block that fills the caches and not more.
  var personsPerBlock: Int {
    let ofDoses = followsDoses ? Self.valuesOfDoses * (days.upperBound - days.lowerBound + 1) : 0
    return min(max(Self.blockValues / max(metrics.count * block.dayCount + ofDoses, 1), 1), 500)
  }

  /// The faults of the observations of the last block, by place in `metrics`.
  var quality: DataQuality { builder.quality }

  /// The days whose observations are needed.
  var loadedDays: ClosedRange<Day> { window.loaded }

  /// - Parameters:
  ///   - persons: The persons of a block.
  ///   - columns: The metrics of their values.
  ///   - sources: The names of their sources.
  ///   - workouts: By name of a person.
  ///   - doses: The measures of their doses on at least the loaded days; nil where these are not followed.
  ///   - checkIns: By place in the block, the check-ins of persons.
  ///   - instant: The time now, by which their deadlines have passed or not.
  ///   - table: Gets the episodes, by person.
  ///   - kept: Gets them too, unless it is nil.
  /// - Returns: By person, the alerts.
  /// - Throws: `Failure` where a person has two rows of one day and source; nothing is added then.
  func evaluate(
    _ persons: [PersonRows], columns: [MetricType], sources: [String], workouts: [String: [Day]],
    doses: DoseFindings?, checkIns: [Int: CheckInHistory], asOf instant: Timestamp?,
    into table: inout EpisodeTable, keeping kept: inout KeptAlerts?
  ) throws(Failure) -> [[Alert]] {
    try load(persons, columns: columns, sources: sources, workouts: workouts)
    addSigns(of: checkIns)
    if let doses { addSigns(of: doses) }
    fold.fold(
      block, adherence: followed.count > metrics.count ? doses?.daily : nil,
      doses: doses?.doses, unrecorded: unrecordedDays(of: doses?.doses), over: window,
      into: &found)
    followSilence(checkIns, asOf: instant)
    let alerts = alerts(of: persons)
    let profile = thresholds.profile.id
    for (index, person) in persons.enumerated() where !alerts[index].isEmpty {
      kept?.add(alerts[index], of: person)
      for alert in alerts[index] { table.append(alert, of: person, profile: profile) }
    }
    kept?.count(persons, in: block, of: metrics, by: thresholds, over: days)
    return alerts
  }

  /// The days on which doses without a record are no misses.
  private func unrecordedDays(of doses: DoseBlock?) -> UnrecordedDays {
    var days = UnrecordedDays()
    guard let doses, let signs, let settings = thresholds.inactivity else { return days }
    for person in 0..<block.personCount
    where doses.days(ofPerson: person).contains(where: { $0.isObservation && !$0.hasRecord }) {
      let silent = UnrecordedDays.silentDays(ofPerson: person, signs, by: settings)
      if !silent.isEmpty { days.silent[person] = silent }
    }
    return days
  }

  /// Fills the block with the observations of some persons.
  private func load(
    _ persons: [PersonRows], columns: [MetricType], sources: [String], workouts: [String: [Day]]
  ) throws(Failure) {
    var orders: [[Int]?] = []
    for person in persons { orders.append(try person.order(sources)) }
    block.reset(personCount: persons.count, days: window.loaded)
    signs?.reset(personCount: persons.count)
    builder.begin()
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
      for day in workouts[person.name] ?? [] { block.addWorkout(person: index, day: day) }
    }
    builder.finish()
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

  /// Adds the days on which doses were taken or skipped to the signs of life.
  ///
  /// Where observations alone decide, doses are not looked at: they are many, and change nothing.
  private func addSigns(of doses: DoseFindings) {
    guard let signs, let settings = thresholds.inactivity else { return }
    let first = window.folded.lowerBound
    let matters = doses.places.map { place in
      signs.isSilent(person: place, forDays: settings.minDays, endingSince: first)
    }
    guard matters.contains(true) else { return }
    doses.rows.forEachIntake(ofPersonsWhere: { matters[$0] }) { person, day in
      signs.add(person: doses.places[person], day: day)
    }
  }

  private func addSigns(of checkIns: [Int: CheckInHistory]) {
    guard let signs else { return }
    for (person, history) in checkIns {
      for day in history.days { signs.add(person: person, day: day) }
    }
  }

  private func followSilence(_ checkIns: [Int: CheckInHistory], asOf instant: Timestamp?) {
    guard !silence.series.isEmpty else { return }
    overdue?.fill(from: checkIns, personCount: block.personCount, asOf: instant)
    silence.fold(signs: signs, overdue: overdue, over: window, into: &foundSilences)
  }

  // MARK: Episodes

  /// By person, the alerts of the last block.
  private func alerts(of persons: [PersonRows]) -> [[Alert]] {
    var alerts = [[Alert]](repeating: [], count: persons.count)
    // The fold gives the episodes of a series one after the other.
    var last: (series: SeriesKey, names: NameStart)?
    func add(_ episode: Episode, _ metric: MetricType, _ pattern: PatternType, person: Int) {
      let series = SeriesKey(user: persons[person].id, metric: metric, pattern: pattern)
      let names =
        if let last, last.series == series { last.names } else {
          PatternAlertState.nameStart(of: series, in: thresholds.profile)
        }
      last = (series, names)
      alerts[person].append(Alert(episode, of: series, names: names))
    }
    for folded in found.episodes {
      let (person, place) = folded.series.quotientAndRemainder(dividingBy: fold.seriesPerPerson)
      if place == followed.count {
        add(folded.episode, .combined, .worse, person: person)
      } else {
        add(folded.episode, followed[place].metric, followed[place].pattern, person: person)
      }
    }
    if !silence.series.isEmpty {
      for folded in foundSilences.episodes {
        let (person, place) = folded.series.quotientAndRemainder(
          dividingBy: silence.series.count)
        add(folded.episode, silence.series[place].metric, .silence, person: person)
      }
    }
    if thresholds.groupsEvents {
      for person in persons.indices { Alert.findEvents(of: &alerts[person]) }
    }
    return alerts
  }

  // MARK: One series

  /// The series of one metric of one person, as detection sees it, and the rows behind it.
  ///
  /// - Throws: `Failure` where the person has two rows of one day and source.
  func series(
    of metric: MetricType, _ person: PersonRows, columns: [MetricType], sources: [String],
    workouts: [String: [Day]]
  ) throws(Failure) -> (series: ExplainedSeries, observed: [ObservedDay], wear: WearDays)? {
    guard let place = metrics.firstIndex(where: { $0.metric == metric }),
      let column = columns.firstIndex(of: metric)
    else { return nil }
    let wearDays = WearDays(personCount: 1, days: window.loaded, keepsReasons: true)
    builder.wearDays = wearDays
    defer { builder.wearDays = nil }
    try load([person], columns: columns, sources: sources, workouts: workouts)
    let first = block.days.lowerBound
    let worked = block.workouts(person: 0)
    let series = ExplainedSeries(
      firstDay: first, values: Array(block.series(person: 0, metric: place)),
      workouts: Set(block.days.filter { worked?[$0 - first] == 1 }),
      deviceChanges: block.deviceChanges(person: 0, metric: place))
    return (series, try observed(column, place, of: person, sources, series, wearDays), wearDays)
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
