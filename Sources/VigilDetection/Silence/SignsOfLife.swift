public import VigilModel

/// The days on which each person of a block gave a sign of life (specification, silence.md section 1).
///
/// ```swift
/// guard let first = Day("2026-06-01") else { return }
/// let signs = SignsOfLife(personCount: 1, days: first...(first + 9))
/// signs.addWorn(person: 0, day: first + 2, came: first + 3)
/// signs.add(person: 0, day: first + 4)
/// print(signs.contains(person: 0, day: first + 2), signs.contains(person: 0, day: first))  // true false
/// print(signs.lastSign(ofPerson: 0, before: first + 4) ?? first)  // 2026-06-03
/// ```
public final class SignsOfLife {
  // A day is added with each row that is read; nothing that is called meanwhile can reach them.
  @exclusivity(unchecked) public private(set) var personCount: Int
  @exclusivity(unchecked) public private(set) var days: ClosedRange<Day>
  /// By person and day, the kinds of signs; 0 where there is none.
  @exclusivity(unchecked) private var marks: [UInt8]
  /// By person and day, the ordinal of the day on which the rows of a worn day came; `unknown` for others.
  @exclusivity(unchecked) private var comings: [Int32]

  private static let isWorn: UInt8 = 1
  private static let hasOther: UInt8 = 2
  private static let unknown = Int32.max

  public init(personCount: Int, days: ClosedRange<Day>) {
    self.personCount = personCount
    self.days = days
    let count = personCount * (days.upperBound - days.lowerBound + 1)
    marks = Array(repeating: 0, count: count)
    comings = Array(repeating: Self.unknown, count: count)
  }

  /// Empties it for other persons, keeping its memory.
  public func reset(personCount: Int) {
    self.personCount = personCount
    marks.removeAll(keepingCapacity: true)
    marks.append(contentsOf: repeatElement(0, count: personCount * dayCount))
    comings.removeAll(keepingCapacity: true)
    comings.append(contentsOf: repeatElement(Self.unknown, count: personCount * dayCount))
  }

  private var dayCount: Int { days.upperBound - days.lowerBound + 1 }

  private func index(_ person: Int, _ day: Day) -> Int {
    person * dayCount + (day - days.lowerBound)
  }

  /// Adds a worn day; ignores days outside.
  ///
  /// - Parameters:
  ///   - person: The index of the person.
  ///   - day: The day.
  ///   - came: The day (UTC) on which some of its rows came, the earliest of which counts; nil where that is not
  ///     known.
  public func addWorn(person: Int, day: Day, came: Day?) {
    guard days.contains(day) else { return }
    let index = index(person, day)
    marks[index] |= Self.isWorn
    if let came { comings[index] = min(comings[index], came.ordinal) }
  }

  /// Adds a day with a dose or a check-in; ignores days outside.
  public func add(person: Int, day: Day) {
    guard days.contains(day) else { return }
    marks[index(person, day)] |= Self.hasOther
  }

  public func contains(person: Int, day: Day) -> Bool {
    days.contains(day) && marks[index(person, day)] != 0
  }

  /// The day on which a sign has come; nil where it is no sign, or has come on none.
  func coming(person: Int, day: Day) -> Day? {
    guard days.contains(day) else { return nil }
    let index = index(person, day)
    guard marks[index] == Self.isWorn, comings[index] != Self.unknown else { return nil }
    return Day(ordinal: comings[index])
  }

  /// Whether any of the last `count` days before `day` is a worn one.
  public func isWorn(person: Int, inLast count: Int, before day: Day) -> Bool {
    let last = min(day - 1, days.upperBound)
    let first = max(day - count, days.lowerBound)
    guard first <= last else { return false }
    return marks[index(person, first)...index(person, last)].contains { $0 & Self.isWorn != 0 }
  }

  /// The newest sign of a person before `day`; nil where there is none.
  public func lastSign(ofPerson person: Int, before day: Day) -> Day? {
    let last = min(day - 1, days.upperBound)
    guard last >= days.lowerBound else { return nil }
    let first = index(person, days.lowerBound)
    return marks[first...index(person, last)].lastIndex { $0 != 0 }
      .map { days.lowerBound + ($0 - first) }
  }

  /// Whether a person was silent for so many days in a row, the last of which is on `day` or later.
  public func isSilent(person: Int, forDays count: Int, endingSince day: Day) -> Bool {
    let first = max(0, day - days.lowerBound - (count - 1))
    var silent = 0
    for mark in marks[(person * dayCount + first)..<((person + 1) * dayCount)] {
      silent = mark != 0 ? 0 : silent + 1
      if silent >= count { return true }
    }
    return false
  }
}
