import Foundation
import PostgresTestServer
import Testing
import VigilAdherence
import VigilModel
import VigilSQL
import VigilStorage

@testable import VigilPostgres

/// A plan that scans would still give the right rows, years of them too slowly.
@Suite("Query plans on PostgreSQL")
struct QueryPlanTests {
  /// A statement whose schema is still open.
  private static func postgres(
    _ name: some StatementName, _ fillings: SQLFillings = [:]
  ) -> String {
    StatementLibrary(schema: "care", dialect: .postgres).statement(name, fillings).sql
      .replacing("\"care\"", with: "{{schema}}")
  }

  /// A schema with enough rows for the planner to mind, and its plan of a query.
  private func plan(of sql: String) throws -> String {
    let fixture = try PostgresFixture()
    try fixture.execute(
      """
      INSERT INTO users (id, created_at, updated_at)
        SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, now(), now()
        FROM generate_series(1, 2000) AS n;
      INSERT INTO wearable_daily_metrics (user_id, metric_date, source, created_at, updated_at)
        SELECT id, day, 'watch', now(), now()
        FROM users, generate_series(date '2026-01-01', date '2026-01-20', interval '1 day') AS day
        ORDER BY id, day;
      ANALYZE users; ANALYZE wearable_daily_metrics;
      """)
    // So few rows the planner would rather sort than fetch one by one.
    return try fixture.strings(
      "SET enable_bitmapscan = off; EXPLAIN (COSTS OFF) \(fixture.rendered(sql))"
    ).compactMap { $0 }.joined(separator: "\n")
  }

  @Test("metrics of a batch are one walk along the primary key, without sorting")
  func metrics() throws {
    let copy = try MetricCopy(
      metrics: [MetricType("steps")], reportsWear: true, reportsCreation: true,
      columns: [("steps", "double precision"), ("hrv_ms", "numeric(6,2)"), ("source", "text")],
      database: "test")
    let persons = (1...50).map {
      UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012d", $0)) ?? UUID()
    }
    let days = try #require(Day("2026-01-05"))...#require(Day("2026-01-15"))
    let sql = Self.postgres(
      ReadingStatement.copyMetrics, copy.fillings(persons: persons, days: days))
    let select = try #require(sql.firstMatch(of: /(?s)^COPY \((.*)\) TO STDOUT/)).output.1
    let plan = try plan(of: String(select))
    #expect(plan.contains("Index Scan using wearable_daily_metrics_pkey"))
    #expect(!plan.contains("Sort"))
  }

  @Test("persons with data are found by one step into the keys of each person")
  func persons() throws {
    let sql = Self.postgres(DoseStatement.listPersonsWithMeasurements)
      .replacing("$1", with: "date '2026-01-01'").replacing("$2", with: "date '2026-01-20'")
    let plan = try plan(of: sql)
    #expect(plan.contains("wearable_daily_metrics_pkey"))
    #expect(!plan.contains("Seq Scan on wearable_daily_metrics"))
    #expect(!plan.contains("Hash"))
  }

  @Test("check-ins are found by the key of each person, and senders by that of the metrics")
  func checkIns() throws {
    let fixture = try PostgresFixture()
    let persons = "ARRAY[]::uuid[]"
    let (first, last) = ("timestamptz '2026-01-01'", "timestamptz '2026-01-20'")
    func plan(_ sql: String) throws -> String {
      try fixture.strings(
        "SET enable_seqscan = off; SET enable_bitmapscan = off;"
          + " EXPLAIN (COSTS OFF) \(fixture.rendered(sql))"
      ).compactMap { $0 }.joined(separator: "\n")
    }
    let checkIns = try plan(
      Self.postgres(ReaderStatement.listCheckIns).replacing("$1", with: persons)
        .replacing("$2", with: first).replacing("$3", with: last))
    #expect(checkIns.contains("check_ins_pkey") && !checkIns.contains("Seq Scan"), "\(checkIns)")
    #expect(checkIns.contains("Limit"), "\(checkIns)")
    let found = try plan(
      Self.postgres(InputStatement.listPersonsWithCheckIns).replacing("$1", with: first)
        .replacing("$2", with: last))
    for key in ["check_ins_pkey", "check_in_plans_pkey"] {
      #expect(found.contains(key), "\(found)")
    }
    #expect(!found.contains("Seq Scan on check_in"), "\(found)")
    let senders = try self.plan(
      of: Self.postgres(ReadingStatement.countSendersByDay)
        .replacing("$1", with: "date '2026-01-01'").replacing("$2", with: "date '2026-01-20'")
        .replacing("$3", with: "50"))
    #expect(senders.contains("wearable_daily_metrics_pkey"), "\(senders)")
    #expect(!senders.contains("Seq Scan on wearable_daily_metrics"), "\(senders)")
  }

  @Test(
    "due rows of the queue are one range of an index, without sorting")
  func dueRows() throws {
    let fixture = try PostgresFixture()
    let sql = Self.postgres(DispatchStatement.claimNotifications)
      .replacing("$1", with: "'push'").replacing("$2", with: "timestamptz '2026-03-01'")
      .replacing("$3", with: "64").replacing("$4", with: "'me'")
      .replacing("$5", with: "timestamptz '2026-03-02'").replacing("$6", with: "'high'")
    // The plan that is taken for a large queue; an empty table would rather be scanned.
    let plan = try fixture.strings(
      "SET enable_seqscan = off; SET enable_bitmapscan = off; EXPLAIN (COSTS OFF) \(fixture.rendered(sql))"
    ).compactMap { $0 }.joined(separator: "\n")
    #expect(plan.contains("Index Scan using notification_queue_due"), "\(plan)")
    #expect(!plan.contains("Sort") && !plan.contains("Seq Scan"), "\(plan)")
  }

  @Test("a page of due rows begins in the index where the one before has ended")
  func duePages() throws {
    let fixture = try PostgresFixture()
    let sql = Self.postgres(DispatchStatement.listDueNotifications)
      .replacing("$1", with: "'push'").replacing("$2", with: "'high'")
      .replacing("$3", with: "timestamptz '2026-03-01'").replacing("$4", with: "500")
      .replacing("$5", with: "timestamptz '2026-03-01'")
      .replacing("$6", with: "timestamptz '2026-02-01'")
      .replacing("$7", with: "uuid '00000000-0000-4000-8000-000000000001'")
    let plan = try fixture.strings(
      "SET enable_seqscan = off; SET enable_bitmapscan = off; EXPLAIN (COSTS OFF) \(fixture.rendered(sql))"
    ).compactMap { $0?.trimmingCharacters(in: .whitespaces) }
    let scan = try #require(
      plan.firstIndex { $0.hasPrefix("->  Index Scan using notification_queue_due") }, "\(plan)")
    #expect(
      plan[scan + 1].hasPrefix("Index Cond:")
        && plan[scan + 1].contains("ROW(COALESCE("),
      "\(plan)")
    // The rows of the index are in order; those whose lease has ended, which are few, are sorted into them.
    #expect(plan[scan - 1] == "->  Limit", "\(plan)")
  }

  @Test("persons with doses, schedules, scores or trends are found by an index of each table")
  func personsWithMedications() throws {
    let fixture = try PostgresFixture()
    let storage = try PostgresStorage(url: fixture.schema.url, schema: fixture.schema.name)
    let (name, fillings) = try PostgresStorage.personsWithMedications(
      on: storage.openConnection(purpose: "vigil test"), database: "test")
    let sql = Self.postgres(name, fillings)
      .replacing("$1", with: "date '2026-01-01'").replacing("$2", with: "date '2026-01-20'")
      .replacing("$3", with: "timestamptz '2026-01-01'")
      .replacing("$4", with: "timestamptz '2026-01-21'")
    let plan = try fixture.strings(
      "SET enable_seqscan = off; EXPLAIN (COSTS OFF) \(fixture.rendered(sql))"
    ).compactMap { $0 }.joined(separator: "\n")
    for table in [
      "wearable_daily_metrics", "pattern_alert_state", "vitality_scores", "trend_coverage",
      "medications", "schedules", "dose_history", "dose_analytics",
    ] {
      #expect(plan.contains(" on \(table)"), "\(plan)")
      #expect(!plan.contains("Seq Scan on \(table)"), "\(plan)")
    }
    #expect(plan.contains("dose_history_by_medication"), "\(plan)")
    #expect(plan.contains("dose_history_off_schedule"), "\(plan)")
  }

  @Test("persons who send doses are found by an index of each table")
  func doseSenders() throws {
    let fixture = try PostgresFixture()
    let storage = try PostgresStorage(url: fixture.schema.url, schema: fixture.schema.name)
    let (_, fillings) = try PostgresStorage.medicationFillings(
      on: storage.openConnection(purpose: "vigil test"), database: "test", from: .parameter(1),
      to: .parameter(2))
    let sql = Self.postgres(ReadingStatement.countDoseSendersByDay, fillings)
      .replacing("$1", with: "'2026-01-01'").replacing("$2", with: "'2026-01-21'")
      .replacing("$3", with: "50")
    let plan = try fixture.strings(
      "SET enable_seqscan = off; EXPLAIN (COSTS OFF) \(fixture.rendered(sql))"
    ).compactMap { $0 }.joined(separator: "\n")
    for table in ["medications", "schedules", "dose_history"] {
      #expect(!plan.contains("Seq Scan on \(table)"), "\(plan)")
    }
    #expect(plan.contains("dose_history_by_medication"), "\(plan)")
  }

  @Test("scores of a batch are found by the index where they are written, never by a scan")
  func scores() throws {
    let fixture = try PostgresFixture()
    try fixture.execute(
      """
      INSERT INTO users (id, created_at, updated_at)
        SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, now(), now()
        FROM generate_series(1, 2000) AS n;
      INSERT INTO vitality_scores
        SELECT id, date '2026-01-01' + n, 70, 70, 70, 70, 'v1', 'vigil'
        FROM users, generate_series(0, 19) AS n ORDER BY id, n;
      ANALYZE vitality_scores;
      """)
    let day = try #require(Day("2026-01-05"))
    let scores = (1...50).map { number in
      VitalityScore(
        user: UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012d", number))
          ?? UUID(),
        day: day, total: 71, sleep: 70, movement: 70, stress: 70, schemaVersion: "v1",
        source: VitalityScore.computedSource)
    }
    _ = try fixture.storage.write(
      BatchWrite(
        alertStates: [], notifications: [], queue: .shadow, runID: UUID(),
        writtenAt: Timestamp(microseconds: 0),
        vitality: VitalityWrite(
          scores: scores, outdatedScores: scores.map { .init(user: $0.user, day: day + 1) })))
    // They appear when a session is idle, all figures of a transaction together.
    func figures() throws -> [String?] {
      try fixture.strings(
        """
        SELECT concat_ws(' ', n_tup_upd, n_tup_del, seq_tup_read) FROM pg_stat_user_tables
        WHERE relid = 'vitality_scores'::regclass
        """)
    }
    let deadline = ContinuousClock.now + .seconds(60)
    while try figures().first??.hasPrefix("50 50 ") != true {
      try #require(ContinuousClock.now < deadline, "the server has not counted the rows")
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(try figures() == ["50 50 0"])
  }

  /// Without figures about the table the planner takes some hundred persons for all there are.
  @Test("measures of a batch are found by the index of persons in a table without statistics")
  func measures() throws {
    let fixture = try PostgresFixture()
    try fixture.execute("ALTER TABLE dose_analytics SET (autovacuum_enabled = off)")
    let persons = (1...600).map {
      UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012d", $0)) ?? UUID()
    }
    let last = try #require(Day("2026-01-10"))
    for day in (last - 9)...last {
      var adherence = AdherenceWrite(evaluatedAt: Timestamp(microseconds: 0))
      for person in persons {
        adherence.analytics.append(
          DoseAnalytics(
            user: person, medication: nil, period: .period(.sevenDays, endingAt: day),
            measures: AdherenceMeasures()))
        if day > last - 9 { adherence.lastEvaluatedDays[person] = day - 1 }
      }
      adherence.evaluated((day - 1)...day, monthsFrom: day, of: persons)
      _ = try fixture.storage.write(
        BatchWrite(
          alertStates: [], notifications: [], queue: .shadow, runID: UUID(),
          writtenAt: Timestamp(microseconds: 0), adherence: adherence))
    }
    let stored = try fixture.storage.doseAnalytics(
      of: persons, period: .sevenDays, endingOn: last)
    #expect(stored.count == 600)
    let totals = try fixture.storage.makeReader().doseTotals(
      of: persons, period: .sevenDays, endingOn: last...last)
    #expect(totals.count == 600)
    let figures = """
      SELECT concat_ws(' ', n_tup_ins, n_tup_del, seq_tup_read) FROM pg_stat_user_tables
      WHERE relid = 'dose_analytics'::regclass
      """
    // Each night takes the day before back, which it did not say anything about.
    let deadline = ContinuousClock.now + .seconds(60)
    while try fixture.strings(figures).first??.hasPrefix("6000 5400 ") != true {
      try #require(ContinuousClock.now < deadline, "the server has not counted the rows")
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(try fixture.strings(figures) == ["6000 5400 0"])
  }

  @Test("persons without a row in users are found by steps along the key, never by a scan")
  func suspects() throws {
    let sql = Self.postgres(
      ReadingStatement.listSuspects, InputTable.wearableDailyMetrics.rowFillings)
    let plan = try plan(of: sql)
    #expect(
      plan.contains("Index Only Scan Backward using wearable_daily_metrics_pkey"), "\(plan)")
    #expect(!plan.contains("Seq Scan on wearable_daily_metrics"), "\(plan)")
    #expect(!plan.contains("Sort"), "\(plan)")
  }
}
