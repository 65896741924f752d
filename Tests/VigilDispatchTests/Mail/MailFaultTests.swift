import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage
import VigilTransfers

@testable import VigilDispatch

/// Mail to servers that go wrong.
@Suite("Mail that goes wrong")
struct MailFaultTests {
  private func provider(
    _ url: String, tls: MailServer.Encryption = .none, timeout: Duration = .seconds(60)
  ) -> MailProvider {
    MailProvider(
      client: TransferClient(),
      server: MailServer(url: url, sender: "vigil@example.org", encryption: tls), password: nil,
      timeout: timeout)
  }

  @Test(
    "an outcome is unknown only where a part of the message was sent and no answer came",
    arguments: [
      ("ok", "delivered", false),
      ("hang@greeting", "failed timeout", false), ("hang@mail", "failed timeout", false),
      ("hang@data", "failed timeout", false), ("hang@end", "failed timeout", true),
      ("close@greeting", "failed connection_failed", false),
      ("close@rcpt", "failed connection_failed", false),
      ("close@data", "failed connection_failed", false),
      ("close@message", "failed connection_closed", true),
      ("close@end", "failed connection_closed", true),
      ("421@greeting", "failed smtp_421", false), ("554@greeting", "failed smtp_554", false),
      ("451@mail", "failed smtp_451", false), ("550@rcpt", "refused smtp_550", false),
      ("452@data", "failed smtp_452", false), ("452@end", "failed smtp_452", false),
      ("554@end", "refused smtp_554", false),
    ])
  func outcomes(behaviour: String, meaning: String, isUncertain: Bool) async throws {
    let server = try FaultyMailServer(behaviour)
    // Whether the whole message was sent decides about a hang at its end.
    let patience: Duration = behaviour == "hang@end" ? .seconds(5) : .milliseconds(500)
    let answer = await provider(
      server.url, timeout: behaviour.hasPrefix("hang") ? patience : .seconds(60)
    ).deliver(try mailDelivery(to: "anna@example.org"))
    #expect(answer.text == meaning)
    #expect(answer.isUncertain == isUncertain)
    #expect(
      server.log.contains { $0.hasPrefix("END") }
        == (behaviour == "ok" || behaviour.hasSuffix("@end")))
  }

  @Test("an answer to one message does not decide about the next")
  func twoMessages() async throws {
    let server = try FaultyMailServer("550@rcpt", "close@greeting", "ok")
    let provider = provider(server.url)
    var answers: [String] = []
    for _ in 1...4 {
      answers.append(await provider.deliver(try mailDelivery(to: "anna@example.org")).text)
    }
    #expect(
      answers == ["refused smtp_550", "failed connection_failed", "delivered", "delivered"])
    // The last two are on one connection.
    #expect(server.log.count { $0.hasPrefix("EHLO") } == 2)
  }

  @Test("a server without STARTTLS gets no message where TLS is required")
  func downgrade() async throws {
    let server = try FaultyMailServer("ok")
    let answer = await provider(server.url, tls: .required)
      .deliver(try mailDelivery(to: "anna@example.org"))
    #expect(answer.text == "not started tls_failed")
    #expect(!server.log.contains { $0.hasPrefix("MAIL") })
  }

  @Test("a server that is not there was not reached")
  func away() async throws {
    let answer = await provider("smtp://127.0.0.1:1")
      .deliver(try mailDelivery(to: "anna@example.org"))
    #expect(answer.text == "not started connection_failed")
    #expect(!answer.isUncertain)
  }
}
