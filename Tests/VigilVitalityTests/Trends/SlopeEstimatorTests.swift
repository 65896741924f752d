import ReferenceKernels
import TestSupport
import Testing
import VigilKernels
import VigilModel
import VigilVitality

@Suite struct SlopeEstimatorTests {
  private let settings: SlopeSettings
  /// A Thursday.
  private let firstDay = Day(ordinal: 20_512)

  init() throws {
    settings = try #require(try ShippedSettings.named("v2").trends.slope)
  }

  // MARK: Values

  @Test(arguments: [1, 7], [false, true])
  func slopesAndIntervalsAreThoseOfThePlainTwin(smoothing: Int, weekdays: Bool) throws {
    var settings = settings
    settings.removesWeekdayEffect = weekdays
    settings.minPoints = 12
    let series = RandomSlopes(
      memory: 0.5, smoothingDays: smoothing, slope: 0.02, gapChance: 0.4, weekdayEffect: 1
    ).series(count: 150, seed: smoothing)
    let found = SlopeEstimator(settings: settings).estimates(
      of: series, smoothingDays: smoothing, from: firstDay)
    var compared = 0
    for column in 0..<150 {
      let values = Array(series[column * 28..<(column + 1) * 28])
      let count = values.count { !$0.isNaN }
      #expect((found[column] != nil) == (count >= 12))
      guard let estimate = found[column] else { continue }
      let twin = ReferenceSlope(
        values, weekdays: weekdays ? firstDay.weekday : nil,
        autocorrelation: settings.autocorrelation, smoothingDays: smoothing)
      #expect((estimate.perDay - twin.slope).magnitude <= 1e-10)
      let quantile = StudentT.quantile(
        tail: 1 - settings.confidence, degreesOfFreedom: twin.degreesOfFreedom)
      let reach = quantile * twin.variance.squareRoot()
      #expect((estimate.upper - estimate.perDay - reach).magnitude <= 1e-7 * reach)
      #expect((estimate.perDay - estimate.lower - reach).magnitude <= 1e-7 * reach)
      compared += 1
    }
    #expect(compared > 100)
  }

  @Test func aSeriesAloneHasTheSlopeOfTheBlock() throws {
    let series = RandomSlopes(memory: 0.6, smoothingDays: 7, gapChance: 0.1)
      .series(count: 60, seed: 3)
    let estimator = SlopeEstimator(settings: settings)
    let block = estimator.estimates(of: series, smoothingDays: 7, from: firstDay)
    for column in 0..<60 {
      let alone = estimator.estimates(
        of: Array(series[column * 28..<(column + 1) * 28]), smoothingDays: 7, from: firstDay)[0]
      // To the last bit: batches of any size write the same rows.
      #expect(alone == block[column])
    }
    #expect(block.contains { $0 != nil })
  }

  @Test func anExactLineHasAnExactSlope() throws {
    let line = (0..<28).map { 90 - 0.5 * Double($0) }
    let found = SlopeEstimator(settings: settings).estimates(
      of: line, smoothingDays: 7, from: firstDay)
    let estimate = try #require(found[0])
    #expect((estimate.perDay + 0.5).magnitude <= 1e-12)
    #expect(estimate.upper < -0.49 && estimate.lower > -0.51)
  }

  @Test func weekdaysWithALevelOfTheirOwnDoNotTiltTheLine() throws {
    // Weekends only in the first half: without their level the line would rise.
    let series = (0..<28).map { day -> Double in
      day % 7 >= 5 ? (day < 14 ? 40 : .nan) : 80
    }
    var plain = settings
    plain.removesWeekdayEffect = false
    let with = try #require(
      SlopeEstimator(settings: settings)
        .estimates(of: series, smoothingDays: 1, from: firstDay)[0])
    let without = try #require(
      SlopeEstimator(settings: plain).estimates(of: series, smoothingDays: 1, from: firstDay)[0])
    #expect(with.perDay.magnitude <= 1e-10)
    #expect(without.perDay > 0.3)
  }

  // MARK: Errors of the rule

  /// Of `count` series, the fraction whose interval does not contain 0.
  private func detected(_ slopes: RandomSlopes, count: Int, seed: Int) -> Double {
    let found = SlopeEstimator(settings: settings).estimates(
      of: slopes.series(count: count, seed: seed), smoothingDays: slopes.smoothingDays,
      from: firstDay)
    let judged = found.compactMap { $0 }
    #expect(judged.count > count / 2)
    return Double(judged.count { $0.lower > 0 || $0.upper < 0 }) / Double(judged.count)
  }

  /// Both directions together; more than 4,000 series each.
  @Test(arguments: [1, 7], [0.0, 0.3, 0.6])
  func fewerThanOneInTwentySeriesWithoutATrendShowOne(smoothing: Int, memory: Double) {
    let slopes = RandomSlopes(memory: memory, smoothingDays: smoothing)
    #expect(detected(slopes, count: 4000, seed: 100 + smoothing) < 0.05)
    let gappy = RandomSlopes(memory: memory, smoothingDays: smoothing, gapChance: 0.1)
    #expect(detected(gappy, count: 600, seed: 200 + smoothing) < 0.05)
  }

  /// Slopes in standard deviations of the daily values a day; 0.1 is 2.7 of them over the window.
  @Test(arguments: [
    (7, 0.3, 0.1, 0.5), (7, 0.3, 0.2, 0.9), (7, 0.6, 0.2, 0.8), (1, 0.3, 0.1, 0.3),
    (1, 0.3, 0.2, 0.95), (1, 0.6, 0.1, 0.35),
  ])
  func clearTrendsAreFound(smoothing: Int, memory: Double, slope: Double, atLeast: Double) {
    let rising = RandomSlopes(memory: memory, smoothingDays: smoothing, slope: slope)
    #expect(detected(rising, count: 1000, seed: 300) > atLeast)
    let falling = RandomSlopes(memory: memory, smoothingDays: smoothing, slope: -slope)
    #expect(detected(falling, count: 1000, seed: 301) > atLeast)
  }

  // MARK: Through the scores

  /// 28 days of scores of persons whose metrics are AR(1) around the middle of their bands, by
  /// pillar; integers, as scores are.
  private func scoredSeries(
    persons: Int, memory: Double, slope: Double = 0, seed: Int
  ) throws -> [Double] {
    let scores = try ShippedSettings.named("v2").scores
    // Level and standard deviation of a day, in the order of the columns.
    let levels: [(Double, Double)] = [
      (400, 25), (55, 8), (70, 8), (270, 20), (40, 6), (86, 2), (25, 4), (7000, 900), (250, 40),
      (55, 5), (68, 3), (11.5, 0.6),
    ]
    let days = firstDay - (scores.reachDays - 1)...firstDay + 27
    let block = ObservationBlock.forVitality(personCount: persons, days: days)
    var random = SeededGenerator(seed: seed)
    for person in 0..<persons {
      for (metric, level) in levels.enumerated() {
        var noise = Noise(memory: memory, &random)
        let series = block.series(person: person, metric: metric)
        for day in series.indices {
          let trend = slope * Double(day - series.count + 1)
          series[day] = level.0 + level.1 * (noise.next(&random) + trend)
          if random.chance(0.04) { series[day] = .nan }
        }
      }
    }
    let found = ScoreBlock(personCount: persons, days: firstDay...firstDay + 27)
    VitalityScorer(settings: scores)
      .score(block, birthDates: Array(repeating: nil, count: persons), into: found)
    return Pillar.scored.flatMap { pillar in
      (0..<persons).flatMap { person in
        found.days.map { day in
          found.score(of: pillar, person: person, day: day).map { Double($0) } ?? .nan
        }
      }
    }
  }

  private func detected(_ series: [Double]) -> Double {
    let found = SlopeEstimator(settings: settings)
      .estimates(of: series, smoothingDays: settings.smoothingDays, from: firstDay)
      .compactMap { $0 }
    #expect(found.count == series.count / 28)
    return Double(found.count { $0.lower > 0 || $0.upper < 0 }) / Double(found.count)
  }

  @Test(arguments: [0.0, 0.3, 0.6])
  func fewerThanOneInTwentyPillarsOfPersonsWithoutATrendShowOne(memory: Double) throws {
    #expect(detected(try scoredSeries(persons: 1000, memory: memory, seed: 400)) < 0.05)
  }

  @Test(arguments: [0.1, -0.1])
  func pillarsOfPersonsWhoChangeShowIt(slope: Double) throws {
    let series = try scoredSeries(persons: 200, memory: 0.3, slope: slope, seed: 500)
    #expect(detected(series) > 0.4)
  }
}
