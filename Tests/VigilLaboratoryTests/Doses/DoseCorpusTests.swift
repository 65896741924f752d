import Testing
import VigilModel

@testable import VigilLaboratory

@Suite struct DoseCorpusTests {
  @Test("the share of missed doses is that of the habit", arguments: DoseHabit.Kind.allCases)
  func shares(kind: DoseHabit.Kind) async {
    var habit = kind.habit
    habit.weekendOdds = 1
    let corpus = await DoseCorpus(habit, seed: 3, people: 0..<400, dayCount: 400)
    // Slow moves of the odds make large shares a little larger.
    #expect(abs(corpus.missedShare - habit.missedShare) <= 0.1 * habit.missedShare)
  }

  @Test("a miss follows a missed day as often as the habit says")
  func repeats() async {
    for (repeating, expected) in [
      (1.0, 0.1), (DoseHabit.someRepeating, 0.17), (DoseHabit.muchRepeating, 0.31),
    ] {
      let simulation = SimulatedDoses(
        habit: DoseHabit(missedShare: 0.1, repeating: repeating), seed: 5)
      var (missed, again) = (0, 0)
      for person in 0..<300 {
        let block = DoseBlock(
          personCount: 1, days: Corpus.firstDay...(Corpus.firstDay + 399))
        let days = block.days(ofPerson: 0)
        simulation.write(person, into: days, change: nil)
        for (day, next) in zip(days, days.dropFirst())
        where day.expected > 0 && day.missed == day.expected && next.expected > 0 {
          missed += 1
          if next.missed > 0 { again += 1 }
        }
      }
      #expect(abs(Double(again) / Double(missed) - expected) <= 0.04, "\(repeating)")
    }
  }

  @Test("a change leaves all other days as they are")
  func onlyChangedDays() {
    let simulation = SimulatedDoses(habit: DoseHabit.Kind.several.habit, seed: 9)
    let change = DoseChange(onset: 120, length: 28, missedShare: 1)
    let blocks = [nil, change].map { change in
      let block = DoseBlock(personCount: 1, days: Corpus.firstDay...(Corpus.firstDay + 199))
      simulation.write(7, into: block.days(ofPerson: 0), change: change)
      return Array(block.days(ofPerson: 0))
    }
    #expect(blocks[0][..<120] == blocks[1][..<120])
    #expect(blocks[1][change.days].allSatisfy { $0.missed == $0.expected })
    #expect(blocks[0][change.days].contains { $0.missed < $0.expected })
  }

  @Test("a person is the same in every corpus")
  func sameInEveryCorpus() async throws {
    let detector = try #require(DoseDetector("means", thresholds: DoseRules.means))
    let habit = DoseHabit.Kind.often.habit
    let all = await DoseCorpus(habit, seed: 1, people: 0..<230, dayCount: 200).episodes(
      of: detector)
    let some = await DoseCorpus(habit, seed: 1, people: 120..<130, dayCount: 200)
      .episodes(of: detector)
    #expect(all.count == 230)
    // The numbers of series are those within a block.
    #expect(all[120..<130].map { $0.map(\.opened) } == some.map { $0.map(\.opened) })
    #expect(all.contains { !$0.isEmpty })
  }
}
