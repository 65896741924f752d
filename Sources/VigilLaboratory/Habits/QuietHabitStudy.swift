public import VigilAnalysis

/// The alerts of doses, or of silence, of people whose habit goes on: each of them is false.
public struct QuietHabitStudy: Sendable {
  /// Calendar years of all people.
  public let years: Double
  public let episodes: Int
  public let notifications: Int

  private init(_ found: [[DetectedEpisode]], years: Double) {
    self.years = years
    episodes = found.reduce(0) { $0 + $1.count }
    notifications = found.joined().reduce(0) { $0 + $1.notifications }
  }

  /// The alerts of people who all go on to wear their device.
  public init(_ corpus: WearCorpus, detector: SilenceDetector) async {
    self.init(await corpus.episodes(of: detector), years: corpus.personYears)
  }

  /// The episodes of doses of people in whom nothing changes.
  ///
  /// - Parameters:
  ///   - corpus: The people.
  ///   - detector: The profile.
  ///   - isOneMedication: Whether the doses of a person are taken as those of one medication, whose streaks count.
  public init(
    _ corpus: DoseCorpus, detector: DoseDetector, isOneMedication: Bool = false
  ) async {
    self.init(
      await corpus.episodes(of: detector, isOneMedication: isOneMedication),
      years: corpus.personYears)
  }

  /// A study of all people of several ones.
  public init(joining studies: [QuietHabitStudy]) {
    years = studies.reduce(0) { $0 + $1.years }
    episodes = studies.reduce(0) { $0 + $1.episodes }
    notifications = studies.reduce(0) { $0 + $1.notifications }
  }

  /// Returns false alerts per person and calendar year.
  public func rate(confidence: Double = 0.95) -> ExactInterval {
    .poisson(count: episodes, exposure: years, confidence: confidence)
  }

  /// Returns notifications per person and calendar year.
  public func notificationRate() -> ExactInterval {
    .poisson(count: notifications, exposure: years)
  }
}
