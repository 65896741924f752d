import Foundation
import Logging
import VigilStorage

/// Lends a reader to one thread after the other, and replaces it when its connection is lost.
///
/// Threads get it in the order in which they ask. A loader that reads batch upon batch thus lets a
/// worker in between two of them, which a lock that favours the running thread would not.
final class SharedReader: @unchecked Sendable {
  private let storage: any Storage
  private let logger: Logger

  // Guards the two turns. The reader belongs to the thread whose turn it is, which is what the
  // unchecked conformance rests on.
  private let condition = NSCondition()
  private var nextTurn = 0
  private var presentTurn = 0
  /// Nil once it has thrown, or was closed.
  private var reader: (any StorageReader)?

  /// The most repetitions of one reading, each on a new reader.
  ///
  /// Making one waits for a database that is away, so this does not bound how long it may be away,
  /// only how often it may come and go meanwhile.
  static let mostRepetitions = 5

  init(_ reader: any StorageReader, of storage: any Storage, logger: Logger) {
    self.reader = reader
    self.storage = storage
    self.logger = logger
  }

  /// Waits for its turn and runs `body`, from its beginning each time that the connection is lost.
  ///
  /// - Parameter isWanted: Asked before anything is repeated; where it says no, the error that cost
  ///   the reader is thrown at once.
  /// - Throws: What `body` threw last, or what kept a new reader from being made.
  func read<Result>(
    isWanted: () -> Bool = { true }, _ body: (any StorageReader) throws -> Result
  ) throws -> Result {
    waitForTurn()
    defer { endTurn() }
    var repetitions = 0
    while true {
      do {
        return try body(currentReader())
      } catch {
        // Its snapshot is gone with its connection, or its transaction is spoiled: another thread
        // needs a new one too. Letting go of it frees what it holds.
        reader = nil
        guard (error as? StorageError)?.code == .transient, repetitions < Self.mostRepetitions,
          isWanted()
        else { throw error }
        repetitions += 1
        logger.notice(
          "Reading was cut off and begins again on a new connection",
          metadata: ["reading.repetition": "\(repetitions)", "error": "\(error)"])
      }
    }
  }

  /// Closes the connection when no thread reads any more; a later reading would open another one.
  func close() {
    waitForTurn()
    defer { endTurn() }
    reader = nil
  }

  private func currentReader() throws -> any StorageReader {
    if let reader { return reader }
    let new = try storage.makeReader()
    reader = new
    return new
  }

  private func waitForTurn() {
    condition.withLock {
      let turn = nextTurn
      nextTurn += 1
      while presentTurn != turn { condition.wait() }
    }
  }

  private func endTurn() {
    condition.withLock {
      presentTurn += 1
      condition.broadcast()
    }
  }
}
