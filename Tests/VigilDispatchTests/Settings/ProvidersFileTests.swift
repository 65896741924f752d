import Foundation
import Testing
import VigilAlerts
import VigilModel
import VigilStorage

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
              "retry_longest_seconds": 50, "per_recipient_and_month": 30
            },
            "push": {"webhook": {"url": "https://push.example.org/x", "secret_file": "/etc/vigil/key"}}
          },
          "language": "es", "messages": "/etc/vigil/messages", "per_recipient_and_day": 7,
          "poll_seconds": 3
        }
        """.utf8), file: "providers.json")
    #expect(file.channels.map(\.settings.channel) == [.push, .sms])
    #expect(
      file.channels.map(\.provider) == [
        .webhook(url: "https://push.example.org/x", secret: .file("/etc/vigil/key")),
        .command(["/usr/bin/send", "--fast"]),
      ])
    #expect(
      file.channels[1].settings
        == ChannelSettings(
          channel: .sms, concurrency: 3, perSecond: 2.5, timeout: .seconds(4), needsAddress: true,
          perRecipientAndDay: 7, perRecipientAndMonth: 30,
          retry: RetrySchedule(firstSeconds: 5, longestSeconds: 50),
          leaseSeconds: 30))
    #expect(
      file.channels[0].settings == ChannelSettings(channel: .push, perRecipientAndDay: 7))
    #expect((file.language, file.messages, file.pollSeconds) == ("es", "/etc/vigil/messages", 3))
  }

  @Test("the keys about text messages")
  func messages() throws {
    func channel(_ keys: String, _ name: String = "sms") throws -> ProvidersFile.Channel? {
      try ProvidersFile(
        data: Data(#"{"channels": {"\#(name)": {"command": ["/bin/true"], \#(keys)}}}"#.utf8),
        file: "p.json"
      ).channels.first
    }
    let sms = try #require(
      try channel(
        #""per_recipient_and_month": 20, "quota_warning_percent": 75, "price_per_segment": 0.079, "currency": "EUR", "number_key_file": "/etc/vigil/numbers.key""#
      ))
    #expect(sms.numberKey == .file("/etc/vigil/numbers.key"))
    #expect(sms.settings.messagePrice == MessageCost(micros: 79_000, currency: "EUR"))
    #expect(
      sms.settings.messageAllowance == MessageAllowance(perMonth: 20, warningPercent: 75))
    let plain = try #require(try channel(#""per_recipient_and_month": 20"#))
    #expect(plain.settings.messageAllowance?.warningPercent == 80)
    #expect(plain.numberKey == nil && plain.settings.messagePrice == nil)
    for (keys, name, problem) in [
      (#""quota_warning_percent": 75"#, "sms", "sms.quota_warning_percent: is a share"),
      (#""quota_warning_percent": 0"#, "sms", "sms.quota_warning_percent: must be"),
      (#""price_per_segment": 0.1"#, "sms", "sms.currency: is missing"),
      (#""currency": "EUR""#, "sms", "sms.price_per_segment: is missing"),
      (#""price_per_segment": 1, "currency": "euro""#, "sms", "sms.currency: must be a code"),
      (#""price_per_segment": -1, "currency": "EUR""#, "sms", "sms.price_per_segment: must be"),
      (#""number_key_file": "/a""#, "email", "email.number_key_file: is about text messages"),
      (#""currency": "EUR""#, "call", "call.currency: is about text messages"),
    ] {
      let fault = #expect(throws: ProvidersFault.self) { try channel(keys, name) }
      #expect(fault?.description.contains("$.channels.\(problem)") == true, "\(fault as Any)")
    }
  }

  @Test("calls need a signature, and TLS unless the program is on this host")
  func calls() throws {
    func problems(_ webhook: String) -> [String] {
      do {
        _ = try ProvidersFile(
          data: Data(#"{"channels": {"call": {"webhook": {\#(webhook)}}}}"#.utf8), file: "p.json")
        return []
      } catch let fault as ProvidersFault {
        return fault.problems.map { String($0.prefix { $0 != ":" }.dropFirst(24)) }
      } catch {
        return ["\(error)"]
      }
    }
    let secret = #""secret_file": "/a""#
    for url in ["https://a.org/call", "http://127.0.0.1:8080", "http://localhost/call"] {
      #expect(problems(#""url": "\#(url)", \#(secret)"#) == [])
      #expect(problems(#""url": "\#(url)""#) == ["secret_file"])
    }
    #expect(problems(#""url": "http://a.org/call", \#(secret)"#) == ["url"])
    #expect(problems(#""url": "http://127.0.0.1.a.org", \#(secret)"#) == ["url"])
    #expect(problems(#""url": "http://localhost@a.org", \#(secret)"#) != [])
  }

  @Test("messengers need what their templates name")
  func messengers() throws {
    func provider(_ webhook: String) throws -> ProvidersFile.Provider? {
      try ProvidersFile(
        data: Data(#"{"channels": {"push": {"webhook": \#(webhook)}}}"#.utf8), file: "p.json"
      ).channels.first?.provider
    }
    let ben = UUID(name: "ben")
    #expect(
      try provider(
        """
        {"template": "ntfy", "url": "https://ntfy.example.org", "token_variable": "NTFY",
         "values": {"topic": "all"}, "recipients": {"\(ben.lowercased)": {"topic": "ben"}}}
        """)
        == .messenger(
          url: .text("https://ntfy.example.org"),
          MessengerSettings(
            template: "ntfy", token: .variable("NTFY"), values: ["topic": "all"],
            recipients: [ben: ["topic": "ben"]])))
    let telegram = try provider(
      #"{"template": "telegram", "token_file": "/etc/vigil/bot", "values": {"chat_id": "-42"}}"#)
    #expect(telegram?.name == "telegram")
    let slack = try provider(#"{"template": "slack", "url_file": "/etc/vigil/slack"}"#)
    #expect(slack?.name == "slack")
    let own = try provider(
      #"{"template": "/etc/vigil/signal.json", "url": "http://localhost:8080/send"}"#)
    #expect(own?.name == "signal localhost")
    for (text, words) in [
      (#"{"template": "signal", "url": "https://a.org"}"#, "is none of matrix, mattermost, ntfy"),
      (#"{"template": "slack"}"#, "webhook.url: is missing"),
      (#"{"template": "ntfy", "url": "https://a.org"}"#, "webhook.values: lacks topic"),
      (
        #"{"template": "slack", "url": "https://a.org", "values": {"x": "y"}}"#,
        "webhook.values: has x, and the template takes none"
      ),
      (
        #"{"template": "ntfy", "url": "https://a.org", "recipients": {"ben": {"topic": "a"}}}"#,
        "recipients.ben: is no id of a person"
      ),
      (
        #"{"template": "matrix", "url": "https://a.org", "values": {"room": "!a"}}"#,
        "webhook.token_file: is missing"
      ),
      (
        #"{"template": "slack", "url": "https://a.org", "url_file": "/b"}"#,
        "webhook.url: excludes url_file"
      ),
      (#"{"template": "slack", "url": "ftp://a.org"}"#, "must be a URL with https://"),
      (#"{"template": "slack", "url": "https://a.org", "secret_file": "/b"}"#, "secret_file"),
    ] {
      do {
        _ = try provider(text)
        Issue.record("\(text) was read")
      } catch let fault as ProvidersFault {
        #expect("\(fault)".contains(words), "\(fault)")
      }
    }
  }

  @Test("mail needs a server and a sender, and is given addresses")
  func mail() throws {
    func file(_ smtp: String, _ channel: String = "email") throws -> ProvidersFile {
      try ProvidersFile(
        data: Data(#"{"channels": {"\#(channel)": {"smtp": \#(smtp)}}}"#.utf8),
        file: "providers.json")
    }
    let shortest = try file(#"{"url": "smtp://mail.example.org:587", "from": "vigil@example.org"}"#)
    #expect(
      shortest.channels.map(\.provider) == [
        .mail(MailServer(url: "smtp://mail.example.org:587", sender: "vigil@example.org"))
      ])
    #expect(shortest.channels[0].settings.needsAddress)
    let all = try file(
      """
      {"url": "smtps://mail.example.org", "from": "vigil@example.org", "from_name": "Vigil", "tls": "required",
       "user": "vigil", "password_file": "/etc/vigil/mail", "certificates_file": "/etc/vigil/ca.pem"}
      """)
    #expect(
      all.channels.map(\.provider) == [
        .mail(
          MailServer(
            url: "smtps://mail.example.org", sender: "vigil@example.org", senderName: "Vigil",
            user: "vigil", password: .file("/etc/vigil/mail"),
            certificatesFile: "/etc/vigil/ca.pem"))
      ])
    func places(_ smtp: String, _ channel: String = "email") -> [String] {
      let fault = #expect(throws: ProvidersFault.self) { try file(smtp, channel) }
      return fault?.problems.map { String($0.prefix { $0 != ":" }) } ?? []
    }
    let place = "$.channels.email.smtp."
    #expect(places("{}") == ["url", "from"].map { place + $0 })
    #expect(
      places(
        #"{"url": "smtp://a:b@c", "from": "x", "tls": "some", "user": "u", "from_name": "a\nb", "z": 1}"#
      ) == ["z", "tls", "url", "from", "from_name", "user"].map { place + $0 })
    let least = #""url": "smtp://c", "from": "a@b.org""#
    #expect(
      places(#"{\#(least), "tls": "none", "user": "u", "password_file": "p"}"#) == [place + "tls"])
    #expect(
      places(
        #"{\#(least), "user": "u", "password_file": "p", "password_variable": "P=1"}"#)
        == ["password_variable", "password_variable"].map { place + $0 })
    #expect(places("{\(least)}", "sms") == ["$.channels.sms.smtp"])
    let variable = try file(#"{\#(least), "user": "u", "password_variable": "MAIL_PASSWORD"}"#)
    guard case .mail(let server) = variable.channels[0].provider else {
      Issue.record("no mail")
      return
    }
    #expect(server.password == .variable("MAIL_PASSWORD"))
  }

  @Test("escalation is off without its object, and has windows by level")
  func escalation() throws {
    func file(_ escalation: String, addresses: Bool = true) throws -> ProvidersFile {
      try ProvidersFile(
        data: Data(
          """
          {"channels": {"sms": {"command": ["/bin/send"], "addresses": \(addresses)}}\(escalation)}
          """.utf8), file: "providers.json")
    }
    #expect(try file("").escalation == nil)
    #expect(try file(#", "escalation": {}"#).escalation == EscalationPolicy())
    #expect(
      try file(
        #", "escalation": {"alerts": {"21": 30}, "missed_streaks": {}, "contacts": true}"#
      ).escalation
        == EscalationPolicy(alerts: [.day21: 30], missedStreaks: [:], callsContacts: true))
    func places(_ escalation: String, addresses: Bool = true) -> [String] {
      let fault = #expect(throws: ProvidersFault.self) {
        try file(#", "escalation": \#(escalation)"#, addresses: addresses)
      }
      return fault?.problems.map { String($0.prefix { $0 != ":" }) } ?? []
    }
    #expect(
      places(#"{"alerts": {"8": 30, "14": 1, "21": 2000}, "hours": 1}"#)
        == ["hours", "alerts.14", "alerts.21", "alerts.8"].map { "$.escalation.\($0)" })
    #expect(places(#"{"contacts": true}"#, addresses: false) == ["$.escalation.contacts"])
  }

  @Test("push messages have one service or both")
  func push() throws {
    func file(_ keys: String, _ channel: String = "push") throws -> ProvidersFile {
      try ProvidersFile(
        data: Data(#"{"channels": {"\#(channel)": {\#(keys)}}}"#.utf8), file: "providers.json")
    }
    let apns = #""apns": {"team_id": "T", "key_id": "K", "key_file": "/k.p8", "topic": "org.app""#
    let fcm = #""fcm": {"service_account_variable": "ACCOUNT"}"#
    let both = try file("\(apns)}, \(fcm)").channels[0]
    var settings = APNsSettings(team: "T", keyID: "K", key: .file("/k.p8"), topic: "org.app")
    #expect(
      both.provider
        == .push(apns: settings, fcm: FCMSettings(serviceAccount: .variable("ACCOUNT"))))
    #expect(both.settings.needsAddress)
    #expect(both.provider.name == "APNs api.push.apple.com, FCM fcm.googleapis.com")
    settings.url = APNsSettings.development
    #expect(
      try file(apns + #", "environment": "development"}"#).channels[0].provider
        == .push(apns: settings, fcm: nil))
    func problems(_ keys: String, _ channel: String = "push") -> [String] {
      let fault = #expect(throws: ProvidersFault.self) { try file(keys, channel) }
      return fault?.problems.map { String($0.prefix { $0 != ":" }.dropFirst(11)) } ?? []
    }
    #expect(
      problems(#""apns": {}"#).sorted() == [
        "push.apns.key_file", "push.apns.key_id", "push.apns.team_id", "push.apns.topic",
      ])
    #expect(problems(#""fcm": {"x": 1}"#) == ["push.fcm.x", "push.fcm.service_account_file"])
    #expect(problems(apns + #", "url": "http://a"}"#) == ["push.apns.url"])
    #expect(
      problems(apns + #", "url": "https://a", "environment": "production"}"#) == [
        "push.apns.environment"
      ])
    #expect(problems(fcm, "sms") == ["sms.fcm"])
    #expect(problems(fcm + #", "command": ["/bin/true"]"#) == ["push"])
  }

  @Test("everything that is wrong is named at once")
  func problems() {
    let text = """
      {
        "channels": {
          "in_app": {}, "fax": {}, "whatsapp": {},
          "push": {"webhook": {"url": "ftp://example.org", "secret": "x"}, "concurrency": 0, "colour": 1,
            "per_recipient_and_month": 5},
          "sms": {"command": ["send"], "timeout_seconds": "1"},
          "email": {"command": ["/bin/true"], "webhook": {"url": "https://example.org"}}
        },
        "language": 1, "other": true
      }
      """
    let fault = #expect(throws: ProvidersFault.self) {
      try ProvidersFile(data: Data(text.utf8), file: "providers.json")
    }
    let places = fault?.problems.map { String($0.prefix { $0 != ":" }) }
    #expect(
      places == [
        "$.other", "$.language", "$.channels.email", "$.channels.fax", "$.channels.in_app",
        "$.channels.push.colour", "$.channels.push.concurrency",
        "$.channels.push.per_recipient_and_month", "$.channels.push.webhook.secret",
        "$.channels.push.webhook.url", "$.channels.sms.timeout_seconds", "$.channels.sms.command",
        "$.channels.whatsapp",
      ], "\(fault?.problems ?? [])")
    #expect(fault?.problems.contains { $0.contains("example.org") } == false)
  }

  @Test(
    "a file that is no JSON object of channels is refused with the place",
    arguments: [
      ("", "cut short in line 1"), ("[]", "must be an object, is an array"),
      ("{}", "$.channels: names no channel"), (#"{"channels":{}}"#, "$.channels: names no channel"),
      ("{\n  \"channels\": {,\n}", "line 2, column 16"),
      (#"{"language": "en", "language": "de"}"#, "the key \"language\" stands twice"),
      (#"{"channels": {"push": {}}}"#, "$.channels.push: has no provider"),
    ])
  func noFile(text: String, reason: String) {
    let fault = #expect(throws: ProvidersFault.self) {
      try ProvidersFile(data: Data(text.utf8), file: "providers.json")
    }
    #expect(fault?.description.hasPrefix("providers.json: ") == true)
    #expect(fault?.description.contains(reason) == true, "\(fault?.description ?? "")")
  }

  @Test("a lease is long enough for the attempts that it covers")
  func leases() throws {
    for (timeout, lease) in [(1.0, 60), (15, 62), (300, 1202)] {
      let settings = ChannelSettings(channel: .push, timeout: .milliseconds(Int64(timeout * 1000)))
      #expect(settings.leaseSeconds == Int64(lease))
    }
    let short =
      #"{"channels":{"push":{"command":["/bin/true"],"timeout_seconds":10,"lease_seconds":20}}}"#
    let fault = #expect(throws: ProvidersFault.self) {
      try ProvidersFile(data: Data(short.utf8), file: "providers.json")
    }
    #expect(
      fault?.problems == ["$.channels.push.lease_seconds: must be a number from 21 to 86400, is 20"]
    )
  }

  @Test(
    "a port is one of the network's", arguments: ["0", "65536", "99999", "99999999999999999999"])
  func ports(port: String) {
    for provider in [
      #""webhook": {"url": "http://127.0.0.1:\#(port)/ok"}"#,
      #""smtp": {"url": "smtp://127.0.0.1:\#(port)", "from": "vigil@example.org"}"#,
    ] {
      #expect(throws: ProvidersFault.self) {
        try ProvidersFile(
          data: Data(#"{"channels": {"email": {\#(provider)}}}"#.utf8), file: "providers.json")
      }
    }
  }
}
