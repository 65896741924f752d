import ReferenceKernels
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// Whether a device was worn: the worked cases, and the rules in a slow twin.
@Suite struct WearJudgeTests {
  /// The findings of the builder about one person.
  private struct Found {
    var notWorn: Set<Day> = []
    /// By day, the columns that have a usable value and no observation.
    var partWorn: [Day: Set<String>] = [:]
    var reasons: [Day: WearFinding.Reason] = [:]
    var signs: Set<Day> = []
  }

  private func find(
    _ rows: [Day: [ReferenceWear.Row]], _ thresholds: Thresholds,
    metrics: [MetricThresholds]? = nil
  ) throws -> Found {
    let metrics = metrics ?? thresholds.wearableMetrics
    let sorted = rows.keys.sorted()
    let days = try #require(sorted.first)...#require(sorted.last)
    let block = ObservationBlock(personCount: 1, metricCount: metrics.count, days: days)
    let builder = ObservationBuilder(
      block: block, metrics: metrics, thresholds: thresholds,
      wearColumns: thresholds.wearColumns(beside: metrics) { _ in true })
    let wearDays = WearDays(personCount: 1, days: days, keepsReasons: true)
    let signs = SignsOfLife(personCount: 1, days: days)
    (builder.wearDays, builder.signs) = (wearDays, signs)
    builder.begin()
    for day in sorted {
      for row in rows[day] ?? [] {
        let values = builder.columns.map { row.values[$0.rawValue] ?? .nan }
        let isOtherPositive = row.values.contains { column, value in
          !builder.columns.contains(MetricType(column)) && value > 0 && value.isFinite
        }
        values.withUnsafeBufferPointer {
          builder.append(
            person: 0, day: day, source: builder.index(ofSource: row.source), values: $0,
            isOtherPositive: isOtherPositive, updatedAt: nil)
        }
      }
    }
    builder.finish()
    var found = Found()
    for day in sorted {
      let finding = wearDays.finding(person: 0, day: day)
      found.reasons[day] = finding.reason
      if signs.contains(person: 0, day: day) { found.signs.insert(day) }
      switch finding.wear {
      case .noRow: Issue.record("a day with rows has none")
      case .notWorn: found.notWorn.insert(day)
      case .worn: break
      case .partWorn:
        found.partWorn[day] = []
        for (index, metric) in metrics.enumerated() {
          let hasValue = (rows[day] ?? []).contains { row in
            row.values[metric.metric.rawValue].map {
              $0.isFinite && (metric.plausible?.contains($0) ?? true)
            } ?? false
          }
          if hasValue, block.series(person: 0, metric: index)[day - days.lowerBound].isNaN {
            found.partWorn[day]?.insert(metric.metric.rawValue)
          }
        }
      }
    }
    #expect(builder.quality.nonWearDays == found.notWorn.count)
    #expect(builder.quality.partWornDays == found.partWorn.count)
    #expect(found.signs == Set(sorted).subtracting(found.notWorn))
    return found
  }

  // MARK: Worked cases

  private func rows(of fixture: WearFixture) throws -> [Day: [ReferenceWear.Row]] {
    var result: [Day: [ReferenceWear.Row]] = [:]
    for (text, rows) in fixture.days {
      result[try #require(Day(text))] = rows.map { .init(source: $0.source, values: $0.values) }
    }
    return result
  }

  @Test(
    .enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)),
    arguments: WearFixture.all)
  func workedCases(_ fixture: WearFixture) throws {
    let v3 = try Profiles.named("v3")
    let rows = try rows(of: fixture)
    let found = try find(rows, v3)
    #expect(found.notWorn == Set(fixture.expected.not_worn))
    let partWorn = fixture.expected.part_worn.map { (Day($0.key), Set($0.value)) }
    #expect(found.partWorn.count == partWorn.count)
    for (day, columns) in partWorn { #expect(found.partWorn[try #require(day)] == columns) }
    let twin = ReferenceWear(rows, thresholds: v3, settings: try #require(v3.nonWear))
    #expect(found.notWorn == twin.notWorn)
    #expect(found.partWorn == twin.partWorn)
  }

  @Test(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
  func fixturesAreRead() { #expect(WearFixture.all.count >= 43) }

  // MARK: The twin

  /// Rows of a person whose device lies on the table now and then, or loses its heart rate.
  private func history(_ random: inout SeededGenerator, days: Int) -> [Day: [ReferenceWear.Row]] {
    let first = Day(ordinal: 20_000)
    let usualSteps = Double.random(in: 50...9_000, using: &random).rounded()
    let heartShare = random.pick([0.2, 0.5, 0.8, 1])
    var result: [Day: [ReferenceWear.Row]] = [:]
    for day in first...(first + (days - 1)) where random.chance(0.93) {
      result[day] = []
      for source in ["watch", "phone", "ring"] where source == "watch" || random.chance(0.2) {
        let values = values(&random, usualSteps: usualSteps, heartShare: heartShare)
        result[day]?.append(ReferenceWear.Row(source: source, values: values))
      }
    }
    return result
  }

  private func values(
    _ random: inout SeededGenerator, usualSteps: Double, heartShare: Double
  ) -> [String: Double] {
    var values: [String: Double] = [:]
    func set(_ column: String, _ chance: Double, _ choices: [Double]) {
      if random.chance(chance) { values[column] = random.pick(choices) }
    }
    if random.chance(0.02) { return values }
    let isStill = random.chance(0.15)
    let share = Double.random(in: 0...1.2, using: &random)
    set("steps", 0.9, [isStill ? 0 : (usualSteps * share).rounded()])
    set("movement_minutes", 0.8, isStill ? [0] : [0, 25, 25, 40, -1])
    if !isStill || random.chance(0.2) {
      set("resting_hr", heartShare, [60, 62, 60, 58, 61, 60, 0, 5, 900])
      set("hrv_ms", 0.4, [0, 40, 41])
      set("breathing_rate", 0.2, [-1, 0, 15])
      set("active_calories", 0.3, [0, 200])
    }
    set("sleep_minutes", 0.5, [0, 400, 480, 2_000])
    set("sleep_efficiency_pct", 0.5, [90, 98.9, 99, 99 - 1e-10, 100, 130])
    set("spo2_avg_pct", 0.3, [0, 95, .infinity])
    set("worn_minutes", 0.08, [0, 59, 60, 200, 240, 900, 2_000, -1])
    return values
  }

  private func settings(_ random: inout SeededGenerator) -> NonWearSettings {
    var settings = NonWearSettings()
    guard random.chance(0.5) else { return settings }
    settings.windowDays = Int.random(in: 1...20, using: &random)
    settings.heartDays = Int.random(in: 1...settings.windowDays, using: &random)
    settings.partShare = random.pick([nil, 0.1, 0.25, 1])
    settings.stillSleepPercent = random.pick([nil, 90, 99])
    settings.leastWornMinutes = random.pick([nil, 0, 60])
    return settings
  }

  @Test func theTwinFindsTheSameInWhateverOrderTheRowsOfADayCome() throws {
    var partDays = 0
    for seed in 1...Repetitions.count(fast: 40, long: 2_000) {
      var random = SeededGenerator(seed: seed)
      var thresholds = try Profiles.named("v3")
      thresholds.merge = random.pick([.max, .min, .mean, .prefer(["ring", "watch"])])
      let settings = settings(&random)
      thresholds.nonWear = settings
      let rows = history(&random, days: 90)
      let twin = ReferenceWear(rows, thresholds: thresholds, settings: settings)
      let found = try find(rows, thresholds)
      #expect(found.notWorn == twin.notWorn, "seed \(seed)")
      #expect(found.partWorn == twin.partWorn, "seed \(seed)")
      partDays += found.partWorn.count
      let reordered = try find(rows.mapValues { $0.shuffled(using: &random) }, thresholds)
      #expect(reordered.notWorn == found.notWorn, "seed \(seed)")
      #expect(reordered.partWorn == found.partWorn, "seed \(seed)")
    }
    #expect(partDays > 40)
  }

  // MARK: Properties

  private static let first = Day(ordinal: 20_000)

  /// Sixteen days with a heart rate and about 6,000 steps, then a day with `last`.
  private func day(_ last: [ReferenceWear.Row], _ thresholds: Thresholds) throws -> (
    Found, Day
  ) {
    var rows: [Day: [ReferenceWear.Row]] = [:]
    for offset in 0..<16 {
      rows[Self.first + offset] = [
        .init(
          source: "watch",
          values: ["steps": 6_000, "movement_minutes": 20, "resting_hr": 60])
      ]
    }
    rows[Self.first + 16] = last
    return (try find(rows, thresholds), Self.first + 16)
  }

  @Test(arguments: [
    (59.0, Wear.notWorn), (60, .partWorn), (239, .partWorn), (240, .worn), (1_440, .worn),
    // No minutes of a day: the steps decide.
    (1_441, .partWorn), (-1, .partWorn),
  ])
  func minutesOfTheDeviceBeatBothRules(minutes: Double, expected: Wear) throws {
    let v3 = try Profiles.named("v3")
    let few = ["steps": 200.0, "movement_minutes": 0, "spo2_avg_pct": 95]
    let (found, day) = try day(
      [
        .init(source: "watch", values: few.merging(["worn_minutes": minutes]) { $1 }),
        .init(source: "ring", values: ["worn_minutes": 3]),
      ].filter { (1...1_440).contains(minutes) || $0.source == "watch" }, v3)
    #expect(found.notWorn == (expected == .notWorn ? [day] : []))
    #expect(
      found.partWorn == (expected == .partWorn ? [day: ["steps", "movement_minutes"]] : [:]))
    if (0...1_440).contains(minutes) { #expect(found.reasons[day] == .minutes(minutes)) }
  }

  @Test func minutesAloneShowNoMeasurement() throws {
    var thresholds = try Profiles.named("v3")
    thresholds.nonWear?.leastWornMinutes = nil
    let (found, day) = try day(
      [.init(source: "watch", values: ["worn_minutes": 900])], thresholds)
    #expect(found.notWorn == [day])
    #expect(found.reasons[day] == .nothingPositive)
  }

  @Test func reasonsHoldTheFiguresThatDecided() throws {
    let v3 = try Profiles.named("v3")
    func reason(_ values: [String: Double]) throws -> WearFinding.Reason? {
      let (found, day) = try day([.init(source: "watch", values: values)], v3)
      return found.reasons[day]
    }
    #expect(try reason(["steps": 200]) == .fewSteps(200, usual: 6_000))
    #expect(try reason(["movement_minutes": 0, "hrv_ms": 40]) == .noMovement)
    #expect(try reason(["steps": 0, "spo2_avg_pct": 95]) == .still)
    #expect(try reason(["steps": 0]) == .nothingPositive)
    #expect(try reason(["steps": 0, "resting_hr": 60]) == nil)
    #expect(try reason(["steps": 1_500]) == nil)
  }

  @Test func aProfileWithoutTheRulesTakesEveryDayWithARowForWorn() throws {
    var thresholds = try Profiles.named("v3")
    thresholds.nonWear = nil
    let (found, _) = try day([.init(source: "watch", values: ["steps": 0])], thresholds)
    #expect(found.notWorn.isEmpty && found.partWorn.isEmpty && found.signs.count == 17)
  }

  /// Only values of the profile's metrics have a plausible range; all that is left is the same whatever it follows.
  @Test(
    .enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)),
    arguments: WearFixture.all.filter { !$0.name.contains("cannot be") })
  func theFollowedMetricsDoNotMatter(_ fixture: WearFixture) throws {
    let v3 = try Profiles.named("v3")
    let found = try find(try rows(of: fixture), v3, metrics: [v3.metric("deep_sleep_minutes")])
    #expect(found.notWorn == Set(fixture.expected.not_worn))
    #expect(found.partWorn.count == fixture.expected.part_worn.count)
  }
}
