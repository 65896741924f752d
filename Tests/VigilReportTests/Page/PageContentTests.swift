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

  /// A change does not end because a device is no longer worn: the pause says that it came before.
  @Test func aChangeThatAPauseHasEndedCameBeforeIt() throws {
    let last = try Samples.day("2026-05-31")
    func alert(_ metric: String, _ reason: Episode.Resolution.Reason?, on day: Day) throws
      -> PatternAlertState
    {
      var alert = try Samples.alert(
        person: 1, metric: metric, pattern: .drop, since: "2026-05-01", days: 14, baseline: 9_000,
        recent: 5_000, resolution: reason)
      alert.episode.resolution?.day = day
      return alert
    }
    let content = PageContent(
      days: last - 40...last + 10, today: last + 11, madeOn: last + 11, persons: [], alerts: [])
    func wasUrgent(_ alert: PatternAlertState) -> Bool {
      content.wasUrgent(alert, onLastData: last)
    }
    #expect(try wasUrgent(alert("steps", nil, on: last)))
    #expect(try wasUrgent(alert("steps", .noData, on: last + 1)))
    // It had ended for want of values while the person sent others.
    #expect(try !wasUrgent(alert("steps", .noData, on: last)))
    #expect(try !wasUrgent(alert("steps", .recovered, on: last + 1)))
    #expect(try !wasUrgent(alert("inactivity", .noData, on: last + 1)))
    var dismissed = try alert("steps", .noData, on: last + 1)
    dismissed.dismissedAt = last.midnight
    #expect(!wasUrgent(dismissed))
  }

  /// Of many people without data, those who had changed are the ones to ask.
  @Test func thoseWhoHadChangedComeFirstAmongThoseWithoutData() throws {
    let last = try Samples.day("2026-05-31")
    func silence(_ person: Int, days: Int) throws -> PatternAlertState {
      try Samples.alert(
        person: person, metric: "inactivity", pattern: .silence,
        since: (last - (days - 1)).description, days: days, baseline: 0, recent: 0,
        isWithoutDeviation: true)
    }
    var closed = try Samples.alert(
      person: 2, metric: "steps", pattern: .drop, since: "2026-05-01", days: 14, baseline: 9_000,
      recent: 5_000, resolution: .noData)
    closed.episode.resolution?.day = last - 2
    let alerts = try [silence(1, days: 20), silence(2, days: 6), closed, silence(3, days: 9)]
    let content = PageContent(
      days: last - 40...last, today: last + 1, madeOn: last + 1,
      persons: (1...3).map(Samples.person), alerts: alerts)
    let page = try ReportPage(content).html()
    let names = try #require(page.range(of: "Changed before the pause")).upperBound
    let places = try (1...3).map { number in
      let name = Samples.person(number).shortened
      return try #require(page.range(of: name, range: names..<page.endIndex)).lowerBound
    }
    #expect(places[1] < places[0] && places[0] < places[2])
    #expect(page.contains("<td>6</td><td>–</td><td>steps</td>"))
  }
}
