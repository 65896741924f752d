import ReferenceKernels
import TestSupport
import Testing
import VigilModel
import VigilVitality

@Suite struct ScoreExplanationTests {
  /// Every day of random persons, beside the scores of the block.
  @Test(arguments: 0..<3)
  func anExplanationHasTheScoresOfTheBlock(seed: Int) {
    let settings = ShippedSettings.v1.scores
    let persons = RandomPersons(seed: seed, count: 20, days: 30)
    let scorer = VitalityScorer(settings: settings)
    let days = persons.block.days
    let scores = ScoreBlock(personCount: persons.block.personCount, days: days)
    scorer.score(persons.block, birthDates: persons.birthDates, into: scores)
    var found = 0
    for person in 0..<persons.block.personCount {
      for index in 0..<scores.dayCount {
        let day = days.lowerBound + index
        let explanation = scorer.explain(
          persons.block, person: person, born: persons.birthDates[person], on: day)
        #expect(explanation.total == scores.total(person: person, day: day), "seed \(seed) \(day)")
        for pillar in explanation.pillars {
          // A row needs two pillars; an explanation shows one that is alone, too.
          if explanation.total != nil {
            #expect(
              pillar.score == scores.score(of: pillar.pillar, person: person, day: day),
              "seed \(seed) \(day)")
          }
          let lost = pillar.parts.reduce(0) { $0 + $1.lostPoints }
          if let score = pillar.score {
            #expect(abs(Double(100 - score) - lost) <= 0.5 + 1e-9, "seed \(seed) \(day)")
            found += 1
          } else {
            #expect(pillar.parts.allSatisfy { $0.score == nil } && lost == 0)
          }
        }
      }
    }
    #expect(found > 500)
  }
}
