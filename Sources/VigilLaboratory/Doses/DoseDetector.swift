import Foundation
public import VigilDetection
import VigilModel

/// A profile's rules for doses, run through the same code as a backfill.
public struct DoseDetector: Sendable {
  /// The name in reports, such as `v1`.
  public let name: String
  private let thresholds: Thresholds

  /// Nil for a profile that does not follow doses.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - thresholds: The profile.
  public init?(_ name: String, thresholds: Thresholds) {
    guard let metric = thresholds.metrics.first(where: { $0.source == .adherence }) else {
      return nil
    }
    self.name = name
    var thresholds = thresholds
    thresholds.metrics = [metric]
    thresholds.combined = nil
    self.thresholds = thresholds
  }

  /// Returns the episodes of a block, by person.
  func episodes(in doses: DoseBlock) -> [[DetectedEpisode]] {
    var result = FoldResult()
    let none = ObservationBlock(personCount: doses.personCount, metricCount: 0, days: doses.days)
    let isByMeans = thresholds.metrics[0].detector == .means
    BlockFold(thresholds: thresholds, metrics: thresholds.metrics).fold(
      none, adherence: isByMeans ? Self.adherence(of: doses) : nil,
      doses: isByMeans ? nil : doses, over: FoldWindow(wholeHistory: doses.days), into: &result)
    var found = [[DetectedEpisode]](repeating: [], count: doses.personCount)
    for episode in result.detectedEpisodes(since: doses.days.lowerBound) {
      found[episode.series].append(episode)
    }
    return found
  }

  /// Returns the alerts `missed_streak` of a block, by person, were the doses of each those of one medication; none for
  /// a profile that compares means.
  func streaks(in doses: DoseBlock) -> [[DetectedEpisode]] {
    var found = [[DetectedEpisode]](repeating: [], count: doses.personCount)
    guard let settings = thresholds.metrics[0].doses else { return found }
    var result = FoldResult()
    let medications = (0..<doses.personCount).map { person in
      MedicationDays(
        person: person, medication: UUID(), counts: Array(doses.days(ofPerson: person)),
        lastDay: nil, rare: [], firstTakenOn: nil, firstDueOn: nil)
    }
    BlockMedicationFold(settings).fold(
      MedicationDoseBlock(days: doses.days, medications: medications),
      over: FoldWindow(wholeHistory: doses.days), into: &result)
    for episode in result.detectedEpisodes(since: doses.days.lowerBound) {
      found[episode.series / BlockMedicationFold.series.count].append(episode)
    }
    return found
  }

  /// The daily adherence, as percentages.
  private static func adherence(of doses: DoseBlock) -> ObservationBlock {
    let block = ObservationBlock(
      personCount: doses.personCount, metricCount: 1, days: doses.days)
    for person in 0..<doses.personCount {
      for (day, counts) in doses.days(ofPerson: person).enumerated() where counts.isObservation {
        block.series(person: person, metric: 0)[day] =
          100 * (1 - Double(counts.missed) / Double(counts.expected))
      }
    }
    return block
  }
}
