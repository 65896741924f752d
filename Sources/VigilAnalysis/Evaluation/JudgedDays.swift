public import VigilDetection
public import VigilModel

/// The days of persons on which a profile could judge a metric, and the labels that it could find.
///
/// A day of a metric is *judged* where it has a value and, with the days of the horizon before it, at least as many
/// values as the profile needs. Alerts are counted in years of judged days: a month without data adds nothing. A label of which no
/// day is judged is no miss.
public struct JudgedDays: Sendable {
  private let days: ClosedRange<Day>
  private let metrics: [(name: MetricType, horizonDays: Int, fewest: Int)]
  private let labels: [LabelledChange]
  private let labelsByPerson: [UUID: [Int]]

  /// Days on which at least one metric of a person was judged.
  public private(set) var personDays = 0
  /// Persons with such a day.
  public private(set) var persons = 0
  /// By label, whether a day was judged from its first day to `LabelledChange.grace` days after its last.
  ///
  /// Labels of doses always count as judged.
  public private(set) var isJudged: [Bool]

  /// - Parameters:
  ///   - metrics: The metrics of the blocks, in their order.
  ///   - thresholds: The profile.
  ///   - days: The evaluated days.
  ///   - labels: The changes that are known to have happened.
  public init(
    of metrics: [MetricThresholds], by thresholds: Thresholds, over days: ClosedRange<Day>,
    labels: [LabelledChange]
  ) {
    self.days = days
    self.labels = labels
    self.metrics = metrics.map { metric in
      let history = thresholds.history(of: metric)
      return (metric.metric, history.horizonDays, history.fewest)
    }
    labelsByPerson = Dictionary(grouping: labels.indices) { labels[$0].person }
    isJudged = labels.map { $0.metric == .doseAdherence }
  }

  /// Adds persons whose values are in a block.
  ///
  /// - Parameters:
  ///   - block: The values of persons, on the evaluated days and as many before as the profile looks at.
  ///   - persons: Those of the block, in its order.
  /// - Complexity: O(values of the block).
  public mutating func add(_ block: ObservationBlock, of persons: [UUID]) {
    let first = block.days.lowerBound
    var isAnyJudged = [Bool](repeating: false, count: block.dayCount)
    for (index, person) in persons.enumerated() {
      for day in isAnyJudged.indices { isAnyJudged[day] = false }
      let labels = labelsByPerson[person] ?? []
      for (place, metric) in metrics.enumerated() {
        let series = block.series(person: index, metric: place)
        var count = 0
        for day in series.indices {
          if day > metric.horizonDays, !series[day - metric.horizonDays - 1].isNaN { count -= 1 }
          guard !series[day].isNaN else { continue }
          count += 1
          guard count >= metric.fewest, days.contains(first + day) else { continue }
          isAnyJudged[day] = true
          note(first + day, metric.name, of: labels)
        }
      }
      let judged = isAnyJudged.count { $0 }
      personDays += judged
      self.persons += judged > 0 ? 1 : 0
    }
  }

  private mutating func note(_ day: Day, _ metric: MetricType, of places: [Int]) {
    for place in places where !isJudged[place] {
      let label = labels[place]
      isJudged[place] =
        (label.metric ?? metric) == metric && day >= label.days.lowerBound
        && day <= label.days.upperBound + LabelledChange.grace
    }
  }
}
