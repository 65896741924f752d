import Foundation
import TestDatabases
import VigilModel
import VigilStorage

/// Anna takes a tablet each morning, and her mother is notified.
enum MorningTablets {
  static let start = Day(ordinal: 20_454)  // 2026-01-01
  static let (anna, mother) = (UUID(name: "anna"), UUID(name: "anna's mother"))
  static let family = UUID(name: "family")
  static let (tablets, schedule) = (UUID(name: "tablets"), UUID(name: "every morning"))

  static func insertFamily(into database: BatchDatabase) throws {
    for (user, role) in [(anna, FamilyMember.Role.member), (mother, .admin)] {
      try database.insert([
        FamilyMember(family: family, user: user, role: role, inviteStatus: .accepted)
      ])
    }
  }

  static func insertSchedule(into database: BatchDatabase) throws {
    try database.storage.importRows { writer in
      let schedules = try writer.inserter(
        into: .schedules,
        columns: [
          "id", "medication_id", "type", "reference_timezone", "start_date", "time_based_times",
        ], now: BatchDatabase.now)
      try schedules.upsert([
        .uuid(schedule), .uuid(tablets), .text("timeBased"), .text("UTC"), .day(start),
        .text(#"["08:00"]"#),
      ])
    }
  }

  /// Logs the doses of some days.
  static func take(_ days: [Int], in database: BatchDatabase) throws {
    try database.storage.importRows { writer in
      let doses = try writer.inserter(
        into: .doseHistory,
        columns: [
          "id", "medication_id", "schedule_id", "status", "scheduled_time", "actual_time",
          "recorded_timezone",
        ], now: BatchDatabase.now)
      for day in days {
        let time = (start + day).midnight.adding(seconds: 8 * 3600)
        try doses.upsert([
          .uuid(UUID(name: "dose \(day)")), .uuid(tablets), .uuid(schedule), .text("taken"),
          .timestamp(time), .timestamp(time), .text("UTC"),
        ])
      }
    }
  }

  /// 03:00 after a day, or some hours later.
  static func instant(after day: Int, hours: Int64 = 0) -> Timestamp {
    (start + day + 1).midnight.adding(seconds: (3 + hours) * 3600)
  }
}
