import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

/// The worked cases of the specification as rows of a database, and as what a run makes of them.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct VitalityFixtureTests {
  // MARK: Scores

  @Test("scores of metric rows", arguments: DatabaseKind.allCases)
  func scores(kind: DatabaseKind) throws {
    let cases = ScoreFixture.all
    try #require(cases.count >= 20)
    let database = try BatchDatabase(kind)
    for fixture in cases { try insert(fixture, into: database) }
    for day in Set(cases.map(\.day)).sorted() {
      try database.run(day...day, thresholds: BatchDatabase.thresholds("v1"), kind: .run)
    }
    for fixture in cases {
      let found = try database.storage.vitalityScores(
        of: [UUID(name: fixture.name)], in: fixture.day...fixture.day
      ).first
      let expected = fixture.expected.scores.map { scores in
        [scores.total_score, scores.sleep_score, scores.movement_score, scores.stress_score]
      }
      #expect(
        found.map { [$0.total, $0.sleep, $0.movement, $0.stress] } == expected, "\(fixture.name)")
      #expect(found?.source ?? "vigil" == "vigil")
      #expect(found?.schemaVersion ?? "vitality.v1" == "vitality.v1")
    }
  }

  private func insert(_ fixture: ScoreFixture, into database: BatchDatabase) throws {
    let person = UUID(name: fixture.name)
    try database.storage.importRows { writer in
      try writer.inserter(into: .users, columns: ["id", "birth_date"], now: BatchDatabase.now)
        .upsert([.uuid(person), fixture.birth_date.map { .day($0) } ?? .null])
      for row in fixture.rows {
        let metrics = InputTable.wearableMetrics.map(\.rawValue).filter { row[$0]?.number != nil }
        try writer.inserter(
          into: .wearableDailyMetrics, columns: ["user_id", "metric_date", "source"] + metrics,
          now: BatchDatabase.now
        ).upsert(
          [
            .uuid(person), .day(try #require(row["metric_date"]?.string.flatMap { Day($0) })),
            .text(try #require(row["source"]?.string)),
          ] + metrics.map { .real(row[$0]?.number ?? .nan) })
      }
    }
  }

  // MARK: Trends

  private func near(_ left: Double?, _ right: Double?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= 1e-8 * max(1, abs(right))
  }

  @Test("trends of rows of scores, and what a family is shown", arguments: DatabaseKind.allCases)
  func trends(kind: DatabaseKind) throws {
    let cases = TrendFixture.all
    try #require(cases.count >= 20)
    let empty = try BatchDatabase(kind)
    for fixture in cases {
      // Persons of several cases may have the same id.
      let database = try empty.copy()
      let family = UUID(name: fixture.name)
      let users = try fixture.members.map { try #require(UUID(uuidString: $0.user_id)) }
      for (user, member) in zip(users, fixture.members) { try insert(member, user, into: database) }
      try database.insert(
        zip(users, fixture.members).map { user, member in
          FamilyMember(
            family: family, user: user, role: .member, inviteStatus: member.invite_status)
        })
      // Without patterns: half of the doses missed are an alert too, which would go first.
      try database.run(
        fixture.day...fixture.day, thresholds: BatchDatabase.thresholds("v1"), kind: .run,
        parts: [.adherence, .vitality])
      let viewer = try #require(UUID(uuidString: fixture.viewer))
      if fixture.pattern_alerts {
        try insertAlert(of: try #require(users.first { $0 != viewer }), into: database)
      }
      try expect(fixture, users, in: database)
      let shown = try database.storage.familyInsights(
        of: family, for: viewer, on: nil, today: fixture.day + 1)
      #expect(
        shown.map { "\($0.user.lowercased) \($0.pillar) \($0.rule)" }
          == fixture.expected.family_insights.map { "\($0.user_id) \($0.pillar) \($0.rule)" },
        "\(fixture.name)")
    }
  }

  private func expect(_ fixture: TrendFixture, _ users: [UUID], in database: BatchDatabase) throws {
    let coverages = Dictionary(
      uniqueKeysWithValues: try database.storage.trendCoverages(of: users).map { ($0.user, $0) })
    for (user, expected) in zip(users, fixture.expected.members) {
      // Who has no data is not evaluated.
      #expect(coverages[user]?.coverage ?? 0 == expected.coverage, "\(fixture.name)")
      #expect(coverages[user]?.daysNeeded ?? 7 == expected.days_needed, "\(fixture.name)")
      let found = try database.storage.trendInsights(
        matching: InsightFilter(
          users: [user], days: fixture.day...fixture.day, includesSuppressed: true)
      ).filter { $0.rule != .missedStreak }.sorted { left, right in
        Pillar.allCases.firstIndex(of: left.pillar) ?? 0
          < Pillar.allCases.firstIndex(of: right.pillar) ?? 0
      }
      #expect(found.map(\.pillar) == expected.insights.map(\.pillar), "\(fixture.name)")
      for (insight, expected) in zip(found, expected.insights) {
        #expect(insight.rule == expected.rule, "\(fixture.name)")
        #expect(near(insight.recent, expected.recent), "\(fixture.name)")
        #expect(near(insight.baseline, expected.baseline), "\(fixture.name)")
        #expect(near(insight.change, expected.change), "\(fixture.name)")
        #expect(insight.coverage == expected.coverage, "\(fixture.name)")
        #expect(near(insight.confidence, expected.confidence), "\(fixture.name)")
        #expect(insight.suppressedReason == expected.suppressed_reason, "\(fixture.name)")
      }
    }
  }

  private func insert(
    _ member: TrendFixture.Member, _ user: UUID, into database: BatchDatabase
  ) throws {
    try database.insert(
      member.scores.map { score in
        VitalityScore(
          user: user, day: score.score_date, total: score.total_score, sleep: score.sleep_score,
          movement: score.movement_score, stress: score.stress_score, schemaVersion: "1",
          source: "app")
      })
    guard !member.adherence.isEmpty else { return }
    try insertDoses(
      of: user,
      taken: Dictionary(
        uniqueKeysWithValues: member.adherence.map {
          (try #require(Day($0)), Int($1 / 50))
        }), into: database)
  }

  /// A medication that expects two doses on some days, of which one or two are taken.
  private func insertDoses(
    of user: UUID, taken: [Day: Int], into database: BatchDatabase
  ) throws {
    try database.storage.importRows { writer in
      try writer.ensureUser(user, externalID: nil, now: BatchDatabase.now)
      func insert(_ table: InputTable, _ row: [(String, InputValue)]) throws {
        try writer.inserter(into: table, columns: row.map(\.0), now: BatchDatabase.now)
          .upsert(row.map(\.1))
      }
      let medication = UUID(name: "medication of \(user.lowercased)")
      try insert(
        .medications,
        [
          ("id", .uuid(medication)), ("user_id", .uuid(user)), ("name", .text("-")),
          ("dosage", .text("-")), ("form", .text("pill")),
          ("start_date", .day(try #require(taken.keys.min()))),
        ])
      for (day, count) in taken {
        let schedule = UUID(name: "schedule of \(user.lowercased) on \(day)")
        try insert(
          .schedules,
          [
            ("id", .uuid(schedule)), ("medication_id", .uuid(medication)),
            ("type", .text("timeBased")), ("reference_timezone", .text("UTC")),
            ("start_date", .day(day)), ("end_date", .day(day)),
            ("time_based_times", .text(#"["08:00","20:00"]"#)),
          ])
        for dose in 0..<count {
          let time = day.midnight.adding(seconds: dose == 0 ? 28_800 : 72_000)
          try insert(
            .doseHistory,
            [
              ("id", .uuid(UUID(name: "dose \(schedule.lowercased) \(dose)"))),
              ("medication_id", .uuid(medication)), ("schedule_id", .uuid(schedule)),
              ("status", .text("taken")), ("scheduled_time", .timestamp(time)),
              ("actual_time", .timestamp(time)), ("recorded_timezone", .text("UTC")),
            ])
        }
      }
    }
  }

  private func insertAlert(of user: UUID, into database: BatchDatabase) throws {
    let end = Day(ordinal: 20_521)
    try database.insert([
      .init(
        person: user, metric: "steps",
        values: Dictionary(
          uniqueKeysWithValues: (0..<60).map { (end - $0, $0 < 10 ? 1000 : 9000) }))
    ])
    try database.run(
      (end - 9)...end, thresholds: BatchDatabase.thresholds("v1"), parts: [.patterns])
    #expect(
      try database.storage.alertStates(matching: AlertFilter(isActive: true)).isEmpty == false)
  }
}
