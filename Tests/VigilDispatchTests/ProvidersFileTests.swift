import Foundation
import Testing
import VigilModel

@testable import VigilDispatch

@Suite("The file of providers")
struct ProvidersFileTests {
  @Test("all keys")
  func everything() throws {
    let file = try ProvidersFile(
      data: Data(
        """
        {
          "channels": {
            "sms": {
              "command": ["/usr/bin/send", "--fast"], "addresses": true, "per_second": 2.5,
              "concurrency": 3, "timeout_seconds": 4, "lease_seconds": 30, "retry_first_seconds": 5,
              "retry_longest_seconds": 50
            },
            "push": {"webhook": {"url": "https://push.example.org/x", "secret_file": "/etc/vigil/key"}}
          },
          "language": "es", "messages": "/etc/vigil/messages", "per_recipient_and_day": 7,
          "poll_seconds": 3
        }
        """.utf8))
    #expect(file.channels.map(\.settings.channel) == [.push, .sms])
    #expect(
      file.channels.map(\.provider) == [
        .webhook(url: "https://push.example.org/x", secretFile: "/etc/vigil/key"),
        .command(["/usr/bin/send", "--fast"]),
      ])
    #expect(
      file.channels[1].settings
        == ChannelSettings(
          channel: .sms, concurrency: 3, perSecond: 2.5, timeout: .seconds(4), needsAddress: true,
          perRecipientAndDay: 7, retry: RetrySchedule(firstSeconds: 5, longestSeconds: 50),
          leaseSeconds: 30))
    #expect(
      file.channels[0].settings == ChannelSettings(channel: .push, perRecipientAndDay: 7))
    #expect((file.language, file.messages, file.pollSeconds) == ("es", "/etc/vigil/messages", 3))
  }

  @Test("everything that is wrong is named at once")
  func problems() {
    let text = """
      {
        "channels": {
          "in_app": {}, "fax": {}, "email": [],
          "push": {"webhook": {"url": "ftp://example.org", "secret": "x"}, "concurrency": 0, "colour": 1},
          "sms": {"command": ["send"], "timeout_seconds": "1"},
          "whatsapp": {"command": ["/bin/true"], "webhook": {"url": "https://example.org"}}
        },
        "language": 1, "other": true
      }
      """
    let fault = #expect(throws: ProvidersFault.self) { try ProvidersFile(data: Data(text.utf8)) }
    let places = fault?.problems.map { String($0.prefix { $0 != ":" }) }
    #expect(
      places == [
        "language", "other", "channels.email", "channels.fax", "channels.in_app",
        "channels.push.concurrency", "channels.push.webhook.url", "channels.push.webhook.secret",
        "channels.push.colour", "channels.sms.timeout_seconds", "channels.sms.command",
        "channels.whatsapp.command",
      ], "\(fault?.problems ?? [])")
    #expect(fault?.problems.contains { $0.contains("example.org") } == false)
    for text in ["", "[]", "{}", #"{"channels":{}}"#] {
      #expect(throws: ProvidersFault.self) { try ProvidersFile(data: Data(text.utf8)) }
    }
  }

  @Test("a lease is long enough for the attempts that it covers")
  func leases() throws {
    for (timeout, lease) in [(1.0, 60), (15, 62), (300, 1202)] {
      let settings = ChannelSettings(channel: .push, timeout: .milliseconds(Int64(timeout * 1000)))
      #expect(settings.leaseSeconds == Int64(lease))
    }
    let short =
      #"{"channels":{"push":{"command":["/bin/true"],"timeout_seconds":10,"lease_seconds":20}}}"#
    let fault = #expect(throws: ProvidersFault.self) { try ProvidersFile(data: Data(short.utf8)) }
    #expect(fault?.problems == ["channels.push.lease_seconds: has to be a number from 21 to 86400"])
  }
}
