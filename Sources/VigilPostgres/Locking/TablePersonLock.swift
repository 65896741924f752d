import Foundation
import VigilModel
import VigilStorage

/// The lock of one person, in a session of its own, which ends with its process or machine.
final class TablePersonLock: PersonLock, @unchecked Sendable {
  // Only kept open, never used again: hence the unchecked conformance.
  private let connection: Connection
  private let storage: PostgresStorage
  private let name: String
  private let process: Int

  init(of storage: PostgresStorage, for person: UUID) throws {
    self.storage = storage
    let name = person.lowercased
    self.name = name
    do {
      let connection = try storage.retry.run {
        try storage.openConnection(purpose: "vigil person")
      }
      self.connection = connection
      let process = try connection.run(ConnectionStatement.findServerProcess).int32(0, 0)
      self.process = process
      guard try LockTable.persons.lock(isShared: true, on: connection),
        try storage.withConnection(
          table: LockTable.persons.rawValue,
          { try LockTable.persons.take(name, for: process, on: $0) })
      else { throw StorageError.personLocked(in: storage.displayName) }
    } catch let error as PostgresError {
      throw StorageError(error, database: storage.displayName).asUnreachable
    }
  }

  deinit {
    // A row that stays is that of a process that has ended, and the next evaluation removes it.
    try? storage.pool.withConnection { try LockTable.persons.free(name, of: process, on: $0) }
  }
}
