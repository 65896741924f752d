import VigilAnalysis
import VigilLaboratory
import VigilModel

/// The episodes of people in whom nothing changes: every one of them is false.
struct QuietStudy: Sendable {
  /// The counts of one metric, or of all metrics of a person together.
  struct Tally: Sendable {
    var episodes = 0
    var notifications = 0
    /// Episodes that opened in the first `earlyDays` days of a person.
    var earlyEpisodes = 0
    /// Days with a value.
    var observations = 0
    /// By person, for the dispersion.
    var byPerson: [Int] = []

    /// The variance of the counts between people over their mean: 1 for a Poisson count.
    var dispersion: Double { Dispersion.of(byPerson) }
  }

  static let earlyDays = 120

  let people: Int
  let dayCount: Int
  /// One for each metric.
  let metrics: [Tally]
  let total: Tally

  /// - Parameters:
  ///   - corpus: People without a planted change.
  ///   - detector: The rule under study.
  init(_ corpus: Corpus, detector: some EpisodeDetector) async {
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
  var years: Double { Double(people * dayCount) / 365 }

  /// Returns false episodes per person and calendar year.
  func rate(_ tally: Tally, confidence: Double = 0.95) -> ExactInterval {
    .poisson(count: tally.episodes, exposure: years, confidence: confidence)
  }

  /// Returns notifications per person and calendar year.
  func notificationRate(_ tally: Tally) -> ExactInterval {
    .poisson(count: tally.notifications, exposure: years)
  }

  /// Returns false episodes per person-year in the first days of new people.
  func earlyRate(_ tally: Tally) -> ExactInterval {
    .poisson(
      count: tally.earlyEpisodes, exposure: Double(people * min(dayCount, Self.earlyDays)) / 365)
  }

  /// Returns false episodes per 365 observations.
  func observedRate(_ tally: Tally) -> ExactInterval {
    .poisson(count: tally.episodes, exposure: Double(tally.observations) / 365)
  }
}
