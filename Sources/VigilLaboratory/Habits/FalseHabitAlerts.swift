public import VigilAnalysis
public import VigilDetection

/// The alerts of doses and of silence that a profile raises in simulated people of many habits in whom nothing changes.
public struct FalseHabitAlerts: Hashable, Sendable {
  /// Alerts of doses per person and year; nil where the profile does not follow doses.
  public let doses: ExactInterval?
  /// Alerts of silence per person and year; nil where the profile does not follow silence.
  public let silence: ExactInterval?

  /// Counts the alerts in people of each kind, of whom there are as many of one as of another.
  ///
  /// - Parameters:
  ///   - thresholds: The profile.
  ///   - seed: That of all random numbers.
  ///   - people: The number of people for doses, and of those for silence.
  ///   - shouldStop: Asked again and again; once true, the result is nil.
  public static func simulated(
    _ thresholds: Thresholds, seed: UInt64, people: Int, shouldStop: () -> Bool = { false }
  ) async -> FalseHabitAlerts? {
    var (doses, silences) = ([QuietHabitStudy](), [QuietHabitStudy]())
    if let detector = DoseDetector(thresholds.version, thresholds: thresholds) {
      let kinds = DoseHabit.Kind.allCases
      for kind in kinds {
        if shouldStop() { return nil }
        let corpus = await DoseCorpus(
          kind.habit, seed: seed, people: 0..<max(1, people / kinds.count),
          dayCount: FalseEpisodes.dayCount)
        doses.append(await QuietHabitStudy(corpus, detector: detector))
      }
    }
    if let detector = SilenceDetector(thresholds.version, thresholds: thresholds) {
      let kinds = WearHabit.Kind.usual
      for kind in kinds {
        if shouldStop() { return nil }
        let corpus = await WearCorpus(
          kind.habit, seed: seed, people: 0..<max(1, people / kinds.count),
          dayCount: FalseEpisodes.dayCount)
        silences.append(await QuietHabitStudy(corpus, detector: detector))
      }
    }
    return FalseHabitAlerts(
      doses: doses.isEmpty ? nil : QuietHabitStudy(joining: doses).rate(),
      silence: silences.isEmpty ? nil : QuietHabitStudy(joining: silences).rate())
  }
}
