import Foundation
import Synchronization

/// Threads for work that blocks on a database, which the cooperative pool is not made for.
enum WorkerThreads {
  /// Runs each of `bodies` on a thread of its own and returns when all have ended.
  ///
  /// - Throws: The error of the first thread that threw.
  static func run(_ bodies: [@Sendable () throws -> Void]) throws {
    let failure = FailureBox()
    let group = DispatchGroup()
    for body in bodies {
      group.enter()
      let thread = Thread {
        defer { group.leave() }
        do {
          try body()
        } catch {
          failure.keepFirst(error)
        }
      }
      thread.stackSize = 4 << 20
      thread.start()
    }
    group.wait()
    if let error = failure.error { throw error }
  }

  private final class FailureBox: Sendable {
    private let first = Mutex<(any Error)?>(nil)

    func keepFirst(_ error: any Error) {
      first.withLock { $0 = $0 ?? error }
    }

    var error: (any Error)? { first.withLock { $0 } }
  }
}
