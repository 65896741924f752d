import TestSupport
import Testing
import VigilModel

@Suite struct SenderCountTests {
  private let days = Day(ordinal: 20_000)...Day(ordinal: 20_029)

  /// Rows of persons on days, some of which are outside.
  private func rows(_ random: inout SeededGenerator) -> [(person: Int, day: Day)] {
    (0..<Int.random(in: 0...400, using: &random)).map { _ in
      (
        Int.random(in: 0...12, using: &random),
        days.lowerBound + Int.random(in: -3...32, using: &random)
      )
    }
  }

  @Test func eachPersonCountsOnceADay() {
    for seed in 0..<Repetitions.count(fast: 50, long: 5_000) {
      var random = SeededGenerator(seed: seed)
      var senders = SenderCount(over: days)
      let rows = rows(&random)
      for row in rows { senders.add(person: row.person, row.day) }
      let expected = days.map { day in
        Set(rows.filter { $0.day == day }.map(\.person)).count
      }
      #expect(senders.counts == expected, "seed \(seed)")
    }
  }
}
