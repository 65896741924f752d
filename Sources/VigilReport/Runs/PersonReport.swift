public import Foundation
public import VigilModel
public import VigilStorage

/// The output of `vigil run --user`: the alerts of one person that have changed.
public struct PersonReport: Sendable {
  public let person: UUID
  /// The record that counts such evaluations.
  public let record: RunRecord
  /// Alerts that were added, changed or retracted.
  public let changed: [PatternAlertState]
  /// Notifications that entered the queue of the mode.
  public let enqueued: Int
  /// Notifications that are left to the next night.
  public let leftToNight: Int
  /// The name of the database in messages.
  public let database: String

  public init(
    person: UUID, record: RunRecord, changed: [PatternAlertState], enqueued: Int, leftToNight: Int,
    database: String
  ) {
    self.person = person
    self.record = record
    self.changed = changed
    self.enqueued = enqueued
    self.leftToNight = leftToNight
    self.database = database
  }

  /// Alerts that are active, and provisional until the next night.
  private var provisional: [PatternAlertState] {
    changed.filter { $0.episode.resolution?.reason != .retracted }
  }

  private var retracted: [PatternAlertState] {
    changed.filter { $0.episode.resolution?.reason == .retracted }
  }
}

extension PersonReport: Report {
  public func text(style: TextStyle) -> String {
    var notifications = NumberText.count(enqueued)
    if leftToNight > 0 {
      notifications += ", and \(NumberText.count(leftToNight)) left to the next night"
    }
    let pairs = [
      (
        "Changed",
        NumberText.count(provisional.count, "alert") + ", provisional until the next night"
      ),
      ("Retracted", NumberText.count(retracted.count, "alert")),
      ("Notifications", notifications),
      ("Next", "vigil alerts list"),
    ]
    return "Person \(person.shortened) of \(record.days.upperBound) evaluated"
      + " (\(record.mode.rawValue), thresholds \(record.thresholds.version.terminalSafe),"
      + " \(database.terminalSafe))\n" + TextTable(pairs: pairs).render(style)
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "database": database,
      "person": person,
      "day": record.days.upperBound,
      "mode": record.mode.rawValue,
      "run": record.id,
      "provisional": provisional.map(\.id),
      "retracted": retracted.map(\.id),
      "notifications_enqueued": enqueued,
      "notifications_left_to_night": leftToNight,
    ]
    try fields.encode(to: encoder)
  }
}
