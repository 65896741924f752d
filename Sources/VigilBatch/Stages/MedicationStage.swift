import Foundation
import VigilDetection
import VigilModel
import VigilStorage

/// The part of the second stage that follows each medication of the persons of a batch by itself (specification,
/// evidence-doses.md section 7).
///
/// Keeps its working memory from batch to batch; used by one thread.
final class MedicationStage {
  private let window: FoldWindow
  private let mode: RunRecord.Mode
  private let keepsUntouched: Bool
  private let fold: BlockMedicationFold
  private var result = FoldResult()

  /// Nil where the profile does not weigh doses.
  ///
  /// - Parameters:
  ///   - profile: The profile.
  ///   - mode: Which notified levels count.
  init?(_ profile: ProfilePlan, mode: RunRecord.Mode) {
    guard let settings = profile.adherenceMetric?.doses else { return nil }
    window = profile.window
    keepsUntouched = profile.thresholds.groupsEvents
    self.mode = mode
    fold = BlockMedicationFold(settings)
  }

  /// Returns the alerts of the batch, with those that the data no longer support.
  ///
  /// - Parameters:
  ///   - series: The series of the profile.
  ///   - medications: The doses of the same persons.
  ///   - unrecorded: Days on which doses without a record are no misses.
  ///   - covering: By person, the days on which an alert about all their doses is active.
  func evaluate(
    _ series: ProfileSeries, medications: MedicationDoseBlock, unrecorded: UnrecordedDays,
    covering: [Int: [Range<Day>]], provenance: Reconciliation.Provenance
  ) -> [ReconciledRow] {
    var keys = medications.medications.flatMap { own in
      BlockMedicationFold.series.map { metric in
        SeriesKey(
          user: series.persons[own.person], medication: own.medication, metric: metric,
          pattern: .medication)
      }
    }
    let known = Dictionary(grouping: series.storedMedications, by: \.series)
    // Of a medication that no longer counts, or expects no doses, nothing is found.
    keys += Set(known.keys).subtracting(keys).sorted()
    var stored: [Int: [PatternAlertState]] = [:]
    for (index, key) in keys.enumerated() {
      if let rows = known[key] {
        stored[index] = rows.sorted { $0.episode.activeSince < $1.episode.activeSince }
      }
    }
    fold.fold(
      medications, unrecorded: unrecorded, over: window,
      stored: stored.mapValues { $0.map(\.episode) },
      covering: covering, sensitivity: series.sensitivities.personal, into: &result)
    return Reconciliation(
      of: result, with: stored, window: window, mode: mode, keepsUntouched: keepsUntouched,
      provenance: provenance, seriesKey: { keys[$0] }
    ).rows
  }
}

extension ProfileSeries {
  /// By person, the days on which an alert about all their doses was active, as far as the folded days know.
  ///
  /// - Parameters:
  ///   - result: What the fold of the persons found.
  ///   - window: The days of that fold.
  func daysOfDoseAlerts(_ result: FoldResult, in window: FoldWindow) -> [Int: [Range<Day>]] {
    guard let place = metrics.firstIndex(where: { $0.doses != nil }) else { return [:] }
    let end = window.folded.upperBound + 1
    var days: [Int: [Range<Day>]] = [:]
    func add(_ episode: Episode, ofSeries series: Int) {
      let (person, metric) = series.quotientAndRemainder(dividingBy: profile.seriesPerPerson)
      let last = min(episode.resolution?.day ?? end, end)
      guard metric == place, episode.openedOn < last else { return }
      days[person, default: []].append(episode.openedOn..<last)
    }
    for folded in result.episodes { add(folded.episode, ofSeries: folded.series) }
    for (series, rows) in stored {
      for row in rows where !row.isRetracted {
        let isBefore = row.episode.resolution.map { $0.day < window.folded.lowerBound } ?? false
        if isBefore || result.unjudgedSeries.contains(series) { add(row.episode, ofSeries: series) }
      }
    }
    return days
  }
}
