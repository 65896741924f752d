import Foundation
import VigilStorage
public import VigilTransfers

/// Delivers by SMTP: hands a message to a mail server, which answers for it from then on.
///
/// 2xx means delivered, 4xx that another attempt may succeed, 5xx that none will (RFC 5321, section 4.2.1).
/// The `Message-ID` is made from the row's dedupe key, so that a mailbox recognizes a message that it gets twice.
public struct MailProvider: DeliveryProvider {
  private let client: TransferClient
  private let server: MailServer
  private let password: String?
  private let timeout: Duration

  /// - Parameters:
  ///   - client: Shared with no channel but those of mail: a server's farewell may keep all others waiting.
  ///   - server: Where to.
  ///   - password: That of the server's user; nil where there is none.
  ///   - timeout: For the whole exchange.
  public init(client: TransferClient, server: MailServer, password: String?, timeout: Duration) {
    self.client = client
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
    var login: (user: String, password: String)?
    if let user = server.user, let password { login = (user, password) }
    let envelope = Transfer.Envelope(
      sender: server.sender, recipient: address,
      requiresEncryption: server.encryption == .required, login: login)
    let ending = await client.perform(
      Transfer(
        url: server.url, body: mail.data, kind: .mail(envelope), timeout: timeout,
        certificatesFile: server.certificatesFile))
    return Self.answer(ending)
  }

  /// The answer that an ending stands for.
  static func answer(_ ending: TransferEnding) -> DeliveryAnswer {
    func failed(_ code: String, mayBeDelivered: Bool = ending.hasBegun) -> DeliveryAnswer {
      DeliveryAnswer(.failed(DeliveryErrorCode(code), after: nil), isUncertain: mayBeDelivered)
    }
    func notStarted(_ code: String) -> DeliveryAnswer {
      DeliveryAnswer(.notStarted(DeliveryErrorCode(code)))
    }
    switch ending.failure {
    case nil: return DeliveryAnswer(.delivered)
    case .unreachable: return notStarted("connection_failed")
    // A password or a certificate that an operator replaces is no reason to give up mail.
    case .login: return failed("login_denied", mayBeDelivered: false)
    case .encryption: return notStarted("tls_failed")
    case .timeout, .connectTimeout: return failed("timeout")
    case .accessDenied, .closed, .oddReply, .unsendable, .other: break
    }
    // An answer to the greeting or to EHLO is about the server, not about the message.
    let isAboutServer =
      ending.failure == .accessDenied || (ending.failure == .oddReply && !ending.hasBegun)
    switch ending.status ?? 0 {
    case 500..<600 where isAboutServer: return failed(smtp(ending), mayBeDelivered: false)
    case 400..<500: return failed(smtp(ending), mayBeDelivered: false)
    case 500..<600: return DeliveryAnswer(.refused(DeliveryErrorCode(smtp(ending))))
    default: return failed(ending.hasBegun ? "connection_closed" : "connection_failed")
    }
  }

  private static func smtp(_ ending: TransferEnding) -> String { "smtp_\(ending.status ?? 0)" }
}
