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
    thresholds.detectsNonWear = nonWear
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
        isWorn: row.hasOtherPositive || values.contains { $0 > 0 }, updatedAt: row.updatedAt)
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
      Row(day: 4, source: "watch", values: [nil, 0], hasOtherPositive: true),
    ]
    let off = build(rows, thresholds())
    #expect(series(metric: 1) == [0, 0, nil, 0, 0])
    #expect(off.quality.nonWearDays == 0)

    let on = build(rows, thresholds(nonWear: true))
    #expect(series(metric: 0) == [nil, nil, nil, 48, nil])
    #expect(series(metric: 1) == [nil, nil, nil, 0, 0])
    // A day without any value is missing, and nothing was taken from it.
    #expect(on.quality.nonWearDays == 2)
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

  @Test func daysOutsideTheBlockArePassedOver() {
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
