import Testing
import VigilModel

@Suite struct TimeOfDayTests {
  @Test(arguments: [("00:00", 0), ("07:05", 425), ("23:59", 1439), ("22:00:00", 1320)])
  func readsWhatDatabasesWrite(text: String, minutes: Int) throws {
    let time = try #require(TimeOfDay(text))
    #expect(time.minutes == minutes)
    #expect(time.description == String(text.prefix(5)))
    #expect(TimeOfDay(minutes: minutes) == time)
  }

  @Test(arguments: [
    "", "7:00", "07:0", "24:00", "12:60", "22:00:30", "-1:00", "+7:00", "07-00", "a",
  ])
  func refusesWhatIsNoTime(text: String) {
    #expect(TimeOfDay(text) == nil)
  }

  @Test func countsTheMinutesOfOneDayOnly() {
    #expect(TimeOfDay(minutes: -1) == nil)
    #expect(TimeOfDay(minutes: 1440) == nil)
    #expect(TimeOfDay.tenInTheEvening > .sevenInTheMorning)
  }
}
