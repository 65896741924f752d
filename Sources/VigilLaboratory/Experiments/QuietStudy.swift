public import VigilAnalysis
import VigilModel

/// The episodes of people in whom nothing changes: every one of them is false.
public struct QuietStudy: Sendable {
  /// The counts of one metric, or of all metrics of a person together.
  public struct Tally: Sendable {
    public var episodes = 0
    public var notifications = 0
    /// Episodes that opened in the first `earlyDays` days of a person.
    public var earlyEpisodes = 0
    /// Days with a value.
    public var observations = 0
    /// By person, for the dispersion.
    public var byPerson: [Int] = []

    /// The variance of the counts between people over their mean: 1 for a Poisson count.
    public var dispersion: Double { Dispersion.of(byPerson) }
  }

  public static let earlyDays = 120

  public let people: Int
  public let dayCount: Int
  /// One for each metric.
  public let metrics: [Tally]
  public let total: Tally

  /// - Parameters:
  ///   - corpus: People without a planted change.
  ///   - detector: The rule under study.
  public init(_ corpus: Corpus, detector: some EpisodeDetector) async {
    let found = await corpus.episodes(of: detector)
    let metricCount = corpus.metricCount
    var metrics = [Tally](repeating: Tally(), count: metricCount)
    var total = Tally()
    for (block, episodes) in zip(corpus.blocks, found) {
      let people = block.people.count
      var counts = [Int](repeating: 0, count: people * metricCount)
      for episode in episodes {
        let metric = episode.series % metricCount
        counts[episode.series] += 1
        metrics[metric].episodes += 1
        metrics[metric].notifications += episode.notifications
        if episode.opened < Self.earlyDays { metrics[metric].earlyEpisodes += 1 }
      }
      for person in 0..<people {
        let own = counts[person * metricCount..<(person + 1) * metricCount]
        total.byPerson.append(own.reduce(0, +))
        for (metric, count) in own.enumerated() {
          metrics[metric].byPerson.append(count)
          metrics[metric].observations +=
            block.observations.series(person: person, metric: metric).count { !$0.isNaN }
        }
      }
    }
    for tally in metrics {
      total.episodes += tally.episodes
      total.notifications += tally.notifications
      total.earlyEpisodes += tally.earlyEpisodes
      total.observations += tally.observations
    }
    people = corpus.people
    dayCount = corpus.dayCount
    self.metrics = metrics
    self.total = total
  }

  /// Calendar years of all people.
  public var years: Double { Double(people * dayCount) / 365 }

  /// Returns false episodes per person and calendar year.
  public func rate(_ tally: Tally, confidence: Double = 0.95) -> ExactInterval {
    .poisson(count: tally.episodes, exposure: years, confidence: confidence)
  }

  /// Returns notifications per person and calendar year.
  public func notificationRate(_ tally: Tally) -> ExactInterval {
    .poisson(count: tally.notifications, exposure: years)
  }

  /// Returns false episodes per person-year in the first days of new people.
  public func earlyRate(_ tally: Tally) -> ExactInterval {
    .poisson(
      count: tally.earlyEpisodes, exposure: Double(people * min(dayCount, Self.earlyDays)) / 365)
  }

  /// Returns false episodes per 365 observations.
  public func observedRate(_ tally: Tally) -> ExactInterval {
    .poisson(count: tally.episodes, exposure: Double(tally.observations) / 365)
  }
}
