import Foundation
import Synchronization

/// Hands out batches of persons to loaders, each batch once, in order.
final class BatchQueue: Sendable {
  private let batches: [ArraySlice<UUID>]
  private let position = Mutex(0)

  /// - Parameters:
  ///   - ranges: Persons that follow each other in the list of all; no batch reaches from one range into the
  ///     next, so that its first and last person identify it.
  ///   - size: Persons of a batch at most.
  init(ranges: [ArraySlice<UUID>], size: Int) {
    let size = max(1, size)
    batches = ranges.flatMap { range in
      stride(from: range.startIndex, to: range.endIndex, by: size).map {
        range[$0..<min($0 + size, range.endIndex)]
      }
    }
  }

  var batchCount: Int { batches.count }

  /// The next persons; nil when there are no more.
  func next() -> [UUID]? {
    position.withLock { position in
      guard position < batches.count else { return nil }
      defer {
        position += 1
        _checkInvariants(at: position)
      }
      return Array(batches[position])
    }
  }

  /// Hands out no more batches.
  func close() {
    position.withLock { $0 = batches.count }
  }
}

#if VIGIL_CHECK_INVARIANTS
  extension BatchQueue {
    /// Stops the process where a batch is empty, or a person is in two.
    private func _checkInvariants(at position: Int) {
      precondition(
        (0...batches.count).contains(position), "a batch was handed out that is not there")
      precondition(batches.allSatisfy { !$0.isEmpty }, "a batch of no person")
      precondition(
        zip(batches, batches.dropFirst()).allSatisfy { $0.endIndex <= $1.startIndex },
        "a person is in two batches, or batches are not in order")
    }
  }
#else
  extension BatchQueue {
    @inline(__always)
    private func _checkInvariants(at position: Int) {}
  }
#endif
