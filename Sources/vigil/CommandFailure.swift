/// Ends a command with an exit status and one line for its operator.
struct CommandFailure: Error, Hashable, Sendable {
  var status: ExitStatus
  /// The event, its place and the remedy; nil where the command's own output has named them.
  var message: String?

  init(_ status: ExitStatus, _ message: String? = nil) {
    self.status = status
    self.message = message
  }
}
