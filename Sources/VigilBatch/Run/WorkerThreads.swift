import Foundation
import Synchronization

/// Threads for work that blocks on a database, which the cooperative pool is not made for.
enum WorkerThreads {
  /// Runs each of `bodies` on a thread of its own and returns when all have ended and let go of what
  /// they were made with.
  ///
  /// - Throws: The error of the first thread that threw.
  static func run(_ bodies: [@Sendable () throws -> Void]) throws {
    let failure = FailureBox()
    let group = DispatchGroup()
    for body in bodies {
      let work = Work(body)
      group.enter()
      let thread = Thread {
        do {
          try work.run()
        } catch {
          failure.keepFirst(error)
        }
        group.leave()
      }
      thread.stackSize = 4 << 20
      thread.start()
    }
    group.wait()
    if let error = failure.error { throw error }
  }

  /// A body that is gone when it has run: its thread lives on for a moment, and must not be the last to
  /// hold a database open when the process ends.
  private final class Work: Sendable {
    private let body: Mutex<(@Sendable () throws -> Void)?>

    init(_ body: @escaping @Sendable () throws -> Void) {
      self.body = Mutex(body)
    }

    func run() throws {
      let taken = body.withLock { body in
        defer { body = nil }
        return body
      }
      try taken?()
    }
  }

  private final class FailureBox: Sendable {
    private let first = Mutex<(any Error)?>(nil)

    func keepFirst(_ error: any Error) {
      first.withLock { $0 = $0 ?? error }
    }

    var error: (any Error)? { first.withLock { $0 } }
  }
}
