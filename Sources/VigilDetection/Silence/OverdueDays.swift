public import VigilModel

/// For each person of a block and each folded day, the first of the days in a row with an overdue check-in up to it.
///
/// ```swift
/// guard let first = Day("2026-06-01") else { return }
/// let overdue = OverdueDays(personCount: 1, days: first...(first + 9))
/// overdue.set(person: 0, day: first + 4, since: first + 2)
/// print(overdue.start(person: 0, day: first + 3) == nil)  // true
/// print(overdue.start(person: 0, day: first + 4) ?? first)  // 2026-06-03
/// ```
public final class OverdueDays {
  public private(set) var personCount: Int
  public let days: ClosedRange<Day>
  /// By person and day, the ordinal of the first day; `none` where nothing is overdue.
  private var starts: [Int32]

  private static let none = Int32.max

  public init(personCount: Int, days: ClosedRange<Day>) {
    self.personCount = personCount
    self.days = days
    starts = Array(
      repeating: Self.none, count: personCount * (days.upperBound - days.lowerBound + 1))
  }

  private var dayCount: Int { days.upperBound - days.lowerBound + 1 }

  /// Empties it for other persons, keeping its memory: no day is overdue.
  public func reset(personCount: Int) {
    self.personCount = personCount
    starts.removeAll(keepingCapacity: true)
    starts.append(contentsOf: repeatElement(Self.none, count: personCount * dayCount))
  }

  /// The first of the overdue days in a row up to `day`; nil where nothing is overdue on it.
  public func start(person: Int, day: Day) -> Day? {
    let start = starts[person * dayCount + (day - days.lowerBound)]
    return start == Self.none ? nil : Day(ordinal: start)
  }

  /// Makes a day overdue since `start`, which is no later day.
  public func set(person: Int, day: Day, since start: Day) {
    precondition(start <= day)
    starts[person * dayCount + (day - days.lowerBound)] = start.ordinal
  }

  /// Sets the overdue days of persons by their check-ins.
  ///
  /// - Parameters:
  ///   - checkIns: By the index of a person.
  ///   - personCount: All persons of the block.
  ///   - instant: The time now, by which deadlines have passed or not; nil where all have.
  public func fill(
    from checkIns: [Int: CheckInHistory], personCount: Int, asOf instant: Timestamp? = nil
  ) {
    reset(personCount: personCount)
    for (person, history) in checkIns {
      history.forEachOverdueDay(in: days, asOf: instant) {
        set(person: person, day: $0, since: $1)
      }
    }
  }
}
