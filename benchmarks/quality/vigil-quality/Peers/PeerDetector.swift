import VigilLaboratory
import VigilModel

/// A peer's rule as a detector: alarms that follow each other closely are one episode.
///
/// The rules have no episodes of their own. Counting each alarm day would only make them look worse.
struct PeerDetector: TunableDetector {
  var name: String { rule.name }
  let rule: any PeerRule
  let metrics: [MetricPopulation]
  /// One for each metric.
  var thresholds: [Double]

  /// The number of days without an alarm after which the next one is another episode.
  static let quietDays = 7

  init(_ rule: any PeerRule, population: Population) {
    self.rule = rule
    metrics = population.metrics
    thresholds = metrics.map { _ in rule.usualThreshold }
  }

  func makeWorker() -> any EpisodeDetectorWorker { Worker(self) }

  private final class Worker: EpisodeDetectorWorker {
    private let detector: PeerDetector

    init(_ detector: PeerDetector) {
      self.detector = detector
    }

    func episodes(
      in block: ObservationBlock, people: [SimulatedPerson]
    ) -> [DetectedEpisode] {
      var episodes: [DetectedEpisode] = []
      for (slot, person) in people.enumerated() {
        for (index, metric) in detector.metrics.enumerated() {
          guard
            let series = detector.rule.makeSeries(metric: metric, truth: person.metrics[index])
          else { continue }
          find(
            in: UnsafeBufferPointer(block.series(person: slot, metric: index)), of: series,
            number: slot * detector.metrics.count + index,
            threshold: detector.thresholds[index], into: &episodes)
        }
      }
      return episodes
    }

    private func find(
      in values: UnsafeBufferPointer<Double>, of series: any PeerSeries, number: Int,
      threshold: Double, into episodes: inout [DetectedEpisode]
    ) {
      var series = series
      var active: (opened: Int, last: Int)?
      func end(_ run: (opened: Int, last: Int), resolved: Int?) {
        episodes.append(
          DetectedEpisode(
            series: number, opened: run.opened, resolved: resolved,
            level: AlertLevel(duration: run.last - run.opened + 1).rawValue, notifications: 1))
      }
      for day in values.indices {
        if let run = active, day - run.last > PeerDetector.quietDays {
          end(run, resolved: day)
          active = nil
        }
        let value = values[day]
        guard !value.isNaN, let statistic = series.statistic(value, day: day),
          statistic >= threshold
        else { continue }
        series.didAlarm()
        active = (active?.opened ?? day, day)
      }
      if let run = active { end(run, resolved: nil) }
    }
  }
}
