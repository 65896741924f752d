public import VigilModel

/// The observations of a person's doses, oldest first (specification, evidence-doses.md section 1).
///
/// ```swift
/// guard let first = Day("2026-06-01") else { return }
/// let taken = DoseCounts(expected: 2, missed: 0, inferred: 0)
/// let nothing = DoseCounts(expected: 2, missed: 2, inferred: 2)
/// let days = [taken, .none, nothing, nothing]
/// let series = days.withUnsafeBufferPointer {
///   DoseSeries($0, from: first, withoutRecord: [first + 3])
/// }
/// print(series.observations.map(\.missed))  // [0, 2]
/// ```
public struct DoseSeries: Hashable, Sendable {
  /// A day whose doses count.
  public struct Observation: Hashable, Sendable {
    /// The days since the first one of the series.
    var index: Int32
    /// 0 is Sunday.
    var weekday: UInt8
    /// Whether one of the doses has a record.
    public var hasRecord: Bool
    public var expected: Int
    /// Skipped ones, too.
    public var missed: Int
  }

  /// The day from which `index` counts.
  public let firstDay: Day
  public private(set) var observations: [Observation]

  /// - Parameters:
  ///   - days: One element a day.
  ///   - firstDay: The day of the first.
  ///   - silent: Days that are no observation where none of their doses has a record: no record is then no miss.
  public init(
    _ days: UnsafeBufferPointer<DoseCounts>, from firstDay: Day, withoutRecord silent: Set<Day> = []
  ) {
    self.firstDay = firstDay
    observations = []
    let weekday = firstDay.weekday
    for (index, counts) in days.enumerated() where counts.isObservation {
      if !counts.hasRecord, !silent.isEmpty, silent.contains(firstDay + index) { continue }
      observations.append(
        Observation(
          index: Int32(index), weekday: UInt8((weekday + index) % 7), hasRecord: counts.hasRecord,
          expected: Int(counts.expected), missed: Int(counts.missed)))
    }
  }

  public var isEmpty: Bool { observations.isEmpty }

  var count: Int { observations.count }

  /// The day of an observation.
  func day(at place: Int) -> Day { firstDay + Int(observations[place].index) }

  /// The place of the first observation on a day or later.
  ///
  /// - Complexity: O(log count).
  func place(from day: Int) -> Int {
    var (low, high) = (0, observations.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(observations[middle].index) < day { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Takes the observations of some days out.
  mutating func remove(days: ClosedRange<Int>) {
    observations.removeSubrange(place(from: days.lowerBound)..<place(from: days.upperBound + 1))
  }

  /// The first day from `day` on, and up to `last`, that has a record of a dose.
  func firstRecorded(from day: Day, through last: Day) -> Day? {
    var place = place(from: day - firstDay)
    while place < count, self.day(at: place) <= last {
      if observations[place].hasRecord { return self.day(at: place) }
      place += 1
    }
    return nil
  }
}
