import ArgumentParser
import Foundation
import VigilModel
import VigilStorage

/// A record that commands name by its id, or enough of its beginning.
protocol NamedByID {
  /// With its article, such as `an alert`.
  static var noun: String { get }
  var id: UUID { get }
}

/// The id of a record, or enough of its beginning.
struct IDArgument<Record: NamedByID>: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The \(Self.noun)'s id, or enough of its beginning.", valueName: String(Self.noun)))
  var id: String

  /// Without its article.
  private static var noun: Substring { Record.noun.split(separator: " ")[1] }

  func validate() throws {
    guard UUIDPrefix(id) != nil else {
      throw ValidationError(
        "'\(id)' is no id of \(Record.noun); give at least its first four digits")
    }
  }

  /// The beginning of the id.
  fileprivate var prefix: UUIDPrefix? { UUIDPrefix(id) }

  /// Returns the record that all of `matches` are.
  ///
  /// - Parameters:
  ///   - matches: The records that begin like this.
  ///   - place: Where they were searched.
  ///   - command: Lists them all.
  /// - Throws: `CommandFailure` where there is none, or more than one.
  fileprivate func only(of matches: [Record], in place: String, listedBy command: String) throws
    -> Record
  {
    guard let match = matches.first else {
      throw CommandFailure(
        .usage, "no \(Self.noun) of \(place) begins with '\(id)'; \(command) lists them")
    }
    // Two runs may hold the same notification.
    guard matches.allSatisfy({ $0.id == match.id }) else {
      throw CommandFailure(
        .usage, "\(matches.count) \(Self.noun)s begin with '\(id)'; give more digits")
    }
    return match
  }
}

extension PatternAlertState: NamedByID {
  static let noun = "an alert"
}

extension IDArgument<PatternAlertState> {
  /// - Throws: `CommandFailure` unless exactly one alert begins like that.
  func alert(in storage: some Storage) throws -> PatternAlertState {
    try only(
      of: storage.alertStates(matching: AlertFilter(id: prefix)), in: storage.displayName,
      listedBy: "vigil alerts list --status all")
  }

  /// - Throws: `CommandFailure` unless exactly one alert begins like `id`.
  static func alert(
    beginningWith id: String, in storage: some Storage
  ) throws -> PatternAlertState {
    var argument = IDArgument()
    argument.id = id
    return try argument.alert(in: storage)
  }
}

extension QueuedNotification: NamedByID {
  static let noun = "a notification"
}

extension IDArgument<QueuedNotification> {
  /// - Throws: `CommandFailure` unless exactly one notification of the list begins like that.
  func notification(
    in storage: some Storage, _ list: NotificationList = .live
  ) throws -> QueuedNotification {
    let option =
      switch list {
      case .live: ""
      case .shadow: " --shadow"
      case .held: " --held"
      }
    return try only(
      of: storage.notifications(matching: NotificationFilter(queue: list, id: prefix)),
      in: "\(list.rawValue) of \(storage.displayName)", listedBy: "vigil queue list\(option)")
  }
}

extension RunRecord: NamedByID {
  static let noun = "a run"
}

extension IDArgument<RunRecord> {
  /// - Throws: `CommandFailure` unless exactly one run begins like that.
  func run(in storage: some Storage) throws -> RunRecord {
    guard let prefix else { preconditionFailure("the argument was checked") }
    let range = prefix.lowest.lowercased...prefix.highest.lowercased
    return try only(
      of: storage.runs(limit: .max).filter { range.contains($0.id.lowercased) },
      in: storage.displayName, listedBy: "vigil runs")
  }
}
