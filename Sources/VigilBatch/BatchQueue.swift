import Foundation
import Synchronization

/// Hands out batches of persons to loaders, each batch once, in order.
final class BatchQueue: Sendable {
  private let batches: [ArraySlice<UUID>]
  private let position = Mutex(0)

  /// - Parameters:
  ///   - stretches: Persons that follow each other in the list of all; no batch reaches from one
  ///     stretch into the next, so that its first and last person say who is in it.
  ///   - size: Persons of a batch at most.
  init(stretches: [ArraySlice<UUID>], size: Int) {
    let size = max(1, size)
    batches = stretches.flatMap { stretch in
      stride(from: stretch.startIndex, to: stretch.endIndex, by: size).map {
        stretch[$0..<min($0 + size, stretch.endIndex)]
      }
    }
  }

  var batchCount: Int { batches.count }

  /// The next persons; nil when there are no more.
  func next() -> [UUID]? {
    position.withLock { position in
      guard position < batches.count else { return nil }
      defer { position += 1 }
      return Array(batches[position])
    }
  }

  /// Hands out nothing any more.
  func close() {
    position.withLock { $0 = batches.count }
  }
}
