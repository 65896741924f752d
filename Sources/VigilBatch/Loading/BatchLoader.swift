import VigilStorage

/// Reads batches of persons ahead of the threads that compute; used by one thread.
struct BatchLoader: Sendable {
  let reader: SharedReader
  let queue: BatchQueue
  let handover: Handover<LoadedBatch>
  let shouldStop: @Sendable () -> Bool

  /// Loads batch after batch until there are no more, or until they are no longer wanted.
  ///
  /// - Throws: `StorageError`; batches that were loaded before remain to be used.
  func run() throws {
    defer { handover.fillingEnded() }
    do {
      // A batch to fill is waited for first, so that the persons taken are read without delay.
      while let batch = handover.takeEmpty(), let persons = queue.next() {
        try reader.read(isWanted: isWanted) { try batch.load(persons, from: $0) }
        handover.putFilled(batch)
      }
    } catch let error as StorageError where error.code == .transient && !isWanted() {
      handover.close()
    } catch {
      // The other threads end with what is loaded or being loaded.
      queue.close()
      throw error
    }
  }

  private func isWanted() -> Bool { !handover.isClosed && !shouldStop() }
}
