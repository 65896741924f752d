import TestSupport
import VigilDetection
import VigilModel

/// Random histories of some persons, and what the fold makes of them.
struct RandomBlock {
  static let first = Day(ordinal: 20_000)

  var metrics: [MetricThresholds]
  /// By person and metric, one value a day.
  var histories: [[RandomSeries]]

  var seriesCount: Int { histories.count * metrics.count }

  init(seed: Int, persons: Int, days: Int, metrics: [MetricThresholds]) {
    self.metrics = metrics
    histories = (0..<persons).map { person in
      metrics.indices.map { metric in
        RandomSeries(seed: (seed * 1000 + person) * 100 + metric, days: days)
      }
    }
  }

  /// Workout days of a person, the same for all metrics.
  func workouts(person: Int) -> Set<Int> { histories[person][0].workouts }

  func map(_ change: ([Double]) -> [Double]) -> RandomBlock {
    var block = self
    for person in histories.indices {
      for metric in metrics.indices {
        block.histories[person][metric].values = change(histories[person][metric].values)
      }
    }
    return block
  }

  /// Folds the first `days` days of the histories.
  func fold(
    days: Int, under thresholds: Thresholds, sensitivity: [Int: PersonalSensitivity] = [:]
  ) -> FoldResult {
    let last = Self.first + (days - 1)
    let block = ObservationBlock(
      personCount: histories.count, metricCount: metrics.count, days: Self.first...last)
    for person in histories.indices {
      for metric in metrics.indices {
        _ = block.series(person: person, metric: metric)
          .update(fromContentsOf: histories[person][metric].values[..<days])
      }
      for day in workouts(person: person) {
        block.addWorkout(person: person, day: Self.first + day)
      }
    }
    var result = FoldResult()
    BlockFold(thresholds: thresholds, metrics: metrics).fold(
      block, over: FoldWindow(wholeHistory: block.days), sensitivity: sensitivity, into: &result)
    return result
  }
}

extension FoldResult {
  /// Notifications with the series and first day of their episodes instead of an index.
  var tellings: [Telling] {
    newLevels.map {
      Telling(
        series: episodes[$0.episode].series,
        activeSince: episodes[$0.episode].episode.activeSince, day: $0.day, level: $0.level,
        deviation: $0.figures?.deviation)
    }
  }
}

/// A notification on its own.
struct Telling: Hashable {
  var series: Int
  var activeSince: Day
  var day: Day
  var level: AlertLevel
  var deviation: Double?
}
