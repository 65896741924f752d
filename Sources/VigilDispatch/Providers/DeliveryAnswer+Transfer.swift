import VigilStorage
import VigilTransfers

extension DeliveryAnswer {
  /// The answer that stands for an exchange over HTTP without one.
  ///
  /// It is uncertain where a part of the request was sent: the server may have acted on it.
  init(noAnswer ending: TransferEnding) {
    let code =
      switch ending.failure {
      case .unreachable: "connection_failed"
      case .connectTimeout: "connect_timeout"
      case .timeout: "timeout"
      case .encryption: "tls_failed"
      case .closed: ending.hasBegun ? "connection_closed" : "connection_failed"
      case .login, .accessDenied, .oddReply, .unsendable, .other, nil: "http_error"
      }
    self.init(
      ending.hasReached
        ? .failed(DeliveryErrorCode(code), after: nil) : .notStarted(DeliveryErrorCode(code)),
      isUncertain: ending.hasBegun)
  }
}

extension TransferEnding {
  /// Whether a server was reached with which the exchange could begin.
  var hasReached: Bool {
    switch failure {
    case .unreachable, .connectTimeout, .encryption, .closed: hasBegun
    default: true
    }
  }
}
