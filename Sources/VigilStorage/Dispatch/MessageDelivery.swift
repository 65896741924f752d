public import VigilModel

/// The state of a text message, as its provider reports it.
///
/// It only goes forward: from `queued` to `sent` to one of the others, of which the first stays.
public enum MessageDelivery: String, CaseIterable, Sendable {
  /// A sender is about to hand it to the provider, or has and got no answer.
  case queued
  /// The provider, or the network, has accepted it.
  case sent
  case delivered
  /// It was refused, or was not sent.
  case failed
  /// The network could not deliver it.
  case undelivered
}

/// A report of a provider about the delivery of a text message.
public struct MessageReport: Hashable, Sendable {
  /// The id of the provider's answer, or that of the notification.
  public var message: String
  public var delivery: MessageDelivery
  /// When it came to be so.
  public var at: Timestamp

  public init(_ message: String, _ delivery: MessageDelivery, at instant: Timestamp) {
    self.message = message
    self.delivery = delivery
    at = instant
  }

  /// Clocks of providers may be so many seconds fast.
  public static let largestLead: Int64 = 300
}

extension StorageError {
  /// Refuses a report about a text message that is not in the log, or not in it yet.
  public static func noMessage(in database: String) -> StorageError {
    StorageError(
      .notFound, "\(database) has no text message of this id in sms_log",
      remedy: "give the id that the provider has answered, or that of the notification")
  }
}

extension MessageReport {
  /// Refuses a report of a time that has not come.
  ///
  /// - Throws: `StorageError` with `.constraint`.
  public func requirePast(at now: Timestamp) throws {
    guard at > now.adding(seconds: Self.largestLead) else { return }
    throw StorageError(
      .constraint, "the report about a text message is of \(at), which has not come yet",
      remedy: "correct the time of the report, or the clock of this host")
  }
}
