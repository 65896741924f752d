/// The expected doses of a person on one day, all medications added up (specification, evidence-doses.md
/// section 1).
///
/// ```swift
/// let day = DoseCounts(expected: 3, missed: 2, inferred: 2)
/// print(day.hasRecord, DoseCounts.none.isObservation)  // true false
/// ```
public struct DoseCounts: Hashable, Sendable, BitwiseCopyable {
  /// Taken, skipped and missed doses; 0 where the day cannot be judged, as on one with a dose that is pending.
  public var expected: UInt16
  /// Of the expected ones, those skipped or missed.
  public var missed: UInt16
  /// Of the missed ones, those without a record.
  public var inferred: UInt16

  public init(expected: UInt16, missed: UInt16, inferred: UInt16) {
    self.expected = expected
    self.missed = missed
    self.inferred = inferred
  }

  /// A day on which no dose counts.
  public static let none = DoseCounts(expected: 0, missed: 0, inferred: 0)

  public var isObservation: Bool { expected > 0 }

  /// Whether one of the doses has a record.
  public var hasRecord: Bool { inferred < expected }
}

/// The doses of a block of persons, day by day.
///
/// ```swift
/// guard let first = Day("2026-06-01") else { return }
/// let block = DoseBlock(personCount: 1, days: first...(first + 29))
/// block.days(ofPerson: 0)[2] = DoseCounts(expected: 2, missed: 1, inferred: 0)
/// print(block.days(ofPerson: 0)[2].missed, block.days(ofPerson: 0)[3].isObservation)  // 1 false
/// ```
public final class DoseBlock {
  public private(set) var personCount: Int
  public private(set) var days: ClosedRange<Day>
  private var counts: UnsafeMutableBufferPointer<DoseCounts>

  /// A block without any dose.
  public init(personCount: Int, days: ClosedRange<Day>) {
    precondition(personCount >= 0)
    self.personCount = personCount
    self.days = days
    counts = .allocate(capacity: personCount * (days.upperBound - days.lowerBound + 1))
    counts.initialize(repeating: .none)
  }

  deinit { counts.deallocate() }

  public var dayCount: Int { days.upperBound - days.lowerBound + 1 }

  /// Empties the block for other persons and days, keeping its memory where it suffices.
  public func reset(personCount: Int, days: ClosedRange<Day>) {
    self.personCount = personCount
    self.days = days
    let count = personCount * dayCount
    if count > counts.count {
      counts.deallocate()
      counts = .allocate(capacity: count)
    }
    counts.initialize(repeating: .none)
  }

  /// The days of one person.
  public func days(ofPerson person: Int) -> UnsafeMutableBufferPointer<DoseCounts> {
    UnsafeMutableBufferPointer(rebasing: counts[person * dayCount..<(person + 1) * dayCount])
  }
}
