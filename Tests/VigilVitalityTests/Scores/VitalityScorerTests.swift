import Foundation
import ReferenceKernels
import TestSupport
import Testing
import VigilModel
import VigilVitality

@Suite struct VitalityScorerTests {
  private let settings: VitalitySettings

  init() throws {
    settings = try ShippedSettings.named("v1")
  }

  // MARK: Against the twin

  @Test(arguments: 0..<4)
  func thousandsOfRandomPersonsHaveTheScoresOfTheTwin(seed: Int) {
    let persons = RandomPersons(seed: seed, count: 500)
    let found = persons.scores(Array(persons.rows.indices), settings: settings.scores)
    var count = (rows: 0, empty: 0, partial: 0)
    for person in persons.rows.indices {
      for day in RandomPersons.scored {
        let expected = ReferenceScores(
          rows: persons.rows[person], day: day, birthDate: persons.birthDates[person],
          settings: settings.scores)
        let label: Comment = "seed \(seed), person \(person), \(day)"
        let row = found.computedRow(
          person: person, day: day, user: UUID(name: ""), settings: settings)
        guard let total = expected.total else {
          #expect(row == nil, label)
          count.empty += 1
          continue
        }
        #expect(row?.total == total, label)
        #expect(row?.sleep == expected.pillars[.sleep], label)
        #expect(row?.movement == expected.pillars[.movement], label)
        #expect(row?.stress == expected.pillars[.stress], label)
        count.rows += 1
        if expected.pillars.count == 2 { count.partial += 1 }
      }
    }
    #expect(count.rows > 1000 && count.empty > 50 && count.partial > 50)
    #expect(found.computedRowCount == count.rows)
  }

  @Test func otherWindowsAndWeightsHaveTheScoresOfTheTwin() {
    var other = settings.scores
    other.windowDays = 3
    other.lookbackDays = 0
    other.minPillars = 3
    other.pillars[0].weight = 0.2
    other.pillars[1].subMetrics.removeFirst()
    other.pillars[2].subMetrics[1].weight = 0.7
    let persons = RandomPersons(seed: 9, count: 200)
    let found = persons.scores(Array(persons.rows.indices), settings: other)
    for person in persons.rows.indices {
      for day in RandomPersons.scored {
        let expected = ReferenceScores(
          rows: persons.rows[person], day: day, birthDate: persons.birthDates[person],
          settings: other)
        #expect(found.total(person: person, day: day) == expected.total, "\(person) \(day)")
      }
    }
    #expect(found.computedRowCount > 100)
  }

  // MARK: Blocks

  @Test func aPersonAloneHasTheScoresOfTheBlock() {
    let persons = RandomPersons(seed: 5, count: 300)
    let block = persons.scores(Array(persons.rows.indices), settings: settings.scores)
    for person in persons.rows.indices {
      let alone = persons.scores([person], settings: settings.scores)
      #expect(alone.rows(person: 0) == block.rows(person: person), "person \(person)")
    }
  }

  @Test func theOrderOfPersonsChangesNoScore() {
    let persons = RandomPersons(seed: 6, count: 300)
    var random = SeededGenerator(seed: 6)
    let order = Array(persons.rows.indices).shuffled(using: &random)
    let straight = persons.scores(Array(persons.rows.indices), settings: settings.scores)
    let permuted = persons.scores(order, settings: settings.scores)
    for (place, person) in order.enumerated() {
      #expect(permuted.rows(person: place) == straight.rows(person: person))
    }
  }

  @Test func aScorerKeepsNothingOfTheBlockBefore() {
    let persons = RandomPersons(seed: 7, count: 50)
    let block = ObservationBlock.forVitality(personCount: 50, days: RandomPersons.days)
    let scorer = VitalityScorer(settings: settings.scores)
    let scores = ScoreBlock(personCount: 50, days: RandomPersons.scored)
    block.values.update(repeating: 50)
    scorer.score(block, birthDates: persons.birthDates, into: scores)
    #expect(scores.computedRowCount == 50 * RandomPersons.scoredDays)
    block.reset(personCount: 50, days: RandomPersons.days)
    scores.reset(personCount: 50, days: RandomPersons.scored)
    scorer.score(block, birthDates: persons.birthDates, into: scores)
    #expect(scores.computedRowCount == 0)
  }

  // MARK: Rounding

  /// Means that are on the end of a band in decimal and not in binary, summed in every order.
  @Test(arguments: [
    (VitalityMetric.hrv, 60.0), (.hrv, 90), (.restingHeartRate, 65), (.restingHeartRate, 75),
    (.breathingRate, 12), (.breathingRate, 20), (.breathingRate, 22), (.sleepEfficiency, 88),
    (.activeCalories, 300), (.steps, 6000.5), (.movementMinutes, 29.5),
  ])
  func theOrderOfASumChangesNoScore(metric: VitalityMetric, edge: Double) {
    var random = SeededGenerator(seed: metric.rawValue)
    let days = RandomPersons.days
    let day = days.upperBound
    func total(_ values: [Double]) -> [[Int?]] {
      let block = ObservationBlock.forVitality(personCount: 1, days: days)
      for other in [VitalityMetric.steps, .hrv, .sleepEfficiency] {
        block.series(person: 0, metric: other.rawValue)[days.count - 1] = 80
      }
      let series = block.series(person: 0, metric: metric.rawValue)
      for (index, value) in values.enumerated() { series[days.count - 7 + index] = value }
      let scores = ScoreBlock(personCount: 1, days: day...day)
      VitalityScorer(settings: settings.scores).score(block, birthDates: [nil], into: scores)
      return scores.rows(person: 0)
    }
    let expected = total(Array(repeating: edge, count: 7))
    for _ in 0..<60 {
      var tenths = (0..<6).map { _ in Int.random(in: -40...40, using: &random) }
      tenths.append(-tenths.reduce(0, +))
      let values = tenths.map { (edge * 10 + Double($0)) / 10 }
      #expect(total(values.shuffled(using: &random)) == expected, "\(values)")
    }
  }

  // MARK: Foreign rows

  @Test func rowsFromElsewhereAreUsedAsTheyAre() {
    let days = RandomPersons.scored
    let block = ObservationBlock.forVitality(personCount: 2, days: RandomPersons.days)
    block.values.update(repeating: 50)
    let scores = ScoreBlock(personCount: 2, days: days)
    let row = VitalityScore(
      user: UUID(name: "person"), day: days.lowerBound + 1, total: 12, sleep: nil, movement: 0,
      stress: 100, schemaVersion: "7", source: "app")
    scores.takeForeign(row, person: 1)
    var outside = row
    outside.day = days.upperBound + 1
    scores.takeForeign(outside, person: 1)
    var unusable = row
    unusable.day = days.lowerBound
    unusable.stress = 101
    #expect(!scores.takeForeign(unusable, person: 1))
    VitalityScorer(settings: settings.scores).score(block, birthDates: [nil, nil], into: scores)
    #expect(scores.rows(person: 1)[1] == [12, nil, 0, 100])
    #expect(
      scores.computedRow(person: 1, day: row.day, user: row.user, settings: settings) == nil)
    #expect(scores.computedRowCount == 2 * days.count - 1)
    #expect(scores.rows(person: 1)[0] == scores.rows(person: 0)[0])
  }

  // MARK: Age

  @Test func ageIsCountedInCompletedYears() throws {
    let scores = settings.scores
    func group(_ birth: String, _ day: String) throws -> String {
      let (birthDate, today): (Day, Day) = (try #require(Day(birth)), try #require(Day(day)))
      let index = scores.ageGroup(born: birthDate, on: today)
      return scores.ageGroups[index].name
    }
    #expect(try group("1986-03-11", "2026-03-10") == "young")
    #expect(try group("1986-03-11", "2026-03-11") == "middle")
    #expect(try group("1986-02-28", "2026-02-28") == "middle")
    // Born on a leap day: a birthday on 29 February, and on 1 March in other years.
    #expect(try group("1988-02-29", "2028-02-28") == "young")
    #expect(try group("1988-02-29", "2028-02-29") == "middle")
    #expect(try group("1952-02-29", "2027-02-28") == "senior")
    #expect(try group("1952-02-29", "2027-03-01") == "elderly")
    #expect(try group("2030-01-01", "2026-01-01") == "young")
    #expect(scores.ageGroups[scores.ageGroup(born: nil, on: Day(ordinal: 0))].name == "middle")
  }
}
