import Testing
import VigilDetection
import VigilModel

@testable import VigilLaboratory

@Suite struct PauseSurveyTests {
  private let days: ClosedRange<Day>
  private let settings = InactivitySettings()

  init() throws {
    let first = try #require(Day("2026-01-01"))
    days = first...(first + 364)
  }

  /// People who wear a device on all days but those of their pauses.
  private func signs(_ pauses: [[Range<Int>]]) -> SignsOfLife {
    let signs = SignsOfLife(personCount: pauses.count, days: days)
    for (person, pauses) in pauses.enumerated() {
      for (index, day) in days.enumerated() where !pauses.contains(where: { $0.contains(index) }) {
        signs.addWorn(person: person, day: day, came: nil)
      }
    }
    return signs
  }

  @Test func thePriorIsThePausesOfThesePeople() throws {
    var survey = PauseSurvey(settings, days: days)
    // Each has a pause of 3 days, every second one of 10 days as well.
    survey.add(signs((0..<100).map { $0 % 2 == 0 ? [30..<33] : [30..<33, 90..<100] }))
    let prior = try #require(survey.prior)
    #expect(survey.people == 100)
    #expect(abs(prior[0] - 1.55) < 0.02)
    #expect(abs(prior[1] - 1.54) < 0.02)
    #expect(abs(prior[2] - 0.54) < 0.02)
    #expect(abs(prior[8] - 0.51) < 0.02)
    #expect(prior[9] < 0.02)
    #expect(zip(prior, prior.dropFirst()).allSatisfy(>=))
    #expect(prior.count == settings.prior.count)
  }

  @Test func thePublicPriorComesBackFromPeopleWhoPauseLikeThat() async throws {
    let simulation = SimulatedWear(habit: WearHabit.Kind.pausing.habit, seed: 4)
    let signs = SignsOfLife(personCount: 2_000, days: days)
    for person in 0..<2_000 {
      let own = simulation.days(of: person, dayCount: 365, stop: nil)
      for (index, day) in days.enumerated() where own.isWorn[index] {
        signs.addWorn(person: person, day: day, came: nil)
      }
    }
    var survey = PauseSurvey(settings, days: days)
    survey.add(signs)
    // Pauses begin on worn days only, so that there are somewhat fewer.
    for (fitted, known) in zip(try #require(survey.prior), InactivitySettings.publicPrior) {
      #expect((0.75...1.1).contains(fitted / known), "\(fitted) of \(known)")
    }
  }

  @Test func fewPeopleAreNotFitted() {
    var survey = PauseSurvey(settings, days: days)
    survey.add(signs(Array(repeating: [], count: 19)))
    #expect(survey.people == 19)
    #expect(!survey.isFitted)
    #expect(survey.prior == nil)
    // One whose days are too few, and one who is known by doses alone.
    survey.add(signs([[40..<365]]))
    let doses = SignsOfLife(personCount: 1, days: days)
    for day in days { doses.add(person: 0, day: day) }
    survey.add(doses)
    #expect(survey.people == 19)
    survey.add(signs([[]]))
    #expect(survey.isFitted)
  }

  @Test func theEndIsNoPauseAndDaysOfABrokenFeedAreNone() throws {
    var survey = PauseSurvey(
      settings, days: days, brokenFeed: Set((50..<60).map { days.lowerBound + $0 }))
    survey.add(signs(Array(repeating: [50..<60, 350..<365], count: 400)))
    let prior = try #require(survey.prior)
    #expect(prior[0] < 0.1)
  }
}
