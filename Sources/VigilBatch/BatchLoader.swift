import Foundation
import Logging
import VigilStorage

/// Reads batches of persons ahead of the threads that compute.
///
/// Made on one thread and then used by another one only; hence the unchecked conformance.
final class BatchLoader: @unchecked Sendable {
  private let storage: any Storage
  private let shouldStop: @Sendable () -> Bool
  private let logger: Logger
  /// Nil once its connection was lost, and at the end.
  private var reader: (any StorageReader)?

  /// How often a batch is read again, each time on a new reader.
  ///
  /// Making one waits for a database that is away, so this does not bound how long it may be away, only
  /// how often it may come and go during one batch.
  static let mostRepetitions = 5

  init(
    reader: any StorageReader, storage: any Storage, shouldStop: @escaping @Sendable () -> Bool,
    logger: Logger
  ) {
    self.reader = reader
    self.storage = storage
    self.shouldStop = shouldStop
    self.logger = logger
  }

  /// Loads batch after batch until there are no more, or until they are no longer wanted.
  ///
  /// - Throws: `StorageError`; batches that were loaded before remain to be used.
  func run(from queue: BatchQueue, to handover: Handover<LoadedBatch>) throws {
    defer {
      // A snapshot that is kept while the last batches are written holds up the database's vacuum.
      reader = nil
      handover.fillingEnded()
    }
    do {
      // A batch to fill is waited for first, so that the persons taken are read without delay.
      while let batch = handover.takeEmpty(), let persons = queue.next() {
        guard try load(persons, into: batch, isWanted: { !handover.isClosed && !shouldStop() })
        else { return handover.close() }
        handover.putFilled(batch)
      }
    } catch {
      // The other threads end with what is loaded or being loaded.
      queue.close()
      throw error
    }
  }

  /// False where the batch was no longer wanted when it was time for a new reader.
  private func load(
    _ persons: [UUID], into batch: LoadedBatch, isWanted: () -> Bool
  ) throws -> Bool {
    var repetitions = 0
    while true {
      do {
        try batch.load(persons, from: currentReader())
        return true
      } catch let error as StorageError where error.code == .transient {
        // Its snapshot is gone with its connection; letting go of it frees what it holds.
        reader = nil
        repetitions += 1
        guard repetitions <= Self.mostRepetitions else { throw error }
        guard isWanted() else { return false }
        logger.notice(
          "Reading was cut off; the batch is read again on a new connection",
          metadata: [
            "batch.persons": "\(persons.count)", "batch.repetition": "\(repetitions)",
            "error": "\(error)",
          ])
      }
    }
  }

  private func currentReader() throws -> any StorageReader {
    if let reader { return reader }
    let new = try storage.makeReader()
    reader = new
    return new
  }
}
