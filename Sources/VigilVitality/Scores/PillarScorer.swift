/// The weighted mean of the values that are not missing: weights are renormalised over them.
struct WeightedMean {
  private var sum = Days.zero
  private var weights = Days.zero
  /// The number of values in the mean.
  private(set) var count = Days.zero

  /// Adds values; NaN ones count as missing.
  @inline(__always)
  mutating func add(_ values: Days, weight: Double) {
    let isThere = values .== values
    sum += (values * weight).replacing(with: 0, where: .!isThere)
    weights.replace(with: weights + weight, where: isThere)
    count.replace(with: count + 1, where: isThere)
  }

  /// Rounded half up; NaN where there is no value.
  @inline(__always)
  var rounded: Days { Tolerance.rounded(sum / weights) }
}

/// The score of one pillar.
struct PillarScorer {
  let weight: Double
  let subMetrics: [(subMetric: SubMetric, weight: Double)]
  /// By age group, then by sub-metric.
  let curves: [[ScoreCurve]]

  init(_ settings: PillarSettings) {
    weight = settings.weight
    subMetrics = settings.subMetrics.map { ($0.subMetric, $0.weight) }
    let groups = settings.subMetrics.first?.bands.indices ?? 0..<0
    curves = groups.map { group in
      settings.subMetrics.map { ScoreCurve($0.bands[group], direction: $0.direction) }
    }
  }

  @inline(__always)
  func scores(_ values: SubMetricValues, ageGroup: Int) -> Days {
    var mean = WeightedMean()
    let curves = curves[ageGroup]
    for index in subMetrics.indices {
      let scores = curves[index].scores(of: values[subMetrics[index].subMetric])
      mean.add(scores, weight: subMetrics[index].weight)
    }
    return mean.rounded
  }
}

/// The scores of eight days, NaN where there is none.
struct ScoredDays {
  let sleep: Days
  let movement: Days
  let stress: Days
  let total: Days
  /// Pillars with a score.
  let pillarCount: Days

  /// - Parameter pillars: Sleep, movement and stress.
  @inline(__always)
  init(_ values: SubMetricValues, pillars: [PillarScorer], ageGroup: Int) {
    sleep = pillars[0].scores(values, ageGroup: ageGroup)
    movement = pillars[1].scores(values, ageGroup: ageGroup)
    stress = pillars[2].scores(values, ageGroup: ageGroup)
    var mean = WeightedMean()
    mean.add(sleep, weight: pillars[0].weight)
    mean.add(movement, weight: pillars[1].weight)
    mean.add(stress, weight: pillars[2].weight)
    total = mean.rounded
    pillarCount = mean.count
  }
}
