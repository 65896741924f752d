public import VigilModel

/// The outcome of a row that a sender had taken.
public struct DispatchOutcome: Hashable, Sendable {
  public var lease: DispatchLease
  public var result: Result
  /// The end of a logged text message; nil for a row that has none, and where no attempt was to begin.
  public var message: MessageEnd?
  /// The particulars of this message that its provider has answered; nil for none.
  public var receipt: MessageReceipt?
  /// The answers of services about devices, which are recorded also where the outcome itself comes too late.
  public var devices: [DeviceReport] = []

  /// A telephone call that may have been made is not made again before the person who was called has had this time to
  /// answer in the app.
  public static let secondsToAnswerCall: Int64 = 300

  public init(_ result: Result, of lease: DispatchLease, message: MessageEnd? = nil) {
    self.lease = lease
    self.result = result
    self.message = message
  }

  public enum Result: Hashable, Sendable {
    /// The provider has accepted it.
    case sent
    /// The attempt failed, and another one follows.
    case retry(at: Timestamp, error: DeliveryErrorCode)
    /// Nothing was sent, because no attempt could begin: it does not count, and another one follows.
    case notStarted(retryAt: Timestamp, error: DeliveryErrorCode)
    /// No attempt follows: the row is a dead letter.
    case failed(DeliveryErrorCode)
    /// There was no attempt: it is not to be sent any more.
    case cancelled(PlannedNotification.StatusReason)
    /// There was no attempt: it is to wait.
    case postponed(until: Timestamp, PlannedNotification.StatusReason?)
    /// There was no attempt: another sender may take it at once.
    case released
  }
}

/// A reason why an attempt failed, such as `http_503`: letters, digits and `_`, never words of a provider,
/// which could hold an address.
public struct DeliveryErrorCode: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// - Parameter text: From 1 to 64 of the letters a to z, digits and `_`.
  public init(_ text: String) {
    precondition(Self.isCode(text), "a code of other letters")
    self.text = text
  }

  /// Nil for text of other letters.
  public init?(checked text: String) {
    guard Self.isCode(text) else { return nil }
    self.text = text
  }

  private static func isCode(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
      }
  }

  public var description: String { text }
}
