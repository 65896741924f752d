import Foundation
import VigilModel

/// The clock of one command: the machine's, or one that shows another instant and goes on from there.
///
/// The other instant is for repeating a past night, and for tests, whose result must be the same at
/// every hour.
struct CommandClock: Sendable {
  /// Microseconds that this clock is ahead of the machine's; below zero where it is behind.
  private let lead: Int64

  /// - Parameter instant: The first instant that it shows; nil for that of the machine's clock.
  init(showing instant: Timestamp? = nil) {
    lead = instant.map { $0.microseconds - Timestamp.ofTheMachine.microseconds } ?? 0
  }

  var now: Timestamp { Timestamp(microseconds: Timestamp.ofTheMachine.microseconds + lead) }
}

extension Timestamp {
  /// The wall clock; nothing but the executable reads it.
  static var ofTheMachine: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(
      microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
