import Foundation
import GoldenFiles
import Testing
import VigilAnalysis
import VigilModel

@testable import VigilReport

@Suite struct ComparisonReportTests {
  private func episode(
    _ person: Int, _ metric: String, _ since: Int, _ end: Int, _ level: AlertLevel,
    isActive: Bool = false
  ) throws -> ComparedEpisode {
    let first = try Samples.day("2026-05-01")
    return ComparedEpisode(
      series: SeriesKey(
        user: Samples.person(person), metric: MetricType(metric), pattern: .drop),
      days: first + since...first + end, openedOn: first + since + 2, level: level,
      resolution: isActive ? nil : .recovered)
  }

  private func notifications(_ episodes: [ComparedEpisode]) -> [ComparedNotification] {
    episodes.flatMap { episode in
      AlertLevel.allCases.filter { $0 <= episode.level }.map { level in
        ComparedNotification(
          series: episode.series, alertStateID: UUID(name: "\(episode)"),
          recipient: Samples.person(9), level: level)
      }
    }
  }

  private func comparison(_ second: [ComparedEpisode]? = nil) throws -> ProfileComparison {
    let first = try Samples.day("2026-05-01")
    let old = [
      try episode(1, "steps", 3, 9, .day7), try episode(1, "steps", 20, 24, .day3),
      try episode(1, "hrv_ms", 30, 60, .day21, isActive: true),
      try episode(2, "steps", 10, 13, .day3), try episode(3, "steps", 5, 15, .day7),
    ]
    let new =
      try second ?? [
        episode(1, "steps", 5, 16, .day14), episode(1, "hrv_ms", 28, 60, .day21, isActive: true),
        episode(2, "sleep_minutes", 40, 55, .day14), episode(3, "steps", 5, 15, .day7),
      ]
    var comparison = ProfileComparison(of: first...first + 60, persons: 12)
    comparison.add(
      ProfileFindings(episodes: old, notifications: notifications(old)),
      ProfileFindings(episodes: new, notifications: notifications(new)))
    return comparison
  }

  private func report(
    _ comparison: ProfileComparison, _ second: Profile? = nil, limit: Int? = 10
  ) -> ComparisonReport {
    ComparisonReport(
      comparison,
      of: ByProfile(
        first: Samples.profile,
        second: second ?? Profile(version: "v3", digest: String(repeating: "cd", count: 32))),
      externalIDs: [Samples.person(1): "participant-1"], limit: limit)
  }

  @Test func aComparisonHasItsTables() throws {
    let report = report(try comparison())
    let text = report.text(style: TextStyle(usesColor: false, width: 80))
    try expectSnapshot(text, "comparison.txt")
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
    #expect(!text.contains("Left out"), "\(text)")
    try expectSnapshot(report.json(), "comparison.json")
    try expectSnapshot(report.csv(), "comparison.csv")
  }

  @Test func theSameProfileTwiceIsOneSentence() throws {
    let same = try comparison([
      episode(1, "steps", 3, 9, .day7), episode(1, "steps", 20, 24, .day3),
      episode(1, "hrv_ms", 30, 60, .day21, isActive: true),
      episode(2, "steps", 10, 13, .day3), episode(3, "steps", 5, 15, .day7),
    ])
    let text = report(same, Samples.profile).text(style: .plain)
    #expect(
      text == """
        v1 and v1 on the same data: 2026-05-01 to 2026-06-30, 12 persons.

        No difference: both find the same 5 episodes and plan 10 notifications.

        """)
    #expect(try report(same, Samples.profile).json().contains("\"differences\" : [\n\n  ]"))
  }

  @Test func profilesWithoutAShortNameOfTheirOwnAreLetters() throws {
    for version in ["v1", "a-rather-long-version"] {
      let other = Profile(version: version, digest: String(repeating: "ef", count: 32))
      let text = report(try comparison(), other).text(style: .plain)
      #expect(text.contains("X is v1@abababababab, Y is \(version)@efefefefefef."), "\(text)")
      #expect(text.contains("Only X"), "\(text)")
    }
  }

  @Test func theListEndsAtItsLimit() throws {
    let comparison = try comparison()
    #expect(report(comparison, limit: 1).listed.map(\.person) == [Samples.person(1)])
    #expect(report(comparison, limit: nil).listed.count == 2)
  }

  @Test func aCellIsNeverAFormula() throws {
    let hostile = try episode(1, "=cmd|' /C calc'!A0,\"", 3, 9, .day7)
    var comparison = ProfileComparison(of: hostile.days, persons: 1)
    comparison.add(ProfileFindings(episodes: [hostile]), ProfileFindings())
    #expect(report(comparison).csv().contains(",\"'=cmd|' /C calc'!A0,\"\"\","))
  }
}
