import Foundation
import TestSupport
import Testing
import VigilModel

@testable import VigilReport

@Suite struct PageContentTests {
  /// The row of an alert knows its last day that deviated, and not whether earlier ones eased: its course does.
  @Test func alertsOfAnEarlierDayEndWithTheLastDayThatDeviatedByThen() throws {
    let day = try Samples.day("2026-05-31")
    let row = try Samples.alert(
      person: 1, metric: "steps", pattern: .drop, since: "2026-05-14", days: 30, baseline: 9_000,
      recent: 5_000)
    let past = try #require(row.standing(on: day))
    #expect(past.episode.lastDeviating == day && past.episode.level == .day14)
    var content = PageContent(
      days: day - 59...day, today: day + 1, madeOn: day + 40, persons: [row.series.user],
      alerts: [past])
    content.courses = [row.id: EpisodeCourse()]
    content.courses[row.id]?.lastDeviating = day - 8
    // The alert of the newest day is as its row says.
    #expect(content.shortenPastAlerts().isEmpty)
    content.pastAlerts = [row.id]
    let shortened = content.shortenPastAlerts()
    #expect(shortened == content.alerts)
    #expect(shortened.map(\.episode.lastDeviating) == [day - 8])
    #expect(shortened.map(\.episode.level) == [.day7])
    content.courses[row.id]?.wait = .clean(days: 4, needed: 5)
    #expect(PageGroups(content).back == [row.series.user])
  }

  @Test func aDismissalOfLaterWasNotYetMade() throws {
    let day = try Samples.day("2026-05-31")
    var row = try Samples.alert(
      person: 1, metric: "steps", pattern: .drop, since: "2026-05-14", days: 30, baseline: 9_000,
      recent: 5_000)
    row.dismissedAt = (day + 1).midnight
    #expect(row.standing(on: day)?.dismissedAt != nil)
    row.dismissedAt = (day + 9).midnight
    #expect(row.standing(on: day)?.dismissedAt == nil)
  }
}
