import CStart
import Foundation
import Synchronization

/// The request that a command end, as a flag that long commands read between two batches.
final class Interruption: Sendable {
  /// That of the process, which SIGINT and SIGTERM make.
  static let bySignals = Interruption()

  /// The signal that came first; 0 while there was none.
  private let received = Atomic<Int32>(0)
  /// Milliseconds from the signal to the end of the process; 0 for any time.
  private let grace = Atomic<Int>(0)

  /// The time that a command has for its end.
  enum Grace {
    /// Its output is complete or not there, so that it may end at any moment.
    case short
    /// It leaves the batch in hand and records its end. Where the database does not let it, the next run does.
    case toRecord
    /// Deliveries that it has begun have to be recorded, however long that takes.
    case toDeliver

    /// 0 for any time.
    fileprivate var milliseconds: Int {
      switch self {
      case .short: 1_500
      case .toRecord: 1_900
      case .toDeliver: 0
      }
    }
  }

  /// From now on the first signal asks the command to end, and a second one ends it at once, as the end of its
  /// grace does: it may wait for a file, a pipe or a server that never answers.
  ///
  /// Only a command with a process of its own gets signals.
  func begin(_ grace: Grace = .short) {
    // The handler may only touch what is initialised already.
    guard self === Self.bySignals else { return }
    self.grace.store(grace.milliseconds, ordering: .relaxed)
    signal(SIGALRM) { _ in _exit(Interruption.bySignals.exitStatus.rawValue) }
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        guard Interruption.bySignals.request(by: number) else { _exit(128 + number) }
        vigil_alarm(Interruption.bySignals.grace.load(ordering: .relaxed))
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
