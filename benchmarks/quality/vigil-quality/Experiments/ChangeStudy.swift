import VigilAnalysis
import VigilLaboratory

/// The episodes of people in whom something changes: which changes are found, and when.
struct ChangeStudy: Sendable {
  /// The outcome of one changed series.
  struct Outcome: Sendable {
    /// In calendar days from the first changed day to the opening, the first day counted as 1; nil for a
    /// missed change.
    var delay: Int?
    /// The highest level of the episodes that opened during the change; 0 for a missed one.
    var level: Int
    /// The days from the last changed day to the end of the last of these episodes; negative where it ended
    /// while the change lasted, nil where it did not end within the series.
    var resolution: Int?
  }

  /// By metric, the outcomes of the series that changed.
  let metrics: [[Outcome]]
  /// By person, the outcome of the first of the changed series that is found.
  let people: [Outcome]

  /// - Parameters:
  ///   - corpus: People with a planted change each.
  ///   - detector: The rule under study.
  init(_ corpus: Corpus, detector: some EpisodeDetector) async {
    let found = await corpus.episodes(of: detector)
    let metricCount = corpus.metricCount
    var metrics = [[Outcome]](repeating: [], count: metricCount)
    var people: [Outcome] = []
    for (block, episodes) in zip(corpus.blocks, found) {
      let bySeries = Dictionary(grouping: episodes, by: \.series)
      for (slot, change) in block.changes.enumerated() {
        guard let change else { continue }
        var best = Outcome(delay: nil, level: 0, resolution: nil)
        for metric in change.metrics.sorted() {
          let outcome = Self.outcome(
            of: change, in: bySeries[slot * metricCount + metric] ?? [])
          metrics[metric].append(outcome)
          if let delay = outcome.delay, best.delay.map({ delay < $0 }) ?? true { best = outcome }
        }
        people.append(best)
      }
    }
    self.metrics = metrics
    self.people = people
  }

  /// An episode that is already active on the first changed day does not find the change.
  static func outcome(of change: PlantedChange, in episodes: [DetectedEpisode]) -> Outcome {
    let during = episodes.filter { (change.onset...change.last).contains($0.opened) }
    guard let first = during.map(\.opened).min(),
      let last = during.max(by: { $0.opened < $1.opened })
    else { return Outcome(delay: nil, level: 0, resolution: nil) }
    return Outcome(
      delay: first - change.onset + 1, level: during.map(\.level).max() ?? 0,
      resolution: last.resolved.map { $0 - change.last })
  }
}

extension [ChangeStudy.Outcome] {
  var delays: Delays { Delays(map(\.delay)) }

  /// Returns, of the changes that were found, the share that reached a level.
  func share(reaching level: Int) -> ExactInterval {
    let found = filter { $0.delay != nil }
    return .binomial(successes: found.count { $0.level >= level }, of: found.count)
  }

  /// The days from the true end to the resolution, of the changes that were found.
  var resolutions: Delays { Delays(filter { $0.delay != nil }.map(\.resolution)) }
}
