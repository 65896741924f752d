public import Foundation
public import VigilModel
public import VigilStorage

/// How a `UserProfile` lies in `user_profiles`, which may be a view with a part of the columns.
public enum ProfileRow {
  public static let table = "user_profiles"

  public static let booleans = [
    "notify_in_app", "notify_push", "notify_email", "champion_notify_email", "champion_notify_sms",
    "is_champion", "quiet_hours_apply_critical",
  ]
  public static let columns =
    ["user_id", "timezone", "quiet_hours_start", "quiet_hours_end"] + booleans

  /// What to select, in the order of `columns`, where `present` are there; the others are NULL.
  public static func selection(of present: Set<String>) -> String {
    columns.map { column in
      let isBoolean = booleans.contains(column)
      return if !present.contains(column) {
        "CAST(NULL AS \(isBoolean ? "integer" : "text"))"
      } else if isBoolean {
        "CASE WHEN \(column) THEN 1 WHEN NOT \(column) THEN 0 END"
      } else if column == "user_id" {
        column
      } else {
        "CAST(\(column) AS text)"
      }
    }.joined(separator: ", ")
  }

  /// A time of day that is none counts as not set.
  public static func decode(_ row: inout some RowReader) throws -> (
    user: UUID, profile: UserProfile
  ) {
    let user = try row.uuid()
    var profile = UserProfile()
    profile.timeZone = try row.textIfPresent()
    profile.quietHoursStart = try row.textIfPresent().flatMap { TimeOfDay($0) }
    profile.quietHoursEnd = try row.textIfPresent().flatMap { TimeOfDay($0) }
    func flag() throws -> Bool? { try row.intIfPresent().map { $0 != 0 } }
    profile.notifyInApp = try flag()
    profile.notifyPush = try flag()
    profile.notifyEmail = try flag()
    profile.championNotifyEmail = try flag()
    profile.championNotifySMS = try flag()
    profile.isChampion = try flag()
    profile.quietHoursApplyToCritical = try flag()
    return (user, profile)
  }
}
