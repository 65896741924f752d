import Foundation
import Synchronization

/// SIGINT and SIGTERM as a flag that long commands read between two batches.
enum Interruption {
  /// The signal that came first; 0 while there was none.
  private static let received = Atomic<Int32>(0)

  /// From now on the first signal asks the command to end, and a second one ends it at once.
  static func install() {
    // The handler may only touch what is initialised already.
    _ = isRequested
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        let (isFirst, _) = Interruption.received.compareExchange(
          expected: 0, desired: number, ordering: .relaxed)
        if !isFirst { _exit(128 + number) }
      }
    }
  }

  static var isRequested: Bool { received.load(ordering: .relaxed) != 0 }

  /// The exit status of a command that ended because of a signal.
  static var exitStatus: ExitStatus {
    received.load(ordering: .relaxed) == SIGTERM ? .terminated : .interrupted
  }
}
