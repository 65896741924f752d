public import VigilDetection
public import VigilModel

/// The days of one person that a series of silence is judged by: the signs of life, or else the overdue check-ins.
public struct SilenceDays {
  public let signs: SignsOfLife?
  public let overdue: OverdueDays?
  /// The days whose silence is shown.
  public let shown: ClosedRange<Day>

  /// The days before the last one that a drawing looks at where it is of 60 days, with their means.
  private static let drawnDays = 65

  /// Days by their signs of life.
  public init(_ signs: SignsOfLife) {
    self.signs = signs
    overdue = nil
    shown = signs.days
  }

  /// Days by their overdue check-ins.
  public init(_ overdue: OverdueDays) {
    self.overdue = overdue
    signs = nil
    shown = overdue.days
  }

  /// The days of the first person of a block, as a series of silence counts them.
  ///
  /// - Parameters:
  ///   - series: The series.
  ///   - signs: The person's signs of life; nil where none are followed.
  ///   - checkIns: By place of a person, their check-ins.
  ///   - folded: The days on which episodes are followed.
  public init(
    of series: SilenceSeries, signs: SignsOfLife?, checkIns: [Int: CheckInHistory],
    folded: ClosedRange<Day>
  ) {
    if series.metric == .inactivity, let signs {
      self.init(signs)
      return
    }
    // One day more is folded where the day before is explained alone; days before are drawn.
    let first = min(folded.lowerBound - 1, folded.upperBound - Self.drawnDays)
    let overdue = OverdueDays(personCount: 1, days: first...folded.upperBound)
    overdue.fill(from: checkIns, personCount: 1)
    self.init(overdue)
  }

  /// The first day of the silence in which `day` lies; nil where it is not silent, or no sign before it was read.
  func start(on day: Day) -> Day? {
    if let overdue { return overdue.start(person: 0, day: day) }
    guard let signs, !signs.contains(person: 0, day: day) else { return nil }
    return signs.lastSign(ofPerson: 0, before: day).map { $0 + 1 }
  }

  /// The silent days in a row up to `day`; nil where there are more than were read.
  func count(on day: Day) -> Int? {
    if let start = start(on: day) { return day - start + 1 }
    return overdue != nil || signs?.contains(person: 0, day: day) ?? true ? 0 : nil
  }
}

extension OverdueDays {
  /// The same of the first person on other days, of which those outside are not overdue.
  func of(_ days: ClosedRange<Day>) -> OverdueDays {
    let other = OverdueDays(personCount: 1, days: days)
    for day in days where self.days.contains(day) {
      if let start = start(person: 0, day: day) { other.set(person: 0, day: day, since: start) }
    }
    return other
  }
}
