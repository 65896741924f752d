import Foundation
import Logging
import VigilModel

/// Writes `time level message key=value ...` lines.
struct ConsoleLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  private let write: @Sendable (String) -> Void

  init(logLevel: Logger.Level, write: @escaping @Sendable (String) -> Void) {
    self.logLevel = logLevel
    self.write = write
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    write(Self.line(event, metadata: metadata, at: .ofTheMachine))
  }

  static func line(_ event: LogEvent, metadata: Logger.Metadata, at time: Timestamp) -> String {
    var all = metadata
    if let own = event.metadata { all.merge(own) { $1 } }
    let pairs = all.sorted { $0.key < $1.key }.map { " \($0.key)=\(quoted("\($0.value)"))" }
    return "\(time) \(event.level) \(event.message)\(pairs.joined())"
  }

  /// A value in quotation marks where it would otherwise break the line apart.
  private static func quoted(_ text: String) -> String {
    let needsQuotes =
      text.isEmpty || text.contains { $0.isWhitespace || $0 == "\"" || $0 == "=" }
    guard needsQuotes else { return text }
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n").replacing("\r", with: "\\r")
    return "\"\(escaped)\""
  }
}
