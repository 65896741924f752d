import Testing
import VigilModel

@Suite struct DurationTextTests {
  @Test(arguments: [
    (0, "0 min"), (0.4, "0 min"), (-0.4, "0 min"), (59.4, "59 min"), (59.5, "1 h"), (60, "1 h"),
    (61, "1 h 1 min"), (412.3, "6 h 52 min"), (-75, "-1 h 15 min"), (1_440, "24 h"),
    (.nan, "–"), (.infinity, "–"), (1e15, "–"),
  ])
  func minutesAreSaidWithHours(minutes: Double, text: String) {
    #expect(DurationText.minutes(minutes) == text)
  }
}
