import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage
import VigilTransfers

@testable import VigilDispatch

/// Mail to a real server.
@Suite(
  "Mail",
  .enabled(
    if: MailServerProcess.isInstalled,
    "there is no exim; sudo scripts/setup --tests installs it (exim4-daemon-light)"))
struct MailProviderTests {
  private func deliver(
    to address: String, by server: MailServerProcess, password: String? = nil,
    message: Message? = nil, _ change: (inout MailServer) -> Void = { _ in }
  ) async throws -> DeliveryAnswer {
    var settings = MailServer(
      url: server.url, sender: "vigil@example.org", senderName: "Vigil für alle",
      certificatesFile: server.certificates)
    change(&settings)
    let provider = MailProvider(
      client: TransferClient(), server: settings, password: password, timeout: .seconds(60))
    return await provider.deliver(try mailDelivery(to: address, message))
  }

  @Test("a server takes a message, over TLS, that has a Message-ID of its row's key")
  func delivered() async throws {
    let server = try await MailServerProcess.start()
    for _ in 1...2 {
      #expect(try await deliver(to: "anna@example.org", by: server) == DeliveryAnswer(.delivered))
    }
    let mails = try server.mails()
    try #require(mails.count == 2)
    #expect(mails[0].body == "Weniger als üblich.\n.\nEnde\n")
    #expect(mails[0].header("Subject") == "Schritte: 7 Tage")
    #expect(mails[0].header("From") == "=?utf-8?B?VmlnaWwgZsO8ciBhbGxl?= <vigil@example.org>")
    #expect(mails[0].header("To") == "<anna@example.org>")
    #expect(mails[0].header("Date") == "Wed, 01 Jul 2026 07:00:00 +0000")
    let id = try #require(mails[0].header("Message-ID"))
    #expect(id.wholeMatch(of: /<[0-9a-f]{32}@example\.org>/) != nil, "\(id)")
    #expect(mails[1].header("Message-ID") == id)
    #expect(server.log.contains("X=TLS"))
  }

  @Test("lines that begin with a dot arrive as they are")
  func dots() async throws {
    let server = try await MailServerProcess.start()
    let text = ".\n..\n.Bcc: <ben@example.org>\n\nEnd."
    let answer = try await deliver(
      to: "anna@example.org", by: server,
      message: Message(language: "en", subject: "Steps", text: text))
    #expect(answer == DeliveryAnswer(.delivered))
    let mail = try #require(try server.mails().first)
    // Not in base64, which has no dots.
    #expect(mail.header("Content-Transfer-Encoding") == "7bit")
    #expect(mail.body == text + "\n")
  }

  @Test("no text adds a header or a recipient")
  func injection() async throws {
    let server = try await MailServerProcess.start()
    let answer = try await deliver(
      to: "anna@example.org", by: server,
      message: Message(
        language: "en", subject: "Steps\r\nBcc: <ben@example.org>\r\n\r\n<b>",
        text: "Less.\r\n.\r\nMAIL FROM:<eve@example.org>\r\nRCPT TO:<ben@example.org>\r\nDATA\r\n")
    ) { $0.senderName = "Vigil\r\nReply-To: <eve@example.org>" }
    #expect(answer == DeliveryAnswer(.delivered))
    let mails = try server.mails()
    try #require(mails.count == 1)
    #expect(mails[0].header("Bcc") == nil)
    #expect(mails[0].header("Reply-To") == nil)
    #expect(mails[0].header("Subject") == "Steps  Bcc: <ben@example.org>    <b>")
    #expect(mails[0].body?.contains("RCPT TO:<ben@example.org>") == true)
    #expect(!server.log.contains("ben@example.org"))
  }

  @Test(
    "each answer of a server has its meaning",
    arguments: [
      ("later@example.org", "failed smtp_451"), ("unknown@example.org", "refused smtp_550"),
      ("members@example.org", "refused smtp_550"), ("a b@example.org", "refused bad_address"),
      ("a@b>\r\nRCPT TO:<c@d", "refused bad_address"), ("anna", "refused bad_address"),
    ])
  func answers(address: String, meaning: String) async throws {
    let server = try await MailServerProcess.start()
    let answer = try await deliver(to: address, by: server)
    #expect(answer.text == meaning)
    #expect(!answer.isUncertain)
    #expect(try server.mails().isEmpty)
  }

  @Test("a login is needed where the server asks for one, and a wrong password may be corrected")
  func login() async throws {
    let server = try await MailServerProcess.start()
    let right = try await deliver(to: "members@example.org", by: server, password: "open sesame") {
      $0.user = "vigil"
    }
    #expect(right == DeliveryAnswer(.delivered))
    let wrong = try await deliver(to: "members@example.org", by: server, password: "wrong") {
      $0.user = "vigil"
    }
    #expect(wrong.text == "failed login_denied")
    #expect(try server.mails().count == 1)
  }

  @Test("without trust in the certificate nothing is sent; where TLS is off it is not used")
  func encryption() async throws {
    let server = try await MailServerProcess.start()
    let distrusted = try await deliver(to: "anna@example.org", by: server) {
      $0.certificatesFile = nil
    }
    #expect(distrusted.text == "not started tls_failed")
    // The certificate is of another name.
    let misnamed = try await deliver(to: "anna@example.org", by: server) {
      $0.url = "smtp://127.0.0.1:\(server.port)"
    }
    #expect(misnamed.text == "not started tls_failed")
    #expect(try server.mails().isEmpty)
    let plain = try await deliver(to: "anna@example.org", by: server) { $0.encryption = .none }
    #expect(plain == DeliveryAnswer(.delivered))
    #expect(!server.log.contains("X=TLS"))
    let atOnce = try await deliver(to: "anna@example.org", by: server) { $0.url = server.secureURL }
    #expect(atOnce == DeliveryAnswer(.delivered))
    #expect(server.log.contains("X=TLS"))
  }
}
