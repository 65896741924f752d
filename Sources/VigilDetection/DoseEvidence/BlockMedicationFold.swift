public import VigilModel

/// Follows the doses of each medication of a block of persons by itself (specification, evidence-doses.md section 7).
///
/// ```swift
/// guard let first = Day("2026-03-02") else { return }
/// let days = first...(first + 59)
/// let counts = (0..<60).map { day in
///   DoseCounts(expected: 1, missed: day < 56 ? 0 : 1, inferred: 0)
/// }
/// let tablets = MedicationDays(
///   person: 0, medication: UUID(name: "tablets"), counts: counts, lastDay: nil, rare: [],
///   firstTakenOn: nil, firstDueOn: first)
/// var result = FoldResult()
/// BlockMedicationFold(DoseEvidenceSettings()).fold(
///   MedicationDoseBlock(days: days, medications: [tablets]), over: FoldWindow(wholeHistory: days),
///   into: &result)
/// let episode = result.episodes[0].episode
/// print(episode.activeSince, episode.openedOn)  // 2026-04-27 2026-04-29
/// ```
public struct BlockMedicationFold: Sendable {
  /// The series of each medication, in the order of their indices.
  public static let series = [MetricType.missedStreak, .missedDose]

  private let metric: MetricThresholds
  private let settings: DoseEvidenceSettings

  /// - Parameter settings: Those of the doses of a person.
  public init(_ settings: DoseEvidenceSettings) {
    self.settings = settings
    var metric = MetricThresholds(
      metric: .missedStreak, unit: "%", pattern: .medication, source: .adherence, rules: [])
    metric.doses = settings
    self.metric = metric
  }

  /// Folds both series of every medication over `window`.
  ///
  /// The index of a series is `place * series.count`, and its place among `series`.
  ///
  /// - Parameters:
  ///   - block: The medications, on days that include the loaded ones.
  ///   - unrecorded: Days on which doses without a record are no misses.
  ///   - window: The days to evaluate.
  ///   - stored: By series index, the episodes that the database holds and that were active or touched since the
  ///     first loaded day; in order of `activeSince`.
  ///   - covering: By person, the days on which an alert about all their doses is active.
  ///   - sensitivity: By person; of those without one the profile decides.
  ///   - result: Emptied first.
  /// - Complexity: O(medications * days), and O(horizon) for each day that may open an episode.
  public func fold(
    _ block: MedicationDoseBlock, unrecorded: UnrecordedDays = UnrecordedDays(),
    over window: FoldWindow, stored: [Int: [Episode]] = [:],
    covering: [Int: [Range<Day>]] = [:], sensitivity: [Int: PersonalSensitivity] = [:],
    into result: inout FoldResult
  ) {
    precondition(
      block.days.lowerBound <= window.loaded.lowerBound
        && block.days.upperBound >= window.loaded.upperBound)
    result.removeAll()
    for (place, medication) in block.medications.enumerated() {
      let own = sensitivity.isEmpty ? nil : sensitivity[medication.person]
      let index = place * Self.series.count
      if own?[.missedStreak] != .off {
        foldStreak(
          index, medication, from: block.days.lowerBound,
          by: metric.adjusted(to: own?[.missedStreak] ?? .normal).doses ?? settings,
          unrecorded: unrecorded, over: window, stored: stored[index] ?? [],
          covering: covering[medication.person] ?? [], into: &result)
      }
      if own?[.missedDose] != .off {
        RareDoseFold(
          settings: settings, window: window, stored: stored[index + 1] ?? [],
          seriesIndex: index + 1
        ).run(
          medication, from: block.days.lowerBound, unrecorded: unrecorded[medication.person],
          into: &result)
      }
    }
    result._checkInvariants()
  }

  private func foldStreak(
    _ index: Int, _ medication: MedicationDays, from first: Day, by settings: DoseEvidenceSettings,
    unrecorded: UnrecordedDays, over window: FoldWindow, stored: [Episode],
    covering: [Range<Day>], into result: inout FoldResult
  ) {
    let loaded = window.loaded.lowerBound - first...window.loaded.upperBound - first
    let folded = window.folded.lowerBound - first...window.folded.upperBound - first
    // Of most medications doses are taken on all days.
    guard
      !stored.isEmpty
        || medication.counts[folded].contains(where: {
          $0.isObservation && $0.missed == $0.expected
        })
    else { return }
    let series = medication.counts[loaded].withUnsafeBufferPointer { days in
      DoseSeries(
        days, from: window.loaded.lowerBound, withoutRecord: unrecorded[medication.person])
    }
    var fold = DoseFold(
      series, index: index, by: DoseJudge(settings, finding: .stop), window: window,
      stored: stored, lastDay: medication.lastDay, covering: covering)
    fold.run(into: &result)
  }
}
