import VigilKernels
public import VigilModel

/// Detection over a block of persons: evaluates every day of every series and follows the episodes.
///
/// ```swift
/// guard let first = Day("2026-05-20") else { return }
/// let steps = MetricThresholds(
///   metric: MetricType("steps"), unit: "steps", pattern: .drop,
///   rules: [MetricRule(.percentDropAtLeast, 0.3)])
/// let thresholds = Thresholds(version: "mine", digest: "", metrics: [steps])
/// let days = first...(first + 41)
/// let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
/// for index in 0..<42 {
///   block.series(person: 0, metric: 0)[index] = index < 35 ? 8_000 : 4_000
/// }
/// let fold = BlockFold(thresholds: thresholds, metrics: thresholds.metrics)
/// var result = FoldResult()
/// fold.fold(block, over: FoldWindow(wholeHistory: days), into: &result)
/// let episode = result.episodes[0].episode
/// print(episode.activeSince, episode.duration, episode.level)  // 2026-06-23 8 day7
/// print(result.levels.map(\.level.rawValue))  // [3, 7]
/// ```
///
/// Keeps its working memory from block to block; one thread uses one instance.
///
/// - Complexity: O(series * days) for a call.
public final class BlockFold {
  public let thresholds: Thresholds
  public let metrics: [MetricThresholds]
  /// Whether results have the figures of the last day of several metrics together, which takes time.
  public var explainsLastDay = false

  private let settings: EvaluationSettings
  private var evaluator: SeriesEvaluator?
  private let evidenceSettings: EpisodeMachine.Settings
  /// The rules of the profile.
  private let usualRules: FoldRules
  /// The rules for persons with a sensitivity of their own, as far as they are still at hand.
  private var personalRules: [PersonalSensitivity: FoldRules] = [:]
  /// The rules for the persons at hand.
  private var rules: FoldRules
  /// By metric, the memory of its series.
  private var workspaces: [EvidenceWorkspace] = []
  /// By metric, the observations of the person at hand; nil where an episode has taken some of them out.
  private var whole: [EligibleSeries?]
  /// Series of the tile at hand whose means are compared.
  private var tile: [Int] = []
  /// By person, the series of which only the last day is judged by evidence.
  private var calm: [Int: CalmDigest.SeriesSet] = [:]

  /// - Parameters:
  ///   - thresholds: The profile.
  ///   - metrics: One for each metric of the blocks, in their order; then the one of daily adherence,
  ///     where folds get it.
  public init(thresholds: Thresholds, metrics: [MetricThresholds]) {
    self.thresholds = thresholds
    self.metrics = metrics
    settings = EvaluationSettings(thresholds)
    usualRules = FoldRules(thresholds, metrics: metrics, for: PersonalSensitivity())
    rules = usualRules
    whole = Array(repeating: nil, count: metrics.count)
    evidenceSettings = EpisodeMachine.Settings(thresholds.evidence)
    BLASLibrary.useOneThread()
  }

  /// The series of each person: the metrics, then the metrics together, where they are followed.
  public var seriesPerPerson: Int { metrics.count + (usualRules.combined == nil ? 0 : 1) }

  /// Folds every series of `block` over `window`.
  ///
  /// The index of a series is `person * seriesPerPerson + metric`; that of the metrics together comes last.
  ///
  /// - Parameters:
  ///   - block: The observations.
  ///   - adherence: The daily taking adherence, 0...100, as the only series of the same persons, on days that
  ///     include those of `block`; it is the last metric. Nil where it is none of the metrics.
  ///   - doses: The doses of the same persons, on days that include those of `block`; needed where the last metric
  ///     is under `dose_evidence`.
  ///   - unrecorded: Days on which doses without a record are no misses.
  ///   - window: The days to evaluate.
  ///   - stored: By series index, the episodes that the database holds and that were active or
  ///     touched since the first loaded day; in order of `activeSince`.
  ///   - calm: By person, the series, by their places, of which only the last day has to be judged by evidence, as nothing is
  ///     found in the days before.
  ///   - sensitivity: By person, where it is not the profile's. A metric that is off has no episode and counts as no
  ///     series with data.
  ///   - result: Emptied first.
  /// - Precondition: `block.days` is `window.loaded`; the block, with `adherence`, has `metrics.count` metrics.
  public func fold(
    _ block: ObservationBlock, adherence: ObservationBlock? = nil, doses: DoseBlock? = nil,
    unrecorded: UnrecordedDays = UnrecordedDays(), over window: FoldWindow,
    stored: [Int: [Episode]] = [:], calm: [Int: CalmDigest.SeriesSet] = [:],
    sensitivity: [Int: PersonalSensitivity] = [:], into result: inout FoldResult
  ) {
    precondition(block.days == window.loaded)
    self.calm = calm
    let input = DetectionInput(block, adherence: adherence, doses: doses, unrecorded: unrecorded)
    precondition(input.metricCount == metrics.count)
    block._checkInvariants()
    adherence?._checkInvariants()
    result.removeAll()
    var first = 0
    while first < block.personCount {
      let personal = sensitivity.isEmpty ? nil : sensitivity[first]
      var end = sensitivity.isEmpty ? block.personCount : first + 1
      while end < block.personCount, sensitivity[end] == personal { end += 1 }
      rules = rules(for: personal)
      fold(first..<end, in: input, over: window, stored: stored, into: &result)
      first = end
    }
    result._checkInvariants()
  }

  /// Folds persons of one sensitivity.
  private func fold(
    _ persons: Range<Int>, in input: DetectionInput, over window: FoldWindow,
    stored: [Int: [Episode]], into result: inout FoldResult
  ) {
    let evaluator = seriesEvaluator(dayCount: input.dayCount)
    var first = persons.lowerBound * input.metricCount
    let last = persons.upperBound * input.metricCount
    while first < last {
      let end = fillTile(
        with: first..<last, metrics: input.metricCount, capacity: evaluator.tileCapacity)
      evaluator.evaluateTile(tile, of: input, judges: rules.judges)
      var slot = 0
      for place in first..<end {
        let (person, metric) = place.quotientAndRemainder(dividingBy: input.metricCount)
        fold(
          metric, of: person, in: input, evaluator: evaluator, slot: &slot, over: window,
          stored: stored, into: &result)
        if metric + 1 == input.metricCount {
          foldTogether(person, in: input, over: window, stored: stored, into: &result)
        }
      }
      first = end
    }
  }

  private func rules(for personal: PersonalSensitivity?) -> FoldRules {
    guard let personal, !personal.isNormal else { return usualRules }
    if let known = personalRules[personal] { return known }
    // Each has memory of its own, and there may be thousands of combinations.
    if personalRules.count == 64 { personalRules.removeAll() }
    let made = FoldRules(thresholds, metrics: metrics, for: personal)
    personalRules[personal] = made
    return made
  }

  /// Folds one series.
  ///
  /// - Parameter slot: The place in the tile of the next series whose means are compared.
  private func fold(
    _ metric: Int, of person: Int, in input: DetectionInput, evaluator: SeriesEvaluator,
    slot: inout Int, over window: FoldWindow, stored: [Int: [Episode]],
    into result: inout FoldResult
  ) {
    let series = person * seriesPerPerson + metric
    let known = stored.isEmpty ? [] : stored[series] ?? []
    if let judge = rules.doseJudges[metric] {
      if rules.isOff[metric] { return }
      foldDoses(
        series, of: person, in: input, by: judge, over: window, stored: known, into: &result)
      return
    }
    let values = input.values(person: person, metric: metric)
    if let judge = rules.evidenceJudges[metric] {
      if rules.isOff[metric] { return }
      fold(
        series, values, of: person, metric, in: input, by: judge, over: window, stored: known,
        into: &result)
      return
    }
    let evaluated = evaluator.evaluated(slot: slot, values: values)
    slot += 1
    if rules.isOff[metric] { return }
    guard accepts(series, hasValues: !evaluated.isEmpty, over: window, stored: known, &result)
    else { return }
    var fold = SeriesFold(
      series: series, evaluated: evaluated,
      window: window, context: rules.contexts[metric], stored: known)
    fold.run(into: &result)
  }

  /// Puts the next series whose means are compared into the tile; returns the end of those that it serves.
  private func fillTile(with places: Range<Int>, metrics: Int, capacity: Int) -> Int {
    tile.removeAll(keepingCapacity: true)
    var series = places.lowerBound
    while series < places.upperBound {
      let metric = series % metrics
      if rules.evidenceJudges[metric] == nil, rules.doseJudges[metric] == nil {
        if tile.count == capacity { break }
        tile.append(series)
      }
      series += 1
    }
    return series
  }

  /// Folds one series under evidence.
  private func fold(
    _ index: Int, _ values: UnsafeBufferPointer<Double>, of person: Int, _ metric: Int,
    in input: DetectionInput, by judge: EvidenceJudge, over window: FoldWindow,
    stored: [Episode], into result: inout FoldResult
  ) {
    let series = evidenceWorkspace(of: metric, window.loaded).load(values, for: judge)
    whole[metric] = series
    guard accepts(index, hasValues: series.count > 0, over: window, stored: stored, &result) else {
      return
    }
    var fold = EvidenceFold(
      series, index: index, by: judge, machineSettings: evidenceSettings,
      window: days(of: metric, person, in: window),
      stored: stored,
      deviceChanges: metric < input.block.metricCount
        ? input.block.deviceChanges(person: person, metric: metric) : [],
      workouts: input.block.workouts(person: person))
    fold.run(into: &result)
    if fold.series.count < series.count { whole[metric] = nil }
  }

  /// Folds the doses of a person.
  private func foldDoses(
    _ index: Int, of person: Int, in input: DetectionInput, by judge: DoseJudge,
    over window: FoldWindow, stored: [Episode], into result: inout FoldResult
  ) {
    let series = input.doses(ofPerson: person)
    guard accepts(index, hasValues: !series.isEmpty, over: window, stored: stored, &result) else {
      return
    }
    var fold = DoseFold(series, index: index, by: judge, window: window, stored: stored)
    fold.run(into: &result)
  }

  /// Folds the metrics of a person together, where they are followed.
  private func foldTogether(
    _ person: Int, in input: DetectionInput, over window: FoldWindow,
    stored: [Int: [Episode]], into result: inout FoldResult
  ) {
    guard let combined = rules.combined else { return }
    let series = combined.members.map { member in
      let metric = member.index
      return whole[metric]
        ?? evidenceWorkspace(of: metric, window.loaded)
        .load(input.values(person: person, metric: metric), for: member.judge)
    }
    let index = person * seriesPerPerson + metrics.count
    let known = stored.isEmpty ? [] : stored[index] ?? []
    if series.allSatisfy({ $0.count == 0 }) {
      if known.isEmpty { return }
      if !isSilentSince(window.loaded.lowerBound, known) {
        result.unjudgedSeries.insert(index)
        return
      }
    }
    var fold = CombinedFold(
      series, index: index, by: combined, machineSettings: evidenceSettings,
      window: days(of: metrics.count, person, in: window),
      stored: known,
      deviceChanges: combined.members.map {
        input.block.deviceChanges(person: person, metric: $0.index)
      },
      workouts: input.block.workouts(person: person))
    if fold.namesAnAbsentMetric {
      result.unjudgedSeries.insert(index)
      return
    }
    fold.explainsLastDay = explainsLastDay
    fold.run(into: &result)
    if let explained = fold.explained { result.combinedDays[index] = explained }
  }

  /// The days that are judged by evidence.
  private func days(of place: Int, _ person: Int, in window: FoldWindow) -> FoldWindow {
    guard !calm.isEmpty, let series = calm[person], series & 1 << place != 0 else { return window }
    return window.lastDay
  }

  /// Counts a series, and says whether there is something to fold.
  private func accepts(
    _ series: Int, hasValues: Bool, over window: FoldWindow, stored: [Episode],
    _ result: inout FoldResult
  ) -> Bool {
    if hasValues {
      result.seriesWithData += 1
      return true
    }
    if stored.isEmpty { return false }
    if isSilentSince(window.loaded.lowerBound, stored) { return true }
    result.unjudgedSeries.insert(series)
    return false
  }

  private func evidenceWorkspace(
    of metric: Int, _ loaded: ClosedRange<Day>
  ) -> EvidenceWorkspace {
    if workspaces.first?.isFor(loaded) != true {
      workspaces = metrics.map { _ in EvidenceWorkspace(days: loaded) }
    }
    return workspaces[metric]
  }

  /// Whether the newest of the stored episodes is active and has had no deviating day since before
  /// `day`, so that the absence of data since then matters to it.
  private func isSilentSince(_ day: Day, _ stored: [Episode]) -> Bool {
    guard let newest = stored.last(where: { !$0.isRetracted }) else { return false }
    return newest.isActive && newest.lastDeviating < day
  }

  private func seriesEvaluator(dayCount: Int) -> SeriesEvaluator {
    if let evaluator, evaluator.dayCount == dayCount { return evaluator }
    let evaluator = SeriesEvaluator(settings: settings, dayCount: dayCount)
    evaluator.suppressed = metrics.map(\.isSuppressedOnWorkoutDays)
    self.evaluator = evaluator
    return evaluator
  }
}
