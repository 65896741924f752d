import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The persons and metrics whose limits are followed, and the levels that a limit covers.
@Suite struct BlockLimitFoldTests {
  private let first = Day(ordinal: 20_000)
  private let oxygen = MetricType("spo2_avg_pct")
  private let pulse = MetricType("resting_hr")

  private func personal(_ limit: CriticalLimit) -> PersonLimit {
    PersonLimit(limit, on: first...(first + 100), setBy: "Dr. Lee")
  }

  @Test func aPersonWithoutLimitHasNoSeries() {
    let fold = BlockLimitFold(metrics: [oxygen, pulse], everybody: [])
    let stored: [LimitSeries] = []
    #expect(fold.series(personCount: 1_000, personal: [:], stored: stored).isEmpty)
    let own = [7: [personal(CriticalLimit(metric: oxygen, .below, 90))]]
    #expect(
      fold.series(personCount: 1_000, personal: own, stored: stored)
        == [LimitSeries(person: 7, metric: oxygen, pattern: .belowLimit)])
  }

  @Test func aLimitOfAMetricThatIsNotFollowedHasNoEffect() {
    let fold = BlockLimitFold(metrics: [pulse], everybody: [])
    let own = [0: [personal(CriticalLimit(metric: oxygen, .below, 90))]]
    let stored: [LimitSeries] = []
    #expect(fold.series(personCount: 1, personal: own, stored: stored).isEmpty)
  }

  @Test func offTurnsOffTheLimitsOfEverybodyAndKeepsThoseOfThePerson() {
    let fold = BlockLimitFold(
      metrics: [oxygen], everybody: [CriticalLimit(metric: oxygen, .below, 85)])
    let own = [1: [personal(CriticalLimit(metric: oxygen, .below, 90))]]
    let off = PersonalSensitivity([oxygen: .off])
    let series = fold.series(
      personCount: 3, personal: own, sensitivity: [0: off, 1: off], stored: [LimitSeries]())
    #expect(series.map(\.person) == [1, 2])
    let days = first...(first + 3)
    let block = ObservationBlock(personCount: 3, metricCount: 1, days: days)
    for person in 0..<3 {
      for index in 0..<4 { block.series(person: person, metric: 0)[index] = 88 }
    }
    var result = FoldResult()
    fold.fold(
      series, of: block, personal: own, sensitivity: [0: off, 1: off],
      over: FoldWindow(wholeHistory: days), into: &result)
    // 88 is below the limit of the person, and above that of everybody.
    #expect(result.episodes.map(\.series) == [0])
    #expect(result.episodes.first?.episode.limit?.limit == 90)
  }

  @Test func bothDirectionsAreSeriesOfTheirOwn() {
    let limits = [
      CriticalLimit(metric: pulse, .above, 100), CriticalLimit(metric: pulse, .below, 40),
    ]
    let fold = BlockLimitFold(metrics: [pulse], everybody: limits)
    let series = fold.series(personCount: 1, personal: [:], stored: [LimitSeries]())
    #expect(series.map(\.pattern) == [.aboveLimit, .belowLimit])
    let days = first...(first + 3)
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
    for (index, value) in [110.0, 35, 36, 37].enumerated() {
      block.series(person: 0, metric: 0)[index] = value
    }
    var result = FoldResult()
    fold.fold(series, of: block, over: FoldWindow(wholeHistory: days), into: &result)
    #expect(result.episodes.map(\.episode.activeSince) == [first, first + 1])
    #expect(result.episodes.map(\.episode.isActive) == [false, true])
  }

  @Test func anAlertOfADeviceThatFellSilentBeforeTheLoadedDaysEnds() {
    let fold = BlockLimitFold(
      metrics: [oxygen], everybody: [CriticalLimit(metric: oxygen, .below, 90)])
    let series = [LimitSeries(person: 0, metric: oxygen, pattern: .belowLimit)]
    let night = first + 200
    let window = FoldWindow(
      evaluating: night...night, thresholds: Thresholds(version: "", digest: "", metrics: []))
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: window.loaded)
    var stored = Episode(
      activeSince: first, lastEvaluated: first, duration: 1, level: .day7,
      figures: EpisodeFigures(88, beyond: 90, on: first, since: first))
    stored.limit = LimitEvidence(
      openedOn: first, days: 1, value: 88, limit: 90, level: .day7)
    var result = FoldResult()
    fold.fold(series, of: block, over: window, stored: [0: [stored]], into: &result)
    #expect(result.episodes.first?.episode.resolution?.reason == .noData)
  }

  // MARK: Levels that a limit covers

  /// Levels 3 and 7 of one alert of a metric, which opened on the second day.
  private func ofMetric() -> FoldResult {
    let days = first...(first + 41)
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
    for index in 0..<42 { block.series(person: 0, metric: 0)[index] = index < 30 ? 60 : 90 }
    let rules = [MetricRule(.percentRiseAtLeast, 0.3)]
    let metric = MetricThresholds(metric: pulse, unit: "bpm", pattern: .rise, rules: rules)
    let thresholds = Thresholds(version: "mine", digest: "", metrics: [metric])
    var result = FoldResult()
    BlockFold(thresholds: thresholds, metrics: [metric]).fold(
      block, over: FoldWindow(wholeHistory: days), into: &result)
    return result
  }

  @Test func aCoveredLevelIsMarkedAndComesWhenTheLimitHasEnded() throws {
    let plain = ofMetric()
    let levels = plain.levels
    try #require(levels.map(\.level) == [.day3, .day7])
    let (three, seven) = (levels[0].day, levels[1].day)
    var covered = plain
    covered.cover(by: [0: [three..<(three + 2)]], through: first + 41)
    #expect(covered.levels.map(\.day) == [three + 2, seven])
    #expect(covered.levels.allSatisfy { !$0.isCovered })
    #expect(covered.levels[0].duration == levels[0].duration + 2)
    covered = plain
    covered.cover(by: [0: [three..<(seven + 1)]], through: first + 41)
    #expect(covered.levels.map(\.isCovered) == [true, false])
    #expect(covered.levels.map(\.day) == [three, seven + 1])
    covered = plain
    covered.cover(by: [0: [first..<(first + 90)]], through: first + 41)
    #expect(covered.levels.map(\.isCovered) == [true, true])
    covered = plain
    covered.cover(by: [1: [first..<(first + 90)]], through: first + 41)
    #expect(covered.levels == plain.levels)
  }
}
