public import VigilModel

/// For each person of a block and each folded day, the first day of the silence in which the day lies.
///
/// ```swift
/// guard let first = Day("2026-06-01") else { return }
/// let signs = SignsOfLife(personCount: 1, days: first...(first + 9))
/// signs.add(person: 0, day: first + 2)
/// let silent = SilentDays(personCount: 1, days: (first + 2)...(first + 9))
/// silent.fill(from: signs)
/// print(silent.start(person: 0, day: first + 2) == nil)  // true
/// print(silent.start(person: 0, day: first + 5) ?? first)  // 2026-06-04
/// ```
public final class SilentDays {
  public private(set) var personCount: Int
  public let days: ClosedRange<Day>
  /// By person and day, the ordinal of the first day; `none` where the day is not silent.
  private var starts: [Int32]

  private static let none = Int32.max
  /// The start of a silence that is older than what was read.
  public static let longAgo = Day(ordinal: Int32.min / 2)

  public init(personCount: Int, days: ClosedRange<Day>) {
    self.personCount = personCount
    self.days = days
    starts = Array(
      repeating: Self.none, count: personCount * (days.upperBound - days.lowerBound + 1))
  }

  private var dayCount: Int { days.upperBound - days.lowerBound + 1 }

  /// Empties it for other persons, keeping its memory: no day is silent.
  public func reset(personCount: Int) {
    self.personCount = personCount
    starts.removeAll(keepingCapacity: true)
    starts.append(contentsOf: repeatElement(Self.none, count: personCount * dayCount))
  }

  /// The first day of the silence in which `day` lies; nil where it is not silent.
  public func start(person: Int, day: Day) -> Day? {
    let start = starts[person * dayCount + (day - days.lowerBound)]
    return start == Self.none ? nil : Day(ordinal: start)
  }

  /// Makes a day silent since `start`, which is no later day.
  public func set(person: Int, day: Day, since start: Day) {
    precondition(start <= day)
    starts[person * dayCount + (day - days.lowerBound)] = start.ordinal
  }

  /// Makes every day silent that has no sign of life, since the day after the last sign.
  ///
  /// - Precondition: The days of `signs` begin with the first of these days or before it, and end with the last.
  public func fill(from signs: SignsOfLife) {
    precondition(
      signs.days.lowerBound <= days.lowerBound && signs.days.upperBound == days.upperBound)
    reset(personCount: signs.personCount)
    let firstSign = signs.days.lowerBound.ordinal
    let skipped = days.lowerBound - signs.days.lowerBound
    for person in 0..<personCount {
      var start = Self.longAgo.ordinal
      let target = person * dayCount - skipped
      for (index, mark) in signs.marks(ofPerson: person).enumerated() {
        if mark == 1 {
          start = firstSign + Int32(index + 1)
        } else if index >= skipped {
          starts[target + index] = start
        }
      }
    }
  }
}
