import Foundation
import Synchronization
import VigilModel

/// Standard error: messages, log lines and the progress line, which never get in each other's way.
final class Console: Sendable {
  private let descriptor: Int32
  /// The text of the progress line; empty when there is none.
  private let progressLine = Mutex("")
  private let form = Mutex(LogForm.text)

  init(descriptor: Int32) { self.descriptor = descriptor }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Columns of the terminal; 80 where it does not report them.
  var width: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes the lines about failures in this form from now on.
  func use(_ form: LogForm) { self.form.withLock { $0 = form } }

  /// Writes the line about a failure, where it has one.
  func write(_ failure: CommandFailure) {
    if let line = form.withLock({ $0 }).line(failure, at: .ofTheMachine) { write(line: line) }
  }

  /// Writes a line above the progress line, without characters that could steer the terminal and without
  /// the secrets of connections.
  func write(line: String) {
    let line = ConnectionSecrets.hidden(inLine: line).terminalSafe
    progressLine.withLock { shown in
      emit(shown.isEmpty ? "\(line)\n" : "\(Self.erase)\(line)\n\(shown)")
    }
  }

  /// Replaces the progress line; an empty one erases it.
  func show(progress line: String) {
    let line = line.terminalSafe
    progressLine.withLock { shown in
      guard line != shown else { return }
      shown = line
      emit(Self.erase + line)
    }
  }

  /// Back to the first column, and erase to the end of the line (ECMA-48 section 8.3.41).
  private static let erase = "\r\u{1B}[K"

  private func emit(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      // Standard error itself has failed: there is no other place for a message.
      if count < 0, errno != EINTR { return }
      bytes = bytes.dropFirst(max(0, count))
    }
  }
}
