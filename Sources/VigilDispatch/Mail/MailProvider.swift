import CCurl
import Foundation
import Synchronization
import VigilStorage

/// Delivers by SMTP: hands a message to a mail server, which answers for it from then on.
///
/// 2xx means delivered, 4xx that another attempt may succeed, 5xx that none will (RFC 5321, section 4.2.1).
/// The `Message-ID` is made from the row's dedupe key, so that a mailbox recognizes a message that it gets twice.
public struct MailProvider: DeliveryProvider {
  private let server: MailServer
  private let password: String?
  private let timeout: Duration
  private let idle = HandlePool()

  /// - Parameters:
  ///   - server: Where to.
  ///   - password: That of the server's user; nil where there is none.
  ///   - timeout: For the whole exchange.
  public init(server: MailServer, password: String?, timeout: Duration) {
    self.server = server
    self.password = password
    self.timeout = timeout
  }

  public func deliver(_ delivery: Delivery) async -> DeliveryAnswer {
    guard let address = delivery.addresses.first?.address, MailMessage.isAddress(address) else {
      return DeliveryAnswer(.refused(DeliveryErrorCode("bad_address")))
    }
    guard let message = delivery.message else {
      return DeliveryAnswer(.refused(DeliveryErrorCode("no_message")))
    }
    let mail = MailMessage(
      message, to: address, from: server, key: delivery.row.dedupeKey,
      date: delivery.row.scheduledFor)
    return await withCheckedContinuation { continuation in
      // A thread of its own: libcurl blocks it.
      Thread.detachNewThread {
        let handle = idle.take() ?? CurlHandle()
        let ending = handle.send(
          mail.data, to: address, by: server, password: password, timeout: timeout)
        idle.give(handle)
        continuation.resume(returning: Self.answer(ending))
      }
    }
  }

  /// The answer that an ending stands for.
  static func answer(_ ending: CurlHandle.Ending) -> DeliveryAnswer {
    func failed(_ code: String, mayBeDelivered: Bool = ending.hasBegun) -> DeliveryAnswer {
      DeliveryAnswer(.failed(DeliveryErrorCode(code), after: nil), isUncertain: mayBeDelivered)
    }
    switch ending.code {
    case CURLE_OK: return DeliveryAnswer(.delivered)
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT:
      return failed("connection_failed", mayBeDelivered: false)
    // A password or a certificate that an operator replaces is no reason to give up mail.
    case CURLE_LOGIN_DENIED: return failed("login_denied", mayBeDelivered: false)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM:
      return failed("tls_failed", mayBeDelivered: false)
    case CURLE_OPERATION_TIMEDOUT: return failed("timeout")
    default: break
    }
    // An answer to the greeting or to EHLO is about the server, not about the message.
    let isAboutServer =
      ending.code == CURLE_REMOTE_ACCESS_DENIED
      || (ending.code == CURLE_WEIRD_SERVER_REPLY && !ending.hasBegun)
    switch ending.answer {
    case 500..<600 where isAboutServer, 400..<500:
      return failed("smtp_\(ending.answer)", mayBeDelivered: false)
    case 500..<600: return DeliveryAnswer(.refused(DeliveryErrorCode("smtp_\(ending.answer)")))
    default: return failed(ending.hasBegun ? "connection_closed" : "connection_failed")
    }
  }
}

/// Handles that are idle, each with its connection.
private final class HandlePool: Sendable {
  private let handles = Mutex<[CurlHandle]>([])

  func take() -> CurlHandle? { handles.withLock { $0.popLast() } }

  func give(_ handle: CurlHandle) { handles.withLock { $0.append(handle) } }
}
