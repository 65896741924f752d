public import VigilAnalysis

/// The episodes of doses of people in whom nothing changes: each of them is false.
public struct QuietDoseStudy: Sendable {
  /// Calendar years of all people.
  public let years: Double
  public let episodes: Int
  public let notifications: Int

  /// - Parameters:
  ///   - corpus: The people.
  ///   - detector: The profile.
  ///   - isOneMedication: Whether the doses of a person are taken as those of one medication, whose streaks count.
  public init(
    _ corpus: DoseCorpus, detector: DoseDetector, isOneMedication: Bool = false
  ) async {
    let found = await corpus.episodes(of: detector, isOneMedication: isOneMedication).joined()
    years = corpus.personYears
    episodes = found.count
    notifications = found.reduce(0) { $0 + $1.notifications }
  }

  /// A study of all people of several ones.
  public init(joining studies: [QuietDoseStudy]) {
    years = studies.reduce(0) { $0 + $1.years }
    episodes = studies.reduce(0) { $0 + $1.episodes }
    notifications = studies.reduce(0) { $0 + $1.notifications }
  }

  /// Returns false episodes per person and calendar year.
  public func rate(confidence: Double = 0.95) -> ExactInterval {
    .poisson(count: episodes, exposure: years, confidence: confidence)
  }

  /// Returns notifications per person and calendar year.
  public func notificationRate() -> ExactInterval {
    .poisson(count: notifications, exposure: years)
  }
}
