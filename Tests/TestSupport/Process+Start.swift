public import Foundation
import Synchronization

extension Process {
  private static let isStarting = Mutex(())

  /// Makes and starts a process while no other one starts.
  ///
  /// On Linux, a child inherits what another thread opens between Foundation's look at the open descriptors and
  /// the fork. With a copy of a pipe's end its reader waits for the wrong child; and Foundation learns of the end
  /// of a process by such a pipe too (swift-corelibs-foundation, issue 4795). Of 18,000 processes that were
  /// started by 16 threads, 20 seemed to run on until another one had ended.
  ///
  /// - Parameter start: Makes the pipes of the process, and runs it; it must not start another one in here.
  public static func startingAlone<Started>(_ start: () throws -> Started) rethrows -> Started {
    try isStarting.withLock { _ in try start() }
  }
}
