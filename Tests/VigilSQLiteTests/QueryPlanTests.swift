import GRDB
import TestSupport
import Testing
import VigilModel
import VigilSQL
import VigilStorage

@testable import VigilSQLite

/// A plan that scans would still give the right rows, years of them too slowly.
@Suite("Query plans")
struct QueryPlanTests {
  private static func sql(of name: ReadingStatement, _ fillings: SQLFillings = [:]) -> String {
    SQLiteSession.library.statement(name, fillings).sql
  }

  @Test("metrics of a person are one range of the primary key, without sorting")
  func metrics() throws {
    try expectPlan(
      of: { db, file in
        let query = MetricQuery(
          metrics: [MetricType("steps")], reportsWear: true, reportsCreation: true)
        return try Self.sql(of: .listMetrics, query.fillings(on: db, of: file))
      },
      [
        "SEARCH wearable_daily_metrics USING PRIMARY KEY "
          + "(user_id=? AND metric_date>? AND metric_date<?)"
      ])
  }

  @Test("persons with data are found by one step into the keys of each person")
  func persons() throws {
    try expectPlan(
      of: { _, _ in Self.sql(of: .listPersonsWithMeasurements) },
      [
        "SCAN users", "CORRELATED SCALAR SUBQUERY 1",
        "SEARCH wearable_daily_metrics USING PRIMARY KEY "
          + "(user_id=? AND metric_date>? AND metric_date<?)",
        "CORRELATED SCALAR SUBQUERY 2",
        "SEARCH pattern_alert_state USING COVERING INDEX pattern_alert_state_by_status_and_level "
          + "(user_id=? AND episode_status=?)",
        "CORRELATED SCALAR SUBQUERY 3",
        "SEARCH vitality_scores USING PRIMARY KEY (user_id=? AND score_date>? AND score_date<?)",
        "CORRELATED SCALAR SUBQUERY 4", "SEARCH trend_coverage USING PRIMARY KEY (user_id=?)",
      ])
  }

  @Test(
    "unknown persons are found by steps along the key",
    arguments: [
      (InputTable.wearableDailyMetrics, "USING PRIMARY KEY"),
      (InputTable.exerciseSessions, "USING COVERING INDEX exercise_sessions_by_user_and_date"),
    ])
  func strangers(table: InputTable, key: String) throws {
    try expectPlan(
      of: { _, _ in Self.sql(of: .listStrangers, table.rowFillings) },
      [
        "CO-ROUTINE person", "SETUP", "SEARCH \(table.name) \(key)", "RECURSIVE STEP",
        "SCAN person",
        "CORRELATED SCALAR SUBQUERY 2", "SEARCH \(table.name) \(key) (user_id>?)", "SCAN person",
        "CORRELATED SCALAR SUBQUERY 4", "SEARCH users USING PRIMARY KEY (id=?)",
      ])
  }

  @Test("due rows of the queue are one range of an index, without sorting")
  func dueRows() throws {
    try expectPlan(
      of: { _, _ in SQLiteSession.library.statement(DispatchStatement.claimNotifications).sql },
      [
        "SEARCH notification_queue USING COVERING INDEX sqlite_autoindex_notification_queue_1 (id=?)",
        "LIST SUBQUERY 1",
        "SEARCH due USING INDEX notification_queue_due (channel=? AND priority=? AND <expr><?)",
      ])
  }

  @Test("a page of due rows begins in the index where the one before has ended")
  func duePages() throws {
    try expectPlan(
      of: { _, _ in
        SQLiteSession.library.statement(DispatchStatement.listDueNotifications).sql
      },
      [
        "MERGE (UNION ALL)", "LEFT", "CO-ROUTINE waiting",
        "SEARCH notification_queue USING INDEX notification_queue_due "
          + "(channel=? AND priority=? AND <expr>>? AND <expr><?)",
        // The rows of the page, to be merged with those whose lease has ended, which are few.
        "SCAN waiting", "USE TEMP B-TREE FOR ORDER BY", "RIGHT",
        "SCAN notification_queue USING INDEX notification_queue_leased",
        "USE TEMP B-TREE FOR ORDER BY",
      ])
  }

  @Test("alert states of a batch are ranges of the natural key, without sorting")
  func alertStates() throws {
    try expectPlan(
      of: { _, _ in
        SQLiteSession.library.statement(ReaderStatement.listAlertStatesTouchedSince).sql
      },
      [
        "SEARCH pattern_alert_state USING INDEX pattern_alert_state_natural_key "
          + "(profile=? AND user_id=?)",
        "LIST SUBQUERY 1", "SCAN json_each VIRTUAL TABLE INDEX 1:",
      ])
  }

  @Test("doses of a medication are two ranges of indexes that hold all that is read")
  func doses() throws {
    try expectPlan(
      of: { _, _ in Self.sql(of: .listDoses, DoseQuery.fillings) },
      [
        "COMPOUND QUERY", "LEFT-MOST SUBQUERY",
        "SEARCH dose_history USING COVERING INDEX dose_history_by_medication "
          + "(medication_id=? AND scheduled_time>? AND scheduled_time<?)",
        "UNION ALL",
        "SEARCH dose_history USING COVERING INDEX dose_history_off_schedule "
          + "(medication_id=? AND actual_time>? AND actual_time<?)",
      ])
  }

  @Test("figures of doses that end on a day are one step into the index for each person")
  func doseAnalytics() throws {
    try expectPlan(
      of: { _, _ in
        SQLiteSession.library.statement(ResultStatement.listDoseAnalyticsOfPersonsOn).sql
      },
      [
        "SEARCH dose_analytics USING INDEX dose_analytics_by_user "
          + "(user_id=? AND period_kind=? AND period_end=?)",
        "LIST SUBQUERY 1", "SCAN json_each VIRTUAL TABLE INDEX 1:",
        "USE TEMP B-TREE FOR RIGHT PART OF ORDER BY",
      ])
  }

  @Test("totals of doses that end on some days are one range of the index for each person")
  func doseTotals() throws {
    try expectPlan(
      of: { _, _ in SQLiteSession.library.statement(ReaderStatement.listDoseTotals).sql },
      [
        "SEARCH dose_analytics USING INDEX dose_analytics_by_user "
          + "(user_id=? AND period_kind=? AND period_end>? AND period_end<?)",
        "LIST SUBQUERY 1", "SCAN json_each VIRTUAL TABLE INDEX 1:",
      ])
  }

  @Test(
    "insights of a day are found by it, and co-occurrences in an index of their own",
    arguments: [
      (
        ResultStatement.listInsights,
        [
          "SEARCH trend_insights USING INDEX trend_insights_by_day "
            + "(insight_date>? AND insight_date<?)",
          "LIST SUBQUERY 1", "SCAN json_each VIRTUAL TABLE INDEX 1:",
          "USE TEMP B-TREE FOR ORDER BY",
        ]
      ),
      (
        ResultStatement.listCooccurrencesOn,
        [
          "SCAN trend_insights USING INDEX trend_insights_co_occurrences",
          "USE TEMP B-TREE FOR RIGHT PART OF ORDER BY",
        ]
      ),
    ])
  func insights(name: ResultStatement, plan: [String]) throws {
    try expectPlan(of: { _, _ in SQLiteSession.library.statement(name).sql }, plan)
  }

  @Test("check-ins are one range of the key for each person, and one step to the newest before")
  func checkIns() throws {
    try expectPlan(
      of: { _, _ in SQLiteSession.library.statement(ReaderStatement.listCheckIns).sql },
      [
        "MERGE (UNION ALL)", "LEFT", "SCAN person VIRTUAL TABLE INDEX 1:",
        "SEARCH own USING PRIMARY KEY (user_id=? AND checked_in_at>? AND checked_in_at<?)",
        "USE TEMP B-TREE FOR ORDER BY", "RIGHT", "SCAN person VIRTUAL TABLE INDEX 1:",
        "CORRELATED SCALAR SUBQUERY 2",
        "SEARCH earlier USING PRIMARY KEY (user_id=? AND checked_in_at<?)",
        "USE TEMP B-TREE FOR ORDER BY",
      ])
    try expectPlan(
      of: { _, _ in SQLiteSession.library.statement(ReaderStatement.listCheckInPlans).sql },
      ["SCAN person VIRTUAL TABLE INDEX 1:", "SEARCH own USING PRIMARY KEY (user_id=?)"])
    try expectPlan(
      of: { _, _ in SQLiteSession.library.statement(InputStatement.listPersonsWithCheckIns).sql },
      [
        "SCAN users", "CORRELATED SCALAR SUBQUERY 1",
        "SEARCH check_in_plans USING PRIMARY KEY (user_id=?)", "CORRELATED SCALAR SUBQUERY 2",
        "SEARCH check_ins USING PRIMARY KEY (user_id=? AND checked_in_at>? AND checked_in_at<?)",
      ])
  }

  @Test("senders by day are one range of the key for each person who is looked at")
  func sendersByDay() throws {
    try expectPlan(
      of: { _, _ in SQLiteSession.library.statement(ReadingStatement.listSenderDays).sql },
      [
        "CO-ROUTINE person", "SCAN users", "CORRELATED SCALAR SUBQUERY 1",
        "SEARCH wearable_daily_metrics USING PRIMARY KEY "
          + "(user_id=? AND metric_date>? AND metric_date<?)",
        "SCAN person",
        "SEARCH own USING PRIMARY KEY (user_id=? AND metric_date>? AND metric_date<?)",
      ])
  }

  @Test("calls without an answer are one range of their index")
  func unansweredCalls() throws {
    func plan(_ name: EscalationStatement) -> (Database, DatabaseFile) throws -> String {
      { _, _ in SQLiteSession.library.statement(name).sql }
    }
    let range = "(level=? AND expires_at>? AND expires_at<?)"
    for statement in [EscalationStatement.listUnansweredAlerts, .listUnansweredStreaks] {
      try expectPlan(
        of: plan(statement),
        [
          "MATERIALIZE due", "SCAN json_each VIRTUAL TABLE INDEX 1:",
          "SEARCH call USING INDEX escalation_log_unanswered \(range)",
          "SEARCH alert USING INDEX sqlite_autoindex_pattern_alert_state_1 (id=?)",
          "SEARCH own USING PRIMARY KEY (user_id=? AND level=?) LEFT-JOIN",
          "SEARCH due USING AUTOMATIC COVERING INDEX (minutes=?)",
          "USE TEMP B-TREE FOR GROUP BY",
          "USE TEMP B-TREE FOR ORDER BY",
        ])
    }
    try expectPlan(
      of: plan(.markNotified),
      [
        "SEARCH escalation_log USING INDEX escalation_log_open (expires_at>?)",
        "CORRELATED SCALAR SUBQUERY 2",
        "SEARCH sent USING INDEX notification_queue_sent (recipient_user_id=? AND sent_at>?)",
        "CORRELATED SCALAR SUBQUERY 1",
        "SEARCH part USING INDEX notification_queue_by_group (group_id=?)",
      ])
  }

  private func expectPlan(
    of sql: (Database, DatabaseFile) throws -> String, _ expected: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try SQLiteFixture.with { (fixture) throws in
      let plan = try DatabaseQueue(path: fixture.path).read { db in
        var details: [String] = []
        try RawStatement(
          rendered: "EXPLAIN QUERY PLAN \(sql(db, DatabaseFile(fixture.path)))", on: db
        )
        .forEachRow { details.append($0.text(3).replacing("main.", with: "")) }
        return details
      }
      #expect(plan == expected, sourceLocation: sourceLocation)
    }
  }
}
