public import Foundation

/// The end of a transfer.
public struct TransferEnding: Hashable, Sendable {
  /// The status of an HTTP answer whose head came whole, or the last code of a mail server; nil for none.
  public var status: Int?
  /// The header `Retry-After` of an HTTP answer.
  public var retryAfter: String?
  /// The beginning of an HTTP answer's body, at most 64 KiB.
  public var body: Data
  /// Nil where the exchange came to its end, and where an HTTP answer lacks only a part of its body.
  public var failure: TransferFailure?
  /// Whether a part of the request or of the message was sent, so that the server may have acted on it.
  public var hasBegun: Bool

  public init(
    status: Int? = nil, retryAfter: String? = nil, body: Data = Data(),
    failure: TransferFailure? = nil, hasBegun: Bool
  ) {
    self.status = status
    self.retryAfter = retryAfter
    self.body = body
    self.failure = failure
    self.hasBegun = hasBegun
  }
}

/// The reason why a transfer came to no answer.
public enum TransferFailure: Hashable, Sendable {
  /// No connection was made: the name is unknown, or nothing listens there.
  case unreachable
  /// No connection was made in time.
  case connectTimeout
  /// The time was up after the connection was made.
  case timeout
  /// TLS failed, or the certificate is not trusted.
  case encryption
  /// The server did not take user and password.
  case login
  /// A mail server took no command at all.
  case accessDenied
  /// The connection ended before the answer.
  case closed
  /// A mail server answered something that the protocol does not know, or refused.
  case oddReply
  /// The transfer cannot be sent as it is, such as a header with a line's end.
  case unsendable
  /// Anything else, such as too little memory or too few descriptors.
  case other
}
