import Testing
import VigilDetection

@testable import VigilLaboratory

@Suite struct SimulatedWearTests {
  private func days(_ kind: WearHabit.Kind, person: Int = 3, stop: Int? = nil) -> SimulatedWear.Days
  {
    SimulatedWear(habit: kind.habit, seed: 8).days(of: person, dayCount: 400, stop: stop)
  }

  @Test func whoWearsItEachDayDoes() {
    let all = days(.always)
    #expect(!all.isWorn.contains(false))
    #expect(all.comings == Array(0..<400))
  }

  @Test func weekendsAreSaturdayAndSunday() {
    let off = days(.weekends).isWorn.enumerated().filter { !$0.element }.map(\.offset)
    #expect(off.allSatisfy { $0 % 7 == 6 || $0 % 7 == 0 })
    #expect((90...114).contains(off.count), "\(off.count)")
  }

  @Test func rowsOfAWeekComeOnOneDay() {
    for person in 0..<10 {
      let all = days(.syncing, person: person)
      #expect(all.comings.enumerated().allSatisfy { (0...6).contains($0.element - $0.offset) })
      #expect(Set(all.comings.map { $0 % 7 }).count == 1)
      // The night of the day before knows them, but for those of the day itself.
      #expect(
        zip(all.comings, all.nights).enumerated().allSatisfy { day, known in
          known.1 == max(day, known.0 - 1)
        })
      #expect(days(.syncingInTheEvening, person: person).nights == all.comings)
    }
  }

  @Test func aStopBeginsAfterAWornDayAndLasts() {
    let stopped = days(.pausing, stop: 250)
    #expect(stopped.isWorn[249])
    #expect(!stopped.isWorn[250...].contains(true))
    #expect(stopped.isWorn[..<249] == days(.pausing).isWorn[..<249])
    #expect(stopped.comings[249] == 249)
  }

  @Test func pausesAreAsLongAsThoseOfPublicData() {
    let simulation = SimulatedWear(habit: WearHabit.Kind.pausing.habit, seed: 1)
    var counts = [Int](repeating: 0, count: 40)
    let people = 2_000
    for person in 0..<people {
      let worn = simulation.days(of: person, dayCount: 365, stop: nil).isWorn
      for pause in worn.split(separator: true) where pause.endIndex < 365 {
        for length in 2...max(2, min(pause.count, 39)) where pause.count >= 2 {
          counts[length] += 1
        }
      }
    }
    for (length, known) in zip(2..., InactivitySettings.publicPrior) {
      let found = Double(counts[length]) / Double(people)
      #expect((0.75...1.1).contains(found / known), "\(length): \(found) of \(known)")
    }
    #expect(counts[31...].allSatisfy { $0 < people / 20 })
  }
}
