public import Foundation
public import VigilModel

/// The row of a `UserProfile` in `user_profiles`, which may be a view with a part of the columns.
public enum ProfileRow {
  public static let table = "user_profiles"

  public static let booleans =
    ChannelSwitch.allCases.map(\.rawValue) + ["is_champion", "quiet_hours_apply_critical"]
  public static let columns =
    ["user_id", "timezone", "quiet_hours_start", "quiet_hours_end"] + booleans

  /// The expressions to select, in the order of `columns`; columns that are not `present` are NULL.
  public static func selection(of present: Set<String>) -> SQLFilling {
    .expressions(
      columns.map { column in
        let isBoolean = booleans.contains(column)
        guard present.contains(column) else {
          return .null.cast(to: isBoolean ? "integer" : "text")
        }
        let value = SQLExpression.column(column)
        return isBoolean ? value.truth : column == "user_id" ? value : value.cast(to: "text")
      })
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
    for one in ChannelSwitch.allCases { profile.switches[one] = try flag() }
    profile.isChampion = try flag()
    profile.quietHoursApplyToCritical = try flag()
    return (user, profile)
  }

  /// Reads a row of `do_not_disturb`; nil hours where a time of day is none, which counts as not set.
  public static func decodeHours(_ row: inout some RowReader) throws -> (
    user: UUID, hours: WeeklyHours?
  ) {
    let user = try row.uuid()
    let weekday = try row.int()
    let (start, end) = try (row.textIfPresent(), row.textIfPresent())
    guard let start = start.flatMap({ TimeOfDay($0) }), let end = end.flatMap({ TimeOfDay($0) })
    else { return (user, nil) }
    return (user, WeeklyHours(weekday: weekday, start: start, end: end))
  }

  /// Adds hours to the profile of a person, who may have none.
  public static func add(
    _ hours: (user: UUID, hours: WeeklyHours?), to profiles: inout [UUID: UserProfile]
  ) {
    guard let own = hours.hours else { return }
    profiles[hours.user, default: .withoutRow].doNotDisturb.append(own)
  }
}
