import Foundation
import TestSupport
import Testing
import VigilModel
import VigilVitality

@Suite struct TrendEvaluatorTests {
  private let day = Day(ordinal: 20_539)
  private let user = UUID(name: "person")

  /// Scores of one pillar that end on the evaluated day.
  private func trends(
    _ values: SeriesNotation, profile: String = "v1", pillar: Pillar = .sleep,
    change: (inout TrendSettings) -> Void = { _ in }
  ) throws -> PersonTrends {
    var settings = try ShippedSettings.named(profile).trends
    change(&settings)
    let days = (day - (values.values.count - 1))...day
    let scores = ScoreBlock(personCount: 1, days: days)
    for (index, value) in values.values.enumerated() where !value.isNaN {
      scores.takeForeign(
        VitalityScore(
          user: user, day: days.lowerBound + index, total: nil,
          sleep: pillar == .sleep ? Int(value) : nil,
          movement: pillar == .movement ? Int(value) : nil, stress: nil, schemaVersion: "1",
          source: "app"), person: 0)
    }
    return TrendEvaluator(settings: settings).evaluate(scores, users: [user], on: day)[0]
  }

  /// A score that falls by one every other day, too slowly for the older rules.
  private static let slowFall: SeriesNotation =
    "88 87 87 86 86 85 85 84 84 83 83 82 82 81 81 80 80 79 79 78 78 77 77 76 76 75 75 80"

  @Test func aSlowFallIsAnInsightOnlyWhereTheSlopeIsOn() throws {
    #expect(try trends(Self.slowFall).insights == [])
    let found = try trends(Self.slowFall, profile: "v2").insights
    #expect(found.map(\.rule) == [.decliningTrend])
    let slope = try #require(found.first?.slope)
    #expect(slope.perDay > -0.6 && slope.perDay < -0.4 && slope.upper < 0)
    #expect(found.first?.severity == .attention)
  }

  @Test func aSlowRiseIsCelebrated() throws {
    let rising = SeriesNotation(values: Self.slowFall.values.map { 150 - $0 })
    let found = try trends(rising, profile: "v2").insights
    #expect(found.map(\.rule) == [.improvingTrend])
    #expect(found.map(\.severity) == [.celebrate])
  }

  @Test func olderRulesComeBeforeTheSlope() throws {
    let falling = SeriesNotation(values: (0..<28).map { 88 - Double($0) })
    #expect(try trends(falling, profile: "v2").insights.map(\.rule) == [.lowStreak])
  }

  @Test func aSlopeThatIsCertainButSmallIsNone() throws {
    let small: SeriesNotation = "82x7 81x7 80x7 79x6 80"
    #expect(try trends(small, profile: "v2").insights == [])
    let found = try trends(small, profile: "v2") { $0.slope?.minPointsOfChange = 1 }
    #expect(found.insights.map(\.rule) == [.decliningTrend])
  }

  @Test func aSlopeNeedsItsPoints() throws {
    let values = SeriesNotation(
      values: Self.slowFall.values.enumerated().map { $0.offset < 8 ? .nan : $0.element })
    let tooFew = try trends(values, profile: "v2") { $0.slope?.confidence = 0.8 }
    #expect(tooFew.insights == [])
    let found = try trends(values, profile: "v2") {
      $0.slope?.confidence = 0.8
      $0.slope?.minPoints = 20
    }
    #expect(found.insights.map(\.rule) == [.decliningTrend])
  }

  @Test func theDaysBeforeTheWindowCountForTheSlopeAndNotForCoverage() throws {
    let values: SeriesNotation = "70x7 _x15 70x6"
    let found = try trends(values, profile: "v2")
    #expect(found.coverage == 6)
    #expect(found.daysNeeded == 1)
    #expect(found.lastScoreDay == day)
  }

  @Test func anOldLastPointGivesNoInsight() throws {
    let fresh: SeriesNotation = "80x10 60x3 _x3"
    let old: SeriesNotation = "80x10 60x3 _x4"
    #expect(try trends(fresh).insights.map(\.rule) == [.lowStreak])
    #expect(try trends(old).insights == [])
    #expect(try trends(old).lastScoreDay == day - 4)
  }

  @Test func idsFollowFromTheNaturalKey() throws {
    let first = try #require(try trends("80x10 60x3").insights.first)
    #expect(
      first.id == UUID(name: "trend_insights:\(user.lowercased):sleep:\(day)"))
    // Another rule on the same day is another text of the same row.
    let second = try #require(try trends("60x10 80x3").insights.first)
    #expect(second.rule == .rebound && second.id == first.id)
    let other = try #require(try trends("80x10 60x3", pillar: .movement).insights.first)
    #expect(other.id != first.id)
    var missed = first
    missed.rule = .missedStreak
    missed.medication = UUID(name: "a")
    #expect(missed.id != first.id && missed.severity == .attention)
  }

  @Test func aPersonAloneHasTheTrendsOfTheBlock() throws {
    let settings = try ShippedSettings.named("v2").trends
    let persons = 120
    let days = (day - 34)...day
    let users = (0..<persons).map { UUID(name: "\($0)") }
    let block = ScoreBlock(personCount: persons, days: days)
    let adherence = ObservationBlock(personCount: persons, metricCount: 1, days: days)
    var rows: [[VitalityScore]] = []
    for person in 0..<persons {
      var random = SeededGenerator(seed: person)
      var level = 75.0
      let drift = random.pick([-1, -0.4, 0, 0.4])
      rows.append([])
      for day in days where !random.chance(0.05) {
        level = min(95, max(5, level + drift))
        func score() -> Int? {
          random.chance(0.1) ? nil : Int(level) + Int.random(in: -4...4, using: &random)
        }
        rows[person].append(
          VitalityScore(
            user: users[person], day: day, total: score(), sleep: score(), movement: score(),
            stress: score(), schemaVersion: "1", source: "app"))
        adherence.series(person: person, metric: 0)[day - days.lowerBound] =
          Double(random.pick([0, 50, 100, 100, 100]))
      }
      for row in rows[person] { block.takeForeign(row, person: person) }
    }
    let evaluator = TrendEvaluator(settings: settings)
    let found = evaluator.evaluate(block, users: users, adherence: adherence, on: day)
    for person in 0..<persons {
      let alone = ScoreBlock(personCount: 1, days: days)
      for row in rows[person] { alone.takeForeign(row, person: 0) }
      let doses = ObservationBlock(personCount: 1, metricCount: 1, days: days)
      _ = doses.values.update(fromContentsOf: adherence.series(person: person, metric: 0))
      let expected = evaluator.evaluate(
        alone, users: [users[person]], adherence: doses, on: day)[0]
      #expect(found[person] == expected)
    }
    let some = [3, 40, 41, 119]
    let ofSome = evaluator.evaluate(
      block, users: users, adherence: adherence, of: some, over: (day - 1)...day)
    #expect(ofSome.count == 2)
    #expect(ofSome.last == some.map { found[$0] })
    let rules = Set(found.flatMap { $0.insights.map(\.rule) })
    #expect(rules.isSuperset(of: [.lowStreak, .dropVsBaseline, .decliningTrend]))
  }
}
