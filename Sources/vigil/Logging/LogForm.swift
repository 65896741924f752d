import Logging
import VigilModel

/// The form of lines on standard error.
enum LogForm: String, Sendable, CaseIterable {
  /// `time level message key=value ...`, and `vigil: message` where a command fails.
  case text
  /// An object a line, with `time`, `level`, `message` and `metadata`, or `exit_status` where a command fails.
  case json

  func line(_ event: LogEvent, metadata: Logger.Metadata, at time: Timestamp) -> String {
    var all = metadata
    if let own = event.metadata { all.merge(own) { $1 } }
    let pairs = all.sorted { $0.key < $1.key }.map { (key: $0.key, value: "\($0.value)") }
    switch self {
    case .text:
      let words = pairs.map { " \($0.key)=\(Self.quoted($0.value))" }
      return "\(time) \(event.level) \(event.message)\(words.joined())"
    case .json:
      let members = pairs.map { "\(Self.json($0.key)):\(Self.json($0.value))" }
      return Self.object(time, event.level, "\(event.message)")
        + (members.isEmpty ? "}" : ",\"metadata\":{\(members.joined(separator: ","))}}")
    }
  }

  func line(_ failure: CommandFailure, at time: Timestamp) -> String? {
    guard self == .json, let message = failure.message else { return failure.line }
    return Self.object(time, .error, message) + ",\"exit_status\":\(failure.status.rawValue)}"
  }

  private static func object(_ time: Timestamp, _ level: Logger.Level, _ message: String) -> String
  {
    "{\"time\":\"\(time)\",\"level\":\"\(level)\",\"message\":\(json(message))"
  }

  private static func json(_ text: String) -> String { JSONString.quoted(text) }

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
