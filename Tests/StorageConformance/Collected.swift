import Foundation

/// Gathers what threads find.
final class Collected<Value>: @unchecked Sendable {
  // Unchecked: the lock guards the only state there is.
  private let lock = NSLock()
  private var items: [Value] = []

  func append(_ value: Value) { lock.withLock { items.append(value) } }

  var values: [Value] { lock.withLock { items } }
}
