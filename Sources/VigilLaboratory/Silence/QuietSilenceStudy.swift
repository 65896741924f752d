public import VigilAnalysis

/// The alerts of silence of people who all go on to wear their device: each of them is false.
public struct QuietSilenceStudy: Sendable {
  /// Calendar years of all people.
  public let years: Double
  public let episodes: Int
  public let notifications: Int

  public init(_ corpus: WearCorpus, detector: SilenceDetector) async {
    let found = await corpus.episodes(of: detector).joined()
    years = corpus.personYears
    episodes = found.count
    notifications = found.reduce(0) { $0 + $1.notifications }
  }

  /// A study of all people of several ones.
  public init(joining studies: [QuietSilenceStudy]) {
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
