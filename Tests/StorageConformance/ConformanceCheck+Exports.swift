import Foundation
import Testing
import VigilAdherence
import VigilModel
import VigilStorage

extension ConformanceCheck {
  private static func page(
    _ fixture: any StorageFixture, after last: QueuedNotification? = nil,
    _ days: ClosedRange<Day>? = nil, limit: Int = 100
  ) throws -> [QueuedNotification] {
    try fixture.storage.makeResultReader()
      .notifications(in: .live, after: last, dueOn: days, limit: limit)
  }

  /// Reading results batch after batch.
  static let exports = [
    ConformanceCheck("a result reader gives alerts that reach the days, of the persons asked for") {
      try $0.addPersons(1, 2, 3)
      let states = try [
        alertState(1, since: "2026-02-01", evaluated: "2026-02-10"),
        alertState(2, metric: "hrv_ms", since: "2026-02-09", evaluated: "2026-02-12"),
        alertState(2, metric: "steps", since: "2026-02-11", evaluated: "2026-02-12"),
        alertState(3, since: "2026-01-01", evaluated: "2026-01-20"),
      ]
      _ = try $0.write(states)
      let reader = try $0.storage.makeResultReader()
      let days = try day("2026-02-10")...day("2026-02-10")
      #expect(
        try reader.persons(in: .alerts, on: days)
          == [person(1), person(2)].sorted {
            $0.lowercased < $1.lowercased
          })
      #expect(
        try reader.alertStates(of: [person(2)], on: Day.calendar).map(\.series.metric.rawValue)
          == ["hrv_ms", "steps"])
      #expect(
        try Set(reader.alertStates(of: [person(1), person(2), person(3)], on: days).map(\.id))
          == [states[0].id, states[1].id])
      #expect(try reader.alertStates(of: [], on: Day.calendar).isEmpty)
      #expect(try reader.alertStates(of: [person(9)], on: Day.calendar).isEmpty)
    },

    ConformanceCheck("a result reader gives insights, scores and adherence of some days in order") {
      try $0.addPersons(1, 2)
      var suppressed = try trend(1, .sleep, "2026-01-08")
      suppressed.suppressedReason = .recovered
      let insights = [
        try trend(1, .stress, "2026-01-07"), suppressed, try trend(2, .sleep, "2026-01-08"),
      ]
      let scores = try [
        score(1, "2026-01-07"), score(1, "2026-01-08"), score(2, "2026-01-08"),
      ]
      func analytics(_ number: Int, _ kind: AdherencePeriod.Kind, _ medication: UUID?) throws
        -> DoseAnalytics
      {
        var measures = AdherenceMeasures()
        measures.takenDoses = 3
        measures.onTimeDoses = 3
        measures.daysExpected = 2
        measures.daysCovered = 1
        return DoseAnalytics(
          user: person(number), medication: medication,
          period: .period(kind, endingAt: try day("2026-01-07")), measures: measures)
      }
      var adherence = AdherenceWrite(evaluatedAt: try time("2026-01-08T02:00:00Z"))
      adherence.analytics = try [
        analytics(1, .thirtyDays, nil), analytics(1, .sevenDays, nil),
        analytics(2, .sevenDays, nil), analytics(1, .calendarMonth, nil),
      ]
      var write = InsightWrite(persons: [person(1), person(2)], insights: insights)
      write.evaluated([.lowStreak], on: try day("2026-01-07")...day("2026-01-08"))
      _ = try $0.storage.write(
        BatchWrite(
          alertStates: [], notifications: [], queue: .shadow, runID: runID,
          writtenAt: time("2026-01-08T02:00:00Z"), adherence: adherence,
          vitality: VitalityWrite(scores: scores), insights: write))
      let reader = try $0.storage.makeResultReader()
      let (both, last) = try (
        day("2026-01-07")...day("2026-01-08"), day("2026-01-08")...day("2026-01-08")
      )
      #expect(try reader.trendInsights(of: [person(1)], on: both) == Array(insights[..<2]))
      #expect(try reader.trendInsights(of: [person(1)], on: last) == [suppressed])
      #expect(try reader.vitalityScores(of: [person(1)], on: both) == Array(scores[..<2]))
      #expect(try reader.vitalityScores(of: [person(2)], on: both) == [scores[2]])
      let kinds = try reader.doseAnalytics(of: [person(1)], on: Day.calendar)
        .map(\.analytics.period.kind)
      // In the order of the names, whatever the order of texts in the database.
      #expect(kinds == [.thirtyDays, .sevenDays, .calendarMonth])
      #expect(try reader.doseAnalytics(of: [person(1)], on: both).count == 2)
      #expect(try reader.doseAnalytics(of: [person(1)], on: last).isEmpty)
      let everyone = [person(1), person(2)].sorted { $0.lowercased < $1.lowercased }
      for table in [ResultTable.insights, .scores] {
        #expect(try reader.persons(in: table, on: both) == everyone)
      }
      #expect(try reader.persons(in: .insights, on: last) == everyone)
      #expect(try reader.persons(in: .adherence, on: last).isEmpty)
      #expect(try reader.persons(in: .alerts, on: Day.calendar).isEmpty)
    },

    ConformanceCheck("a result reader gives a queue page by page, every row once") { fixture in
      for number in 1...5 { _ = try fixture.notifiedAlert(number) }
      let all = try page(fixture)
      #expect(all.count == 5)
      #expect(all.map(\.id.lowercased) == all.map(\.id.lowercased).sorted())
      var found: [QueuedNotification] = []
      while true {
        let next = try page(fixture, after: found.last, limit: 2)
        if next.isEmpty { break }
        #expect(next.count <= 2)
        found += next
      }
      #expect(found == all)
      let due = try day("2026-03-01")
      #expect(try page(fixture, due...due) == all)
      #expect(try page(fixture, (due - 1)...(due - 1)).isEmpty)
      #expect(try page(fixture, (due + 1)...(due + 1)).isEmpty)
      for list in [NotificationList.shadow, .held] {
        #expect(
          try fixture.storage.makeResultReader()
            .notifications(in: list, after: nil, dueOn: nil, limit: 9).isEmpty)
      }
    },

    ConformanceCheck("a result reader pages through what waits for a decision") { fixture in
      for number in 1...3 { try fixture.addPersons(number) }
      let (run, _) = try fixture.liveRun(of: 3)
      _ = try fixture.end(run, .succeeded, rateLimit: .count(2))
      let reader = try fixture.storage.makeResultReader()
      let first = try reader.notifications(in: .held, after: nil, dueOn: nil, limit: 2)
      let second = try reader.notifications(in: .held, after: first.last, dueOn: nil, limit: 2)
      #expect(first.count == 2 && second.count == 1)
      #expect(Set((first + second).map(\.id)).count == 3)
      #expect((first + second).allSatisfy { $0.status == .pending && $0.runID == run.id })
    },
  ]
}
