import Foundation
import ReferenceKernels
import TestSupport
import Testing
import VigilAdherence
import VigilModel
import VigilStorage
import VigilVitality

extension ConformanceCheck {
  private static let today = "2026-02-10"
  private static let evaluated = "2026-02-09"

  /// Family 51 is persons 1 to 4, while 5 has declined and 6 has not answered; 7 is in none.
  private static let statuses: [Int: FamilyMember.InviteStatus] = [
    1: .accepted, 2: .accepted, 3: .accepted, 4: .accepted, 5: .declined, 6: .pending,
  ]

  private static func addFamily(to fixture: any StorageFixture) throws {
    try fixture.addPersons(1, 2, 3, 4, 5, 6, 7)
    try fixture.add(
      .familyMembers, ["family_id", "user_id", "role", "invite_status"],
      statuses.map { number, status in
        [.uuid(person(51)), .uuid(person(number)), .text("member"), .text(status.rawValue)]
      })
  }

  private static func put(
    _ insights: [TrendInsight], in fixture: any StorageFixture, evaluatedOn date: String = evaluated
  ) throws {
    let day = try day(date)
    let persons = statuses.keys.sorted().map { person($0) }
    var write = InsightWrite(persons: persons, insights: insights)
    write.evaluated(Set(TrendRule.allCases), on: day...day)
    try fixture.write(
      VitalityWrite(
        coverages: persons.map {
          TrendCoverage(user: $0, day: day, coverage: 14, daysNeeded: 0, lastScoreDay: day)
        }), insights: write)
  }

  private static func shown(
    to viewer: Int = 1, of fixture: any StorageFixture, on date: String? = nil
  ) throws -> [TrendInsight] {
    try fixture.storage.familyInsights(
      of: person(51), for: person(viewer), on: date.map { try day($0) }, today: day(today))
  }

  private static func missed(_ number: Int, _ medication: Int, _ date: String) throws
    -> TrendInsight
  {
    TrendInsight(
      user: person(number), pillar: .adherence, day: try day(date), rule: .missedStreak,
      coverage: 90, confidence: 1, medication: person(medication),
      missed: .init(doses: 3, days: 2))
  }

  private static func refill(_ number: Int, _ medication: Int, _ date: String) throws
    -> TrendInsight
  {
    RefillDue(
      user: person(number), medication: person(medication), day: try day(date), daysLeft: 4.5
    ).insight
  }

  static let familyInsights = [
    ConformanceCheck("a family is shown the first attention insight of two other members, by id") {
      try addFamily(to: $0)
      let (a, b) = (try trend(2, .movement, evaluated), try trend(3, .sleep, evaluated))
      try put(
        [
          try trend(1, .sleep, evaluated), try trend(4, .sleep, evaluated), b,
          try trend(3, .stress, evaluated), try trend(2, .adherence, evaluated), a,
          try trend(2, .sleep, evaluated, .rebound), try trend(5, .sleep, evaluated),
          try trend(6, .sleep, evaluated),
        ], in: $0)
      #expect(try shown(of: $0) == [a, b])
      #expect(try shown(of: $0, on: evaluated) == [a, b])
      #expect(try shown(to: 2, of: $0).map(\.user) == [person(1), person(3)])
      #expect(try shown(of: $0, on: "2026-02-08").isEmpty)
    },

    ConformanceCheck("without an attention insight one positive insight is shown") {
      try addFamily(to: $0)
      let positive = try trend(3, .movement, evaluated, .rebound)
      let later = [
        try trend(3, .stress, evaluated, .improvingTrend),
        try trend(4, .sleep, evaluated, .rebound),
      ]
      try put(later + [positive], in: $0)
      #expect(try shown(of: $0) == [positive])
      let attention = try trend(4, .adherence, evaluated, .decliningTrend)
      try put(later + [positive, attention], in: $0)
      #expect(try shown(of: $0) == [attention])
    },

    ConformanceCheck("suppressed insights and episodes side by side do not count") {
      try addFamily(to: $0)
      var suppressed = try trend(2, .sleep, evaluated)
      suppressed.suppressedReason = .recovered
      let day = try day(evaluated)
      let others = [
        TrendInsight(
          user: person(2), pillar: .adherence, day: day, rule: .concurrentEpisodes, coverage: 3,
          confidence: 1,
          coOccurrence: .init(
            adherence: person(30), other: person(31), otherMetric: MetricType("steps")))
      ]
      try put(others + [suppressed], in: $0)
      #expect(try shown(of: $0).isEmpty)
      let attention = try trend(4, .stress, evaluated)
      try put(others + [suppressed, attention], in: $0)
      #expect(try shown(of: $0) == [attention])
      // What is not found again is retracted.
      try put(others, in: $0)
      #expect(try shown(of: $0).isEmpty)
    },

    ConformanceCheck("missed doses ask for attention after the scores, the first medication by id")
    {
      try addFamily(to: $0)
      let (first, second) = (try missed(2, 20, evaluated), try missed(2, 21, evaluated))
      let positive = try trend(3, .sleep, evaluated, .rebound)
      try put([second, first, positive], in: $0)
      #expect(try shown(of: $0, on: evaluated) == [first])
      let adherence = try trend(2, .adherence, evaluated)
      let sleep = try trend(3, .sleep, evaluated)
      try put([second, first, adherence, sleep], in: $0)
      #expect(try shown(of: $0, on: evaluated) == [adherence, sleep])
      var suppressed = first
      suppressed.suppressedReason = .retracted
      try put([suppressed, second], in: $0)
      #expect(try shown(of: $0, on: evaluated) == [second])
      #expect(try shown(to: 2, of: $0, on: evaluated).isEmpty)
    },

    ConformanceCheck("a refill asks for attention after missed doses of any medication") {
      try addFamily(to: $0)
      let (first, second) = (try refill(2, 20, evaluated), try refill(2, 21, evaluated))
      let positive = try trend(3, .sleep, evaluated, .rebound)
      try put([second, first, positive], in: $0)
      #expect(try shown(of: $0, on: evaluated) == [first])
      // Of one medication both are kept.
      let streak = try missed(2, 20, evaluated)
      let other = try missed(2, 21, evaluated)
      try put([second, first, streak, other], in: $0)
      #expect(try shown(of: $0, on: evaluated) == [streak])
      try put([second, first, other], in: $0)
      #expect(try shown(of: $0, on: evaluated) == [other])
      try put([second], in: $0)
      #expect(try shown(of: $0, on: evaluated) == [second])
      #expect(try $0.count("trend_insights WHERE rule = 'refill_due'") == 2)
    },

    ConformanceCheck("missed doses and refills whose alert is snoozed or dismissed are not shown") {
      fixture in
      try addFamily(to: fixture)
      for kind in [MetricType.missedStreak, .refillDue] {
        let make = kind == .missedStreak ? missed : refill
        let (first, second) = (try make(2, 20, evaluated), try make(2, 21, evaluated))
        try put([first, second], in: fixture)
        let since = "\(first.day - 3)"
        let alert = try medicationAlert(2, kind, of: person(20), since: since, days: 4)
        _ = try fixture.write([alert])
        #expect(try shown(of: fixture, on: evaluated) == [first])
        func set(_ values: String) throws {
          try fixture.execute(
            "UPDATE pattern_alert_state SET \(values) WHERE id = '\(alert.id.lowercased)'")
        }
        for (snooze, isShown) in [("2026-02-11", false), ("2026-02-10", true)] {
          try set("snooze_until = '\(snooze)'")
          #expect(
            try shown(of: fixture, on: evaluated) == [isShown ? first : second], "\(snooze)")
        }
        try set("snooze_until = NULL, dismissed_at = '2026-02-09T00:00:00.000000Z'")
        #expect(try shown(of: fixture, on: evaluated) == [second])
        // Another streak is another alert.
        try set("active_since = '\(first.day - 9)', last_evaluated_date = '\(first.day - 1)'")
        #expect(try shown(of: fixture, on: evaluated) == [first])
        // Only its own kind is hidden.
        let other: MetricType = kind == .missedStreak ? .refillDue : .missedStreak
        try set("metric_type = '\(other)', last_evaluated_date = '\(evaluated)'")
        #expect(try shown(of: fixture, on: evaluated) == [first])
        try fixture.execute("DELETE FROM pattern_alert_state")
      }
    },

    ConformanceCheck("missed doses are those of the last day on which doses were evaluated") {
      fixture in
      try addFamily(to: fixture)
      let persons = statuses.keys.sorted().map { person($0) }
      // Without any score, and with scores of a later day.
      let (early, streak) = (try missed(3, 20, "2026-02-07"), try missed(2, 20, "2026-02-08"))
      for insight in [early, streak] {
        var write = InsightWrite(persons: persons, insights: [insight])
        write.evaluated([.missedStreak], on: insight.day...insight.day)
        try fixture.write(insights: write)
        try fixture.addTotals(of: [person(2), person(3)], endingOn: insight.day)
      }
      #expect(try shown(of: fixture) == [streak])
      let sleep = try trend(4, .sleep, evaluated)
      try put([sleep], in: fixture)
      #expect(try shown(of: fixture) == [streak, sleep])
      let ahead = TrendCoverage(
        user: person(1), day: try day("2026-02-12"), coverage: 14, daysNeeded: 0,
        lastScoreDay: try day("2026-02-12"))
      try fixture.write(VitalityWrite(coverages: [ahead]))
      #expect(try shown(of: fixture) == [sleep])
    },

    ConformanceCheck("without a day it is the last that was evaluated of each member") { fixture in
      try addFamily(to: fixture)
      #expect(try shown(of: fixture).isEmpty)
      let (early, late) = (try trend(2, .sleep, "2026-02-07"), try trend(3, .sleep, evaluated))
      try put([early], in: fixture, evaluatedOn: "2026-02-07")
      #expect(try shown(of: fixture) == [early])
      try put([late], in: fixture)
      #expect(try shown(of: fixture) == [late])
      // Whom a run for some persons has evaluated for a later day does not blank the others, until these
      // are as old as scores may be.
      for (date, expected) in [("2026-02-12", [late]), ("2026-02-13", [])] {
        let ahead = TrendCoverage(
          user: person(1), day: try day(date), coverage: 14, daysNeeded: 0,
          lastScoreDay: try day(date))
        try fixture.write(VitalityWrite(coverages: [ahead]))
        #expect(try shown(of: fixture) == expected, "\(date)")
        #expect(try shown(of: fixture, on: evaluated) == [late], "\(date)")
      }
    },

    ConformanceCheck("with a day, and of who is no member, the last evaluated days do not count") {
      try addFamily(to: $0)
      let (early, late) = (try trend(2, .sleep, "2026-02-07"), try trend(3, .sleep, evaluated))
      try put([early], in: $0, evaluatedOn: "2026-02-07")
      try put([late], in: $0)
      #expect(try shown(of: $0, on: "2026-02-07") == [early])
      let elsewhere = try [5, 7].map {
        TrendCoverage(
          user: person($0), day: try day("2026-03-31"), coverage: 0, daysNeeded: 7,
          lastScoreDay: nil)
      }
      try $0.write(VitalityWrite(coverages: elsewhere))
      #expect(try shown(of: $0) == [late])
    },

    ConformanceCheck("pattern alerts of the family take precedence, as of today") {
      try addFamily(to: $0)
      let insight = try trend(2, .sleep, evaluated)
      try put([insight], in: $0)
      _ = try $0.write([alertState(3)])
      #expect(try shown(of: $0).isEmpty)
      // Not to the person whose alert it is.
      #expect(try shown(to: 3, of: $0) == [insight])
      for (snooze, isShown) in [("2026-02-11", true), ("2026-02-10", false)] {
        try $0.execute("UPDATE pattern_alert_state SET snooze_until = '\(snooze)'")
        #expect(try !shown(of: $0).isEmpty == isShown, "\(snooze)")
      }
      try $0.execute("UPDATE pattern_alert_state SET dismissed_at = '2026-02-09T00:00:00.000000Z'")
      #expect(try shown(of: $0) == [insight])
    },

    ConformanceCheck("who is no accepted member is refused insights as well") { fixture in
      try addFamily(to: fixture)
      try put([trend(2, .sleep, evaluated)], in: fixture)
      for (family, viewer) in [(51, 5), (51, 6), (51, 7), (51, 99), (98, 1)] {
        let error = expectStorageError(.permissionDenied) {
          _ = try fixture.storage.familyInsights(
            of: person(family), for: person(viewer), on: nil, today: day(today))
        }
        #expect(error == .viewerIsNoMember, "\(viewer) of \(family)")
      }
    },

    ConformanceCheck("a family is shown what the slow twin says") { fixture in
      try addFamily(to: fixture)
      let day = try day(evaluated)
      let rules: [TrendRule] = [
        .lowStreak, .dropVsBaseline, .rebound, .decliningTrend, .improvingTrend,
      ]
      for seed in 1...40 {
        var random = SeededGenerator(seed: seed)
        let mood = random.pick([0.1, 0.5])
        var members: [FamilyMemberTrends] = []
        for (number, status) in statuses.sorted(by: { $0.key < $1.key }) {
          var insights: [TrendInsight] = []
          for pillar in Pillar.allCases where random.chance(mood) {
            let isGood = random.chance(0.6)
            var insight = try trend(
              number, pillar, evaluated,
              random.pick(rules.filter { ($0.severity == .celebrate) == isGood }))
            if random.chance(0.2) { insight.suppressedReason = .recovered }
            insights.append(insight)
          }
          for medication in [20, 21] where random.chance(mood / 2) {
            insights.append(try missed(number, medication, evaluated))
          }
          for medication in [20, 21] where random.chance(mood / 2) {
            insights.append(try refill(number, medication, evaluated))
          }
          members.append(
            FamilyMemberTrends(
              user: person(number), inviteStatus: status,
              trends: PersonTrends(
                coverage: 14, daysNeeded: 0, lastScoreDay: day, insights: insights)))
        }
        try put(members.flatMap(\.trends.insights), in: fixture)
        for viewer in [1, 3] {
          let expected = ReferenceFamilyInsights.shown(
            to: person(viewer), members: members, on: day, settings: TrendSettings(),
            hasPatternAlerts: false)
          #expect(
            try shown(to: viewer, of: fixture, on: evaluated) == expected, "seed \(seed)")
        }
      }
    },
  ]
}

extension StorageFixture {
  /// Writes rows of the doses of the seven days up to `day`.
  fileprivate func addTotals(of persons: [UUID], endingOn day: Day) throws {
    let adherence = AdherenceWrite(
      evaluatedAt: (day + 1).midnight,
      analytics: persons.map {
        DoseAnalytics(
          user: $0, medication: nil, period: .period(.sevenDays, endingAt: day),
          measures: AdherenceMeasures())
      })
    _ = try storage.write(
      BatchWrite(
        alertStates: [], notifications: [], queue: .shadow, runID: runID,
        writtenAt: time("2026-03-01T02:00:00Z"), adherence: adherence))
  }
}
