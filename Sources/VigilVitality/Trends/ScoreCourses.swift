import VigilModel

/// The scores of some persons on all days that the evaluation of a range of days reads, pillar by
/// pillar; persons are numbered in the order of `persons`.
struct ScoreCourses {
  let days: ClosedRange<Day>
  let dayCount: Int
  /// By person, then by pillar in the order of `Pillar.allCases`, then by day; NaN where there is none.
  private var values: [Double]
  /// By person, then by day: whether there is any score.
  private var hasScore: [Bool]

  /// - Parameters:
  ///   - adherence: A block of one metric; nil where nothing is known of it.
  ///   - persons: Their indices in `scores` and `adherence`.
  init(
    _ scores: ScoreBlock, adherence: ObservationBlock?, persons: [Int], days: ClosedRange<Day>
  ) {
    self.days = days
    dayCount = days.upperBound - days.lowerBound + 1
    values = Array(
      repeating: .nan, count: persons.count * Pillar.allCases.count * dayCount)
    hasScore = Array(repeating: false, count: persons.count * dayCount)
    for (person, index) in persons.enumerated() {
      takeScores(of: index, from: scores, as: person)
      if let adherence { takeAdherence(of: index, from: adherence, as: person) }
    }
  }

  private mutating func takeScores(of source: Int, from scores: ScoreBlock, as person: Int) {
    let shared = days.clamped(to: scores.days)
    guard shared.overlaps(scores.days), shared.overlaps(days) else { return }
    let places = Pillar.allCases.enumerated().compactMap { place, pillar in
      ScoreBlock.Column(pillar).map { (place, $0) }
    }
    for index in (shared.lowerBound - days.lowerBound)...(shared.upperBound - days.lowerBound) {
      let scoreIndex = (days.lowerBound - scores.days.lowerBound) + index
      guard scores.hasScore(person: source, dayIndex: scoreIndex) else { continue }
      hasScore[person * dayCount + index] = true
      for (place, column) in places {
        values[start(person, place) + index] = scores.value(
          of: column, person: source, dayIndex: scoreIndex)
      }
    }
  }

  private mutating func takeAdherence(
    of source: Int, from adherence: ObservationBlock, as person: Int
  ) {
    guard let place = Pillar.allCases.firstIndex(of: .adherence) else { return }
    let series = adherence.series(person: source, metric: 0)
    for index in 0..<dayCount {
      let day = days.lowerBound + index
      guard adherence.days.contains(day) else { continue }
      let value = series[day - adherence.days.lowerBound]
      guard value == value else { continue }
      hasScore[person * dayCount + index] = true
      values[start(person, place) + index] = value
    }
  }

  private func start(_ person: Int, _ place: Int) -> Int {
    (person * Pillar.allCases.count + place) * dayCount
  }

  /// All days of one pillar of a person.
  ///
  /// - Parameter place: That of the pillar in `Pillar.allCases`.
  func values(person: Int, place: Int) -> ArraySlice<Double> {
    let start = start(person, place)
    return values[start..<start + dayCount]
  }

  /// Whether a person has any score, day by day.
  func presence(person: Int) -> ArraySlice<Bool> {
    hasScore[person * dayCount..<(person + 1) * dayCount]
  }
}

/// Counts the days with a score in a window that moves on day by day.
struct MovingCoverage {
  private let length: Int
  private(set) var count = 0
  /// Index of the last day with a score so far; nil without one, or where it has left the window.
  private(set) var lastDay: Int?

  init(length: Int) {
    self.length = length
  }

  /// - Parameter presence: Of the same person each time.
  mutating func advance(to index: Int, _ presence: ArraySlice<Bool>) {
    let first = presence.startIndex
    if presence[first + index] {
      count += 1
      lastDay = index
    }
    if index >= length, presence[first + index - length] { count -= 1 }
    if let last = lastDay, index - last >= length { lastDay = nil }
  }
}
