public import VigilDetection
public import VigilModel

/// One series as detection sees it, for an explanation of its days.
///
/// Values outside of the given days count as missing.
public struct ExplainedSeries: Hashable, Sendable {
  /// The day of the first value.
  public var firstDay: Day
  /// One a day in the metric's unit, NaN where missing.
  public var values: [Double]
  /// By day, from `firstDay` on, the doses that were expected and missed; empty where they are not weighed.
  public var doses: [DoseCounts] = []
  /// Days on which doses without a record are no misses.
  public var unrecorded: Set<Day> = []
  /// Days on which the person was working out.
  public var workouts: Set<Day>
  /// In the order of their days.
  public var deviceChanges: [DeviceChange]
  /// Episodes of the series that the database holds, in order of `activeSince`.
  public var stored: [Episode]
  /// The days with rows of a device, and the values of each source; empty for doses.
  public var observed: [ObservedDay] = []
  /// Whether a device was worn on the explained day; nil for doses.
  public var wear: WearFinding?

  public init(
    firstDay: Day, values: [Double], workouts: Set<Day> = [], deviceChanges: [DeviceChange] = [],
    stored: [Episode] = []
  ) {
    self.firstDay = firstDay
    self.values = values
    self.workouts = workouts
    self.deviceChanges = deviceChanges
    self.stored = stored
  }

  /// A metric of a person of a block.
  ///
  /// - Parameters:
  ///   - person: The place of the person.
  ///   - metric: The place of the metric.
  ///   - block: The observations.
  ///   - stored: Episodes of the series that the database holds, in order of `activeSince`.
  public init(
    of person: Int, metric: Int, in block: ObservationBlock, stored: [Episode] = []
  ) {
    self.init(
      firstDay: block.days.lowerBound,
      values: Array(block.series(person: person, metric: metric)),
      workouts: block.workoutDays(ofPerson: person),
      deviceChanges: block.deviceChanges(person: person, metric: metric), stored: stored)
  }

  /// The daily adherence of a person of a block.
  ///
  /// - Parameters:
  ///   - person: The place of the person.
  ///   - daily: The adherence.
  ///   - doses: The doses on the same days; nil where they are not weighed.
  ///   - unrecorded: Days on which doses without a record are no misses.
  ///   - workouts: Days on which the person was working out.
  ///   - stored: Episodes of the series that the database holds, in order of `activeSince`.
  public init(
    of person: Int, adherence daily: ObservationBlock, doses: DoseBlock? = nil,
    unrecorded: Set<Day> = [], workouts: Set<Day> = [], stored: [Episode] = []
  ) {
    self.init(
      firstDay: daily.days.lowerBound, values: Array(daily.series(person: person, metric: 0)),
      workouts: workouts, stored: stored)
    guard let doses else { return }
    self.doses = Array(doses.days(ofPerson: person))
    self.unrecorded = unrecorded
  }

  /// The value of a day; NaN where missing.
  ///
  /// A value may be set from the first day on; days in between have none.
  public subscript(day: Day) -> Double {
    get {
      let index = day - firstDay
      return values.indices.contains(index) ? values[index] : .nan
    }
    set {
      let index = day - firstDay
      precondition(index >= 0, "a day before the first of the series")
      while values.count <= index { values.append(.nan) }
      values[index] = newValue
    }
  }

  /// The doses of a day.
  func counts(on day: Day) -> DoseCounts {
    let index = day - firstDay
    return doses.indices.contains(index) ? doses[index] : .none
  }

  /// Sets the doses of a day; a day in between has none.
  mutating func set(_ counts: DoseCounts, on day: Day) {
    let index = day - firstDay
    precondition(index >= 0, "a day before the first of the series")
    while doses.count <= index { doses.append(.none) }
    doses[index] = counts
  }

  /// The observations of doses.
  var doseSeries: DoseSeries {
    doses.withUnsafeBufferPointer { DoseSeries($0, from: firstDay, withoutRecord: unrecorded) }
  }

  /// The newest values up to `day`, newest first, at most `count`.
  func newestValues(_ count: Int, upTo day: Day) -> [Double] {
    var found: [Double] = []
    var day = min(day, firstDay + (values.count - 1))
    while day >= firstDay, found.count < count {
      if !self[day].isNaN { found.append(self[day]) }
      day = day - 1
    }
    return found
  }
}
