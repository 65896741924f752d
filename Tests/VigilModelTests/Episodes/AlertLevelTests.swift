import Testing
import VigilModel

@Suite struct AlertLevelTests {
  @Test(arguments: [
    (1, AlertLevel.day3), (2, .day3), (3, .day3), (6, .day3), (7, .day7), (13, .day7),
    (14, .day14), (20, .day14), (21, .day21), (22, .day21), (3650, .day21),
  ])
  func followsTheDuration(days: Int, level: AlertLevel) {
    #expect(AlertLevel(duration: days) == level)
  }

  @Test func neverFallsAsTheDurationGrows() {
    let levels = (1...60).map { AlertLevel(duration: $0) }
    #expect(levels == levels.sorted())
    #expect(Set(levels) == Set(AlertLevel.allCases))
  }

  @Test(
    arguments: zip(
      AlertLevel.allCases, [Severity.watch, .attention, .critical, .critical]))
  func namesASeverity(level: AlertLevel, severity: Severity) {
    #expect(level.severity == severity)
  }
}
