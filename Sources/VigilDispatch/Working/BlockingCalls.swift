import Dispatch

/// Runs calls that block, such as those of a database, beside the threads of tasks: one after the other.
final class BlockingCalls: Sendable {
  private let queue: DispatchQueue

  init(named name: String) {
    queue = DispatchQueue(label: name)
  }

  func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result
  {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }
}
