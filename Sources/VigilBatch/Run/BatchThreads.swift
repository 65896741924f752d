import Logging
import VigilStorage

/// The threads that take batches of persons through a run: two for each worker, of which one reads ahead and the other
/// computes.
struct BatchThreads {
  let storage: any Storage
  let queue: BatchQueue
  /// At least one, and not more than there are batches.
  let workers: Int
  let shouldStop: @Sendable () -> Bool
  /// Whether the end is urgent; threads that are then still at work are left behind.
  let isUrgent: @Sendable () -> Bool
  let logger: Logger

  init(
    storage: any Storage, queue: BatchQueue, workers: Int,
    shouldStop: @escaping @Sendable () -> Bool,
    isUrgent: @escaping @Sendable () -> Bool = { false }, logger: Logger
  ) {
    self.storage = storage
    self.queue = queue
    self.workers = min(max(1, workers), queue.batchCount)
    self.shouldStop = shouldStop
    self.isUrgent = isUrgent
    self.logger = logger
  }

  /// Runs all threads until there are no more batches, or they are asked to stop.
  ///
  /// - Parameters:
  ///   - makeBatch: Makes a batch that is filled again and again; there are two for each worker.
  ///   - evaluate: Takes what is loaded until there is no more, on a thread of its own for each worker.
  /// - Throws: The error of the first thread that threw.
  func run(
    _ makeBatch: () -> LoadedBatch,
    evaluating evaluate: @escaping @Sendable (Handover<LoadedBatch>, SharedReader) throws -> Void
  ) throws {
    let readers = try storage.makeReaders(count: workers).map {
      SharedReader($0, of: storage, logger: logger)
    }
    // A thread may hold what it was made with for a moment after it has ended.
    var haveEnded = true
    defer { if haveEnded { for reader in readers { reader.close() } } }
    let handover = Handover(
      (0..<2 * workers).map { _ in makeBatch() }, fillingThreads: readers.count)
    haveEnded = try WorkerThreads.run(
      isUrgent: isUrgent,
      readers.flatMap { reader -> [@Sendable () throws -> Void] in
        let loader = BatchLoader(
          reader: reader, queue: queue, handover: handover, shouldStop: shouldStop)
        return [loader.run, { try evaluate(handover, reader) }]
      })
    // A batch that is evaluated later is not written beside the record of the end.
    if !haveEnded { handover.abandon() }
  }
}
