import Synchronization
import Testing

/// The checks of one example: what each of its lines prints, and that no line was left out.
final class Checks: Sendable {
  private let missing: Mutex<Set<Int>>

  init(_ count: Int) {
    missing = Mutex(Set(0..<count))
  }

  /// Expects that `print(values)` prints `text`.
  func expect(
    _ number: Int, _ text: String, _ values: Any...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    missing.withLock { _ = $0.remove(number) }
    let printed = values.map { "\($0)" }.joined(separator: " ")
    #expect(printed == text, sourceLocation: sourceLocation)
  }

  /// Records an issue where the example ended before one of its checks.
  func end(sourceLocation: SourceLocation = #_sourceLocation) {
    let left = missing.withLock { $0.sorted() }
    #expect(left.isEmpty, "the example ended before these checks", sourceLocation: sourceLocation)
  }
}
