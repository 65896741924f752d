import Foundation
import Synchronization

/// The request that a command end, as a flag that long commands read between two batches.
final class Interruption: Sendable {
  /// That of the process, which SIGINT and SIGTERM make.
  static let bySignals = Interruption()

  /// The signal that came first; 0 while there was none.
  private let received = Atomic<Int32>(0)

  /// From now on the first signal asks the command to end, and a second one ends it at once.
  ///
  /// Only a command with a process of its own gets signals.
  func begin() {
    // The handler may only touch what is initialised already.
    guard self === Self.bySignals else { return }
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        if !Interruption.bySignals.request(by: number) { _exit(128 + number) }
      }
    }
  }

  /// Asks the command to end; false where it was asked before.
  @discardableResult
  func request(by signal: Int32) -> Bool {
    received.compareExchange(expected: 0, desired: signal, ordering: .relaxed).exchanged
  }

  var isRequested: Bool { received.load(ordering: .relaxed) != 0 }

  /// - Throws: `CommandFailure` with the status of the signal where the command is to end.
  func check() throws {
    if isRequested { throw CommandFailure(exitStatus) }
  }

  /// The exit status of a command that ended because of a signal.
  var exitStatus: ExitStatus {
    received.load(ordering: .relaxed) == SIGTERM ? .terminated : .interrupted
  }
}
