import Foundation
import StorageConformance
import TestSupport
import Testing
import VigilModel
import VigilStorage

@Suite("Values that a column should not hold")
struct RawRowTests {
  @Test(
    "the column is named, and not the value",
    arguments: [
      ("id", "nonsense"), ("from_date", "2026-02-30"), ("to_date", "soon"),
      ("selection", "unknown"), ("is_silent", "77777"), ("started_at", "tomorrow"),
      ("finished_at", "later"),
      ("status", "tired"), ("parts", "patterns,sleep"),
    ])
  func isNamed(column: String, value: String) throws {
    try SQLiteFixture.with { (fixture) throws in
      let day = try #require(Day("2026-01-31"))
      try fixture.storage.withRuns { runs in
        try runs.put(
          RunRecord(
            id: UUID(name: "run"), kind: .run, days: day...day, mode: .shadow,
            thresholds: Profile(version: "v1", digest: ""), parts: .all, vitality: nil,
            engineVersion: "1", host: "h",
            startedAt: .epoch, status: .interrupted))
      }
      try fixture.execute(
        "PRAGMA ignore_check_constraints = ON; UPDATE batch_runs SET \(column) = '\(value)'")
      let error = #expect(throws: StorageError.self) { _ = try fixture.storage.runs(limit: 1) }
      #expect(error?.code == .corrupt)
      #expect(error?.message.contains("a row of batch_runs has a \(column) that is not") == true)
      #expect(error?.description.contains(value) == false)
    }
  }

  @Test("days before year 1, which SQLite takes for dates, are not among those of the data")
  func daysBeforeTheCalendar() throws {
    try SQLiteFixture.with { (fixture) throws in
      let person = UUID(name: "person").lowercased
      let times = "'\(Timestamp.epoch)', '\(Timestamp.epoch)'"
      try fixture.execute(
        """
        INSERT INTO users (id, created_at, updated_at) VALUES ('\(person)', \(times));
        INSERT INTO wearable_daily_metrics (user_id, metric_date, source, created_at, updated_at)
        VALUES ('\(person)', '-0044-03-15', 's', \(times)), ('\(person)', '0000-12-31', 's', \(times))
        """)
      #expect(try fixture.storage.metricDays() == nil)
      try fixture.execute(
        """
        INSERT INTO wearable_daily_metrics (user_id, metric_date, source, created_at, updated_at)
        VALUES ('\(person)', '0001-01-01', 's', \(times)), ('\(person)', '9999-12-31', 's', \(times))
        """)
      #expect(try fixture.storage.metricDays() == Day.calendar)
    }
  }
}
