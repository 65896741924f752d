import Foundation
import TestDatabases
import TestSupport
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// The parts of a database that grow over time, while its work is counted.
enum GrowthSample: CaseIterable, Sendable {
  /// Of one family.
  case administrators
  /// Of one person, with an administrator each.
  case families
  /// Of one person, whose family has some administrators.
  case alerts
  /// Each with a family of their own and an administrator.
  case persons

  /// The samples that are quick to make.
  static let ofOnePerson: [GrowthSample] = [.administrators, .families, .alerts]

  static let person = UUID(name: "person of a growing family")
  static let night = Day(ordinal: 20_032)
  /// 12:00 in UTC.
  static let noon = Timestamp(microseconds: 1_730_980_800_000_000)

  private static let metrics = [
    "steps", "sleep_minutes", "hrv_ms", "resting_hr", "movement_minutes", "sleep_efficiency_pct",
  ]

  /// Makes a database with so many, twice as many, and so on, where a night opens episodes.
  func database(_ kind: DatabaseKind, times factor: Int) throws -> BatchDatabase {
    let database = try BatchDatabase(measurable: kind)
    let values: [Double] = SeriesNotation("100x30 50x3").values
    let metrics = Self.metrics.prefix(self == .alerts ? 3 * factor : 2)
    let count =
      switch self {
      case .alerts: 20
      case .administrators, .families: 40 * factor
      // Of few rows PostgreSQL goes through all for each.
      case .persons: 300 * factor
      }
    let families = self == .families || self == .persons ? count : 1
    let persons =
      [Self.person]
      + (self == .persons ? (1..<count).map { UUID(name: "person \($0)") } : [])
    try database.insert(
      persons.flatMap { person in
        metrics.map { metric in
          // What is good of a heart at rest is bad of everything else.
          let isRise = metric == "resting_hr"
          let days = values.enumerated().map { index, value in
            (Self.night - 32 + index, isRise ? 150 - value : value)
          }
          return .init(
            person: person, metric: metric, values: Dictionary(uniqueKeysWithValues: days))
        }
      })
    try database.insert(
      (0..<families).map { Self.member(persons[$0 % persons.count], .member, ofFamily: $0) }
        + (0..<count).map {
          Self.member(UUID(name: "administrator \($0)"), .admin, ofFamily: $0 % families)
        })
    return database
  }

  static func family(_ number: Int) -> UUID { UUID(name: "family \(number)") }

  private static func member(
    _ user: UUID, _ role: FamilyMember.Role, ofFamily number: Int
  ) -> FamilyMember {
    FamilyMember(family: family(number), user: user, role: role, inviteStatus: .accepted)
  }
}

/// Something that is done with a database, and whose work is counted.
struct GrowthStep: Sendable {
  var name: String
  var carryOut: @Sendable (BatchDatabase, any Storage) throws -> Void

  init(
    _ name: String, _ carryOut: @escaping @Sendable (BatchDatabase, any Storage) throws -> Void
  ) {
    self.name = name
    self.carryOut = carryOut
  }
}

extension GrowthStep {
  static func night(
    _ name: String, _ mode: RunRecord.Mode, daysLater: Int = 0, allowing limit: Int = .max
  ) -> GrowthStep {
    GrowthStep(name) { database, storage in
      var thresholds = try BatchDatabase.thresholds("v2")
      thresholds.notify.groupsByRecipient = true
      let night = GrowthSample.night + daysLater
      try database.run(
        night...night, thresholds: thresholds, kind: .run, mode: mode, rateLimit: .count(limit),
        through: storage, at: GrowthSample.noon.adding(seconds: Int64(daysLater) * 86_400))
    }
  }

  /// Everybody has a row of the day after the night, as an import adds it.
  static let newDay = GrowthStep("a new day") { database, _ in
    let columns = "source, steps, created_at, updated_at"
    try database.database.execute(
      """
      INSERT INTO wearable_daily_metrics (user_id, metric_date, \(columns))
      SELECT user_id, '\(GrowthSample.night + 1)', \(columns) FROM wearable_daily_metrics
      WHERE metric_date = '\(GrowthSample.night)'
      """)
    let isText = database.database.kind == .sqlite
    // Of another version of ids.
    let known = isText ? "id" : "id::text"
    let id = "substr(\(known), 1, 14) || '4' || substr(\(known), 16)"
    let times = "'\(GrowthSample.night + 1)T08:00:00.000000Z'"
    try database.database.execute(
      """
      INSERT INTO dose_history (
        id, scheduled_time, actual_time, medication_id, schedule_id, status, recorded_timezone, created_at,
        updated_at
      )
      SELECT \(isText ? id : "(\(id))::uuid"), \(times), \(times),
        medication_id, schedule_id, status, recorded_timezone, created_at, updated_at
      FROM dose_history WHERE scheduled_time = '\(GrowthSample.night)T08:00:00.000000Z'
      """)
  }

  static func decision(_ decision: HeldDecision) -> GrowthStep {
    GrowthStep(decision.rawValue) { _, storage in
      guard let run = try storage.runs(limit: 1).first else { throw GrowthError.nothingToDo }
      // So late that each is given another time.
      _ = try HeldRunDecision(storage: storage, zones: .system).carryOut(
        decision, run: run.id, at: GrowthSample.noon.adding(seconds: 7200))
    }
  }

  static let goingLive = GrowthStep("golive") { _, storage in
    _ = try storage.withRuns { try $0.goLive(at: GrowthSample.noon) }
  }

  static func action(_ kind: AlertAction.Kind, after seconds: Int64) -> GrowthStep {
    GrowthStep(kind.word.rawValue) { _, storage in
      guard let alert = try storage.alertStates(matching: AlertFilter()).first
      else { throw GrowthError.nothingToDo }
      _ = try storage.carryOut(
        AlertAction(
          kind, alert: alert.id, by: alert.series.user,
          at: GrowthSample.noon.adding(seconds: seconds)))
    }
  }

  static let familyAlerts = GrowthStep("family alerts") { _, storage in
    let viewer = UUID(name: "administrator 0")
    let alerts = try storage.familyAlerts(
      of: GrowthSample.family(0), for: viewer, on: GrowthSample.night)
    if alerts.isEmpty { throw GrowthError.nothingToDo }
  }

  static let queueList = GrowthStep("queue list") { _, storage in
    let alert = try storage.alertStates(matching: AlertFilter()).first
    let notified = try storage.notifications(matching: NotificationFilter(alert: alert?.id))
    if notified.isEmpty { throw GrowthError.nothingToDo }
  }

  static let pruning = GrowthStep("prune") { _, storage in
    // What has expired is old enough only the second time.
    let times = [100, 101].map { GrowthSample.noon.adding(seconds: $0 * 86_400) }
    let pruned = try times.map { time in
      _ = try storage.prunableRows(endedBefore: time, at: time)
      return try storage.pruneQueues(endedBefore: time, at: time)
    }
    guard pruned.contains(where: { $0.notifications > 0 }), pruned.contains(where: { $0.held > 0 })
    else { throw GrowthError.nothingToDo }
  }
}

enum GrowthError: Error { case nothingToDo }
