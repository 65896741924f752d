public import VigilDetection
public import VigilModel

/// Follows all episodes of a block of persons under one profile: of metrics, of silence, of single medications and of
/// limits.
///
/// Keeps its working memory from block to block; one thread uses one instance.
public final class PatternFold {
  private let profile: ProfilePlan
  private let evaluatedAt: Timestamp?
  private let brokenFeed: Set<Day>
  private let brokenDoseDays: Set<Day>
  private let fold: BlockFold
  private let silence: BlockSilenceFold
  /// Nil where no check-ins are followed.
  private let overdue: OverdueDays?
  /// Nil where medications are not followed by themselves.
  private let medication: BlockMedicationFold?
  private let limit: BlockLimitFold
  /// Nil where each fold goes through all days.
  private let calm: CalmDigests?
  private let knownCalm: [UInt64: CalmDigest.SeriesSet]

  /// The episodes of metrics; `BlockInput.key(ofSeries:)` has the key of a series.
  public private(set) var metrics = FoldResult()
  /// The episodes of silence; `BlockInput.key(ofSilence:)` has the key of a series.
  public private(set) var silences = FoldResult()
  /// The episodes of medications by themselves; `medicationKeys` has the keys of the series.
  public private(set) var medications = FoldResult()
  /// By series of medications, its key.
  public private(set) var medicationKeys: [SeriesKey] = []
  /// By person, the series of which only the last day was judged by evidence.
  public private(set) var calmSeries: [Int: CalmDigest.SeriesSet] = [:]
  /// For the next night, by person; empty without `calm`.
  public private(set) var calmDigests: [CalmDigest] = []
  /// The episodes of values beyond limits; `limitKeys` has the keys of the series.
  public private(set) var limits = FoldResult()
  /// By series of limits, its key.
  public private(set) var limitKeys: [SeriesKey] = []

  /// - Parameters:
  ///   - profile: The profile.
  ///   - evaluatedAt: The instant by which check-ins are overdue or not; nil where all deadlines have passed.
  ///   - brokenFeed: The days with a broken feed.
  ///   - brokenDoseDays: Days on which doses without a record are no misses, as their feed is broken.
  ///   - followsMedications: Whether medications are followed by themselves, where the profile weighs doses.
  ///   - calm: Makes digests for the next night, and uses those of the night before; nil for neither.
  ///   - knownCalm: The series without an episode of the night before, by the digests of the input.
  public init(
    _ profile: ProfilePlan, evaluatedAt: Timestamp?, brokenFeed: Set<Day> = [],
    brokenDoseDays: Set<Day> = [], followsMedications: Bool = true, calm: CalmDigests? = nil,
    knownCalm: [UInt64: CalmDigest.SeriesSet] = [:]
  ) {
    self.calm = calm
    self.knownCalm = knownCalm
    self.profile = profile
    self.evaluatedAt = evaluatedAt
    self.brokenFeed = brokenFeed
    self.brokenDoseDays = brokenDoseDays
    fold = BlockFold(thresholds: profile.thresholds, metrics: profile.metrics)
    silence = BlockSilenceFold(profile.silences)
    overdue =
      profile.silences.contains { $0.metric == .checkInOverdue }
      ? OverdueDays(personCount: 0, days: profile.window.folded) : nil
    medication =
      followsMedications ? profile.adherenceMetric?.doses.map(BlockMedicationFold.init) : nil
    limit = BlockLimitFold(
      metrics: profile.wearableMetrics.map(\.metric), everybody: profile.thresholds.criticalLimits)
  }

  /// Folds the days of a block; the results are those of this block until the next call.
  ///
  /// - Parameters:
  ///   - input: The input of the same profile.
  ///   - adherence: The measures of the doses of the persons; nil where doses are not followed.
  ///   - stored: The episodes to go on from, by the series that `BlockInput.canFollow` knows: those that were active or
  ///     touched since the first loaded day, in order of `activeSince`.
  public func fold(
    _ input: BlockInput, adherence: AdherenceFindings?, stored: [SeriesKey: [Episode]] = [:]
  ) {
    let ofMetrics = FoundEpisodes.placed(stored) { input.series(of: $0) }
    let doses = adherence?.doses(for: profile.adherenceMetric)
    let own = medication == nil ? nil : adherence?.medications(for: profile.adherenceMetric)
    let unrecorded = input.unrecordedDays(
      of: doses, own?.medications ?? [], broken: brokenDoseDays)
    findCalmSeries(input, stored: ofMetrics)
    fold.fold(
      input.block, adherence: profile.adherenceMetric == nil ? nil : adherence?.daily,
      doses: doses, unrecorded: unrecorded, over: profile.window, stored: ofMetrics,
      calm: calmSeries, sensitivity: input.sensitivities, into: &metrics)
    noteCalm(input, stored: ofMetrics)
    foldLimits(input, stored: stored)
    foldSilence(input, stored: stored)
    foldMedications(own, of: input, unrecorded, stored: stored, ofMetrics)
  }

  /// The episodes of the last block, by kind of their series: metrics, silence, medications, limits.
  ///
  /// - Parameter input: The input of that block.
  public func found(in input: BlockInput) -> [FoundEpisodes] {
    [
      FoundEpisodes(metrics, of: .metrics, in: input),
      FoundEpisodes(silences, of: .silences, in: input),
      FoundEpisodes(medications, of: .listed(medicationKeys), in: input),
      FoundEpisodes(limits, of: .listed(limitKeys), in: input),
    ]
  }

  private func foldLimits(_ input: BlockInput, stored: [SeriesKey: [Episode]]) {
    let own = LimitInput(limit, input, stored: stored.filter { $0.key.pattern.isOfLimit })
    limitKeys.removeAll(keepingCapacity: true)
    for series in own.series {
      limitKeys.append(
        SeriesKey(
          user: input.persons[series.person], metric: series.metric, pattern: series.pattern))
    }
    limit.fold(
      own.series, of: input.block, personal: input.limits, sensitivity: input.sensitivities,
      over: profile.window, stored: own.stored, into: &limits)
    guard !own.series.isEmpty else { return }
    metrics.cover(
      by: Self.covering(limits, of: own.series, stored: own.stored, in: profile),
      through: profile.window.notifying.upperBound)
  }

  /// The series in which the night before has found nothing in the same days.
  private func findCalmSeries(_ input: BlockInput, stored: [Int: [Episode]]) {
    calmSeries.removeAll(keepingCapacity: true)
    guard let calm, !knownCalm.isEmpty else { return }
    for person in input.persons.indices {
      let now = calm.now(of: person, in: input, stored: stored)
      let series = (knownCalm[now.input] ?? 0) & now.series
      if series != 0 { calmSeries[person] = series }
    }
  }

  private func noteCalm(_ input: BlockInput, stored: [Int: [Episode]]) {
    calmDigests.removeAll(keepingCapacity: true)
    guard let calm else { return }
    let found = Set(metrics.episodes.map(\.series)).union(metrics.unjudgedSeries)
    for person in input.persons.indices {
      let digest = calm.next(of: person, in: input, stored: stored, found: found)
      if digest.series != 0 { calmDigests.append(digest) }
    }
  }

  private func foldSilence(_ input: BlockInput, stored: [SeriesKey: [Episode]]) {
    guard !silence.series.isEmpty else { return }
    overdue?.fill(
      from: input.checkIns, personCount: input.persons.count, asOf: evaluatedAt)
    silence.fold(
      signs: input.signs, overdue: overdue, over: profile.window,
      stored: FoundEpisodes.placed(stored) { input.silence(of: $0) },
      brokenFeed: brokenFeed, sensitivity: input.sensitivities, into: &silences)
  }

  private func foldMedications(
    _ block: MedicationDoseBlock?, of input: BlockInput, _ unrecorded: UnrecordedDays,
    stored: [SeriesKey: [Episode]], _ ofMetrics: [Int: [Episode]]
  ) {
    medications.removeAll()
    medicationKeys.removeAll(keepingCapacity: true)
    guard let medication, let block else { return }
    medicationKeys = block.medications.flatMap { own in
      BlockMedicationFold.series.map { metric in
        SeriesKey(
          user: input.persons[own.person], medication: own.medication, metric: metric,
          pattern: .medication)
      }
    }
    // Of a medication that no longer counts, or expects no doses, nothing is found.
    medicationKeys += Set(stored.keys.filter { $0.pattern == .medication })
      .subtracting(medicationKeys).sorted()
    medication.fold(
      block, unrecorded: unrecorded, over: profile.window,
      stored: FoundEpisodes.placed(stored, at: medicationKeys),
      covering: daysOfDoseAlerts(ofMetrics), sensitivity: input.sensitivities, into: &medications)
  }

  /// By person, the days on which an alert about all their doses was active, as far as the folded days know.
  private func daysOfDoseAlerts(_ stored: [Int: [Episode]]) -> [Int: [Range<Day>]] {
    guard let place = profile.metrics.firstIndex(where: { $0.doses != nil }) else { return [:] }
    let folded = profile.window.folded
    let end = folded.upperBound + 1
    var days: [Int: [Range<Day>]] = [:]
    func add(_ episode: Episode, ofSeries series: Int) {
      let (person, metric) = series.quotientAndRemainder(dividingBy: profile.seriesPerPerson)
      let last = min(episode.resolution?.day ?? end, end)
      guard metric == place, episode.openedOn < last else { return }
      days[person, default: []].append(episode.openedOn..<last)
    }
    for folded in metrics.episodes { add(folded.episode, ofSeries: folded.series) }
    for (series, episodes) in stored {
      for episode in episodes where episode.resolution?.reason != .retracted {
        let isBefore = episode.resolution.map { $0.day < folded.lowerBound } ?? false
        if isBefore || metrics.unjudgedSeries.contains(series) { add(episode, ofSeries: series) }
      }
    }
    return days
  }
}
