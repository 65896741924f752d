import Foundation

/// Takes the result of an asynchronous command to a thread that blocks for it.
final class OneResult: @unchecked Sendable {
  private let isDone = DispatchSemaphore(value: 0)
  private var result: Result<CommandRun, any Error>?

  struct Missing: Error {}

  func wait(for body: @escaping @Sendable () async throws -> CommandRun) {
    Task {
      do { result = .success(try await body()) } catch { result = .failure(error) }
      isDone.signal()
    }
    isDone.wait()
  }

  func get() throws -> CommandRun {
    guard let result else { throw Missing() }
    return try result.get()
  }
}
