import ReferenceKernels
import TestSupport
import Testing
import VigilDetection
import VigilModel

@Suite struct EventMembershipTests {
  private let day = Day("2026-06-01") ?? .calendar.lowerBound

  private func alert(
    _ id: Int, _ metric: String, _ days: ClosedRange<Int>, opened: Int, isActive: Bool = false,
    contributing: [String]? = nil, settled: Int? = nil
  ) -> EventAlert<Int> {
    EventAlert(
      id: id, metric: MetricType(metric), activeSince: day + days.lowerBound,
      openedOn: day + opened, resolvedOn: isActive ? nil : day + days.upperBound,
      contributing: contributing.map { $0.map { MetricType($0) } }, settledEvent: settled)
  }

  @Test func alertsThatDoNotTouchStartEvents() {
    let memberships = EventMembership.memberships(of: [
      alert(1, "steps", 0...9, opened: 4), alert(2, "sleep_minutes", 10...20, opened: 14),
    ])
    #expect(memberships.map(\.event) == [1, 2])
    #expect(memberships.map(\.entry) == [.starts, .starts])
  }

  @Test func theDayOfAnEndStillBelongsToTheAlert() {
    let memberships = EventMembership.memberships(of: [
      alert(1, "steps", 0...10, opened: 4), alert(2, "sleep_minutes", 10...20, opened: 14),
    ])
    #expect(memberships.map(\.event) == [1, 1])
  }

  @Test func aMemberThatGoesOnKeepsItsEventOpen() {
    let memberships = EventMembership.memberships(of: [
      alert(1, "steps", 0...6, opened: 4),
      alert(2, "sleep_minutes", 5...9, opened: 7, isActive: true),
      alert(3, "hrv_ms", 40...60, opened: 44),
    ])
    #expect(memberships.map(\.event) == [1, 1, 1])
    #expect(memberships.map(\.entry) == [.starts, .joins, .joins])
  }

  @Test func severalMetricsTogetherAreAnnouncedWhereTheyConcernNoneOfThoseBefore() {
    let before = alert(1, "steps", 0...30, opened: 4)
    let unrelated = alert(
      2, "combined", 8...20, opened: 12, contributing: ["hrv_ms", "resting_hr"])
    let related = alert(2, "combined", 8...20, opened: 12, contributing: ["hrv_ms", "steps"])
    #expect(EventMembership.memberships(of: [before, unrelated])[1].entry == .joinsWithNotice)
    #expect(EventMembership.memberships(of: [before, related])[1].entry == .joins)
  }

  @Test func aSettledAlertFollowsItsStartIntoAnotherEvent() {
    let memberships = EventMembership.memberships(of: [
      alert(1, "steps", 0...30, opened: 4), alert(2, "sleep_minutes", 10...20, opened: 14),
      alert(3, "hrv_ms", 40...50, opened: 44, settled: 2),
      alert(4, "hrv_ms", 60...70, opened: 64, settled: 4),
    ])
    #expect(memberships.map(\.event) == [1, 1, 1, 4])
    #expect(memberships.map(\.entry) == [.starts, .joins, .joins, .starts])
  }

  @Test func aMetricAloneIsNeverAnnouncedWithinAnEvent() {
    let memberships = EventMembership.memberships(of: [
      alert(1, "steps", 0...30, opened: 4), alert(2, "hrv_ms", 8...20, opened: 12),
    ])
    #expect(memberships[1].entry == .joins)
  }

  /// A run need not read all that was before it.
  @Test func aSettledEventStays() {
    let memberships = EventMembership.memberships(of: [
      alert(7, "combined", 0...90, opened: 4, contributing: ["hrv_ms", "steps"], settled: 3),
      alert(8, "sleep_minutes", 50...60, opened: 54),
    ])
    #expect(memberships.map(\.event) == [3, 3])
    #expect(memberships.map(\.entry) == [.joins, .joins])
  }

  @Test(
    .enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)),
    arguments: CombinedFixture.all)
  func workedCase(_ fixture: CombinedFixture) {
    let combined = fixture.expected.combined.map {
      ($0.episode, "combined", $0.contributing.map(\.metric))
    }
    let own = fixture.expected.metrics.flatMap { metric, episodes in
      episodes.map { ($0, metric, [metric]) }
    }
    let alerts = (combined + own).enumerated().map { index, row in
      EventAlert(
        id: index, metric: MetricType(row.1), activeSince: row.0.active_since,
        openedOn: row.0.opened_on, resolvedOn: row.0.resolved_on,
        contributing: row.2.map { MetricType($0) })
    }.sorted(by: EventAlert.opensBefore)
    let memberships = EventMembership.memberships(of: alerts)
    var numbers: [Int: Int] = [:]
    let found = zip(alerts, memberships).map { alert, place in
      let number = numbers[place.event] ?? numbers.count + 1
      numbers[place.event] = number
      return CombinedFixture.Event(
        opened_on: alert.openedOn, active_since: alert.activeSince, metric: alert.metric.rawValue,
        event: number, opening: place.entry.rawValue)
    }
    #expect(found == fixture.expected.events)
  }

  private func alert(_ id: Int, _ row: ReferenceEvents.Row) -> EventAlert<Int> {
    EventAlert(
      id: id, metric: MetricType(row.metric), activeSince: day + row.activeSince,
      openedOn: day + row.openedOn, resolvedOn: row.resolvedOn.map { day + $0 },
      contributing: row.metric == "combined" ? row.contributing.map { MetricType($0) } : nil)
  }

  @Test(arguments: 0..<Repetitions.count(fast: 300, long: 3000))
  func twin(_ seed: Int) {
    var random = SeededGenerator(seed: seed)
    let names = ["combined", "hrv_ms", "resting_hr", "sleep_minutes", "steps"]
    let rows = names.flatMap { metric -> [ReferenceEvents.Row] in
      var rows: [ReferenceEvents.Row] = []
      var start = Int.random(in: 0...40, using: &random)
      while start < 100 {
        let opened = start + Int.random(in: 2...12, using: &random)
        let end = opened + Int.random(in: 1...25, using: &random)
        let contributing =
          metric == "combined"
          ? Array(names.dropFirst().shuffled(using: &random).prefix(2)) : []
        rows.append(
          .init(
            metric: metric, activeSince: start, openedOn: opened,
            resolvedOn: end > 100 ? nil : end, contributing: contributing))
        start = end + Int.random(in: 1...30, using: &random)
      }
      return rows
    }
    let expected = ReferenceEvents.members(rows)
    let alerts = rows.enumerated().map { alert($0, $1) }.sorted(by: EventAlert.opensBefore)
    let memberships = EventMembership.memberships(of: alerts)
    #expect(alerts.map { rows[$0.id] } == expected.map(\.row), "seed \(seed)")
    #expect(memberships.map(\.entry.rawValue) == expected.map(\.opening), "seed \(seed)")
    for (place, member) in zip(memberships, expected) {
      let first = expected.firstIndex { $0.event == member.event } ?? 0
      #expect(place.event == alerts[first].id, "seed \(seed)")
    }

    // What is known of the first half leaves the rest as it is.
    let half = alerts.count / 2
    var resumed = alerts
    for index in 0..<half { resumed[index].settledEvent = memberships[index].event }
    #expect(
      EventMembership.memberships(of: resumed).map(\.event) == memberships.map(\.event),
      "seed \(seed)")
  }
}
