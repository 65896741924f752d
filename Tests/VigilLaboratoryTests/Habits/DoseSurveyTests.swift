import Testing
import VigilDetection
import VigilModel

@testable import VigilLaboratory

@Suite struct DoseSurveyTests {
  private let before = DoseEvidenceSettings.Doses()

  private func series(_ habit: DoseHabit, person: Int, days: Int = 300) -> DoseSeries {
    let block = DoseBlock(personCount: 1, days: Corpus.firstDay...(Corpus.firstDay + (days - 1)))
    SimulatedDoses(habit: habit, seed: 6).write(
      person, into: block.days(ofPerson: 0), change: nil)
    return DoseSeries(UnsafeBufferPointer(block.days(ofPerson: 0)), from: block.days.lowerBound)
  }

  @Test func theShareIsTheMeanOfThesePeople() {
    var survey = DoseSurvey()
    for person in 0..<400 {
      survey.add(series(DoseHabit(missedShare: person % 2 == 0 ? 0.02 : 0.2), person: person))
    }
    let fitted = survey.fitted(before)
    let doses = fitted.priorMissed + fitted.priorTaken
    #expect(survey.people == 400)
    #expect(abs(fitted.priorMissed / doses - 0.11) < 0.02)
    // Shares of 0.02 and 0.2: 0.11 * 0.89 over 0.09 squared, less 1.
    #expect((8...14).contains(doses), "\(doses)")
    // Few have two doses a day, those whose schedule changes.
    #expect(survey.peopleWithSeveralDoses < 100)
  }

  @Test func peopleWhoAreAlikeHaveAHeavyPrior() {
    var survey = DoseSurvey()
    for person in 0..<200 {
      survey.add(series(DoseHabit(missedShare: 0.05, repeating: 1), person: person, days: 400))
    }
    let fitted = survey.fitted(before)
    #expect(fitted.priorMissed + fitted.priorTaken > 20)
  }

  @Test func theDaysOfSeveralDosesSayHowMissesComeTogether() {
    var survey = DoseSurvey()
    for person in 0..<200 {
      survey.add(series(DoseHabit(missedShare: 0.1, dosesADay: 3), person: person))
    }
    #expect(survey.peopleWithSeveralDoses == 200)
    // In four of ten days, all doses are missed or none.
    #expect(abs(survey.fitted(before).dayPrior - 0.4) < 0.1)
  }

  @Test func fewPeopleKeepThePrior() {
    var survey = DoseSurvey()
    for person in 0..<19 { survey.add(series(DoseHabit(missedShare: 0.1), person: person)) }
    survey.add(series(DoseHabit(missedShare: 0.1), person: 19, days: 50))
    #expect(survey.people == 19)
    #expect(!survey.isFitted)
    #expect(survey.fitted(before) == before)
  }

  @Test func peopleWhoNeverMissStayPossible() {
    var survey = DoseSurvey()
    for person in 0..<50 { survey.add(series(DoseHabit(missedShare: 0), person: person)) }
    let fitted = survey.fitted(before)
    #expect(fitted.priorMissed >= 0.01)
    #expect(fitted.priorTaken > fitted.priorMissed)
  }
}
