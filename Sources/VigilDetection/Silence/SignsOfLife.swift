public import VigilModel

/// The days on which each person of a block gave a sign of life (specification, silence.md section 1).
///
/// ```swift
/// guard let first = Day("2026-06-01") else { return }
/// let signs = SignsOfLife(personCount: 1, days: first...(first + 9))
/// signs.add(person: 0, day: first + 2)
/// print(signs.contains(person: 0, day: first + 2), signs.contains(person: 0, day: first))  // true false
/// ```
public final class SignsOfLife {
  public private(set) var personCount: Int
  public private(set) var days: ClosedRange<Day>
  /// By person and day, 1 where there is a sign.
  private var marks: [UInt8]

  public init(personCount: Int, days: ClosedRange<Day>) {
    self.personCount = personCount
    self.days = days
    marks = Array(repeating: 0, count: personCount * (days.upperBound - days.lowerBound + 1))
  }

  /// Empties it for other persons, keeping its memory.
  public func reset(personCount: Int) {
    self.personCount = personCount
    marks.removeAll(keepingCapacity: true)
    marks.append(contentsOf: repeatElement(0, count: personCount * dayCount))
  }

  var dayCount: Int { days.upperBound - days.lowerBound + 1 }

  /// Adds a day; ignores days outside.
  public func add(person: Int, day: Day) {
    guard days.contains(day) else { return }
    marks[person * dayCount + (day - days.lowerBound)] = 1
  }

  public func contains(person: Int, day: Day) -> Bool {
    days.contains(day) && marks[person * dayCount + (day - days.lowerBound)] == 1
  }

  /// By day, 1 where a person gave a sign.
  func marks(ofPerson person: Int) -> ArraySlice<UInt8> {
    marks[person * dayCount..<(person + 1) * dayCount]
  }

  /// Whether a person was silent for so many days in a row, the last of which is on `day` or later.
  public func isSilent(person: Int, forDays count: Int, endingSince day: Day) -> Bool {
    let first = max(0, day - days.lowerBound - (count - 1))
    var silent = 0
    for mark in marks(ofPerson: person).dropFirst(first) {
      silent = mark == 1 ? 0 : silent + 1
      if silent >= count { return true }
    }
    return false
  }
}
