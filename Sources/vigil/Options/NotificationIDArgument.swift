import ArgumentParser
import VigilModel
import VigilStorage

/// A notification of the queue, by its id or enough of its beginning.
struct NotificationIDArgument: ParsableArguments {
  @Argument(help: "The notification's id, or enough of its beginning.")
  var id: String

  func validate() throws {
    guard UUIDPrefix(id) != nil else {
      throw ValidationError(
        "'\(id)' is no id of a notification; give at least its first four digits")
    }
  }

  /// - Throws: `CommandFailure` unless exactly one notification begins like that.
  func notification(in storage: some Storage) throws -> QueuedNotification {
    let matches = try storage.notifications(matching: NotificationFilter(id: UUIDPrefix(id)))
    guard let match = matches.first else {
      throw CommandFailure(
        .usage,
        "no notification of \(storage.displayName) begins with '\(id)'; vigil queue list lists"
          + " them")
    }
    guard matches.count == 1 else {
      throw CommandFailure(
        .usage, "\(matches.count) notifications begin with '\(id)'; give more digits")
    }
    return match
  }
}
