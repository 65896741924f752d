import Foundation
import Testing
import VigilModel
import VigilStorage

@testable import VigilPostgres

/// A plan that scans would still give the right rows, years of them too slowly.
@Suite("Query plans on PostgreSQL")
struct QueryPlanTests {
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
    return try fixture.strings("SET enable_bitmapscan = off; EXPLAIN (COSTS OFF) \(sql)").compactMap
    { $0 }
    .joined(separator: "\n")
  }

  @Test("metrics of a batch are one walk along the primary key, without sorting")
  func metrics() throws {
    let copy = try MetricCopy(
      metrics: [MetricType("steps")], reportsWear: true,
      columns: [("steps", "double precision"), ("hrv_ms", "numeric(6,2)"), ("source", "text")],
      database: "test")
    let persons = (1...50).map {
      UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012d", $0)) ?? UUID()
    }
    let days = try #require(Day("2026-01-05"))...#require(Day("2026-01-15"))
    let sql = copy.sql(persons: persons, days: days)
    let select = try #require(sql.firstMatch(of: /(?s)^COPY \((.*)\) TO STDOUT/)).output.1
    let plan = try plan(of: String(select))
    #expect(plan.contains("Index Scan using wearable_daily_metrics_pkey"))
    #expect(!plan.contains("Sort"))
  }

  @Test("persons with data are found by one step into the keys of each person")
  func persons() throws {
    let sql = PostgresStorage.personsQuery
      .replacing("$1", with: "date '2026-01-01'").replacing("$2", with: "date '2026-01-20'")
    let plan = try plan(of: sql)
    #expect(plan.contains("wearable_daily_metrics_pkey"))
    #expect(!plan.contains("Seq Scan on wearable_daily_metrics"))
    #expect(!plan.contains("Hash"))
  }

  @Test("persons without a row in users are found by steps along the key, never by a scan")
  func suspects() throws {
    let sql = UnusableRowSearch.suspectsQuery("wearable_daily_metrics", dated: "metric_date")
    let plan = try plan(of: sql)
    #expect(
      plan.contains("Index Only Scan Backward using wearable_daily_metrics_pkey"), "\(plan)")
    #expect(!plan.contains("Seq Scan on wearable_daily_metrics"), "\(plan)")
    #expect(!plan.contains("Sort"), "\(plan)")
  }
}
