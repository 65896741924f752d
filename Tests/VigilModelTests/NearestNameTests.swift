import Testing

@testable import VigilModel

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("steps", "steps", 0),
    ("flaw", "lawn", 2),
  ])
  func distanceCountsEdits(left: String, right: String, distance: Int) {
    #expect(NearestName.editDistance(left, right) == distance)
    #expect(NearestName.editDistance(right, left) == distance)
  }

  @Test func nameIsOnlyGivenForASlip() {
    let names = ["database", "format", "log_level"]
    #expect(NearestName.of("databse", among: names) == "database")
    #expect(NearestName.of("loglevel", among: names) == "log_level")
    #expect(NearestName.of("frobnicate", among: names) == nil)
    #expect(NearestName.of("x", among: []) == nil)
  }

  @Test func closestNameIsGivenHoweverFar() {
    #expect(
      NearestName.closest(to: "resting_heart_rate", among: ["steps", "resting_hr"]) == "resting_hr")
    #expect(NearestName.closest(to: "x", among: ["ab", "cd"]) == "ab")
    #expect(NearestName.closest(to: "x", among: []) == nil)
  }
}
