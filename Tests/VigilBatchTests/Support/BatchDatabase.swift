import Foundation
import Logging
import ShippedThresholds
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilImport
import VigilModel
import VigilStorage
import VigilVitality

/// A migrated database of its own, with what tests of runs do to it.
final class BatchDatabase: Sendable {
  let database: TestDatabase
  let storage: any Storage
  private let directory: TemporaryDirectory

  static let now = Timestamp(microseconds: 1_790_000_000_000_000)

  convenience init(_ kind: DatabaseKind) throws {
    let directory = try TemporaryDirectory()
    try self.init(kind.makeMigratedDatabase(in: directory.path), in: directory)
  }

  /// One whose work can be counted.
  convenience init(measurable kind: DatabaseKind) throws {
    let directory = try TemporaryDirectory()
    try self.init(kind.makeMeasurableDatabase(in: directory.path), in: directory)
    _ = try storage.migrate(at: Self.now)
  }

  private init(_ database: TestDatabase, in directory: TemporaryDirectory) throws {
    self.database = database
    self.directory = directory
    storage = try database.open()
  }

  /// Another database with the same rows.
  func copy() throws -> BatchDatabase {
    let directory = try TemporaryDirectory()
    return try BatchDatabase(database.copy(in: directory.path), in: directory)
  }

  deinit {
    directory.remove()
  }

  static func thresholds(
    _ name: String, digest: String = String(repeating: "0", count: 64)
  ) throws -> Thresholds {
    let file = try #require(ShippedThresholds.named(name))
    return try Thresholds(
      json: Data(file), file: "\(name).json", digest: digest)
  }

  static func vitality(_ profile: String) throws -> VitalitySettings {
    let name = "vitality.\(profile)"
    let file = try #require(ShippedThresholds.named(name))
    return try VitalitySettings(
      json: Data(file), file: "\(name).json",
      digest: String(repeating: String(profile.suffix(1)), count: 64))
  }

  /// Values of one metric of one person by day.
  struct Series {
    var person: UUID
    var metric: String
    var values: [Day: Double]
  }

  /// Adds metric rows, one a person and day with the values of all metrics, and exercise sessions;
  /// values of a row that is there already are replaced.
  func insert(
    _ series: [Series], workouts: [UUID: Set<Day>] = [:], source: String = "test",
    at now: Timestamp = BatchDatabase.now
  ) throws {
    let metrics = Set(series.map(\.metric)).sorted()
    let column = Dictionary(uniqueKeysWithValues: metrics.enumerated().map { ($1, $0) })
    var rows: [UUID: [Day: [InputValue]]] = [:]
    for series in series {
      let index = try #require(column[series.metric])
      for (day, value) in series.values {
        rows[series.person, default: [:]][
          day, default: Array(repeating: .null, count: metrics.count)][index] = .real(value)
      }
    }
    try storage.importRows { writer in
      for person in Set(series.map(\.person)).union(workouts.keys) {
        try writer.ensureUser(person, externalID: nil, now: now)
      }
      let inserter = try writer.inserter(
        into: .wearableDailyMetrics, columns: ["user_id", "metric_date", "source"] + metrics,
        now: now)
      for (person, days) in rows {
        for (day, values) in days {
          try inserter.upsert([.uuid(person), .day(day), .text(source)] + values)
        }
      }
      let sessions = try writer.inserter(
        into: .exerciseSessions, columns: ["id", "user_id", "metric_date"], now: now)
      for (person, days) in workouts {
        for day in days {
          try sessions.upsert([
            .uuid(UUID(name: "\(person.lowercased) \(day)")), .uuid(person), .day(day),
          ])
        }
      }
    }
  }

  /// Imports the files of a data set, whose rows must all be good.
  func importFiles(of folder: URL) throws {
    let imported = try CSVFolderImport(
      folder: folder.path,
      options: ImportOptions(
        today: Day(ordinal: 20_700), now: Self.now, zones: .system)
    ).run(into: storage)
    #expect(imported.rowsQuarantined == 0)
  }

  /// Adds rows of scores, as an app would write them.
  func insert(_ scores: [VitalityScore]) throws {
    try storage.importRows { writer in
      let inserter = try writer.inserter(
        into: .vitalityScores,
        columns: [
          "user_id", "score_date", "total_score", "sleep_score", "movement_score", "stress_score",
          "schema_version", "source",
        ], now: Self.now)
      for score in scores {
        try writer.ensureUser(score.user, externalID: nil, now: Self.now)
        let values = [score.total, score.sleep, score.movement, score.stress].map {
          $0.map { InputValue.integer(Int64($0)) } ?? .null
        }
        try inserter.upsert(
          [.uuid(score.user), .day(score.day)] + values
            + [.text(score.schemaVersion), .text(score.source)])
      }
    }
  }

  /// The scores and insights of runs, without columns with the time and the run of their writing.
  func vitality() throws -> [String] {
    try database.rows("SELECT * FROM vitality_scores ORDER BY user_id, score_date")
      + rows(of: "trend_insights", without: ["run_id", "created_at", "updated_at"])
      + database.rows(
        """
        SELECT user_id, evaluated_on, coverage_days, days_needed, last_score_date,
          first_evaluated_on, input_digest
        FROM trend_coverage ORDER BY user_id
        """)
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

  /// Lets a person exclude others from notifications about them.
  func insert(exclusionsBy subject: UUID, of others: [UUID]) throws {
    try storage.importRows { writer in
      let inserter = try writer.inserter(
        into: .alertRecipientExclusions, columns: ["subject_user_id", "excluded_user_id"],
        now: Self.now)
      for other in others { try inserter.upsert([.uuid(subject), .uuid(other)]) }
    }
  }

  /// - Parameters:
  ///   - vitality: Nil for those of vitality.v1.
  ///   - wrapper: What the run uses in place of `storage`, and passes on to it.
  ///   - now: What the clock says, from its beginning to its end.
  ///   - clock: Used in its place.
  @discardableResult
  func run(
    _ days: ClosedRange<Day>, thresholds: Thresholds, candidate: Thresholds? = nil,
    kind: RunRecord.Kind = .backfill, mode: RunRecord.Mode = .shadow, parts: Set<RunPart> = .all,
    vitality: VitalitySettings? = nil, workers: Int = 1, batchSize: Int? = nil,
    maxBadRowFraction: Double = 0.01, persons: Set<UUID>? = nil, shard: RunShard = .whole,
    continuing: Bool = true, switching: Bool = false, usesHistory: Bool = true,
    rateLimit: NotificationRateLimit = .count(.max),
    through wrapper: (any Storage)? = nil, at now: Timestamp = BatchDatabase.now,
    clock: (@Sendable () -> Timestamp)? = nil,
    log: any LogHandler = SwiftLogNoOpLogHandler(), takesDayFromClock: Bool = false,
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws -> RunRecord {
    var options = RunOptions()
    options.takesDayFromClock = takesDayFromClock
    options.continuesInterrupted = continuing
    options.switchesProfile = switching
    options.usesHistory = usesHistory
    options.rateLimit = rateLimit
    options.maxBadRowFraction = maxBadRowFraction
    options.workers = workers
    options.batchSize = batchSize
    return try BatchEngine(
      storage: wrapper ?? storage,
      request: RunRequest(
        RunScope(
          kind: kind, days: days, mode: mode, parts: parts, thresholds: thresholds,
          candidate: candidate, vitality: try vitality ?? Self.vitality("v1")),
        persons: persons, shard: shard, options: options, origin: .test),
      surroundings: .init(now: clock ?? { now }, zones: .system, shouldStop: shouldStop),
      logger: Logger(label: "test", factory: { _ in log })
    ).run().run
  }

  /// One nightly run a day.
  func runNightly(
    _ days: ClosedRange<Day>, thresholds: Thresholds, candidate: Thresholds? = nil,
    mode: RunRecord.Mode = .shadow, vitality: VitalitySettings? = nil
  ) throws {
    for day in days {
      try run(
        day...day, thresholds: thresholds, candidate: candidate, kind: .run, mode: mode,
        vitality: vitality)
    }
  }

  // MARK: Dumps

  /// Every row of the alert state, without columns with the time and the run of their writing.
  func alertStates() throws -> [String] { try Self.alertStates(of: database) }

  func queue(_ queue: DeliveryQueue = .shadow) throws -> [String] {
    try Self.queue(queue, of: database)
  }

  /// The rows of the live queue as they were planned: a night ends rows of the app whose alerts have ended.
  func enqueued() throws -> [String] { try queue(.live).map(Self.planned) }

  /// A row of a queue without its state where no sender takes it.
  static func planned(_ row: String) -> String {
    row.contains("channel=in_app ") ? row.replacing(#/ status(?:_reason)?=\S+/#, with: "") : row
  }

  /// Everything that runs plan, in a form that does not depend on the kind of database.
  func dump() throws -> [String] { try Self.dump(of: database) }

  /// The same of a database that no one has opened.
  static func dump(of database: TestDatabase) throws -> [String] {
    try alertStates(of: database) + queue(.shadow, of: database) + queue(.live, of: database)
  }

  private static func alertStates(of database: TestDatabase) throws -> [String] {
    try database.dump(
      "pattern_alert_state",
      without: ["run_id", "computed_at", "created_at", "updated_at", "last_notified_at"])
  }

  private static func queue(
    _ queue: DeliveryQueue, of database: TestDatabase
  ) throws -> [String] {
    try database.dump(
      queue.rawValue,
      without: ["run_id", "created_at", "updated_at", "scheduled_for", "expires_at"])
  }

  func rows(of table: String, without left: Set<String> = []) throws -> [String] {
    try database.dump(table, without: left)
  }
}

extension RunOrigin {
  /// A new run of a test.
  static var test: RunOrigin { RunOrigin(runID: UUID(), host: "test", engineVersion: "test") }
}
