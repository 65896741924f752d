import Foundation
import VigilReport

/// The standard output, which receives the result of a command and nothing else.
struct StandardOutput: Sendable {
  let descriptor: Int32

  /// Thrown when the reader of the output has closed it, as `head` does; no failure.
  struct ReaderHasGone: Error {}

  func write(_ text: String) throws { try write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) throws {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Another process has made the pipe non-blocking: wait until it accepts more.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      case EPIPE: throw ReaderHasGone()
      case let code:
        throw CommandFailure(
          .cannotCreate, "standard output: \(String(cString: strerror(code)))")
      }
    }
  }

  /// Writes rows whose texts may come from people; on a terminal without characters that steer it.
  func write(rows bytes: [UInt8]) throws {
    guard isTerminal else { return try write(bytes) }
    let lines = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    try write(TextStyle.plain.terminalSafe(lines))
  }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Columns of the terminal; nil where the output goes elsewhere or the terminal does not report them.
  var width: Int? {
    var size = winsize()
    guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }
}
