import Foundation
import Testing
import VigilModel
import VigilStorage

/// When rows were written last, where `updated_at` is not what Vigil's own table has.
@Suite("PostgreSQL: updates of rows")
struct RowUpdateTests {
  private final class Sink: MetricRowSink {
    var updates: [Timestamp?] = []

    func index(ofSource name: String) -> Int { 0 }

    func append(
      person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>,
      isOtherPositive: Bool, updatedAt: Timestamp?
    ) {
      updates.append(updatedAt)
    }
  }

  /// The updates that a reader finds in three rows, one a day, after `change` of the table.
  private func updates(_ change: String) throws -> [Timestamp?] {
    let fixture = try PostgresFixture()
    let person = UUID(name: "Anna")
    try fixture.execute(
      """
      INSERT INTO users (id, created_at, updated_at) VALUES ('\(person.lowercased)', now(), now());
      INSERT INTO wearable_daily_metrics (user_id, metric_date, source, created_at, updated_at)
        SELECT '\(person.lowercased)', date '2026-01-01' + n, 'watch', now(),
          timestamptz '2026-02-01 00:00:00+00' + n * interval '1 microsecond'
        FROM generate_series(0, 2) AS n;
      \(change)
      """)
    let sink = Sink()
    let first = try #require(Day("2026-01-01") as Day?)
    let reader = try fixture.storage.makeReader()
    let days = first...(first + 2)
    try reader.readMetrics(
      of: [person], days: days, metrics: [], reportsWear: false, into: sink)
    // What a continued run compares with what was read.
    let fingerprint = try reader.inputFingerprint(of: [person], days: days)
    #expect(fingerprint.metricRows == 3)
    #expect(fingerprint.newestUpdate == sink.updates.compactMap { $0 }.max())
    return sink.updates
  }

  private func time(_ offset: Int64) throws -> Timestamp {
    let first = try #require(Timestamp("2026-02-01T00:00Z") as Timestamp?)
    return Timestamp(microseconds: first.microseconds + offset)
  }

  @Test("infinity is no update")
  func infinity() throws {
    let found = try updates(
      """
      UPDATE wearable_daily_metrics SET updated_at = 'infinity' WHERE metric_date = '2026-01-01';
      UPDATE wearable_daily_metrics SET updated_at = '-infinity' WHERE metric_date = '2026-01-02';
      """)
    #expect(try found == [nil, nil, time(2)])
  }

  @Test("a time without a zone is one of UTC, whatever the session's zone")
  func withoutZone() throws {
    let found = try updates(
      """
      SET timezone = 'UTC';
      ALTER TABLE wearable_daily_metrics ALTER updated_at TYPE timestamp,
        ALTER updated_at DROP NOT NULL;
      UPDATE wearable_daily_metrics SET updated_at = NULL WHERE metric_date = '2026-01-02';
      """)
    #expect(try found == [time(0), nil, time(2)])
  }

  @Test(
    "a table or view without the column, or with something else in its place, has no updates",
    arguments: ["DROP COLUMN updated_at", "ALTER updated_at TYPE text"])
  func withoutColumn(change: String) throws {
    #expect(try updates("ALTER TABLE wearable_daily_metrics \(change)") == [nil, nil, nil])
  }
}
