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

  @Test(arguments: [
    ("date", "metric_date"), ("day", "metric_date"), ("Date", "metric_date"), ("step", "steps"),
    ("person_id", "user_id"), ("participant", "user_id"), ("device", "source"),
    ("heartrate", "resting_hr"), ("resting_heart_rate", "resting_hr"), ("hr", "resting_hr"),
    ("sleep", "sleep_minutes"), ("movment_minutes", "movement_minutes"), ("hrv", "hrv_ms"),
    ("metric_dat", "metric_date"), ("step_count", "steps"),
  ])
  func closestColumnHasAWordInCommon(name: String, column: String) {
    let columns = [
      "user_id", "metric_date", "source", "steps", "sleep_minutes", "hrv_ms", "resting_hr",
      "sleep_efficiency_pct", "movement_minutes", "deep_sleep_minutes", "created_at", "updated_at",
    ]
    #expect(NearestName.closest(to: name, among: columns) == column)
  }

  @Test func closestNameIsGivenHoweverFar() {
    #expect(
      NearestName.closest(to: "resting_heart_rate", among: ["steps", "resting_hr"]) == "resting_hr")
    #expect(NearestName.closest(to: "x", among: ["ab", "cd"]) == "ab")
    #expect(NearestName.closest(to: "x", among: []) == nil)
  }
}
