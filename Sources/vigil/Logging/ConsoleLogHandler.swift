import Foundation
import Logging
import VigilModel

/// Writes a line for each event.
struct ConsoleLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  private let form: LogForm
  private let write: @Sendable (String) -> Void

  init(logLevel: Logger.Level, form: LogForm, write: @escaping @Sendable (String) -> Void) {
    self.logLevel = logLevel
    self.form = form
    self.write = write
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    write(form.line(event, metadata: metadata, at: .ofTheMachine))
  }
}
