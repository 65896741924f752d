import CLibPQ
import Foundation

extension Connection {
  /// Waits for notifications of channels that this session listens to.
  ///
  /// - Returns: Their payloads; empty where the time was over first; nil where the connection was lost.
  func notifications(within time: Duration) -> [String]? {
    let deadline = ContinuousClock.now + time
    while true {
      guard PQconsumeInput(handle) == 1, isUsable else { return nil }
      var payloads: [String] = []
      while let notification = PQnotifies(handle) {
        payloads.append(String(cString: notification.pointee.extra))
        PQfreemem(notification)
      }
      if !payloads.isEmpty { return payloads }
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return [] }
      var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      let milliseconds = Int32(clamping: Int64(left / .milliseconds(1)) + 1)
      if poll(&descriptor, 1, milliseconds) < 0, errno != EINTR { return nil }
    }
  }
}
