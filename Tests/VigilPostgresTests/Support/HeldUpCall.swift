import Dispatch
import Foundation
import PostgresTestServer
import Synchronization
import Testing

/// A call that has to wait for a lock that a session's open transaction has.
struct HeldUpCall {
  let holder: PostgresSession

  /// Runs `call` on a thread of its own, and `then` once it waits for the session.
  ///
  /// It blocks the caller's thread. A task would come to its turn only when other tests leave one to it, and by then
  /// the call may have waited for as long as a statement waits for a lock.
  ///
  /// - Throws: What the call throws, or where it ends without having waited.
  func callAsFunction<Outcome: Sendable>(
    _ call: @escaping @Sendable () throws -> Outcome, until then: () throws -> Void
  ) throws -> Outcome {
    let ending = Mutex<Result<Outcome, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let result = Result { try call() }
      ending.withLock { $0 = result }
      isDone.signal()
    }
    while try !hasWaiting() {
      if let result = ending.withLock({ $0 }) {
        _ = try result.get()
        Issue.record("The call has not waited for the session.")
        break
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
    try then()
    isDone.wait()
    return try #require(ending.withLock { $0 }).get()
  }

  private func hasWaiting() throws -> Bool {
    try holder.rows(
      "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
    ).values.isEmpty == false
  }
}
