import Foundation
import GRDB
import Logging
import ShippedThresholds
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilSQLite
import VigilStorage

/// A migrated database in a folder of its own, with what tests of runs do to it.
final class BatchDatabase {
  let directory: TemporaryDirectory
  let storage: SQLiteStorage
  let path: String

  static let now = Timestamp(microseconds: 1_790_000_000_000_000)

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("vigil.sqlite")
    storage = try SQLiteStorage(path: path, mode: .createIfMissing)
    _ = try storage.migrate(at: Self.now)
  }

  deinit {
    directory.remove()
  }

  static func thresholds(_ name: String) throws -> Thresholds {
    let file = try #require(ShippedThresholds.named(name))
    return try Thresholds(
      json: Data(file), file: "\(name).json", digest: String(repeating: "0", count: 64))
  }

  /// Values of one metric of one person by day.
  struct Series {
    var person: UUID
    var metric: String
    var values: [Day: Double]
  }

  func insert(_ series: [Series], workouts: [UUID: Set<Day>] = [:], source: String = "test") throws
  {
    try storage.importRows { writer in
      for person in Set(series.map(\.person)).union(workouts.keys) {
        try writer.ensureUser(person, externalID: nil, now: Self.now)
      }
      for series in series {
        let inserter = try writer.inserter(
          into: .wearableDailyMetrics,
          columns: ["user_id", "metric_date", "source", series.metric], now: Self.now)
        for (day, value) in series.values {
          try inserter.upsert([
            .uuid(series.person), .day(day), .text(source), .real(value),
          ])
        }
      }
      let sessions = try writer.inserter(
        into: .exerciseSessions, columns: ["id", "user_id", "metric_date"], now: Self.now)
      for (person, days) in workouts {
        for day in days {
          try sessions.upsert([
            .uuid(UUID(name: "\(person.lowercased) \(day)")), .uuid(person), .day(day),
          ])
        }
      }
    }
  }

  func insert(_ members: [FamilyMember]) throws {
    try storage.importRows { writer in
      let inserter = try writer.inserter(
        into: .familyMembers, columns: ["family_id", "user_id", "role", "invite_status"],
        now: Self.now)
      for member in members {
        try writer.ensureUser(member.user, externalID: nil, now: Self.now)
        try inserter.upsert([
          .uuid(member.family), .uuid(member.user), .text(member.role.rawValue),
          .text(member.inviteStatus.rawValue),
        ])
      }
    }
  }

  @discardableResult
  func run(
    _ days: ClosedRange<Day>, thresholds: Thresholds, kind: RunRecord.Kind = .backfill,
    mode: RunRecord.Mode = .shadow, workers: Int = 1, batchSize: Int? = nil,
    persons: Set<UUID>? = nil,
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws -> RunRecord {
    var logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    logger.logLevel = .critical
    return try BatchEngine(
      storage: storage,
      settings: BatchSettings(
        kind: kind, days: days, mode: mode, thresholds: thresholds, persons: persons,
        workers: workers, batchSize: batchSize, runID: UUID(), host: "test",
        engineVersion: "test"),
      surroundings: .init(now: { Self.now }, shouldStop: shouldStop), logger: logger
    ).run()
  }

  /// One nightly run a day.
  func runNightly(
    _ days: ClosedRange<Day>, thresholds: Thresholds, mode: RunRecord.Mode = .shadow
  ) throws {
    for day in days { try run(day...day, thresholds: thresholds, kind: .run, mode: mode) }
  }

  // MARK: Dumps

  /// Every row of the alert state, without what tells when and by which run it was written.
  func alertStates() throws -> [String] {
    try rows(
      of: "pattern_alert_state",
      without: ["run_id", "computed_at", "created_at", "updated_at", "last_notified_at"])
  }

  func queue(_ queue: DeliveryQueue = .shadow) throws -> [String] {
    try rows(
      of: queue.rawValue,
      without: ["run_id", "created_at", "updated_at", "scheduled_for", "expires_at"])
  }

  func dump() throws -> [String] {
    try alertStates() + queue(.shadow) + queue(.live)
  }

  func rows(of table: String, without left: Set<String> = []) throws -> [String] {
    try read { db in
      let columns = try db.columns(in: table).map(\.name).filter { !left.contains($0) }
      return try Row.fetchAll(
        db, sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY id"
      ).map { row in
        row.map { "\($0.0)=\($0.1.description)" }.joined(separator: " ")
      }
    }
  }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try DatabaseQueue(path: path).read(body)
  }
}
