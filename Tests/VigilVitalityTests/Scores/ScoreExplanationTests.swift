import ReferenceKernels
import TestSupport
import Testing
import VigilModel
import VigilVitality

@Suite struct ScoreExplanationTests {
  /// Every scored day of random persons, beside the scores of the block.
  @Test(arguments: 0..<3)
  func anExplanationHasTheScoresOfTheBlock(seed: Int) throws {
    let settings = try ShippedSettings.named("v1").scores
    let persons = RandomPersons(seed: seed, count: 100)
    let everybody = Array(persons.rows.indices)
    let block = persons.block(everybody)
    let scores = persons.scores(everybody, settings: settings)
    let scorer = VitalityScorer(settings: settings)
    var found = 0
    for person in everybody {
      for day in RandomPersons.scored {
        let comment: Comment = "seed \(seed), person \(person), \(day)"
        let explanation = scorer.explain(
          block, person: person, born: persons.birthDates[person], on: day)
        #expect(explanation.total == scores.total(person: person, day: day), comment)
        for pillar in explanation.pillars {
          // A row needs two pillars; an explanation shows one that is alone, too.
          if explanation.total != nil {
            let score = scores.score(of: pillar.pillar, person: person, day: day)
            #expect(pillar.score == score, comment)
          }
          let lost = pillar.parts.reduce(0) { $0 + $1.lostPoints }
          if let score = pillar.score {
            #expect(abs(Double(100 - score) - lost) <= 0.5 + 1e-9, comment)
            found += 1
          } else {
            #expect(pillar.parts.allSatisfy { $0.score == nil } && lost == 0, comment)
          }
        }
      }
    }
    #expect(found > 500)
  }
}
