// swift-format-ignore-file
// scripts/make-examples writes this file from the documentation.

import Foundation
import Testing
import VigilModel
import VigilSQLite
import VigilStorage

@Suite struct VigilStorageExamples {
  /// Sources/VigilStorage/AlertFilter.swift
  @Test func alertFilterExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    var filter = AlertFilter(isActive: true, minimumLevel: .day7)
    filter.users = [UUID(name: "anna")]
    filter.limit = 20
    checks.expect(0, "7", filter.minimumLevel?.rawValue ?? 0)
  }

  /// Sources/VigilStorage/InsightFilter.swift
  @Test func insightFilterExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let filter = InsightFilter(users: [UUID(name: "anna")], rules: [.dropVsBaseline, .lowStreak])
    checks.expect(0, "2 false", filter.rules.count, filter.includesSuppressed)
  }

  /// Sources/VigilStorage/Notifications/AlertAction.swift
  @Test func alertActionExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let now = Timestamp("2026-06-30T12:00:00Z"), let day = Day("2026-07-07") else { return }
    let action = AlertAction(
      .snooze(until: day), alert: UUID(name: "an alert"), by: UUID(name: "ben"), at: now)
    checks.expect(0, "snooze", action.kind.word)
  }

  /// Sources/VigilStorage/Notifications/AlertRead.swift
  @Test func alertReadExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let now = Timestamp("2026-06-30T12:00:00Z") else { return }
    let read = AlertRead(alert: UUID(name: "an alert"), member: UUID(name: "ben"), at: now)
    checks.expect(0, "2026-06-30T12:00:00.000000Z", read.at)
  }

  /// Sources/VigilStorage/Notifications/CheckIn.swift
  @Test func checkInExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let now = Timestamp("2026-06-30T12:00:00Z") else { return }
    let checkIn = CheckIn(of: UUID(name: "ana"), at: now)
    checks.expect(0, "manual", checkIn.kind)
  }

  /// Sources/VigilStorage/Notifications/NotificationFilter.swift
  @Test func notificationFilterExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let filter = NotificationFilter(queue: .live, status: .skipped, reason: .snoozed)
    checks.expect(0, "snoozed", filter.reason?.rawValue ?? "any")
  }

  /// Sources/VigilStorage/Privacy/ErasureKey.swift
  @Test func erasureKeyExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let key = ErasureKey(secret: Data("0123456789abcdef".utf8)) else { return }
    checks.expect(0, "16 64", key.id.count, key.digest(of: UUID()).count)
  }

  /// Sources/VigilStorage/Privacy/NumberKey.swift
  @Test func numberKeyExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let key = NumberKey(secret: Data("0123456789abcdef".utf8)) else { return }
    checks.expect(0, "64", key.digest(of: "+34600000000").count)
  }

  /// Sources/VigilStorage/Remedy.swift
  @Test func remedyExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    let full = StorageError(
      .diskFull, "no space is left", remedy: "free some space and run the command again")
    checks.expect(0, "no space is left; free some space and run the command again", full)
    let old = StorageError(.schemaNotCurrent, "migrations are pending", remedy: .migrate)
    checks.expect(1, "migrations are pending", old)
  }

  /// Sources/VigilStorage/Roles/RunTransaction.swift
  @Test func runTransactionExample() throws {
    let checks = Checks(0)
    defer { checks.end() }
    func begin(_ proposed: RunRecord, in storage: any Storage) throws -> RunRecord {
      try storage.withRuns { runs in
        try runs.begin(
          proposed, shard: .whole, continuing: true, database: storage.displayName,
          isAlive: storage.isLocked)
      }
    }
  }

  /// Sources/VigilStorage/Runs/NotificationRateLimit.swift
  @Test func notificationRateLimitExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    checks.expect(0, "500", NotificationRateLimit.share(0.05).limit(persons: 10_000))
    checks.expect(1, "20", NotificationRateLimit.share(0.05).limit(persons: 200))
  }

  /// Sources/VigilStorage/Runs/RunShard.swift
  @Test func runShardExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    let anna = UUID(name: "anna")
    let shards = (1...3).compactMap { RunShard($0, of: 3) }
    checks.expect(0, "[1/3, 2/3, 3/3]", shards)
    checks.expect(1, "1", shards.filter { $0.contains(anna) }.count)
  }

  /// Sources/VigilStorage/Storage.swift
  @Test func storageExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    func activeAlerts(in storage: any Storage) throws -> Int {
      try storage.requireCurrentSchema()
      return try storage.alertStates(matching: AlertFilter(isActive: true)).count
    }

    guard let now = Timestamp("2026-06-30T12:00:00Z") else { return }
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    let storage = try SQLiteStorage(path: file.path, mode: .createIfMissing)
    _ = try storage.migrate(at: now)
    checks.expect(0, "0", try activeAlerts(in: storage))
  }

  /// Sources/VigilStorage/StorageError.swift
  @Test func storageErrorExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let error = StorageError(.locked, "another run is at work", remedy: "wait for its end")
    checks.expect(0, "another run is at work; wait for its end", error)
  }
}
