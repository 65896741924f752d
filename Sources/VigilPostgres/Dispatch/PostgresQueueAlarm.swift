import Foundation
import Synchronization
import VigilStorage

/// Listens to `vigil_queue`, which the trigger of `notification_queue` notifies, on a connection of its own.
///
/// A lost connection counts as a notification: what came meanwhile is unknown. It is opened again by the next
/// call.
final class PostgresQueueAlarm: QueueAlarm {
  private let storage: PostgresStorage
  private let connection = Mutex<Connection?>(nil)

  init(of storage: PostgresStorage) {
    self.storage = storage
  }

  func wait(upTo time: Duration) throws -> Bool {
    try connection.withLock { connection in
      let isNew = connection == nil
      guard let listening = try connection ?? open() else {
        // The server is away: its absence is the business of those who use the queue.
        Thread.sleep(forTimeInterval: time / .seconds(1))
        return false
      }
      connection = listening
      // Rows may have come before it listened.
      if isNew { return true }
      guard let payloads = listening.notifications(within: time) else {
        connection = nil
        return true
      }
      return payloads.contains(storage.schema)
    }
  }

  private func open() throws -> Connection? {
    do {
      let connection = try storage.openConnection(purpose: "vigil dispatch")
      try connection.run(ConnectionStatement.listenToQueue)
      return connection
    } catch let error as PostgresError where error.isTransient {
      return nil
    } catch let error as PostgresError {
      throw StorageError(error, database: storage.displayName)
    }
  }
}
