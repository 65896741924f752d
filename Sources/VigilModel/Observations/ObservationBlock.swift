/// Daily values of a block of persons on a dense day axis, after sources were merged.
///
/// ```swift
/// guard let first = Day("2026-06-01") else { return }
/// let block = ObservationBlock(personCount: 1, metricCount: 2, days: first...(first + 29))
/// block.series(person: 0, metric: 1)[0] = 8_500
/// print(block.seriesCount, block.dayCount)  // 2 30
/// print(block.values[30], block.values[0])  // 8500.0 nan
/// ```
///
/// `values` is `days x series, column-major`: the days of one series are contiguous, and series
/// `person * metricCount + metric` begins at `series * dayCount`. A missing value is NaN; every
/// other value is finite.
public final class ObservationBlock {
  public let metricCount: Int
  // Asked for with each row that is read; nothing that is called meanwhile can reach it.
  @exclusivity(unchecked) public private(set) var personCount: Int
  @exclusivity(unchecked) public private(set) var days: ClosedRange<Day>
  public var dayCount: Int { days.upperBound - days.lowerBound + 1 }
  public var seriesCount: Int { personCount * metricCount }

  @exclusivity(unchecked) private var valueStorage: UnsafeMutableBufferPointer<Double>
  @exclusivity(unchecked) private var workoutStorage: UnsafeMutableBufferPointer<UInt8>
  @exclusivity(unchecked) private var hasWorkout: [Bool]
  private var deviceChanges: [Int: [DeviceChange]] = [:]

  /// A block without any observation.
  ///
  /// - Precondition: counts are positive or zero.
  public init(personCount: Int, metricCount: Int, days: ClosedRange<Day>) {
    precondition(personCount >= 0 && metricCount >= 0)
    self.personCount = personCount
    self.metricCount = metricCount
    self.days = days
    let dayCount = days.upperBound - days.lowerBound + 1
    valueStorage = .allocate(capacity: personCount * metricCount * dayCount)
    valueStorage.initialize(repeating: .nan)
    workoutStorage = .allocate(capacity: personCount * dayCount)
    workoutStorage.initialize(repeating: 0)
    hasWorkout = Array(repeating: false, count: personCount)
  }

  deinit {
    valueStorage.deallocate()
    workoutStorage.deallocate()
  }

  /// Empties the block for other persons and days, keeping its memory where it suffices.
  public func reset(personCount: Int, days: ClosedRange<Day>) {
    let dayCount = days.upperBound - days.lowerBound + 1
    self.personCount = personCount
    self.days = days
    let valueCount = personCount * metricCount * dayCount
    if valueCount > valueStorage.count {
      valueStorage.deallocate()
      valueStorage = .allocate(capacity: valueCount)
    }
    valueStorage.initialize(repeating: .nan)
    let workoutCount = personCount * dayCount
    if workoutCount > workoutStorage.count {
      workoutStorage.deallocate()
      workoutStorage = .allocate(capacity: workoutCount)
    }
    workoutStorage.initialize(repeating: 0)
    hasWorkout = Array(repeating: false, count: personCount)
    deviceChanges.removeAll(keepingCapacity: true)
    _checkInvariants()
  }

  /// All values, `days x series, column-major`.
  public var values: UnsafeMutableBufferPointer<Double> {
    UnsafeMutableBufferPointer(rebasing: valueStorage[..<(seriesCount * dayCount)])
  }

  /// The days of one metric of one person.
  public func series(person: Int, metric: Int) -> UnsafeMutableBufferPointer<Double> {
    let start = (person * metricCount + metric) * dayCount
    return UnsafeMutableBufferPointer(rebasing: valueStorage[start..<start + dayCount])
  }

  /// The days of all metrics of one person, metric after metric.
  public func series(ofPerson person: Int) -> UnsafeMutableBufferPointer<Double> {
    let count = metricCount * dayCount
    return UnsafeMutableBufferPointer(
      rebasing: valueStorage[person * count..<(person + 1) * count])
  }

  /// Marks a day as a workout day; ignores days outside the block.
  public func addWorkout(person: Int, day: Day) {
    guard days.contains(day) else { return }
    workoutStorage[person * dayCount + (day - days.lowerBound)] = 1
    hasWorkout[person] = true
    _checkWorkouts(ofPerson: person)
  }

  /// 1 on workout days, 0 on others; nil for a person without any.
  public func workouts(person: Int) -> UnsafeBufferPointer<UInt8>? {
    guard hasWorkout[person] else { return nil }
    let start = person * dayCount
    return UnsafeBufferPointer(rebasing: workoutStorage[start..<start + dayCount])
  }

  /// The days with a workout of a person.
  public func workoutDays(ofPerson person: Int) -> Set<Day> {
    guard let workouts = workouts(person: person) else { return [] }
    return Set(workouts.indices.filter { workouts[$0] == 1 }.map { days.lowerBound + $0 })
  }

  /// Adds a change of device; those of a series in the order of their days.
  public func add(_ change: DeviceChange, person: Int, metric: Int) {
    deviceChanges[person * metricCount + metric, default: []].append(change)
  }

  /// The changes of device of one metric of one person, in the order of their days; mostly none.
  public func deviceChanges(person: Int, metric: Int) -> [DeviceChange] {
    deviceChanges.isEmpty ? [] : deviceChanges[person * metricCount + metric] ?? []
  }
}
