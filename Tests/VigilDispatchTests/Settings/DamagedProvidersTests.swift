import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilModel
import VigilStorage

@testable import VigilDispatch

/// Files of a sender with other values at random: each is read, or refused with a message that names it.
@Suite struct DamagedProvidersTests {
  private static let providers = Data(
    """
    {
      "channels": {
        "push": {"apns": {"key_file": "/etc/vigil/k.p8", "key_id": "ABCDE12345", "team_id": "ABCDE12345",
          "topic": "org.example.vigil"}},
        "sms": {"command": ["/usr/bin/send", "--fast"], "addresses": true, "per_second": 2.5,
          "concurrency": 3, "timeout_seconds": 4, "lease_seconds": 30, "retry_first_seconds": 5,
          "retry_longest_seconds": 50, "per_recipient_and_month": 30},
        "email": {"smtp": {"url": "smtps://mail.example.org", "from": "vigil@example.org", "tls": "required"}},
        "call": {"webhook": {"url": "https://call.example.org/x", "secret_file": "/etc/vigil/key"}}
      },
      "language": "es", "messages": "/etc/vigil/messages", "per_recipient_and_day": 7, "poll_seconds": 3
    }
    """.utf8)

  /// - Returns: How many were read.
  private func count(_ file: Data, seeds: Int, read: (Data) throws -> Void) throws -> Int {
    var used = 0
    for seed in 0..<seeds {
      var random = SeededGenerator(seed: seed)
      let altered = FileDamage.altered(json: file, by: &random)
      do {
        try read(altered)
        used += 1
      } catch let fault as ProvidersFault {
        let said = "\(fault)"
        #expect(said.contains("mine.json") && said.count < 20_000, "seed \(seed)")
      }
    }
    return used
  }

  @Test func providers() throws {
    let seeds = Repetitions.count(fast: 500, long: 20_000)
    let used = try count(Self.providers, seeds: seeds) { data in
      let file = try ProvidersFile(data: data, file: "mine.json")
      for channel in file.channels.map(\.settings) {
        #expect(channel.concurrency > 0 && channel.timeout > .zero)
      }
    }
    #expect(used > seeds / 50 && used < seeds * 9 / 10)
  }

  @Test(arguments: WebhookTemplate.shippedNames)
  func templates(name: String) throws {
    let text = try #require(WebhookTemplate.texts[name])
    let seeds = Repetitions.count(fast: 100, long: 5_000)
    let used = try count(Data(text.utf8), seeds: seeds) {
      _ = try WebhookTemplate(data: $0, file: "mine.json")
    }
    #expect(used < seeds)
  }
}
