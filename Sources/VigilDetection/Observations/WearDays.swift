public import VigilModel

/// Whether each person of a block wore a device, day by day.
///
/// ```swift
/// guard let first = Day("2026-06-01") else { return }
/// let days = WearDays(personCount: 1, days: first...(first + 9))
/// days.set(WearFinding(.notWorn, because: .still), person: 0, day: first + 2)
/// print(days.wear(person: 0, day: first + 2), days.wear(person: 0, day: first + 3))  // notWorn noRow
/// ```
public final class WearDays {
  public private(set) var personCount: Int
  public private(set) var days: ClosedRange<Day>
  /// By person and day.
  private var marks: [Wear]
  /// The findings with a reason; empty where they are not kept.
  private var reasons: [Place: WearFinding.Reason] = [:]
  private let keepsReasons: Bool

  private struct Place: Hashable {
    var person: Int
    var day: Day
  }

  /// - Parameters:
  ///   - personCount: The persons of the block.
  ///   - days: Its days.
  ///   - keepsReasons: Whether to keep why a day was not worn, for explanations.
  public init(personCount: Int, days: ClosedRange<Day>, keepsReasons: Bool = false) {
    self.personCount = personCount
    self.days = days
    self.keepsReasons = keepsReasons
    marks = Array(repeating: .noRow, count: personCount * Self.count(days))
  }

  /// Empties it for other persons, keeping its memory.
  public func reset(personCount: Int) {
    self.personCount = personCount
    marks.removeAll(keepingCapacity: true)
    marks.append(contentsOf: repeatElement(.noRow, count: personCount * Self.count(days)))
    reasons.removeAll(keepingCapacity: true)
  }

  private static func count(_ days: ClosedRange<Day>) -> Int {
    days.upperBound - days.lowerBound + 1
  }

  private func index(_ person: Int, _ day: Day) -> Int {
    person * Self.count(days) + (day - days.lowerBound)
  }

  /// Takes what was found of a day; ignores days outside.
  public func set(_ finding: WearFinding, person: Int, day: Day) {
    guard days.contains(day) else { return }
    marks[index(person, day)] = finding.wear
    if keepsReasons, let reason = finding.reason {
      reasons[Place(person: person, day: day)] = reason
    }
  }

  /// - Returns: `noRow` for days outside.
  public func wear(person: Int, day: Day) -> Wear {
    days.contains(day) ? marks[index(person, day)] : .noRow
  }

  /// Returns the finding of a day, with its reason where those are kept.
  public func finding(person: Int, day: Day) -> WearFinding {
    WearFinding(
      wear(person: person, day: day), because: reasons[Place(person: person, day: day)])
  }
}
