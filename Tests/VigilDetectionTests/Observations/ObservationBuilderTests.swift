import TestSupport
import Testing
import VigilDetection
import VigilModel

@Suite struct ObservationBuilderTests {
  /// One row as a reader sends it; nil is an empty column.
  private struct Row {
    var person = 0
    var day: Int
    var source: String
    var values: [Double?]
    /// Whether a column that is no metric of the block is above 0.
    var hasOtherPositive = false
    var updatedAt: Timestamp?
  }

  private static let first = Day(ordinal: 20_000)

  private let block = ObservationBlock(
    personCount: 2, metricCount: 2, days: Self.first...(Self.first + 4))

  private func thresholds(
    merge: SourceMerge = .max, nonWear: Bool = false,
    plausible: [ClosedRange<Double>?] = [nil, nil]
  ) -> Thresholds {
    var thresholds = Thresholds(
      version: "test", digest: "",
      metrics: zip(["hrv_ms", "steps"], plausible).map { name, range in
        MetricThresholds(
          metric: MetricType(name), unit: "", pattern: .drop,
          rules: [.init(.percentDropAtLeast, 0.25)], plausible: range)
      })
    thresholds.merge = merge
    thresholds.nonWear = nonWear ? NonWearSettings() : nil
    return thresholds
  }

  /// Builds observations of `rows`, which are grouped by person and day.
  @discardableResult
  private func build(_ rows: [Row], _ thresholds: Thresholds) -> ObservationBuilder {
    block.reset(personCount: 2, days: block.days)
    let builder = ObservationBuilder(
      block: block, metrics: thresholds.metrics, thresholds: thresholds)
    builder.begin()
    for row in rows { append(row, to: builder) }
    builder.finish()
    return builder
  }

  private func append(_ row: Row, to builder: ObservationBuilder) {
    let values = row.values.map { $0 ?? .nan }
    values.withUnsafeBufferPointer {
      builder.append(
        person: row.person, day: Self.first + row.day,
        source: builder.index(ofSource: row.source), values: $0,
        isOtherPositive: row.hasOtherPositive, updatedAt: row.updatedAt)
    }
  }

  private func series(person: Int = 0, metric: Int = 0) -> [Double?] {
    block.series(person: person, metric: metric).map { $0.isNaN ? nil : $0 }
  }

  // MARK: Merging

  @Test(arguments: [
    (SourceMerge.max, [40.0, 9000.0]), (.min, [30, 7000]), (.mean, [35, 8000]),
    (.prefer(["ring"]), [30, 8000]), (.prefer(["scale", "watch"]), [40, 9000]),
    (.prefer(["phone", "ring"]), [30, 7000]),
    // None of the named sources: the first by the alphabet.
    (.prefer(["scale"]), [30, 7000]),
  ])
  func sourcesMergeWhateverTheirOrder(merge: SourceMerge, expected: [Double]) {
    let rows = [
      Row(day: 1, source: "watch", values: [40, 9000]),
      Row(day: 1, source: "ring", values: [30, 8000]),
      Row(day: 1, source: "phone", values: [nil, 7000]),
    ]
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    for order in orders {
      build(order.map { rows[$0] }, thresholds(merge: merge))
      let label: Comment = "\(merge), order \(order)"
      #expect(series(metric: 0) == [nil, expected[0], nil, nil, nil], label)
      #expect(series(metric: 1) == [nil, expected[1], nil, nil, nil], label)
    }
  }

  @Test func daysAndPersonsDoNotMerge() {
    build(
      [
        Row(day: 0, source: "watch", values: [40, 1]),
        Row(day: 1, source: "watch", values: [50, 2]),
        Row(person: 1, day: 1, source: "watch", values: [60, nil]),
        Row(person: 1, day: 4, source: "watch", values: [nil, 0]),
      ], thresholds())
    #expect(series(person: 0, metric: 0) == [40, 50, nil, nil, nil])
    #expect(series(person: 0, metric: 1) == [1, 2, nil, nil, nil])
    #expect(series(person: 1, metric: 0) == [nil, 60, nil, nil, nil])
    #expect(series(person: 1, metric: 1) == [nil, nil, nil, nil, 0])
  }

  // MARK: Rejected values

  @Test func infinityIsMissingAndCountedEmptyColumnsAreNot() {
    let builder = build(
      [
        Row(day: 0, source: "watch", values: [.infinity, nil]),
        Row(day: 1, source: "watch", values: [-.infinity, 5]),
        Row(day: 1, source: "ring", values: [45, nil]),
      ], thresholds())
    #expect(series(metric: 0) == [nil, 45, nil, nil, nil])
    #expect(series(metric: 1) == [nil, 5, nil, nil, nil])
    #expect(builder.quality.count(metric: 0, reason: .notFinite) == 2)
    #expect(builder.quality.count(metric: 1, reason: .notFinite) == 0)
    let watch = builder.index(ofSource: "watch")
    let rejections = builder.quality.rejections
    #expect(rejections.map(\.day) == [Self.first, Self.first + 1])
    #expect(rejections.allSatisfy { $0.person == 0 && $0.metric == 0 && $0.source == watch })
    #expect(rejections.allSatisfy { $0.reason == .notFinite })
    #expect(builder.sourceName(watch) == "watch")
    #expect(builder.rowCount == 3)
  }

  @Test(arguments: [nil, -1e308...1e308])
  func valuesThatNoSumCouldHoldAreImplausibleWithoutThresholdsThatSaySo(
    plausible: ClosedRange<Double>?
  ) {
    let rows = [1e308, -1e308, 1e101, 1e100, -1e100].enumerated().map {
      Row(day: $0.offset, source: "watch", values: [$0.element, 1])
    }
    let builder = build(rows, thresholds(plausible: [plausible, nil]))
    #expect(series(metric: 0) == [nil, nil, nil, 1e100, -1e100])
    #expect(builder.quality.count(metric: 0, reason: .implausible) == 3)
    #expect(builder.quality.count(metric: 0, reason: .notFinite) == 0)
  }

  @Test func valuesOutsideThePlausibleRangeAreMissingItsEndsAreNot() {
    let rows = [0.999, 1, 500, 500.001, -3].enumerated().map {
      Row(day: $0.offset, source: "watch", values: [$0.element, 9000])
    }
    let builder = build(rows, thresholds(plausible: [1...500, nil]))
    #expect(series(metric: 0) == [nil, 1, 500, nil, nil])
    #expect(series(metric: 1) == [9000, 9000, 9000, 9000, 9000])
    #expect(builder.quality.count(metric: 0, reason: .implausible) == 3)
    #expect(
      builder.quality.rejections.map(\.day) == [Self.first, Self.first + 3, Self.first + 4])
  }

  @Test func anImplausibleSourceLeavesTheDayToTheOthers() {
    build(
      [
        Row(day: 2, source: "watch", values: [4000, nil]),
        Row(day: 2, source: "ring", values: [48, nil]),
      ], thresholds(plausible: [1...500, nil]))
    #expect(series(metric: 0) == [nil, nil, 48, nil, nil])
  }

  // MARK: Non-wear

  @Test func aDayWithNothingPositiveIsNotWorn() {
    let rows = [
      Row(day: 0, source: "watch", values: [0, 0]),
      Row(day: 1, source: "watch", values: [nil, 0]),
      Row(day: 2, source: "watch", values: [nil, nil]),
      Row(day: 3, source: "watch", values: [48, 0]),
      Row(day: 4, source: "watch", values: [nil, 5], hasOtherPositive: true),
    ]
    let off = build(rows, thresholds())
    #expect(series(metric: 1) == [0, 0, nil, 0, 5])
    #expect(off.quality.nonWearDays == 0)

    let on = build(rows, thresholds(nonWear: true))
    #expect(series(metric: 0) == [nil, nil, nil, 48, nil])
    #expect(series(metric: 1) == [nil, nil, nil, 0, 5])
    #expect(on.quality.nonWearDays == 3)
    #expect(on.quality.rejections.isEmpty)
  }

  @Test func oneSourceThatIsWornIsEnough() {
    let rows = [
      Row(day: 0, source: "watch", values: [0, 0]),
      Row(day: 0, source: "ring", values: [nil, 700]),
      Row(day: 1, source: "watch", values: [0, 0]), Row(day: 1, source: "ring", values: [nil, 0]),
    ]
    for rows in [rows, [rows[1], rows[0], rows[3], rows[2]]] {
      let builder = build(rows, thresholds(nonWear: true))
      #expect(series(metric: 0) == [0, nil, nil, nil, nil])
      #expect(series(metric: 1) == [700, nil, nil, nil, nil])
      #expect(builder.quality.nonWearDays == 1)
    }
  }

  @Test func zerosBelowThePlausibleRangeAreImplausibleOnlyOnWornDays() {
    let builder = build(
      [
        Row(day: 0, source: "watch", values: [0, 0]),
        Row(day: 1, source: "watch", values: [0, 9000]),
      ], thresholds(nonWear: true, plausible: [1...500, nil]))
    #expect(series(metric: 0) == [nil, nil, nil, nil, nil])
    #expect(series(metric: 1) == [nil, 9000, nil, nil, nil])
    #expect(builder.quality.nonWearDays == 1)
    #expect(builder.quality.count(metric: 0, reason: .implausible) == 1)
    #expect(builder.quality.rejections.map(\.day) == [Self.first + 1])
  }

  @Test func wearOfOnePersonOrDaySaysNothingAboutTheNext() {
    let builder = build(
      [
        Row(day: 0, source: "watch", values: [nil, 9000]),
        Row(day: 1, source: "watch", values: [nil, 0]),
        Row(person: 1, day: 0, source: "watch", values: [nil, 9000]),
        Row(person: 1, day: 1, source: "watch", values: [nil, 0]),
      ], thresholds(nonWear: true))
    for person in 0...1 {
      #expect(series(person: person, metric: 1) == [9000, nil, nil, nil, nil])
    }
    #expect(builder.quality.nonWearDays == 2)
  }

  // MARK: Series to know about

  private func counts(_ builder: ObservationBuilder, _ trait: DataQuality.Trait) -> [Int] {
    (0..<2).map { builder.quality.count(metric: $0, trait: trait) }
  }

  @Test func tooFewObservationsWithinTheHorizonAreTooLittleHistory() {
    var thresholds = thresholds()
    thresholds.horizonDays = 3
    thresholds.baseline.minTotalDays = 3
    let builder = build(
      [
        // Day 0 is before the horizon of day 4.
        Row(day: 0, source: "watch", values: [1, 1]),
        Row(day: 1, source: "watch", values: [1, nil]),
        Row(day: 2, source: "watch", values: [1, .infinity]),
        Row(day: 3, source: "watch", values: [nil, 1]),
        Row(day: 4, source: "watch", values: [1, nil]),
        Row(person: 1, day: 0, source: "watch", values: [nil, 1]),
        Row(person: 1, day: 4, source: "watch", values: [1, nil]),
        Row(person: 1, day: 5, source: "watch", values: [1, nil]),
      ], thresholds)
    #expect(counts(builder, .insufficientHistory) == [1, 1])
    #expect(
      builder.quality.seriesTraits.map { "\($0.person) \($0.metric) \($0.trait)" }
        == ["0 1 insufficientHistory", "1 0 insufficientHistory"])
  }

  @Test(arguments: [
    // Sources of the days that have a value of the metric; a change is counted once.
    (["watch", "watch", "watch"], 0), (["watch", "ring", "ring"], 1),
    (["watch", "ring", "watch"], 1), (["watch", "watch+ring", "ring"], 0),
    (["watch+ring", "scale", "watch"], 1), (["watch", "", "ring"], 1), (["", "watch", ""], 0),
    (["watch", "off ring", "watch"], 0),
  ])
  func daysWithoutACommonSourceAreAChangeOfSource(days: [String], expected: Int) {
    let rows = days.enumerated().flatMap { offset, sources in
      sources.split(separator: "+").map { source in
        // What was not worn, or is not plausible, gives no value.
        source.hasPrefix("off ")
          ? Row(day: offset, source: String(source.dropFirst(4)), values: [0, 0])
          : Row(day: offset, source: String(source), values: [50, nil])
      }
    }
    let builder = build(rows, thresholds(nonWear: true, plausible: [1...500, nil]))
    #expect(counts(builder, .sourceChanged) == [expected, 0])
  }

  @Test func sourcesOfOnePersonOrMetricSayNothingAboutAnother() {
    let builder = build(
      [
        Row(day: 0, source: "watch", values: [50, nil]),
        Row(day: 1, source: "ring", values: [nil, 100]),
        Row(person: 1, day: 0, source: "scale", values: [50, nil]),
        Row(person: 1, day: 1, source: "phone", values: [50, 100]),
      ], thresholds())
    #expect(counts(builder, .sourceChanged) == [1, 0])
    #expect(
      builder.quality.seriesTraits.filter { $0.trait == .sourceChanged }.map(\.person) == [1])
  }

  @Test func changesAreSeenHoweverManySourcesThereAre() {
    let filler = (0..<100).map { Row(day: 0, source: "filler \($0)", values: [nil, 1]) }
    func rows(_ person: Int, _ sources: [String]) -> [Row] {
      sources.enumerated().map {
        Row(person: person, day: $0.offset, source: $0.element, values: [50, nil])
      }
    }
    let builder = build(
      filler + rows(0, ["x", "x"]) + rows(1, ["y", "filler 70"]), thresholds())
    #expect(builder.quality.count(metric: 0, trait: .sourceChanged) == 1)
    let beyond = (0..<70).map { Row(day: 0, source: "early \($0)", values: [nil, 1]) }
    // From the 64th of one person on, a change is not seen, and never is one seen that is none.
    let many = build(beyond + rows(0, ["z", "w", "w"]), thresholds())
    #expect(many.quality.count(metric: 0, trait: .sourceChanged) == 0)
    let back = build(beyond + rows(0, ["z", "early 3"]), thresholds())
    #expect(back.quality.count(metric: 0, trait: .sourceChanged) == 1)
  }

  // MARK: Updates

  @Test func theWatermarkIsTheNewestUpdateAndRowsAfterAnEarlierOneAreCounted() {
    func time(_ microseconds: Int64) -> Timestamp { Timestamp(microseconds: microseconds) }
    let thresholds = thresholds()
    let builder = ObservationBuilder(
      block: block, metrics: thresholds.metrics, thresholds: thresholds)
    let rows = ([5, nil, 9, 7, -3] as [Int64?]).enumerated().map {
      Row(day: $0.offset, source: "watch", values: [1, 1], updatedAt: $0.element.map { time($0) })
    }
    for (earlier, changed) in [(nil, 0), (-4, 4), (5, 2), (7, 1), (9, 0)] as [(Int64?, Int)] {
      builder.earlierWatermark = earlier.map { time($0) }
      builder.begin()
      #expect(builder.newestUpdate == nil)
      for row in rows { append(row, to: builder) }
      builder.finish()
      #expect(builder.newestUpdate == time(9))
      #expect(builder.rowsChanged == changed)
    }
    builder.begin()
    append(rows[1], to: builder)
    #expect(builder.newestUpdate == nil)
    #expect(builder.rowsChanged == 0)
  }

  // MARK: The block

  @Test func daysOutsideTheBlockAreIgnored() {
    build(
      [
        Row(day: -1, source: "watch", values: [1, 1]),
        Row(day: 4, source: "watch", values: [2, 2]),
        Row(day: 5, source: "watch", values: [3, 3]),
        Row(person: 1, day: -1, source: "watch", values: [4, 4]),
      ], thresholds())
    #expect(series(person: 0, metric: 0) == [nil, nil, nil, nil, 2])
    #expect(series(person: 0, metric: 1) == [nil, nil, nil, nil, 2])
    #expect(series(person: 1, metric: 0) == [nil, nil, nil, nil, nil])
  }

  @Test func beginningAgainForgetsCountsAndKeepsSources() {
    let builder = build(
      [Row(day: 0, source: "ring", values: [.infinity, 0])], thresholds(nonWear: true))
    #expect(builder.quality.count(metric: 0, reason: .notFinite) == 1)
    builder.begin()
    #expect(builder.quality.count(metric: 0, reason: .notFinite) == 0)
    #expect(builder.quality.nonWearDays == 0)
    #expect(builder.rowCount == 0)
    builder.finish()
    #expect(builder.index(ofSource: "watch") != builder.index(ofSource: "ring"))
  }

  @Test func rowsThatBrokeOffLeaveNothingBehind() {
    let thresholds = thresholds(nonWear: true, plausible: [nil, 1...10])
    let builder = ObservationBuilder(
      block: block, metrics: thresholds.metrics, thresholds: thresholds)
    builder.begin()
    append(Row(day: 0, source: "watch", values: [7, 0]), to: builder)
    // No finish: what sent the rows has failed, and begins again.
    builder.begin()
    append(Row(day: 3, source: "ring", values: [5, nil]), to: builder)
    builder.finish()
    #expect(series(metric: 0) == [nil, nil, nil, 5, nil])
    #expect(series(metric: 1) == [nil, nil, nil, nil, nil])
    #expect(builder.rowCount == 1)
    #expect(builder.quality.rejections.isEmpty)
  }
}
