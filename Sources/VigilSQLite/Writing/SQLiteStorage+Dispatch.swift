public import Foundation
public import VigilModel
public import VigilStorage

extension SQLiteStorage {
  /// Nil: SQLite has no messages about changes in a file.
  public func makeQueueAlarm() throws -> (any QueueAlarm)? { nil }

  public func profiles(of users: [UUID]) throws -> [UUID: UserProfile] {
    try read { try $0.profiles(of: users, in: file) }
  }
}
