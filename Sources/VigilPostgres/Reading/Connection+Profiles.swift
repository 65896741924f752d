import Foundation
import VigilModel
import VigilSQL
import VigilStorage

extension Connection {
  /// The profiles of those of `users` that have one, or hours in which they are not disturbed.
  ///
  /// - Parameter database: As messages name it.
  func profiles(of users: [UUID], database: String) throws -> [UUID: UserProfile] {
    let columns = try columns(of: ProfileRow.table)
    try requireBooleans(columns, database: database)
    let present = Set(columns.map(\.name))
    let found = try rows(
      ReadingStatement.listProfiles, Parameters { $0.put(users) },
      ["profile_columns": ProfileRow.selection(of: present)], database: database
    ) { try ProfileRow.decode(&$0) }
    var profiles = Dictionary(found.map { ($0.user, $0.profile) }) { first, _ in first }
    let hours = try rows(
      ReadingStatement.listDoNotDisturb, Parameters { $0.put(users) }, database: database
    ) { try ProfileRow.decodeHours(&$0) }
    for own in hours { ProfileRow.add(own, to: &profiles) }
    return profiles
  }

  /// A view may have other types, which the server would only complain about.
  private func requireBooleans(
    _ columns: [(name: String, type: String)], database: String
  ) throws {
    for column in columns
    where ProfileRow.booleans.contains(column.name) && column.type != "boolean" {
      throw StorageError(
        .unknownColumn,
        "\(ProfileRow.table).\(column.name) in \(database) is \(column.type), not boolean",
        remedy: "cast it in the view: \(column.name)::boolean")
    }
  }
}
