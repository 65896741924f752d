import ReferenceKernels
import TestSupport
import Testing
import VigilKernels
import VigilModel

@testable import VigilDetection

/// The days that lanes leave out, and those that a look at each day leaves out, beside a computation of each day in full.
@Suite struct LaneScreenTests {
  private static let first = Day(ordinal: 20_000)

  private struct Found {
    var days = 0
    var left = 0
    /// Days that are left where each is looked at alone.
    var leftByDay = 0
    var deviating = 0
  }

  /// Looks at each day of a series in sections of random length, and computes it in full.
  ///
  /// - Parameter changes: Days from which on only newer observations count, ascending.
  private func compare(
    _ values: [Double], of metric: MetricThresholds, _ settings: EvidenceSettings,
    changes: [Int] = [], label: Comment, using random: inout SeededGenerator
  ) throws -> Found {
    let evidence = try #require(metric.evidence)
    let judge = EvidenceJudge(metric, evidence, settings)
    let workspace = EvidenceWorkspace(days: Self.first...Self.first + (values.count - 1))
    let series = values.withUnsafeBufferPointer { workspace.load($0, for: judge) }
    var found = Found()
    let lanes = judge.lanes
    #expect(lanes.isUsable)
    judge.dayScreen.reset()
    lanes.begin(series, places: 0..<series.count, fresh: 0, dayCount: values.count)
    func first(of place: Int) -> Int {
      let day = Int(series.days[place])
      return series.place(
        from: max(day - settings.horizonDays, changes.last { $0 <= day } ?? .min))
    }
    var place = 0
    while place < series.count {
      guard settings.poolSize(eligible: place - first(of: place) + 1) > 0 else {
        place += 1
        continue
      }
      let most = Int.random(in: 1...LaneScreen.sectionLength, using: &random)
      var firsts: [Int] = []
      while place + firsts.count < series.count, firsts.count < most {
        let own = first(of: place + firsts.count)
        if settings.poolSize(eligible: place + firsts.count - own + 1) == 0 { break }
        firsts.append(own)
      }
      let section = place..<place + firsts.count
      let candidates = firsts.withUnsafeBufferPointer { firsts in
        firsts.baseAddress.map { lanes.candidates(section, first: $0) ?? .max } ?? 0
      }
      for last in section {
        let (pool, guardCount) = lanes.pool(of: last, first: firsts[last - place])
        let window = judge.deviatingWindow(
          endingAt: last, of: series, guardCount: guardCount, fresh: last + 1,
          pool: judge.pool(pool, of: series))
        let isLeft = candidates >> UInt32(last - place) & 1 == 1
        #expect(isLeft || window == nil, label)
        let isLeftByDay = judge.dayScreen.mayDeviate(
          last, pool: pool, longest: min(guardCount, last - firsts[last - place] + 1), of: series)
        #expect(isLeftByDay || window == nil, label)
        found.days += 1
        found.leftByDay += isLeftByDay ? 1 : 0
        found.left += isLeft ? 1 : 0
        found.deviating += window == nil ? 0 : 1
      }
      place = section.upperBound
    }
    return found
  }

  /// The usual value of a metric, and a usual distance from it, in its unit.
  private static let usual: [String: (value: Double, spread: Double)] = [
    "steps": (8_000, 3_000), "sleep_minutes": (420, 60), "hrv_ms": (50, 12),
    "resting_hr": (62, 2.5), "sleep_efficiency_pct": (88, 3), "movement_minutes": (45, 25),
    "deep_sleep_minutes": (75, 20),
  ]

  @Test func noHardDayIsLeftOut() throws {
    let thresholds = try Profiles.named("v3")
    var found = Found()
    for seed in 0..<Repetitions.count(fast: 40, long: 1500) {
      for (index, twin) in ReferenceEvidence.Metric.v3.enumerated() {
        let usual = try #require(Self.usual[twin.name])
        var random = SeededGenerator(seed: seed * 7 + index)
        let values = HardSeries.random(
          usual: usual.value, spread: usual.spread, using: &random)
        let changes = (0..<Int.random(in: 0...2, using: &random))
          .map { _ in Int.random(in: 0..<values.count, using: &random) }.sorted()
        let own = try compare(
          values, of: try thresholds.metric(twin.name), thresholds.evidence, changes: changes,
          label: "seed \(seed), \(twin.name)", using: &random)
        found.days += own.days
        found.left += own.left
        found.leftByDay += own.leftByDay
        found.deviating += own.deviating
      }
    }
    #expect(found.days >= 20_000)
    #expect(found.deviating * 100 >= found.days)
  }

  @Test func mostUsualDaysAreLeftOut() throws {
    let thresholds = try Profiles.named("v3")
    var found = Found()
    for seed in 0..<Repetitions.count(fast: 20, long: 400) {
      for (index, twin) in ReferenceEvidence.Metric.v3.enumerated() {
        var random = SeededGenerator(seed: seed * 7 + index)
        let history = twin.randomCase(using: &random)
        guard let last = history.series.last?.day, let first = history.series.first?.day else {
          continue
        }
        var values = Array(repeating: Double.nan, count: last - first + 1)
        for (day, value) in history.series { values[day - first] = value }
        let own = try compare(
          values, of: try thresholds.metric(twin.name), thresholds.evidence,
          label: "seed \(seed), \(twin.name)", using: &random)
        found.days += own.days
        found.left += own.left
        found.leftByDay += own.leftByDay
        found.deviating += own.deviating
      }
    }
    // Far fewer on people in whom little changes.
    #expect(found.left - found.deviating <= found.days / 4)
    #expect(found.leftByDay - found.deviating <= found.days / 4)
  }

  @Test(arguments: [[3], [3, 7, 14], [2, 3, 5, 8, 13, 21, 34, 40]])
  func otherSettingsHold(windows: [Int]) throws {
    let thresholds = try Profiles.named("v3")
    var settings = thresholds.evidence
    settings.windows = windows
    settings.guardDays = 40
    settings.baselineDays = 200
    settings.horizonDays = 300
    settings.clip = 4
    settings.held = 0.4
    settings.driftAllowance = 0.05
    for seed in 0..<Repetitions.count(fast: 10, long: 200) {
      // Days may also be taken for independent.
      settings.mostAutocorrelation = [0.95, 0.3, 0][seed % 3]
      for (index, twin) in ReferenceEvidence.Metric.v3.enumerated() {
        let usual = try #require(Self.usual[twin.name])
        var random = SeededGenerator(seed: seed * 7 + index)
        let values = HardSeries.random(
          usual: usual.value, spread: usual.spread, using: &random)
        _ = try compare(
          values, of: try thresholds.metric(twin.name), settings,
          label: "seed \(seed), \(twin.name)", using: &random)
      }
    }
  }

  /// A file may give a threshold for each size of the baseline.
  @Test func eachSizeOfTheBaselineHasItsOwnThreshold() throws {
    let thresholds = try Profiles.named("v3")
    var settings = thresholds.evidence
    settings.baselineDays = 320
    settings.horizonDays = 400
    var metric = try thresholds.metric("steps")
    // Baselines of more observations than a byte counts need far less.
    metric.evidence?.thresholds = EvidenceThresholds(
      Dictionary(uniqueKeysWithValues: (1...320).map { ($0, $0 < 280 ? 100 : 2) }))
    var found = Found()
    for seed in 0..<Repetitions.count(fast: 10, long: 200) {
      var random = SeededGenerator(seed: seed)
      let values = (0..<380).map { day in
        8_000 * Double.random(in: 0.7...1.3, using: &random) - (day < 340 ? 0 : 3_000)
      }
      let own = try compare(values, of: metric, settings, label: "seed \(seed)", using: &random)
      found.deviating += own.deviating
    }
    #expect(found.deviating > 0)
  }
}
