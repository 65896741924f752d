import VigilKernels
public import VigilModel

/// Turns metric rows into the observations of a block: merges sources, and leaves out what is not
/// finite, not plausible or was not worn (specification, detection.md section 2).
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let steps = MetricThresholds(
///   metric: MetricType("steps"), unit: "steps", pattern: .drop,
///   rules: [MetricRule(.percentDropAtLeast, 0.3)], plausible: 1...100_000)
/// let thresholds = Thresholds(version: "mine", digest: "", metrics: [steps])
/// let block = ObservationBlock(personCount: 1, metricCount: 1, days: day...day)
/// let builder = ObservationBuilder(block: block, metrics: [steps], thresholds: thresholds)
/// for (source, value) in [("watch", 8_200.0), ("phone", 7_900), ("scale", -4)] {
///   [value].withUnsafeBufferPointer { values in
///     builder.append(
///       person: 0, day: day, source: builder.index(ofSource: source), values: values,
///       isOtherPositive: false, updatedAt: nil)
///   }
/// }
/// builder.finish()
/// print(block.values[0])  // 8200.0
/// print(builder.quality.count(metric: 0, reason: .implausible))  // 1
/// ```
public final class ObservationBuilder {
  public let metrics: [MetricThresholds]
  /// The columns of a row: those of the metrics, then those that wear is judged by beside them.
  public let columns: [MetricType]
  @exclusivity(unchecked) public private(set) var quality: DataQuality
  /// Rows taken since the last `begin`.
  @exclusivity(unchecked) public private(set) var rowCount = 0
  /// The newest update of those rows, their watermark; nil where no row has a time of update.
  @exclusivity(unchecked) public private(set) var newestUpdate: Timestamp?
  /// The sum of their updates, each in whole seconds since 1970; nil where a row has none.
  @exclusivity(unchecked) public private(set) var updateSeconds: Int? = 0
  /// Rows among them that were updated after `earlierWatermark`.
  @exclusivity(unchecked) public private(set) var rowsChanged = 0
  /// The watermark of an earlier run, kept by `begin`; nil, the default, counts no rows.
  @exclusivity(unchecked) public var earlierWatermark: Timestamp?

  /// Receives the days on which a device was worn; nil, the default, where they are of no use.
  @exclusivity(unchecked) public var signs: SignsOfLife?
  /// Receives how the device was worn on each day with a row; nil, the default, where that is of no use.
  @exclusivity(unchecked) public var wearDays: WearDays?

  let merge: SourceMerge
  private let isMean: Bool
  /// Nil where a day with a row is worn.
  private let wear: WearJudge?
  private let judgesWear: Bool
  private let stepsColumn: Int?
  private let movementColumn: Int?
  @exclusivity(unchecked) private(set) var block: ObservationBlock

  private(set) var sources: [String] = []

  private let traits: SeriesTraits
  @exclusivity(unchecked) private var personSources = PersonSources()
  /// The devices of metrics that are judged by evidence; nil where there is none.
  private let devices: DeviceHistory?

  // The day that is being merged.
  @exclusivity(unchecked) private(set) var person = -1
  @exclusivity(unchecked) private var day = Day(ordinal: 0)
  /// The earliest creation of the day's rows; nil where it is not known.
  @exclusivity(unchecked) private var created: Timestamp?
  /// That of the row that comes next.
  @exclusivity(unchecked) private var nextCreated: Timestamp?

  // Rows come by the million: each of them touches plain memory only, without the checks and
  // reference counts of arrays in a class. What changes with each row is left out of the checks for exclusive
  // access, as nothing that the builder calls can reach it.
  let metricCount: Int
  private let columnCount: Int
  let cells: AlignedBuffer<Cell>
  let plausible: AlignedBuffer<Bounds>

  struct Bounds: BitwiseCopyable {
    var lower: Double
    var upper: Double
  }

  /// No measurement is larger, whatever the thresholds say.
  ///
  /// A sum of doubles near their limit would be infinite, and comparisons with it meaningless.
  public static let largestValue = 1e100

  /// Whether a measurement that no metric follows is above 0, and can be one.
  public static func isPositive(_ value: Double) -> Bool { value > 0 && value <= largestValue }

  /// - Parameters:
  ///   - block: The block that receives the observations.
  ///   - metrics: One for each metric of the block, in its order.
  ///   - thresholds: The profile.
  ///   - wearColumns: `Thresholds.wearColumns(beside:where:)`; none where rows have no others than metrics.
  public init(
    block: ObservationBlock, metrics: [MetricThresholds], thresholds: Thresholds,
    wearColumns: [MetricType] = []
  ) {
    self.block = block
    self.metrics = metrics
    columns = metrics.map(\.metric) + wearColumns
    columnCount = columns.count
    merge = thresholds.merge
    isMean = thresholds.merge == .mean
    quality = DataQuality(metricCount: metrics.count)
    metricCount = metrics.count
    cells = AlignedBuffer(count: columns.count)
    plausible = AlignedBuffer(count: columns.count)
    traits = SeriesTraits(of: metrics, thresholds)
    devices =
      metrics.contains { $0.detector == .evidence }
      ? DeviceHistory(metricCount: metrics.count) : nil
    for index in columns.indices {
      let range = index < metrics.count ? metrics[index].plausible : nil
      plausible.pointer[index] = Bounds(
        lower: max(range?.lowerBound ?? -.infinity, -Self.largestValue),
        upper: min(range?.upperBound ?? .infinity, Self.largestValue))
    }
    judgesWear = thresholds.nonWear != nil
    stepsColumn = columns.firstIndex(of: WearColumn.steps.metric)
    movementColumn = columns.firstIndex(of: WearColumn.movementMinutes.metric)
    if let settings = thresholds.nonWear {
      wear = WearJudge(settings, columns: columns, bounds: plausible)
    } else {
      wear = nil
    }
  }

  /// Begins another set of rows, also where the one before was not finished; the caller has reset
  /// the block.
  public func begin() {
    quality = DataQuality(metricCount: metrics.count)
    rowCount = 0
    newestUpdate = nil
    updateSeconds = 0
    rowsChanged = 0
    person = -1
    forgetDay()
    forgetPerson()
  }

  /// A small number for a source name.
  public func index(ofSource name: String) -> Int {
    if let known = sources.firstIndex(of: name) { return known }
    sources.append(name)
    return sources.count - 1
  }

  /// Whether it needs to know when rows were added: late ones are no silence.
  public var wantsCreation: Bool { signs != nil }

  /// Takes the creation of the row that comes next.
  public func noteCreation(at instant: Timestamp?) { nextCreated = instant }

  /// Takes one row; rows of one person and day must follow each other.
  ///
  /// - Parameters:
  ///   - person: The index of the person in the block.
  ///   - day: The date of the row.
  ///   - source: The number that `index(ofSource:)` gave for its source.
  ///   - values: One a column, NaN where it is empty.
  ///   - isOtherPositive: Whether a measurement in another column of the row is above 0.
  ///   - updatedAt: The time of the row's last update; nil where the row has none.
  public func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>, isOtherPositive: Bool,
    updatedAt: Timestamp?
  ) {
    if person != self.person || day != self.day {
      finishDay()
      if person != self.person { finishPerson() }
      self.person = person
      self.day = day
    }
    if let next = nextCreated {
      created = created.map { min($0, next) } ?? next
      nextCreated = nil
    }
    rowCount += 1
    if let updatedAt { note(updatedAt) } else { updateSeconds = nil }
    wear?.take(values, isOtherPositive: isOtherPositive)
    let sourceBit = personSources.bit(of: source)
    let (cells, plausible) = (cells.pointer, plausible.pointer)
    for metric in 0..<columnCount {
      let value = values[metric]
      if value.isNaN { continue }
      guard value.isFinite else {
        guard metric < metricCount else { continue }
        quality.reject(.notFinite, metric: metric, person: person, day: day, source: source)
        continue
      }
      guard plausible[metric].lower <= value, value <= plausible[metric].upper else {
        guard metric < metricCount else { continue }
        // A day of non-wear is counted once as such, not value by value.
        if !judgesWear || value != 0 {
          quality.reject(.implausible, metric: metric, person: person, day: day, source: source)
        } else {
          zeros.append((metric, source))
        }
        continue
      }
      combine(value, source: source, into: &cells[metric])
      cells[metric].sources |= sourceBit
    }
    _checkInvariants()
  }

  private func note(_ update: Timestamp) {
    if newestUpdate.map({ update > $0 }) ?? true { newestUpdate = update }
    if let earlierWatermark, update > earlierWatermark { rowsChanged += 1 }
    updateSeconds? += update.wholeSeconds
  }

  /// Zeros outside the plausible range on the current day.
  @exclusivity(unchecked) private var zeros: [(metric: Int, source: Int)] = []

  /// Puts the last day into the block; call it after the last row.
  public func finish() {
    finishDay()
    finishPerson()
    person = -1
    _checkInvariants()
    quality._checkInvariants()
    block._checkInvariants()
  }

  private func finishDay() {
    guard person >= 0 else { return }
    defer { forgetDay() }
    let finding = judgeWear()
    if finding.wear.isWorn { signs?.addWorn(person: person, day: day, came: created?.utcDay) }
    wearDays?.set(finding, person: person, day: day)
    if finding.wear == .notWorn {
      quality.addNonWearDay()
      return
    }
    if finding.wear == .partWorn { quality.addPartWornDay() }
    for (metric, source) in zeros {
      quality.reject(.implausible, metric: metric, person: person, day: day, source: source)
    }
    guard block.days.contains(day) else { return }
    let index = day - block.days.lowerBound
    let dayCount = block.dayCount
    let values = block.series(ofPerson: person)
    let age = block.days.upperBound - day
    for metric in 0..<metricCount {
      let cell = cells.pointer[metric]
      guard cell.count > 0 else { continue }
      values[metric * dayCount + index] =
        isMean ? cell.value / Double(cell.count) : cell.value
      traits.note(metric, cell.sources, age: age)
      if let change = devices?.take(cell.sources, on: day, metric: metric),
        metrics[metric].detector == .evidence
      {
        block.add(change, person: person, metric: metric)
      }
    }
  }

  /// Judges the day, and empties the metrics that are missing on a part of a day.
  private func judgeWear() -> WearFinding {
    func merged(_ column: Int?) -> Double? {
      guard let column, cells.pointer[column].count > 0 else { return nil }
      let cell = cells.pointer[column]
      return isMean ? cell.value / Double(cell.count) : cell.value
    }
    let finding =
      wear?.judge(day, steps: merged(stepsColumn), movement: merged(movementColumn))
      ?? WearFinding(.worn)
    if finding.wear == .partWorn {
      if finding.leavesOutSteps, let stepsColumn { cells.pointer[stepsColumn] = Cell() }
      if finding.leavesOutMovement, let movementColumn { cells.pointer[movementColumn] = Cell() }
    }
    return finding
  }

  private func finishPerson() {
    guard person >= 0 else { return }
    traits.report(person, to: &quality)
    forgetPerson()
  }

  private func forgetPerson() {
    traits.removeAll()
    personSources.removeAll()
    devices?.removeAll()
    wear?.forgetPerson()
  }

  private func forgetDay() {
    for column in 0..<columnCount { cells.pointer[column] = Cell() }
    zeros.removeAll(keepingCapacity: true)
    wear?.forgetDay()
    created = nil
  }

  /// The name of a source that `index(ofSource:)` gave a number.
  public func sourceName(_ index: Int) -> String { sources[index] }
}
