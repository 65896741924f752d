import Foundation
import Synchronization

/// Hands out batches of persons to loaders, each batch once, in order.
final class BatchQueue: Sendable {
  private let persons: [UUID]
  private let size: Int
  private let position = Mutex(0)

  init(persons: [UUID], size: Int) {
    self.persons = persons
    self.size = max(1, size)
  }

  var batchCount: Int { (persons.count + size - 1) / size }

  /// The next persons; nil when there are no more.
  func next() -> [UUID]? {
    position.withLock { position in
      guard position < persons.count else { return nil }
      let end = min(position + size, persons.count)
      defer { position = end }
      return Array(persons[position..<end])
    }
  }

  /// Hands out nothing any more.
  func close() {
    position.withLock { $0 = persons.count }
  }
}
