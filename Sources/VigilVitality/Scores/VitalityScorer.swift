import VigilKernels
public import VigilModel

/// Computes the scores of blocks of persons (specification, vitality.md section 1).
///
/// ```swift
/// import ShippedThresholds
///
/// guard let day = Day("2026-06-30") else { return }
/// let file = Data(ShippedThresholds.named("vitality.v1") ?? [])
/// let settings = try VitalitySettings(json: file, file: "vitality.v1.json", digest: "")
/// let days = (day - 13)...day
/// let block = ObservationBlock.forVitality(personCount: 1, days: days)
/// for metric in VitalityMetric.allCases {
///   for index in 0..<block.dayCount {
///     block.series(person: 0, metric: metric.rawValue)[index] =
///       switch metric.column.rawValue {
///       case "sleep_minutes": 450
///       case "steps": 6_000
///       case "hrv_ms": 45
///       case "resting_hr": 60
///       default: .nan
///       }
///   }
/// }
/// let scores = ScoreBlock(personCount: 1, days: day...day)
/// VitalityScorer(settings: settings.scores).score(block, birthDates: [day - 70 * 365], into: scores)
/// print(scores.score(of: .sleep, person: 0, day: day) ?? -1)  // 86
/// print(scores.total(person: 0, day: day) ?? -1)  // 83
/// ```
///
/// Keeps its working memory from block to block; one thread uses one instance.
public final class VitalityScorer {
  public let settings: ScoreSettings

  let pillars: [PillarScorer]
  private var means: WindowMeans?

  public init(settings: ScoreSettings) {
    self.settings = settings
    pillars = settings.pillars.map(PillarScorer.init)
    BLASLibrary.useOneThread()
  }

  /// Computes every row of `scores` that did not come from elsewhere.
  ///
  /// Days before `block` begins count as days without values; it should therefore begin
  /// `settings.reachDays - 1` days before `scores`.
  ///
  /// - Parameters:
  ///   - block: As `ObservationBlock.forVitality` makes it.
  ///   - birthDates: By person; nil where it is unknown.
  ///   - scores: Persons as in `block`, days within it.
  /// - Complexity: O(persons x metrics x days of `block`).
  public func score(_ block: ObservationBlock, birthDates: [Day?], into scores: ScoreBlock) {
    precondition(block.metricCount == VitalityMetric.allCases.count)
    precondition(block.personCount == scores.personCount && birthDates.count == block.personCount)
    precondition(
      block.days.contains(scores.days.lowerBound) && block.days.contains(scores.days.upperBound))
    let means = windowMeans(dayCount: block.dayCount)
    var first = 0
    while first < block.personCount {
      let tile = first..<min(first + means.personsPerTile, block.personCount)
      means.compute(tile, of: block)
      for person in tile {
        score(
          person, slot: person - first, of: means, born: birthDates[person],
          offset: scores.days.lowerBound - block.days.lowerBound, into: scores)
      }
      first = tile.upperBound
    }
  }

  func windowMeans(dayCount: Int) -> WindowMeans {
    if let means, means.dayCount == dayCount { return means }
    let means = WindowMeans(
      window: settings.windowDays, lookback: settings.lookbackDays, dayCount: dayCount)
    self.means = means
    return means
  }

  /// - Parameter offset: Index in the block of the first scored day.
  private func score(
    _ person: Int, slot: Int, of means: WindowMeans, born birthDate: Day?, offset: Int,
    into scores: ScoreBlock
  ) {
    let dayCount = scores.dayCount
    scores.withPerson(person) { columns, origins in
      var day = 0
      while day < dayCount {
        let group = settings.ageGroup(born: birthDate, on: scores.days.lowerBound + day)
        let end = endOfGroup(group, born: birthDate, in: scores.days)
        while day < end {
          let count = min(8, end - day)
          let values = SubMetricValues(means, slot: slot, day: offset + day)
          let row = ScoredDays(values, pillars: pillars, ageGroup: group)
          for lane in 0..<count where origins[day + lane] != .foreign {
            let isRow = row.pillarCount[lane] >= Double(settings.minPillars)
            origins[day + lane] = isRow ? .computed : .none
            let cell = columns + day + lane
            cell[ScoreBlock.Column.sleep.rawValue * dayCount] = byte(row.sleep[lane], isRow)
            cell[ScoreBlock.Column.movement.rawValue * dayCount] = byte(row.movement[lane], isRow)
            cell[ScoreBlock.Column.stress.rawValue * dayCount] = byte(row.stress[lane], isRow)
            cell[ScoreBlock.Column.total.rawValue * dayCount] = byte(row.total[lane], isRow)
          }
          day += count
        }
      }
    }
  }

  @inline(__always)
  private func byte(_ score: Double, _ isRow: Bool) -> UInt8 {
    isRow && score == score ? UInt8(truncatingIfNeeded: Int(score)) : ScoreBlock.none
  }

  /// Index of the first of `days` on which a person of `group` belongs to the next one.
  private func endOfGroup(_ group: Int, born birthDate: Day?, in days: ClosedRange<Day>) -> Int {
    let count = days.upperBound - days.lowerBound + 1
    guard let birthDate, let years = settings.ageGroups[group].below,
      let birthday = birthDate.birthday(years)
    else { return count }
    return min(count, birthday - days.lowerBound)
  }
}
