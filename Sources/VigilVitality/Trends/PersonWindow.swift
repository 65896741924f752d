import VigilModel

/// The scores of one person on the days up to an evaluated one.
struct PersonWindow {
  let days: ClosedRange<Day>
  /// By pillar in the order of `Pillar.allCases`, then by day; NaN where there is none.
  private var values: [Double]
  private let dayCount: Int
  /// Of the last `coverageDays` days, those with any score.
  private(set) var coverage = 0
  /// The last of them; nil without one.
  private(set) var lastDay: Day?

  init(
    _ scores: ScoreBlock, adherence: ObservationBlock?, person: Int, days: ClosedRange<Day>,
    coverageDays: Int
  ) {
    self.days = days
    dayCount = days.upperBound - days.lowerBound + 1
    values = Array(repeating: .nan, count: dayCount * Pillar.allCases.count)
    let doses = adherence?.series(person: person, metric: 0)
    for index in 0..<dayCount {
      let day = days.lowerBound + index
      var hasScore = false
      if scores.days.contains(day) {
        let scoreIndex = day - scores.days.lowerBound
        hasScore = scores.hasScore(person: person, dayIndex: scoreIndex)
        for (place, pillar) in Pillar.allCases.enumerated() {
          guard let column = ScoreBlock.Column(pillar) else { continue }
          values[place * dayCount + index] = scores.value(
            of: column, person: person, dayIndex: scoreIndex)
        }
      }
      if let adherence, let doses, adherence.days.contains(day) {
        let value = doses[day - adherence.days.lowerBound]
        hasScore = hasScore || value == value
        for (place, pillar) in Pillar.allCases.enumerated() where pillar == .adherence {
          values[place * dayCount + index] = value
        }
      }
      if hasScore, days.upperBound - day < coverageDays {
        coverage += 1
        lastDay = day
      }
    }
  }

  func values(of pillar: Pillar) -> ArraySlice<Double> {
    let place = Pillar.allCases.firstIndex(of: pillar) ?? 0
    return values[place * dayCount..<(place + 1) * dayCount]
  }
}
