import Foundation
import TestSupport
import Testing
import VigilAdherence
import VigilModel
import VigilStorage

extension ConformanceCheck {
  private static let times: ClosedRange<Timestamp> =
    Timestamp(microseconds: 0)...Timestamp(microseconds: 4_000_000_000_000_000)

  private static func medicationRows(
    of persons: [UUID], in fixture: any StorageFixture, within times: ClosedRange<Timestamp> = times
  ) throws -> MedicationRows {
    let rows = MedicationRows(zones: .system)
    rows.begin(persons, evaluatedAt: try time("2026-03-01T02:00:00Z"))
    try fixture.storage.makeReader().readMedications(of: persons, doses: times, into: rows)
    return rows
  }

  private static func write(
    _ adherence: AdherenceWrite? = nil, insights: InsightWrite? = nil,
    in fixture: any StorageFixture, at now: String
  ) throws {
    _ = try fixture.storage.write(
      BatchWrite(
        alertStates: [], notifications: [], queue: .shadow, runID: runID, writtenAt: time(now),
        adherence: adherence, insights: insights))
  }

  private static func adherenceWrite() throws -> AdherenceWrite {
    AdherenceWrite(evaluatedAt: try time("2026-01-08T02:00:00Z"))
  }

  private static func missedStreaks(of number: Int) throws -> InsightWrite {
    let day = try day("2026-01-07")
    var insights = InsightWrite(persons: [person(number)])
    insights.evaluated([.missedStreak], on: day...day)
    return insights
  }

  private static func analytics(taken: Int, missed: Int) throws -> DoseAnalytics {
    var measures = AdherenceMeasures()
    measures.takenDoses = taken
    measures.onTimeDoses = taken
    measures.missedDoses = missed
    measures.daysExpected = taken + missed > 0 ? 2 : 0
    measures.daysCovered = 1
    return DoseAnalytics(
      user: person(1), medication: nil,
      period: .period(.sevenDays, endingAt: try day("2026-01-07")), measures: measures)
  }

  static let medications = [
    ConformanceCheck("medications, schedules, doses and changes of zone are read") {
      try $0.addPersons(1, 2)
      #expect(try !$0.storage.hasMedications())
      for (table, values) in try medicationSamples() {
        try $0.add(table, table.columns.map(\.name), [values])
      }
      #expect(try $0.storage.hasMedications())
      let rows = try medicationRows(of: [person(1), person(2)], in: $0)
      #expect(rows.unusable.isEmpty)
      #expect(rows.block.personCount == 2)
      #expect(rows.block.medicationCount == 1)
      #expect(rows.block.recordCount == 1)
      let zone = try #require(rows.zones.id(of: "Europe/Madrid"))
      #expect(
        rows.schedules == [
          Schedule(
            id: person(21), medication: person(20),
            timing: .timeBased(
              times: ["08:00", "20:00"].compactMap { TimeOfDay($0) },
              weekdays: Schedule.Weekdays(days: [1, 3, 5])),
            referenceZone: zone, startDate: try day("2026-01-01"), endDate: try day("2030-01-01"),
            flexibilityMinutes: 45)
        ])
      let same = try medicationRows(of: [person(1)], in: $0)
      #expect(same.digest == rows.digest)
      let later = try time("2026-02-01T00:00:00Z")
      let none = try medicationRows(of: [person(1)], in: $0, within: later...later)
      #expect(none.doseCount == 0)
      #expect(none.digest != rows.digest)
      let first = (Day.calendar.lowerBound - 70).midnight
      let all = try medicationRows(of: [person(1)], in: $0, within: first...later)
      #expect(all.doseCount == rows.doseCount)
      let (start, end) = (try day("2026-06-01"), try day("2026-06-02"))
      #expect(try $0.storage.persons(withDataIn: start...end) == [person(1)])
    },

    ConformanceCheck("the expiry date and the time of missed doses of a medication are read") {
      try $0.addPersons(1)
      for (table, values) in try medicationSamples()
      where table == .medications || table == .schedules {
        try $0.add(table, table.columns.map(\.name), [values])
      }
      let rows = try medicationRows(of: [person(1)], in: $0)
      var result = AdherenceResult()
      let expiry = try day("2026-09-30")
      // A dose of 08:00 in Madrid, 45 minutes of flexibility, and 90 more: missed from 08:15 UTC on.
      for (instant, missed) in [("2026-09-30T08:14:59Z", 0), ("2026-09-30T08:15:00Z", 1)] {
        AdherenceEvaluator(zones: .system, keepsDoses: true).evaluate(
          rows.block, over: AdherenceWindow(day: expiry, evaluatedAt: try time(instant)),
          into: &result)
        let ofDay = result.doses.filter { $0.day == expiry && $0.outcome == .missed }
        #expect(ofDay.count == missed, "\(instant)")
      }
      #expect(result.expiries.map(\.days) == [expiry...expiry])
      #expect(result.expiries.first?.medication == person(20))
    },

    ConformanceCheck("the counted units of a medication are read, and the doses since") { fixture in
      try fixture.addPersons(1)
      for (table, values) in try medicationSamples() {
        try fixture.add(table, table.columns.map(\.name), [values])
      }
      let (first, last) = (try time("2026-02-01T00:00:00Z"), try time("2026-03-01T00:00:00Z"))
      func supplies() throws -> (SupplyForecast?, doses: Int) {
        let rows = try medicationRows(of: [person(1)], in: fixture, within: first...last)
        var result = AdherenceResult()
        let evaluator = AdherenceEvaluator(zones: .system)
        evaluator.evaluate(
          rows.block, over: AdherenceWindow(day: try day("2026-02-10"), evaluatedAt: last),
          into: &result)
        return (result.supplies.first, rows.doseCount)
      }
      // No one asked for reminders.
      let without = try supplies()
      #expect(without.0 == nil && without.doses == 0)
      try fixture.execute("UPDATE medications SET refill_reminder_enabled = TRUE")
      let (found, doses) = try supplies()
      #expect(doses == 1)
      #expect(found?.medication == person(20) && found?.due.count == 1)
      // 12 units, and half a unit six times a week; the only dose is older than the count.
      #expect(abs((found?.due.first?.daysLeft ?? 0) - 28) < 1e-9)
      try fixture.execute(
        "UPDATE medications SET refill_units_per_dose = NULL, refill_reminder_days = NULL")
      #expect(try supplies().0?.due == [])
      try fixture.execute("UPDATE medications SET refill_reminder_threshold = 12")
      #expect(try supplies().0?.due.map(\.day) == [try day("2026-02-10")])
      for values in [
        "refill_remaining_quantity = -1", "refill_units_per_dose = 0",
        "refill_units_per_dose = -0.5", "refill_reminder_threshold = -1",
        "refill_reminder_days = -1", "missed_after_minutes = -1", "missed_after_minutes = 10081",
      ] {
        #expect(throws: (any Error).self, "\(values)") {
          try fixture.execute("UPDATE medications SET \(values)")
        }
      }
    },

    ConformanceCheck("doses are read that were due or taken within the time, however far apart") {
      try $0.addPersons(1)
      for (table, values) in try medicationSamples() where table != .doseHistory {
        try $0.add(table, table.columns.map(\.name), [values])
      }
      let noon = try time("2026-01-15T12:00:00Z")
      let hours: [Int64] = [-1_000, -50, -26, -25, -24, -23, -1, 0, 1, 23, 24, 25, 26, 50, 1_000]
      let offsets: [Int64?] = [nil] + hours.map { $0 * 3_600 } + [-86_401, 86_401]
      var doses: [(scheduled: Timestamp?, actual: Timestamp?)] = []
      for scheduled in offsets {
        for actual in offsets {
          doses.append((scheduled.map(noon.adding), actual.map(noon.adding)))
        }
      }
      let columns = [
        "id", "medication_id", "schedule_id", "status", "scheduled_time", "actual_time",
        "recorded_timezone", "created_at", "updated_at",
      ]
      let rows = doses.enumerated().map { index, dose in
        [
          InputValue.uuid(person(10_000 + index)), .uuid(person(20)), .uuid(person(21)),
          .text(dose.actual == nil ? "missed" : "taken"),
          dose.scheduled.map(InputValue.timestamp) ?? .null,
          dose.actual.map(InputValue.timestamp) ?? .null, .text("Europe/Madrid"),
          .timestamp(noon), .timestamp(noon),
        ]
      }
      try $0.add(.doseHistory, columns, rows)
      for (first, last) in [(-24, 24), (0, 0), (-1, 1), (24, 50), (-2_000, -26), (-2_000, 2_000)] {
        let times =
          noon.adding(seconds: Int64(first) * 3_600)...noon.adding(seconds: Int64(last) * 3_600)
        let expected = doses.filter { dose in
          [dose.scheduled, dose.actual].contains { $0.map(times.contains) ?? false }
        }
        let found = try medicationRows(of: [person(1)], in: $0, within: times)
        #expect(found.doseCount == expected.count, "\(first) to \(last) hours from noon")
      }
    },

    ConformanceCheck("a version of a schedule is kept, and a later one of the same day replaces it")
    {
      try $0.addPersons(1)
      for (table, values) in try medicationSamples() {
        try $0.add(table, table.columns.map(\.name), [values])
      }
      var adherence = try adherenceWrite()
      adherence.versions = try medicationRows(of: [person(1)], in: $0)
        .takeVersions(evaluatingFrom: day("2026-01-07"))
      #expect(adherence.versions.map(\.validFrom) == [StoredScheduleVersion.always])
      try write(adherence, in: $0, at: "2026-01-08T02:00:00Z")
      let again = try medicationRows(of: [person(1)], in: $0)
      #expect(try again.takeVersions(evaluatingFrom: day("2026-01-08")).isEmpty)

      for (column, value, first) in [
        ("time_based_times", InputValue.text(#"["09:00"]"#), "2026-01-09"),
        ("time_based_flexibility_minutes", .integer(5), "2026-01-09"),
        ("start_date", .day(try day("2026-01-03")), "2026-01-03"),
      ] {
        let others: [InputValue] = [
          .uuid(person(21)), .uuid(person(20)), .text("timeBased"), .text("Europe/Madrid"),
        ]
        var columns = ["id", "medication_id", "type", "reference_timezone"]
        var values = others
        if column != "start_date" {
          columns.append("start_date")
          values.append(.day(try day("2026-01-01")))
        }
        if column != "time_based_times" {
          columns.append("time_based_times")
          values.append(.text(#"["09:00"]"#))
        }
        try $0.add(.schedules, columns + [column], [values + [value]])
        let found = try medicationRows(of: [person(1)], in: $0)
        var change = try adherenceWrite()
        change.versions = try found.takeVersions(evaluatingFrom: day("2026-01-09"))
        let expected = try day(first)
        #expect(change.versions.first?.validFrom == expected, "\(column)")
        try write(change, in: $0, at: "2026-01-09T02:00:00Z")
      }
      // The version of the 9th has given way to the one that begins earlier.
      #expect(
        try $0.strings(
          "SELECT CAST(valid_from AS TEXT) FROM schedule_versions ORDER BY valid_from")
          == ["0001-01-01", "2026-01-03", "2026-01-09"])
      #expect(
        try medicationRows(of: [person(1)], in: $0).takeVersions(evaluatingFrom: day("2026-01-10"))
          .isEmpty)
    },

    ConformanceCheck("measures are written, read, and written again only where they differ") {
      try $0.addPersons(1)
      var adherence = try adherenceWrite()
      adherence.analytics = [try analytics(taken: 3, missed: 1)]
      try write(adherence, in: $0, at: "2026-01-08T02:00:00Z")
      let stored = try $0.storage.doseAnalytics(of: nil, period: .sevenDays, endingOn: nil)
      #expect(stored.map(\.analytics) == adherence.analytics)
      #expect(stored.map(\.evaluatedAt) == [adherence.evaluatedAt])
      #expect(
        try $0.storage.doseAnalytics(of: [person(2)], period: .sevenDays, endingOn: nil).isEmpty)
      #expect(
        try $0.storage.doseAnalytics(
          of: [person(1), person(1)], period: .sevenDays, endingOn: day("2026-01-07")) == stored)
      let reader = try $0.storage.makeReader()
      func totals(
        of persons: [UUID], _ kind: AdherencePeriod.Kind, _ first: String, _ last: String
      ) throws -> [DoseAnalytics] {
        try reader.doseTotals(of: persons, period: kind, endingOn: day(first)...day(last))
      }
      #expect(
        try totals(of: [person(1), person(1), person(2)], .sevenDays, "2026-01-01", "2026-01-07")
          == adherence.analytics)
      #expect(
        try totals(of: [person(1)], .sevenDays, "2026-01-07", "2026-01-09") == adherence.analytics)
      #expect(try totals(of: [person(1)], .sevenDays, "2026-01-08", "2026-01-09").isEmpty)
      #expect(try totals(of: [person(1)], .sevenDays, "2026-01-01", "2026-01-06").isEmpty)
      #expect(try totals(of: [person(1)], .ninetyDays, "2026-01-01", "2026-01-07").isEmpty)
      #expect(try totals(of: [person(2)], .sevenDays, "2026-01-07", "2026-01-07").isEmpty)
      #expect(try $0.storage.doseAnalytics(of: nil, period: .ninetyDays, endingOn: nil).isEmpty)

      adherence.evaluatedAt = try time("2026-01-09T02:00:00Z")
      try write(adherence, in: $0, at: "2026-01-09T02:00:00Z")
      #expect(try $0.storage.doseAnalytics(of: nil, period: .sevenDays, endingOn: nil) == stored)
      adherence.analytics[0].dayDigest = .min
      try write(adherence, in: $0, at: "2026-01-09T02:00:00Z")
      #expect(
        try $0.storage.doseAnalytics(of: nil, period: .sevenDays, endingOn: nil)
          .map(\.analytics.dayDigest) == [.min])
      adherence.analytics = [try analytics(taken: 0, missed: 0)]
      adherence.analytics[0].measures.daysCovered = 0
      try write(adherence, in: $0, at: "2026-01-09T02:00:00Z")
      let changed = try $0.storage.doseAnalytics(of: nil, period: .sevenDays, endingOn: nil)
      #expect(changed.map(\.analytics) == adherence.analytics)
      let rates = try $0.strings("SELECT adherence_rate FROM dose_analytics")
      #expect(rates.map { $0 == nil } == [true])
    },

    ConformanceCheck("old measures are pruned, but for months, the newest and the last days") {
      fixture in
      try fixture.addPersons(1, 2)
      func row(_ kind: AdherencePeriod.Kind, _ person: UUID, _ end: String) throws -> DoseAnalytics
      {
        var row = try analytics(taken: 3, missed: 1)
        row.user = person
        row.period = .period(kind, endingAt: try day(end))
        return row
      }
      var adherence = try adherenceWrite()
      let (own, other) = (person(1), person(2))
      adherence.analytics = try [
        row(.sevenDays, own, "2026-01-07"), row(.thirtyDays, own, "2026-01-07"),
        row(.ninetyDays, own, "2026-01-31"), row(.sevenDays, own, "2026-02-01"),
        row(.calendarMonth, own, "2026-01-31"), row(.sevenDays, own, "2026-05-01"),
        row(.thirtyDays, own, "2026-05-01"), row(.ninetyDays, own, "2026-05-01"),
        row(.calendarMonth, own, "2026-04-30"), row(.sevenDays, other, "2026-01-07"),
      ]
      try write(adherence, in: fixture, at: "2026-05-02T02:00:00Z")
      // Whatever the cutoff, 60 days before the second of April stay.
      for cutoff in ["2026-02-01T12:00:00Z", "2026-04-02T00:00:00Z"] {
        let (cutoff, now) = (try time(cutoff), try time("2026-04-02T12:00:00Z"))
        #expect(try fixture.storage.prunableRows(endedBefore: cutoff, at: now).measures == 3)
      }
      let (cutoff, now) = (try time("2026-02-01T12:00:00Z"), try time("2026-04-02T12:00:00Z"))
      #expect(try fixture.storage.pruneQueues(endedBefore: cutoff, at: now).measures == 3)
      #expect(try fixture.storage.prunableRows(endedBefore: cutoff, at: now).measures == 0)
      #expect(
        try fixture.strings(
          """
          SELECT period_kind || ' ' || period_end FROM dose_analytics
          ORDER BY user_id, period_kind, period_end
          """)
          == [
            "30_days 2026-05-01", "7_days 2026-02-01", "7_days 2026-05-01", "90_days 2026-05-01",
            "calendar_month 2026-01-31", "calendar_month 2026-04-30", "7_days 2026-01-07",
          ])
    },

    ConformanceCheck("measures of days that count as new are replaced where they are there") {
      try $0.addPersons(1)
      let (first, last) = (try day("2026-01-07"), try day("2026-01-08"))
      func rows(taken: Int) throws -> [DoseAnalytics] {
        try [first, last].flatMap { day in
          try [AdherencePeriod.Kind.sevenDays, .thirtyDays, .calendarMonth].map { kind in
            var row = try analytics(taken: taken, missed: 1)
            row.period = .period(kind, endingAt: day)
            return row
          }
        }.reduce(into: []) { rows, row in
          if !rows.contains(where: { $0.id == row.id }) { rows.append(row) }
        }
      }
      for (taken, evaluated) in [(1, nil), (2, first), (3, last), (4, nil), (5, first - 1)] {
        var adherence = try adherenceWrite()
        adherence.analytics = try rows(taken: taken)
        adherence.lastEvaluatedDays[person(1)] = evaluated
        try write(adherence, in: $0, at: "2026-01-09T02:00:00Z")
        #expect(
          try $0.strings("SELECT CAST(taken_doses AS text) FROM dose_analytics")
            == Array(repeating: "\(taken)", count: 5))
      }
    },

    ConformanceCheck("measures that are not found again are taken back") {
      try $0.addPersons(1, 2)
      for (table, values) in try medicationSamples() {
        try $0.add(table, table.columns.map(\.name), [values])
      }
      let fixture = $0
      let (first, last) = (try day("2026-02-26"), try day("2026-03-07"))
      func periods() throws -> [String?] {
        try fixture.strings(
          """
          SELECT CAST(period_end AS text) FROM dose_analytics ORDER BY user_id, period_end
          """)
      }
      func row(_ number: Int, _ period: AdherencePeriod) throws -> DoseAnalytics {
        DoseAnalytics(
          user: person(number), medication: nil, period: period, measures: AdherenceMeasures())
      }
      let month = AdherencePeriod.period(.calendarMonth, endingAt: last)
      var adherence = try adherenceWrite()
      for number in [1, 2] {
        adherence.analytics += [
          try row(number, .period(.sevenDays, endingAt: first)), try row(number, month),
          try row(number, .period(.sevenDays, endingAt: last - 1)),
          try row(number, .period(.sevenDays, endingAt: last)),
        ]
      }
      try write(adherence, in: $0, at: "2026-03-08T02:00:00Z")
      let all: [String?] = ["2026-02-26", "2026-02-28", "2026-03-06", "2026-03-07"]
      #expect(try periods() == all + all)
      // Whose last medication is gone still has something to take back.
      #expect(try $0.storage.persons(withDataIn: last...last) == [person(1), person(2)])

      adherence.analytics = [try row(1, .period(.sevenDays, endingAt: last))]
      adherence.evaluated(
        last...last, monthsFrom: month.days.upperBound, of: [person(1), person(2)])
      try write(adherence, in: $0, at: "2026-03-08T03:00:00Z")
      #expect(
        try periods() == [all[0], all[2], all[3], all[0], all[2]])
      adherence.analytics = []
      adherence.evaluated((last - 1)...last, monthsFrom: last, of: [person(1)])
      try write(adherence, in: $0, at: "2026-03-08T04:00:00Z")
      #expect(try periods() == [all[0], all[0], all[2]])
      #expect(try $0.storage.persons(withDataIn: last...last) == [person(1)])
    },

    ConformanceCheck("an insight that does not hold any more is retracted, and may hold again") {
      try $0.addPersons(1, 2)
      let fixture = $0
      func states() throws -> [String?] {
        try fixture.strings(
          "SELECT coalesce(suppressed_reason, '-') FROM trend_insights ORDER BY rule, user_id")
      }
      func insight(_ number: Int) throws -> TrendInsight {
        TrendInsight(
          user: person(number), pillar: .adherence, day: try day("2026-01-07"),
          rule: .missedStreak, coverage: 90, confidence: 1, medication: person(20),
          missed: .init(doses: 3, days: 2))
      }
      var (one, two) = (try missedStreaks(of: 1), try missedStreaks(of: 2))
      one.insights = [
        try insight(1),
        TrendInsight(
          user: person(1), pillar: .adherence, day: try day("2026-01-01"),
          rule: .concurrentEpisodes, coverage: 3, confidence: 1,
          coOccurrence: .init(
            adherence: person(30), other: person(31), otherMetric: MetricType("steps"))),
      ]
      two.insights = [try insight(2)]
      for insights in [one, two] {
        try write(insights: insights, in: $0, at: "2026-01-08T02:00:00Z")
      }
      #expect(try states() == ["-", "-", "-"])
      let held = one.insights
      one.insights = []
      try write(insights: one, in: $0, at: "2026-01-09T02:00:00Z")
      #expect(try states() == ["-", "retracted", "-"])
      one.retractedStates = [person(31)]
      try write(insights: one, in: $0, at: "2026-01-09T02:00:00Z")
      #expect(try states() == ["retracted", "retracted", "-"])
      one.retractedStates = []
      one.insights = held
      try write(insights: one, in: $0, at: "2026-01-09T02:00:00Z")
      #expect(try states() == ["-", "-", "-"])
      // Found again, and then with one of its episodes unknown.
      one.comparedStates = [person(1): [person(30), person(31)]]
      try write(insights: one, in: $0, at: "2026-01-09T02:00:00Z")
      #expect(try states() == ["-", "-", "-"])
      one.insights = held.filter { $0.rule != .concurrentEpisodes }
      one.comparedStates = [person(1): [person(30), person(32)]]
      try write(insights: one, in: $0, at: "2026-01-09T02:00:00Z")
      #expect(try states() == ["-", "-", "-"])
      one.comparedStates = [person(1): [person(30), person(31)]]
      try write(insights: one, in: $0, at: "2026-01-09T02:00:00Z")
      #expect(try states() == ["retracted", "-", "-"])
    },
  ]
}
