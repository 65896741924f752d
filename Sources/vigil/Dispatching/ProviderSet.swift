import Foundation
import Logging
import VigilDispatch
import VigilModel
import VigilStorage
import VigilTransfers

/// The providers of a file, with the clients that they use.
struct ProviderSet {
  let channels: [(settings: ChannelSettings, provider: any DeliveryProvider)]
  private let http = TransferClient()
  /// Apart, because a mail server that is slow to say goodbye keeps a client waiting.
  private let mail = TransferClient()

  /// Descriptors that the database, the metrics file and the clients open beside those of attempts.
  private static let reservedDescriptors = 16

  /// - Throws: `CommandFailure` about a key or a command that is missing.
  init(
    _ file: ProvidersFile, now: @escaping @Sendable () -> Timestamp, logger: Logger
  ) throws {
    let free = (FreeDescriptors.count - Self.reservedDescriptors) / max(1, file.channels.count)
    channels = try file.channels.map { [http, mail] channel in
      let timeout = channel.settings.timeout
      let provider: any DeliveryProvider =
        switch channel.provider {
        case .webhook(let url, let secret):
          WebhookProvider(
            client: http, url: url,
            signature: try secret.map { WebhookSignature(secret: try $0.signatureKey()) },
            timeout: timeout, now: now)
        case .messenger(let url, let settings):
          try Self.messenger(url, settings, of: channel, client: http, now: now)
        case .command(let words): try Self.command(words, of: channel)
        case .mail(let server): try Self.mail(server, client: mail, timeout: timeout)
        case .push(let apns, let fcm):
          PushProvider(
            apns: try apns.map { try Self.service($0, client: http) },
            fcm: try fcm.map { try Self.service($0, client: http) }, timeout: timeout, now: now)
        }
      var settings = channel.settings
      settings.numberKey = try channel.numberKey.flatMap {
        NumberKey(secret: try $0.signatureKey())
      }
      settings.fit(intoDescriptors: free, each: channel.provider.descriptors)
      if settings.concurrency < channel.settings.concurrency {
        logger.warning(
          "The limit of open files allows fewer attempts at once; raise it (ulimit -n, LimitNOFILE)",
          metadata: [
            "channel": "\(settings.channel.rawValue)", "attempts": "\(settings.concurrency)",
            "wanted": "\(channel.settings.concurrency)",
          ])
      }
      return (settings, provider)
    }
  }

  func close() async {
    await http.close()
    await mail.close()
  }

  private static func command(
    _ words: [String], of channel: ProvidersFile.Channel
  ) throws -> any DeliveryProvider {
    let path = words[0]
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw CommandFailure(
        .badData,
        "providers file: channels.\(channel.settings.channel.rawValue).command: \(path) is no file"
          + " that this user may execute; correct the path or its permissions")
    }
    let surroundings = CommandSurroundings.current
    return CommandProvider(
      path: path, arguments: Array(words.dropFirst()), timeout: channel.settings.timeout,
      environment: surroundings.environment, folder: surroundings.folder)
  }

  private static func messenger(
    _ url: SecretText?, _ settings: MessengerSettings, of channel: ProvidersFile.Channel,
    client: TransferClient, now: @escaping @Sendable () -> Timestamp
  ) throws -> MessengerProvider {
    let place = "providers file: channels.\(channel.settings.channel.rawValue).webhook"
    let template = try template(settings.template, place)
    let address: String? =
      switch url {
      case .text(let text): text
      case .secret(let source): try Self.url(source, place)
      case nil: template.defaultURL
      }
    if let problem = template.problem(with: settings, hasURL: address != nil) {
      throw CommandFailure(.badData, "\(place).\(problem.key) \(problem.message)")
    }
    if template.needsAddress, !channel.settings.needsAddress {
      throw CommandFailure(
        .badData,
        "\(place): the template names the address of a recipient; give \"addresses\": true")
    }
    let token = try settings.token?.password()
    return MessengerProvider(
      client: client, template: template, url: address ?? "", token: token, settings: settings,
      timeout: channel.settings.timeout, now: now)
  }

  /// The address that a file or a variable holds; no message shows it.
  private static func url(_ source: SecretSource, _ place: String) throws -> String {
    let url = try source.password()
    guard ProvidersFile.Provider.isAddress(url) else {
      throw CommandFailure(
        .badData,
        "\(place): the address in \(source.place) is no URL with https:// or http://; correct it")
    }
    return url
  }

  /// A shipped template, or that of a file.
  private static func template(_ name: String, _ place: String) throws -> WebhookTemplate {
    do {
      if let shipped = try WebhookTemplate.shipped(name) { return shipped }
      let path = CommandSurroundings.current.path(of: name)
      guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20 else {
        throw CommandFailure(
          .badData, "\(place).template: \(name) cannot be read; check its name and permissions")
      }
      return try WebhookTemplate(data: data, file: name)
    } catch let fault as ProvidersFault {
      throw CommandFailure(.badData, "\(place).template: \(fault)")
    }
  }

  private static func mail(
    _ server: MailServer, client: TransferClient, timeout: Duration
  ) throws -> MailProvider {
    var server = server
    server.certificatesFile = server.certificatesFile.map(CommandSurroundings.current.path)
    return MailProvider(
      client: client, server: server, password: try server.password?.password(), timeout: timeout)
  }

  private static func service(
    _ settings: APNsSettings, client: TransferClient
  ) throws -> APNsService {
    let key = try settings.key.password()
    var settings = settings
    settings.certificatesFile = try readable(certificates: settings.certificatesFile)
    return try settings.key.checked {
      try APNsService(client: client, settings: settings, key: key)
    }
  }

  private static func service(
    _ settings: FCMSettings, client: TransferClient
  ) throws -> FCMService {
    let account = Data(try settings.serviceAccount.password().utf8)
    var settings = settings
    settings.certificatesFile = try readable(certificates: settings.certificatesFile)
    return try settings.serviceAccount.checked {
      try FCMService(client: client, settings: settings, account: account)
    }
  }

  /// The place of a file of certificates.
  private static func readable(certificates: String?) throws -> String? {
    guard let certificates else { return nil }
    let place = CommandSurroundings.current.path(of: certificates)
    guard FileManager.default.isReadableFile(atPath: place) else {
      throw CommandFailure(
        .badData, "the certificates in \(certificates) cannot be read; check name and permissions")
    }
    return place
  }
}

extension ProvidersFile.Provider {
  /// The descriptors that an attempt needs.
  fileprivate var descriptors: Int {
    switch self {
    case .command: FreeDescriptors.ofCommand
    case .webhook, .messenger, .mail, .push: FreeDescriptors.ofExchange
    }
  }
}

extension SecretSource {
  /// Names the file or variable of a key that cannot be used.
  fileprivate func checked<Service>(_ make: () throws -> Service) throws -> Service {
    do {
      return try make()
    } catch let error as UnusablePushKey {
      throw CommandFailure(.badData, "the key in \(place) \(error.reason)")
    }
  }
}

extension ProvidersFile {
  /// Reads the file that the setting names.
  ///
  /// - Throws: `CommandFailure`: 64 where none is named, 65 for one that cannot be used.
  init(_ setting: ProvidersPath) throws {
    guard let path = setting.path else {
      throw CommandFailure(
        .usage,
        "no file says how channels are delivered; give --providers FILE or VIGIL_PROVIDERS"
          + " (docs/delivery.md shows one)")
    }
    let place = CommandSurroundings.current.path(of: path)
    guard let data = FileManager.default.contents(atPath: place), data.count <= 1 << 20 else {
      throw CommandFailure(
        .badData, "the providers file \(path) cannot be read; check its name and permissions")
    }
    do {
      try self.init(data: data, file: path)
    } catch let fault as ProvidersFault {
      throw CommandFailure(.badData, "providers file \(fault)")
    }
  }
}
