import CVigil
import VigilDetection
import VigilModel
import VigilPipeline
import VigilVitality

/// Takes observations, evaluates persons and keeps the results until they are taken.
final class Evaluator {
  let thresholds: Thresholds
  /// The metrics whose values are kept.
  var metrics: [MetricType]

  private(set) var days: ClosedRange<Day>?
  private(set) var isTogether = false
  private var explainsDays = false
  private var hasRows = false

  /// The columns that say whether a device was worn.
  private let wearColumns: [MetricType]
  /// The metrics, and the columns of wear, that batches had columns of.
  private(set) var columns: [MetricType] = []
  private(set) var sources = SourceNumbers()
  /// Persons with rows that are not evaluated, in the order in which they came.
  private(set) var waiting: [PersonRows] = []
  /// The persons among `waiting` who may get more rows.
  private(set) var open: [String: PersonRows] = [:]
  /// The persons whose rows have ended.
  private(set) var ended: Set<UUID> = []
  private(set) var workouts: [String: [Day]] = [:]

  /// The doubts about observations.
  private var notes = InputNotes()

  var analysis: BlockAnalysis?
  private var episodes = EpisodeTable()
  private var evaluated = DayTable()

  /// The alerts for a comparison: Evaluator+Alerts.swift.
  var keptAlerts: KeptAlerts?

  // Scores: Evaluator+Scores.swift
  var vitality: VitalitySettings?
  var scoreStage: ScoreStage?
  var scoreBlock: ObservationBlock?
  var scoreInput = ScoreInput()
  var scores = ScoreTable()
  var insights = InsightTable()

  // Doses: Evaluator+Doses.swift
  var measuresAdherence = false
  /// Whether there were medications.
  var followsDoses = false
  var hasDoses = false
  /// The instant as of which doses are pending or missed.
  var evaluatedAt: Timestamp?
  var zones: ZoneCatalog?
  var medications = StagedMedications()
  var medicationAnalysis: MedicationAnalysis?
  var adherence = AdherenceTable()
  var unusable = UnusableTable()

  // Check-ins: Evaluator+CheckIns.swift
  var checkIns = StagedCheckIns()
  /// Whether there were any.
  var followsCheckIns = false

  // Broken feeds: Evaluator+Feeds.swift
  /// The days that the caller has given; nil where the rows say which they are.
  var givenBrokenDays: (observations: Set<Day>?, doses: Set<Day>?)
  /// The days that the rows of all persons show.
  private var countedBrokenDays: BrokenDays?

  var sensitivities = StagedSensitivities()
  var limits = StagedLimits()

  /// - Throws: `Failure` with every problem of the file.
  init(settings: [UInt8], file: String) throws(Failure) {
    let digest = Self.digest(of: settings)
    do {
      thresholds = try Thresholds(json: settings, file: file, digest: digest)
    } catch {
      throw .settings("\(error)")
    }
    metrics = thresholds.wearableMetrics.map(\.metric)
    wearColumns = thresholds.wearColumns(beside: thresholds.wearableMetrics) { _ in true }
  }

  /// The SHA-256 of a settings file in hexadecimal.
  static func digest(of settings: [UInt8]) -> String {
    SHA256.hexadecimal(of: settings)
  }

  // MARK: Options

  /// Evaluated days at most: with as many, one person fills some hundred megabytes.
  static let mostDays = 40_000

  func setDays(from first: Int32, to last: Int32) throws(Failure) {
    try requireNoRows("the days")
    // Days before the first are loaded too, and must not leave the calendar's numbers.
    let calendar = Day.calendar.lowerBound.ordinal...Day.calendar.upperBound.ordinal
    guard calendar.contains(first), calendar.contains(last), first <= last else {
      throw .argument(
        "the days \(first) to \(last) since 1970-01-01 are none of the years 1 to 9999 in their order"
      )
    }
    try setDays(Day(ordinal: first)...Day(ordinal: last))
  }

  private func setDays(_ days: ClosedRange<Day>) throws(Failure) {
    guard days.upperBound - days.lowerBound < Self.mostDays else {
      throw .data(
        "the days from \(days.lowerBound) to \(days.upperBound) are more than \(Self.mostDays); look for "
          + "a wrong date, or give the first and last day")
    }
    self.days = days
  }

  func setTogether(_ together: Bool) throws(Failure) {
    try requireNoRows("the order of rows")
    isTogether = together
  }

  func setExplainsDays(_ explains: Bool) throws(Failure) {
    try requireNoRows("the wanted tables")
    explainsDays = explains
  }

  /// - Throws: `Failure` for a name that is no column or comes twice, and for no name.
  func setColumns(_ names: [String]) throws(Failure) {
    try requireNoRows("the wanted columns")
    var columns: [EpisodeColumn] = []
    for name in names {
      guard let column = EpisodeColumn.all.first(where: { $0.name == name }) else {
        let known = EpisodeColumn.all.map(\.name).joined(separator: ", ")
        throw .argument("episodes have no column \"\(name)\"; they have \(known)")
      }
      if columns.contains(where: { $0.name == name }) {
        throw .argument("the column \"\(name)\" is given twice")
      }
      columns.append(column)
    }
    if columns.isEmpty { throw .argument("give the name of at least one column of episodes") }
    episodes = EpisodeTable(columns)
  }

  func requireNoRows(_ what: String) throws(Failure) {
    if hasRows { throw .order("\(what) cannot change after the first rows") }
  }

  // MARK: Rows

  func push(_ table: InputTable, _ schema: ArrowSchema, _ batch: ArrowArray) throws(Failure) {
    let batch = try RecordBatch(schema, batch)
    if isTogether, days == nil {
      throw .order("rows that come together need the evaluated days; call vigil_set_days first")
    }
    switch table {
    case .workouts: try pushWorkouts(batch)
    case .observations: try pushObservations(batch)
    case .medications, .schedules, .doses, .timezoneEvents, .scheduleAdjustments:
      try pushDoses(table, batch)
      hasDoses = true
    case .birthDates, .scores: try pushScoreInput(table, batch)
    case .labels: try pushLabels(batch)
    case .checkIns, .checkInPlans, .timeZones:
      try pushCheckIns(table, batch)
      hasDoses = true
    case .sensitivities:
      for person in try sensitivities.add(batch) {
        unusable.append(
          table: StagedSensitivities.table, reason: "impossible_value", key: person.lowercased,
          count: 1)
      }
    case .personLimits:
      unusable.append(
        try limits.add(batch, followed: thresholds.wearableMetrics.map(\.metric)))
    }
    hasRows = true
  }

  private func pushWorkouts(_ batch: RecordBatch) throws(Failure) {
    let persons = try TextRows(
      batch.requiredColumn(StagedRows.Names.person, "whose workouts they are"))
    let days = try DayColumn.read(
      batch.requiredColumn(StagedRows.Names.date, "the day of a workout"))
    var added: [(String, Day)] = []
    for (row, day) in days.enumerated() {
      guard let person = persons.index(row), !persons.values[person].isEmpty else {
        throw .data("the person of row \(row) is missing; every row needs one")
      }
      added.append((persons.values[person], Day(ordinal: day)))
    }
    for (person, day) in added { workouts[person, default: []].append(day) }
  }

  private func pushObservations(_ batch: RecordBatch) throws(Failure) {
    var (columns, sources, notes) = (columns, sources, notes)
    let staged = try StagedRows(
      batch, columns: &columns, metrics: metrics, wearColumns: wearColumns,
      sources: &sources, notes: &notes)
    if isTogether { try requireNew(staged.runs) } else { try requireUnfinished(staged.runs) }
    (self.columns, self.sources, self.notes) = (columns, sources, notes)
    for run in staged.runs {
      person(run.person).append(run.rows, of: staged)
    }
    if isTogether { try evaluateFullBlocks() }
  }

  /// Checks that no person comes again whose rows had ended.
  private func requireNew(_ runs: [StagedRows.Run]) throws(Failure) {
    var (last, ended) = (open.keys.first, Set<UUID>())
    for run in runs where run.person != last {
      if let last { ended.insert(PersonRows(name: last).id) }
      let id = PersonRows(name: run.person).id
      if self.ended.contains(id) || ended.contains(id) {
        throw .data(
          "person \"\(run.person)\" comes again after rows of others; sort by person, or do without "
            + "vigil_set_together")
      }
      last = run.person
    }
  }

  /// Checks that no evaluated person gets more rows.
  private func requireUnfinished(_ runs: [StagedRows.Run]) throws(Failure) {
    guard !ended.isEmpty else { return }
    for run in runs where ended.contains(PersonRows(name: run.person).id) {
      throw .order(
        "person \"\(run.person)\" was evaluated by vigil_finish, and takes no more rows; give all rows first, or open"
          + " another evaluator")
    }
  }

  func person(_ name: String) -> PersonRows {
    if let known = open[name] { return known }
    if isTogether {
      ended.formUnion(open.values.map(\.id))
      open.removeAll()
    }
    let person = PersonRows(name: name)
    open[name] = person
    waiting.append(person)
    return person
  }

  // MARK: Evaluation

  func finish(person name: String) throws(Failure) {
    guard let days else {
      throw .order("a person alone needs the evaluated days; call vigil_set_days first")
    }
    guard let person = open[name] else { return }
    try evaluate([person], over: days)
    open[name] = nil
    ended.insert(person.id)
    waiting.removeAll { $0 === person }
  }

  func finish() throws(Failure) {
    waiting += personsWithoutObservations(besides: waiting)
    try evaluateWaiting()
    finishDoses()
  }

  private func evaluateWaiting() throws(Failure) {
    guard !waiting.isEmpty else { return }
    let days = try wantedDays()
    if ended.isEmpty {
      analysis = nil
      countedBrokenDays = brokenDays(in: FoldWindow(evaluating: days, thresholds: thresholds))
    }
    let size = personsPerBlock(over: days)
    while !waiting.isEmpty {
      let block = Array(waiting.prefix(size))
      try evaluate(block, over: days)
      waiting.removeFirst(block.count)
      for person in block {
        open[person.name] = nil
        ended.insert(person.id)
      }
    }
  }

  /// Evaluates persons whose rows have ended, in blocks.
  private func evaluateFullBlocks() throws(Failure) {
    guard let days else { return }
    let size = personsPerBlock(over: days)
    while waiting.count > size {
      try evaluate(Array(waiting.prefix(size)), over: days)
      waiting.removeFirst(size)
    }
  }

  private func personsPerBlock(over days: ClosedRange<Day>) -> Int {
    analysis(over: days).personsPerBlock(
      scoredFrom: vitality.map { $0.loadedDays(forScoresOf: $0.scoredDays(forTrendsOf: days)) },
      followsDoses: followsDoses)
  }

  /// The evaluated days: those that were set, or all of the rows.
  private func wantedDays() throws(Failure) -> ClosedRange<Day> {
    if let days { return days }
    if followsDoses || followsCheckIns {
      throw .order("doses and check-ins need the evaluated days; call vigil_set_days first")
    }
    var (first, last) = (Int32.max, Int32.min)
    for person in waiting {
      for day in person.days { (first, last) = (min(first, day), max(last, day)) }
    }
    guard first <= last else { return Day(ordinal: 0)...Day(ordinal: 0) }
    // Kept: later persons are evaluated over the same days.
    try setDays(Day(ordinal: first)...Day(ordinal: last))
    return Day(ordinal: first)...Day(ordinal: last)
  }

  func analysis(over days: ClosedRange<Day>) -> BlockAnalysis {
    if let analysis { return analysis }
    let analysis = BlockAnalysis(
      thresholds, over: days, followsDoses: followsDoses, followsCheckIns: followsCheckIns,
      asOf: evaluatedAt,
      broken: countedBrokenDays
        ?? BrokenDays(
          observations: givenBrokenDays.observations ?? [], doses: givenBrokenDays.doses ?? []))
    self.analysis = analysis
    return analysis
  }

  private func evaluate(_ persons: [PersonRows], over days: ClosedRange<Day>) throws(Failure) {
    let analysis = analysis(over: days)
    let doses = try measureDoses(
      of: persons, over: days, daily: dailyDays(of: analysis, over: days))
    let other = BlockAnalysis.Other(
      workouts: workouts, doses: doses,
      checkIns: try checkInHistories(of: persons, through: days.upperBound),
      sensitivities: sensitivities.personal(of: persons), limits: limits.personal(of: persons))
    let alerts = try analysis.evaluate(
      persons, columns: columns, sources: sources.names, other, keeping: &keptAlerts)
    for (person, own) in zip(persons, alerts) {
      episodes.append(
        own, of: person, medicationNames: medications.medicationNames,
        profile: thresholds.profile.id)
    }
    checkIns.remove(persons.map(\.id))
    sensitivities.remove(persons.map(\.id))
    limits.remove(persons.map(\.id))
    score(persons, over: days, doses: doses, alerts: alerts)
    if let doses { add(doses, of: persons) }
    if explainsDays { analysis.addDays(of: persons, to: &evaluated) }
    notes.add(analysis.quality, of: analysis.metrics.map(\.metric))
    for person in persons { workouts[person.name] = nil }
  }

  // MARK: Results

  func takeEpisodes() -> ArrowArrayStream { episodes.take() }

  func takeNotes() -> ArrowArrayStream { notes.take() }

  func takeDays() throws(Failure) -> ArrowArrayStream {
    guard explainsDays else {
      throw .order(
        "the days were not asked for; call vigil_set_explains_days before the first rows")
    }
    return evaluated.take()
  }
}
