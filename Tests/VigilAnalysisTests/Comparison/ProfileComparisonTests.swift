import Foundation
import TestSupport
import Testing
import VigilAnalysis
import VigilModel

@Suite struct ProfileComparisonTests {
  private static let first = Day(ordinal: 20_000)
  private static let days = first...first + 69

  private func episode(
    _ person: Int, _ days: ClosedRange<Int>, _ level: AlertLevel, metric: String = "steps"
  ) -> ComparedEpisode {
    ComparedEpisode(
      series: SeriesKey(
        user: UUID(name: "person \(person)"), metric: MetricType(metric), pattern: .drop),
      days: Self.first + days.lowerBound...Self.first + days.upperBound,
      openedOn: Self.first + days.lowerBound + 2, level: level, resolution: .recovered)
  }

  private func notification(
    _ episode: ComparedEpisode, _ level: AlertLevel, to recipient: Int = 1, on night: Int? = nil
  ) -> ComparedNotification {
    ComparedNotification(
      series: episode.series, alertStateID: UUID(name: "\(episode.days.lowerBound)"),
      recipient: UUID(name: "recipient \(recipient)"), level: level,
      groupNight: night.map { Self.first + $0 })
  }

  @Test func countsAreByMetricLevelAndPerson() {
    let (both, later) = (episode(1, 10...19, .day7), episode(1, 12...30, .day14))
    let alone = episode(2, 3...5, .day3, metric: "hrv_ms")
    var comparison = ProfileComparison(of: Self.days, persons: 4)
    comparison.add(
      ProfileFindings(
        episodes: [both],
        notifications: [notification(both, .day3), notification(both, .day7, to: 2)]),
      ProfileFindings(episodes: [later], notifications: [notification(later, .day14)]))
    comparison.add(ProfileFindings(), ProfileFindings(episodes: [alone]))
    let total = comparison.total
    #expect((total.both, total.later, total.earlier, total.otherLevel) == (1, 1, 0, 1))
    #expect(total.only == ByProfile(first: 0, second: 1))
    #expect(total.episodes == ByProfile(first: 1, second: 2))
    #expect(total.medianShift(earlier: false) == 2 && total.medianShift(earlier: true) == nil)
    #expect(total.notifications == ByProfile(first: 2, second: 1))
    #expect(comparison.metrics[MetricType("hrv_ms")]?.only.second == 1)
    #expect(comparison.metrics[MetricType("steps")]?.both == 1)
    #expect(comparison.levels[.day7]?.episodes == ByProfile(first: 1, second: 0))
    #expect(comparison.levels[.day7]?.notifications == ByProfile(first: 1, second: 0))
    #expect(comparison.levels[.day3]?.only == ByProfile(first: 0, second: 1))
    #expect(comparison.notificationsPer100PersonDays?.first == 200.0 / 280)
    #expect(comparison.recipientCount == 2)
    #expect(comparison.notificationsPerRecipientWeek == ByProfile(first: 0.1, second: 0.05))
    #expect(!comparison.isEmpty)
    // Both have one difference; the notifications of the first changed by more.
    #expect(
      comparison.mostAffected.map(\.person) == [UUID(name: "person 1"), UUID(name: "person 2")])
  }

  @Test func episodesThatBeganTogetherAreOneEvent() {
    var (steps, hrv) = (episode(1, 1...9, .day7), episode(1, 1...9, .day7, metric: "hrv_ms"))
    let later = episode(1, 20...29, .day7)
    let apart = ProfileFindings(episodes: [steps, hrv, later])
    steps.event = UUID(name: "event")
    hrv.event = UUID(name: "event")
    var comparison = ProfileComparison(of: Self.days, persons: 1)
    comparison.add(apart, ProfileFindings(episodes: [steps, hrv, later]))
    #expect(comparison.events == ByProfile(first: 3, second: 2))
    #expect(comparison.isEmpty, "the same episodes, grouped in another way")
  }

  @Test func episodesThatEndedBeforeTheDaysTakeNoPart() {
    var comparison = ProfileComparison(of: Self.days, persons: 1)
    comparison.add(
      ProfileFindings(episodes: [episode(1, -9 ... -1, .day7), episode(1, -9...0, .day3)]),
      ProfileFindings())
    #expect(comparison.total.only == ByProfile(first: 1, second: 0))
  }

  @Test func aGroupIsOneNotificationOfItsRecipient() {
    let (steps, hrv) = (episode(1, 1...9, .day7), episode(1, 1...9, .day7, metric: "hrv_ms"))
    var comparison = ProfileComparison(of: Self.days, persons: 1)
    let night = [
      notification(steps, .day7, on: 8), notification(hrv, .day7, on: 8),
      notification(steps, .day7, to: 2, on: 8), notification(steps, .day3, on: 4),
    ]
    comparison.add(
      ProfileFindings(episodes: [steps, hrv], notifications: night),
      ProfileFindings(episodes: [steps, hrv], notifications: Array(night.dropFirst())))
    #expect(comparison.total.notifications == ByProfile(first: 3, second: 3))
    #expect(comparison.metrics[MetricType("steps")]?.notifications.first == 3)
    #expect(comparison.metrics[MetricType("steps")]?.notifications.second == 2)
    #expect(!comparison.isEmpty, "the person is not notified of all that they were notified of")
  }

  @Test func aNotificationOfAnEventCountsForEachMetricAndOnceInAll() {
    let (combined, steps) = (
      episode(1, 1...9, .day7, metric: "combined"), episode(1, 3...9, .day3)
    )
    var event = notification(combined, .day7)
    event.metrics = [MetricType("sleep_minutes"), MetricType("steps")]
    var comparison = ProfileComparison(of: Self.days, persons: 1)
    comparison.add(
      ProfileFindings(episodes: [steps], notifications: [notification(steps, .day3)]),
      ProfileFindings(episodes: [combined, steps], notifications: [event]))
    #expect(comparison.total.notifications == ByProfile(first: 1, second: 1))
    #expect(
      comparison.metrics[MetricType("steps")]?.notifications == ByProfile(first: 1, second: 1))
    #expect(
      comparison.metrics[MetricType("sleep_minutes")]?.notifications
        == ByProfile(first: 0, second: 1))
    #expect(
      comparison.metrics[MetricType("combined")]?.notifications == ByProfile(first: 0, second: 0))
  }

  @Test func theSameFindingsAreNoDifferenceInAnyOrderOfPersons() {
    for seed in 0..<100 {
      var random = SeededGenerator(seed: seed)
      let findings = (0..<5).map { person in
        let episodes = Set((0..<4).map { _ in Int.random(in: 0...60, using: &random) }).map {
          episode(
            person, $0...$0 + Int.random(in: 2...9, using: &random),
            random.pick(AlertLevel.allCases))
        }
        return ProfileFindings(
          episodes: episodes, notifications: episodes.map { notification($0, $0.level) })
      }
      func compared(_ findings: [ProfileFindings]) -> ProfileComparison {
        findings.reduce(into: ProfileComparison(of: Self.days, persons: 5)) { $0.add($1, $1) }
      }
      let comparison = compared(findings)
      #expect(comparison.isEmpty && comparison.mostAffected.isEmpty, "seed \(seed)")
      #expect(comparison.total.notifications.first > 0)
      let other = compared(findings.shuffled(using: &random))
      #expect(other.pairs == comparison.pairs && other.total == comparison.total, "seed \(seed)")
    }
  }

  @Test func withoutPersonsThereIsNoRate() {
    let comparison = ProfileComparison(of: Self.days, persons: 0)
    #expect(comparison.isEmpty)
    #expect(comparison.notificationsPer100PersonDays == nil)
    #expect(comparison.notificationsPerRecipientWeek == nil)
  }
}
