import VigilKernels
import VigilModel

/// Judges whether a person wore a device, day after day (specification, detection.md section 2).
///
/// All rows of a day are taken before it is judged. What changes with each row is plain memory, as in
/// `ObservationBuilder`.
struct WearJudge: ~Copyable {
  private let settings: NonWearSettings
  private let columnCount: Int
  private let columns: AlignedBuffer<Column>
  private let state: AlignedBuffer<State>
  /// The newest days with a resting heart rate, in a ring.
  private let heartDays: AlignedBuffer<HeartDay>
  /// Room for the steps of a window.
  private let sorted: AlignedBuffer<Double>

  /// The place of a column in a row; nil where it has none.
  private let sleepPlace: Int?
  private let efficiencyPlace: Int?
  private let wornMinutesPlace: Int?

  // The elements of buffers are not private: without optimization, Swift 6.3 crashes while it compiles another file that
  // releases such a buffer.

  /// The facts that the rows of a day show.
  struct Facts: OptionSet, BitwiseCopyable {
    let rawValue: UInt8

    static let positive = Facts(rawValue: 1)
    /// A value that only a body gives: of a heart, a breath or a movement, or a sleep that is not still.
    static let body = Facts(rawValue: 2)
    static let zeroMovement = Facts(rawValue: 4)
    static let restingHeartRate = Facts(rawValue: 8)
  }

  struct Column: BitwiseCopyable {
    var bounds: ObservationBuilder.Bounds
    /// The facts that a value above 0, and one of 0, shows.
    var positive: Facts
    var zero: Facts
  }

  struct State: BitwiseCopyable {
    var facts: Facts
    var hasWornMinutes: Bool
    /// The largest of all sources.
    var wornMinutes: Double
    /// Days with a resting heart rate of the person so far.
    var heartDays: Int
  }

  struct HeartDay: BitwiseCopyable {
    var day: Int32
    /// NaN where it has none.
    var steps: Double
  }

  private struct Usual {
    /// The median of the days with steps; nil where none has any.
    var steps: Double?
  }

  private static let possibleMinutes = 0.0...1440

  /// - Parameters:
  ///   - columns: Those of a row, in its order.
  ///   - bounds: By column, the values that are usable.
  init(
    _ settings: NonWearSettings, columns names: [MetricType],
    bounds: borrowing AlignedBuffer<ObservationBuilder.Bounds>
  ) {
    self.settings = settings
    columnCount = names.count
    columns = AlignedBuffer(count: names.count)
    state = AlignedBuffer(count: 1)
    heartDays = AlignedBuffer(count: settings.windowDays)
    sorted = AlignedBuffer(count: settings.windowDays)
    func place(_ column: WearColumn) -> Int? { names.firstIndex(of: column.metric) }
    sleepPlace = place(.sleepMinutes)
    efficiencyPlace = place(.sleepEfficiency)
    wornMinutesPlace = settings.leastWornMinutes == nil ? nil : place(.wornMinutes)
    for (index, name) in names.enumerated() {
      var column = Column(bounds: bounds.pointer[index], positive: .positive, zero: [])
      switch WearColumn(rawValue: name.rawValue) {
      case .restingHeartRate: column.positive = [.positive, .body, .restingHeartRate]
      case .heartRateVariability, .breathingRate, .activeCalories:
        column.positive = [.positive, .body]
      case .steps, .movementMinutes:
        (column.positive, column.zero) = ([.positive, .body], .zeroMovement)
      case .wornMinutes: column.positive = []
      case .sleepMinutes, .sleepEfficiency, nil: break
      }
      columns.pointer[index] = column
    }
  }

  func forgetDay() {
    state.pointer.pointee.facts = []
    state.pointer.pointee.hasWornMinutes = false
  }

  func forgetPerson() { state.pointer.pointee.heartDays = 0 }

  /// Takes a row of the day.
  ///
  /// - Parameters:
  ///   - values: One a column, NaN where it is empty.
  ///   - isOtherPositive: Whether a measurement in another column is above 0.
  func take(_ values: UnsafeBufferPointer<Double>, isOtherPositive: Bool) {
    let columns = columns.pointer
    var facts: Facts = isOtherPositive ? .positive : []
    for place in 0..<columnCount {
      let (value, column) = (values[place], columns[place])
      guard column.bounds.lower <= value, value <= column.bounds.upper else { continue }
      if value > 0 {
        facts.formUnion(column.positive)
      } else if value == 0 {
        facts.formUnion(column.zero)
      }
    }
    if isSleeper(values) { facts.insert(.body) }
    state.pointer.pointee.facts.formUnion(facts)
    guard let wornMinutesPlace else { return }
    let minutes = values[wornMinutesPlace]
    guard Self.possibleMinutes.contains(minutes) else { return }
    state.pointer.pointee.wornMinutes =
      state.pointer.pointee.hasWornMinutes
      ? max(state.pointer.pointee.wornMinutes, minutes) : minutes
    state.pointer.pointee.hasWornMinutes = true
  }

  /// Whether a row has a sleep that is not that of a device which lies still.
  private func isSleeper(_ values: UnsafeBufferPointer<Double>) -> Bool {
    guard let sleepPlace, let limit = settings.stillSleepPercent,
      let sleep = usable(values, sleepPlace), sleep > 0
    else { return false }
    guard let efficiencyPlace, let efficiency = usable(values, efficiencyPlace) else {
      return true
    }
    return isBelow(efficiency, limit)
  }

  private func usable(_ values: UnsafeBufferPointer<Double>, _ place: Int) -> Double? {
    let (value, bounds) = (values[place], columns.pointer[place].bounds)
    return bounds.lower <= value && value <= bounds.upper ? value : nil
  }

  private func isBelow(_ value: Double, _ limit: Double) -> Bool {
    value < limit - MetricJudge.tolerance(of: limit)
  }

  /// Judges the day whose rows were taken, and remembers it for the days after it.
  ///
  /// - Parameters:
  ///   - day: A day after those that were judged before.
  ///   - steps: Those of all sources, merged; nil where the day has none.
  ///   - movement: Likewise, minutes of movement.
  func judge(_ day: Day, steps: Double?, movement: Double?) -> WearFinding {
    let finding = finding(of: day, steps: steps, movement: movement)
    if settings.partShare != nil, finding.wear != .notWorn,
      state.pointer.pointee.facts.contains(.restingHeartRate)
    {
      let lent = finding.leavesOutSteps ? nil : steps
      heartDays.pointer[state.pointer.pointee.heartDays % settings.windowDays] = HeartDay(
        day: day.ordinal, steps: lent ?? .nan)
      state.pointer.pointee.heartDays += 1
    }
    return finding
  }

  private func finding(of day: Day, steps: Double?, movement: Double?) -> WearFinding {
    let state = state.pointer.pointee
    if state.hasWornMinutes, let least = settings.leastWornMinutes {
      let wear: Wear =
        isBelow(state.wornMinutes, least)
        ? .notWorn : isBelow(state.wornMinutes, settings.fullWornMinutes) ? .partWorn : .worn
      return WearFinding(wear, because: .minutes(state.wornMinutes))
    }
    guard state.facts.contains(.positive) else {
      return WearFinding(.notWorn, because: .nothingPositive)
    }
    if settings.stillSleepPercent != nil, state.facts.contains(.zeroMovement),
      !state.facts.contains(.body)
    {
      return WearFinding(.notWorn, because: .still)
    }
    guard let share = settings.partShare, !state.facts.contains(.restingHeartRate),
      let usual = usual(before: day)
    else { return WearFinding(.worn) }
    if let steps, let usual = usual.steps {
      return isBelow(steps, share * usual)
        ? WearFinding(.partWorn, because: .fewSteps(steps, usual: usual)) : WearFinding(.worn)
    }
    return movement == 0 ? WearFinding(.partWorn, because: .noMovement) : WearFinding(.worn)
  }

  /// Returns what is usual on the days of the window with a resting heart rate; nil where there are too few of these.
  private func usual(before day: Day) -> Usual? {
    let known = min(state.pointer.pointee.heartDays, settings.windowDays)
    guard known >= settings.heartDays else { return nil }
    let first = day.ordinal - Int32(settings.windowDays)
    let (ring, sorted) = (heartDays.pointer, sorted.pointer)
    var (days, count) = (0, 0)
    for entry in UnsafeBufferPointer(start: ring, count: known) where entry.day >= first {
      days += 1
      guard !entry.steps.isNaN else { continue }
      var place = count
      while place > 0, sorted[place - 1] > entry.steps {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = entry.steps
      count += 1
    }
    guard days >= settings.heartDays else { return nil }
    guard count > 0 else { return Usual() }
    return Usual(steps: (sorted[(count - 1) / 2] + sorted[count / 2]) / 2)
  }
}
