public import VigilModel

/// The scores of a block of persons on a dense day axis: those that came from elsewhere and those
/// that Vigil computed.
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let block = ScoreBlock(personCount: 1, days: day...day)
/// let row = VitalityScore(
///   user: UUID(name: "anna"), day: day, total: 70, sleep: 58, movement: nil, stress: 88,
///   schemaVersion: "v1", source: "app")
/// print(block.takeForeign(row, person: 0))  // true
/// print(block.total(person: 0, day: day) ?? 0, block.computedRowCount)  // 70 0
/// ```
public final class ScoreBlock {
  public private(set) var personCount: Int
  public private(set) var days: ClosedRange<Day>
  public var dayCount: Int { days.upperBound - days.lowerBound + 1 }

  /// By person, then by column, then by day; `none` where there is no score.
  private var scores: [UInt8]
  /// By person, then by day.
  private var origins: [Origin]

  static let none: UInt8 = 255

  enum Origin: UInt8 {
    case none
    case computed
    case foreign
  }

  /// A column of `vitality_scores`.
  enum Column: Int, CaseIterable {
    case sleep, movement, stress, total

    init?(_ pillar: Pillar) {
      switch pillar {
      case .sleep: self = .sleep
      case .movement: self = .movement
      case .stress: self = .stress
      case .adherence: return nil
      }
    }
  }

  /// A block without any score.
  public init(personCount: Int, days: ClosedRange<Day>) {
    self.personCount = personCount
    self.days = days
    scores = []
    origins = []
    reset(personCount: personCount, days: days)
  }

  /// Empties the block for other persons and days, keeping its memory where it suffices.
  public func reset(personCount: Int, days: ClosedRange<Day>) {
    self.personCount = personCount
    self.days = days
    let count = personCount * dayCount
    scores.removeAll(keepingCapacity: true)
    scores.append(contentsOf: repeatElement(Self.none, count: count * Column.allCases.count))
    origins.removeAll(keepingCapacity: true)
    origins.append(contentsOf: repeatElement(Origin.none, count: count))
  }

  /// Takes a row that came from elsewhere: it is used as it is, and no score of Vigil's replaces it.
  ///
  /// A later row of the same person and day replaces an earlier one; days outside the block are
  /// ignored.
  ///
  /// - Returns: False, without any change, where a score is outside 0...100: such a row cannot be
  ///   used.
  /// - Precondition: `row.isForeign`.
  @discardableResult
  public func takeForeign(_ row: VitalityScore, person: Int) -> Bool {
    precondition(row.isForeign)
    let columns = [
      (Column.sleep, row.sleep), (.movement, row.movement), (.stress, row.stress),
      (.total, row.total),
    ]
    guard columns.allSatisfy({ _, score in score.map { (0...100).contains($0) } ?? true }) else {
      return false
    }
    guard days.contains(row.day) else { return true }
    let day = row.day - days.lowerBound
    for (column, score) in columns {
      scores[index(person, column, day)] = score.map { UInt8(clamping: $0) } ?? Self.none
    }
    origins[person * dayCount + day] = .foreign
    return true
  }

  /// The score of a pillar; nil where it has none.
  public func score(of pillar: Pillar, person: Int, day: Day) -> Int? {
    Column(pillar).flatMap { value($0, person, day) }
  }

  public func total(person: Int, day: Day) -> Int? { value(.total, person, day) }

  /// The row that Vigil computed; nil where there is none or it came from elsewhere.
  public func computedRow(
    person: Int, day: Day, user: UUID, settings: VitalitySettings
  ) -> VitalityScore? {
    guard days.contains(day), origins[person * dayCount + (day - days.lowerBound)] == .computed
    else { return nil }
    return VitalityScore(
      user: user, day: day, total: value(.total, person, day), sleep: value(.sleep, person, day),
      movement: value(.movement, person, day), stress: value(.stress, person, day),
      schemaVersion: settings.version, source: VitalityScore.computedSource)
  }

  /// Rows that Vigil computed.
  ///
  /// - Complexity: O(persons x days).
  public var computedRowCount: Int { origins.count { $0 == .computed } }

  private func value(_ column: Column, _ person: Int, _ day: Day) -> Int? {
    guard days.contains(day) else { return nil }
    let score = scores[index(person, column, day - days.lowerBound)]
    return score == Self.none ? nil : Int(score)
  }

  private func index(_ person: Int, _ column: Column, _ day: Int) -> Int {
    (person * Column.allCases.count + column.rawValue) * dayCount + day
  }

  /// Whether any column has a score on the day with this index.
  func hasScore(person: Int, dayIndex: Int) -> Bool {
    Column.allCases.contains { scores[index(person, $0, dayIndex)] != Self.none }
  }

  /// The score of a pillar on the day with this index, NaN where it has none.
  func value(of column: Column, person: Int, dayIndex: Int) -> Double {
    let score = scores[index(person, column, dayIndex)]
    return score == Self.none ? .nan : Double(score)
  }

  /// Gives `body` the columns (`Column.allCases` times `dayCount`) and origins of one person to write to.
  func withPerson<Result>(
    _ person: Int,
    _ body: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Origin>) -> Result
  ) -> Result? {
    let columns = person * Column.allCases.count * dayCount
    let first = person * dayCount
    return scores.withUnsafeMutableBufferPointer { scores in
      origins.withUnsafeMutableBufferPointer { origins in
        guard let scores = scores.baseAddress, let origins = origins.baseAddress else { return nil }
        return body(scores + columns, origins + first)
      }
    }
  }
}
