import Foundation
import Synchronization

/// Threads for work that blocks on a database, which the cooperative pool is not made for.
enum WorkerThreads {
  /// The time that threads have to end with the batch in hand.
  private static let patience: DispatchTimeInterval = .milliseconds(700)

  /// Runs each of `bodies` on a thread of its own and returns when all have ended and let go of what
  /// they were made with.
  ///
  /// - Parameter isUrgent: Whether the end of the bodies is urgent, which others have asked them for. Those that are
  ///   still at work 0.7 s later are left behind.
  /// - Returns: Whether all have ended.
  /// - Throws: The error of the first thread that threw.
  @discardableResult
  static func run(
    isUrgent: () -> Bool = { false }, _ bodies: [@Sendable () throws -> Void]
  ) throws -> Bool {
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
    var haveEnded = false
    while !haveEnded {
      let isStopping = isUrgent()
      haveEnded =
        group.wait(timeout: .now() + (isStopping ? Self.patience : .milliseconds(100))) == .success
      if isStopping { break }
    }
    if let error = failure.error { throw error }
    return haveEnded
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
