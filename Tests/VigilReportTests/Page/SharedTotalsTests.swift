import TestSupport
import Testing
import VigilModel

@testable import VigilReport

/// An attacker who has a page for others, and knows how it is made but not how it was rounded.
private struct Attacker {
  var page: SharedTotals

  /// A shown count is within 4 of the true one.
  private func range(_ count: Int?) -> ClosedRange<Int> {
    count.map { max(0, $0 - 4)...$0 + 4 } ?? 0...14
  }

  /// Whether a place may have this count, where all that is left out is small: whether the persons can be put into
  /// the places so that each who needs attention is in some place, and in at most one of a metric.
  func mayBe(_ count: Int, row: Int, column: Int) -> Bool {
    guard let inNeed = page.inNeed else { return true }
    var least: [Int] = []
    var most = 0
    for (number, one) in page.rows.enumerated() {
      let ranges = one.counts.enumerated().map { place, shown in
        number == row && place == column ? count...count : range(shown)
      }
      least.append(ranges.map(\.lowerBound).reduce(0, +))
      most += ranges.map(\.upperBound).reduce(0, +)
    }
    return range(inNeed).contains { all in least.allSatisfy { $0 <= all } && all <= most }
  }
}

@Suite struct SharedTotalsTests {
  private static func selection(_ seed: Int) -> StableHash {
    var hash = StableHash()
    hash.combine(seed)
    return hash
  }

  /// A page on persons of whom some have an alert of some metrics, in one of four places each.
  private static func table(
    _ random: inout some RandomNumberGenerator
  ) -> (persons: Int, inNeed: Int, byMetric: [String: [Int]]) {
    let persons = Int.random(in: 11...120, using: &random)
    let metrics = (1...Int.random(in: 1...4, using: &random)).map { "metric \($0)" }
    let needs = Double.random(in: 0.1...1, using: &random)
    let has = Double.random(in: 0.2...1, using: &random)
    let weights = (1...4).map { _ in Double.random(in: 0...1, using: &random) }
    var byMetric = Dictionary(uniqueKeysWithValues: metrics.map { ($0, [0, 0, 0, 0]) })
    var inNeed = 0
    for _ in 1...persons where Double.random(in: 0...1, using: &random) < needs {
      var own = metrics.filter { _ in Double.random(in: 0...1, using: &random) < has }
      if own.isEmpty { own = [metrics[0]] }
      inNeed += 1
      for metric in own {
        var draw = Double.random(in: 0..<weights.reduce(0, +), using: &random)
        let place = weights.firstIndex { weight in
          draw -= weight
          return draw < 0
        }
        byMetric[metric]?[place ?? 3] += 1
      }
    }
    return (persons, inNeed, byMetric)
  }

  @Test func nothingThatIsLeftOutFollowsFromTheRest() throws {
    var random = SeededGenerator(seed: 37)
    var (shown, leftOut) = (0, 0)
    for seed in 1...Repetitions.count(fast: 3_000, long: 100_000) {
      let table = Self.table(&random)
      let page = SharedTotals(
        persons: table.persons, inNeed: table.inNeed, byMetric: table.byMetric,
        selection: Self.selection(seed))
      for (row, one) in page.rows.enumerated() {
        let truth = try #require(table.byMetric[one.metric])
        for (column, count) in one.counts.enumerated() {
          if let count {
            shown += 1
            #expect(truth[column] >= 11 && abs(count - truth[column]) <= 4 && count % 5 == 0)
            #expect(table.persons - truth[column] >= 11)
          } else {
            leftOut += 1
            // Where nothing is possible, there are metrics that are not named. Where a count was left out for
            // another one, what is left out need not be small.
            let attacker = Attacker(page: page)
            let possible = (0...14).filter { attacker.mayBe($0, row: row, column: column) }
            #expect(
              possible == Array(0...14) || possible.isEmpty || page.hasLeftOutMore,
              "seed \(seed): \(table), \(page.rows), \(one.metric) \(column): \(possible)")
          }
        }
      }
    }
    #expect(shown > 500 && leftOut > 500, "\(shown) \(leftOut)")
  }

  @Test func aCountDoesNotFollowBySubtraction() {
    for seed in 1...200 {
      let page = SharedTotals(
        persons: 60, inNeed: 42, byMetric: ["steps": [3, 19, 20, 0]],
        selection: Self.selection(seed))
      for row in page.rows {
        #expect(row.counts[0] == nil)
        let attacker = Attacker(page: page)
        #expect((0...14).allSatisfy { attacker.mayBe($0, row: 0, column: 0) })
      }
    }
  }

  @Test func fewPeopleAreNotShown() {
    let page = SharedTotals(
      persons: 10, inNeed: 10, byMetric: ["steps": [10, 0, 0, 0]], selection: Self.selection(1))
    #expect(page.persons == nil && page.inNeed == nil && page.rows.isEmpty)
    // All of them need attention: that is said of none.
    let all = SharedTotals(
      persons: 40, inNeed: 39, byMetric: ["steps": [39, 0, 0, 0]], selection: Self.selection(1))
    #expect(all.persons == 40 && all.inNeed == nil && all.rows.isEmpty)
  }

  /// Of two pages whose selections differ by one person, a pair of counts that the person's alert makes possible is
  /// possible without it, too.
  @Test func twoNestedSelectionsDoNotRevealTheDifference() {
    func pairs(_ first: Int, _ second: Int) -> Set<[Int?]> {
      Set(
        (1...400).map { seed in
          [(first, 2 * seed), (second, 2 * seed + 1)].map { count, seed in
            SharedTotals(
              persons: 200, inNeed: 100, byMetric: ["steps": [count, 40, 40, 0]],
              selection: Self.selection(seed)
            ).rows.first?.counts[0]
          }
        })
    }
    let without = (0...40).reduce(into: Set<[Int?]>()) { $0.formUnion(pairs($1, $1)) }
    for count in 1...39 {
      #expect(pairs(count, count - 1).isSubset(of: without), "\(count)")
    }
  }
}
