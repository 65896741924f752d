import Foundation
import StorageConformance
import Testing
import VigilModel
import VigilStorage

@testable import VigilPostgres

/// Behaviour that the contract of a storage does not cover: rows that reach the server in several
/// pieces.
@Suite("Importing into PostgreSQL")
struct ImportTests {
  private let now = Timestamp(microseconds: 1_790_000_000_000_000)
  private let columns = ["user_id", "metric_date", "source", "steps"]

  private func row(_ person: Int, _ day: Int, _ steps: Double) -> [InputValue] {
    [
      .uuid(UUID(name: "\(person)")), .day(Day(ordinal: Int32(20_000 + day))), .text("watch"),
      .real(steps),
    ]
  }

  @Test("more rows than one piece holds arrive, and the last of each key counts")
  func pieces() throws {
    let fixture = try PostgresFixture()
    let (persons, days) = (60, 400)
    try fixture.storage.importRows { writer in
      for person in 0..<persons {
        try writer.ensureUser(UUID(name: "\(person)"), externalID: nil, now: now)
      }
      let inserter = try writer.inserter(into: .wearableDailyMetrics, columns: columns, now: now)
      for round in 1...2 {
        for person in 0..<persons {
          for day in 0..<days { try inserter.upsert(row(person, day, Double(round * day))) }
        }
      }
      // The same key twice in one piece.
      try inserter.upsert(row(0, 1, 70))
      try inserter.upsert(row(0, 1, 71))
    }
    #expect(try fixture.count("wearable_daily_metrics") == persons * days)
    let wrong = try fixture.strings(
      """
      SELECT steps::text FROM wearable_daily_metrics
      WHERE steps <> 2 * (metric_date - date '1970-01-01' - 20000)
      """)
    #expect(wrong == ["71"])
  }

  @Test("rows that another session adds meanwhile are changed, not refused")
  func overtaken() throws {
    let fixture = try PostgresFixture()
    try fixture.storage.importRows { writer in
      try writer.ensureUser(UUID(name: "1"), externalID: nil, now: now)
      try writer.ensureUser(UUID(name: "2"), externalID: nil, now: now)
    }
    let days = 30_000
    try fixture.storage.importRows { writer in
      let inserter = try writer.inserter(into: .wearableDailyMetrics, columns: columns, now: now)
      // Fills several pieces, which are in the table before the other session adds its row.
      for day in 0..<days { try inserter.upsert(row(1, day, 1)) }
      try fixture.execute(
        """
        INSERT INTO wearable_daily_metrics (user_id, metric_date, source, steps, created_at, updated_at)
        SELECT id, date '1970-01-01' + 20007, 'watch', 0, now(), now() FROM users
        WHERE id = '\(UUID(name: "2"))'
        """)
      for day in 0..<10 { try inserter.upsert(row(2, day, 2)) }
    }
    #expect(try fixture.count("wearable_daily_metrics") == days + 10)
    #expect(
      try fixture.strings(
        "SELECT count(*) || ' ' || sum(steps) FROM wearable_daily_metrics WHERE steps = 2")
        == ["10 20"])
  }

  @Test("rows of users are there before rows that refer to them")
  func references() throws {
    let fixture = try PostgresFixture()
    try fixture.storage.importRows { writer in
      let users = try writer.inserter(into: .users, columns: ["id"], now: now)
      let metrics = try writer.inserter(into: .wearableDailyMetrics, columns: columns, now: now)
      for person in 0..<5000 {
        try users.upsert([.uuid(UUID(name: "\(person)"))])
        for day in 0..<5 { try metrics.upsert(row(person, day, 1)) }
      }
    }
    #expect(try fixture.count("wearable_daily_metrics") == 25_000)
  }

  @Test("columns of other numeric types take the values they can hold")
  func otherTypes() throws {
    let fixture = try PostgresFixture()
    try fixture.execute(
      "ALTER TABLE wearable_daily_metrics ALTER steps TYPE integer, ALTER hrv_ms TYPE numeric(6,1)")
    let key = row(1, 0, 0).prefix(3)
    try fixture.storage.importRows { writer in
      try writer.ensureUser(UUID(name: "1"), externalID: nil, now: now)
      let inserter = try writer.inserter(
        into: .wearableDailyMetrics, columns: columns + ["hrv_ms"], now: now)
      try inserter.upsert(key + [.real(8000), .real(41.25)])
    }
    #expect(
      try fixture.strings("SELECT steps || ' ' || hrv_ms FROM wearable_daily_metrics")
        == ["8000 41.3"])
    let error = #expect(throws: StorageError.self) {
      try fixture.storage.importRows { writer in
        let inserter = try writer.inserter(
          into: .wearableDailyMetrics, columns: columns, now: now)
        try inserter.upsert(key + [.real(4_711_471_147)])
      }
    }
    #expect(error?.message.contains("wearable_daily_metrics") == true)
    #expect(error?.description.contains("4711") == false)
  }
}
