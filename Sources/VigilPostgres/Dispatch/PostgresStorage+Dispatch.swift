public import Foundation
public import VigilModel
import VigilSQL
public import VigilStorage

extension PostgresStorage {
  public func makeQueueAlarm() throws -> (any QueueAlarm)? { PostgresQueueAlarm(of: self) }

  public func profiles(of users: [UUID]) throws -> [UUID: UserProfile] {
    try withConnection(table: ProfileRow.table) {
      try $0.profiles(of: users, database: displayName)
    }
  }
}
