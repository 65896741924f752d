public import VigilModel

/// The scores of one day with all that they are computed from (specification, vitality.md section 1).
public struct ScoreExplanation: Hashable, Sendable {
  public var day: Day
  /// The name of the age group whose bands count.
  public var ageGroup: String
  /// Nil where fewer pillars have a score than a row needs.
  public var total: Int?
  public var pillars: [Pillar]

  /// A pillar with its sub-metrics.
  public struct Pillar: Hashable, Sendable {
    public var pillar: VigilModel.Pillar
    /// In the total, before missing pillars are left out.
    public var weight: Double
    /// Nil where no sub-metric has a value.
    public var score: Int?
    public var parts: [Part]
  }

  /// A sub-metric of a pillar.
  public struct Part: Hashable, Sendable {
    public var subMetric: SubMetric
    public var direction: ScoreDirection
    public var bands: ScoreBands
    /// In the pillar, before missing sub-metrics are left out.
    public var weight: Double
    /// From the window of days, in the sub-metric's unit; nil where missing.
    public var value: Double?
    public var score: Int?
    /// The points of its pillar that it costs: its share of the weights times what it lacks to 100; 0 where
    /// missing.
    public var lostPoints: Double
  }
}

extension VitalityScorer {
  /// Computes the scores of one person on one day again, and keeps every step.
  ///
  /// - Parameters:
  ///   - block: Metrics in the order of `VitalityMetric`, from `settings.reachDays - 1` days before `day` on.
  ///   - person: The index of the person in the block.
  ///   - birthDate: Nil where it is not known.
  ///   - day: One of the days of the block.
  /// - Complexity: O(days of the block) for each person of a tile.
  public func explain(
    _ block: ObservationBlock, person: Int, born birthDate: Day?, on day: Day
  ) -> ScoreExplanation {
    precondition(block.metricCount == VitalityMetric.allCases.count && block.days.contains(day))
    let means = windowMeans(dayCount: block.dayCount)
    means.compute(person..<person + 1, of: block)
    let group = settings.ageGroup(born: birthDate, on: day)
    let values = SubMetricValues(means, slot: 0, day: day - block.days.lowerBound)
    let row = ScoredDays(values, pillars: pillars, ageGroup: group)
    let isRow = row.pillarCount[0] >= Double(settings.minPillars)
    func whole(_ score: Double) -> Int? { score == score ? Int(clamping: score) : nil }
    let scores = [row.sleep[0], row.movement[0], row.stress[0]].map(whole)
    return ScoreExplanation(
      day: day, ageGroup: settings.ageGroups[group].name, total: isRow ? whole(row.total[0]) : nil,
      pillars: zip(settings.pillars, zip(pillars, scores)).map { pillar, computed in
        let (scorer, score) = computed
        let parts = pillar.subMetrics.enumerated().map { index, part in
          let value = values[part.subMetric][0]
          let points = whole(scorer.curves[group][index].scores(of: values[part.subMetric])[0])
          return ScoreExplanation.Part(
            subMetric: part.subMetric, direction: part.direction, bands: part.bands[group],
            weight: part.weight, value: value == value ? value : nil, score: points, lostPoints: 0)
        }
        return ScoreExplanation.Pillar(
          pillar: pillar.pillar, weight: pillar.weight, score: score,
          parts: Self.withLostPoints(parts))
      })
  }

  private static func withLostPoints(_ parts: [ScoreExplanation.Part]) -> [ScoreExplanation.Part] {
    let weights = parts.reduce(0) { $0 + ($1.score == nil ? 0 : $1.weight) }
    return parts.map { part in
      var part = part
      part.lostPoints = part.score.map { part.weight / weights * Double(100 - $0) } ?? 0
      return part
    }
  }
}
