import AsyncHTTPClient
import Foundation
import VigilDispatch
import VigilModel

/// The providers of a file, with the HTTP clients that they use.
struct ProviderSet {
  private(set) var channels: [(settings: ChannelSettings, provider: any DeliveryProvider)] = []
  private var clients: [HTTPClient] = []
  private let now: @Sendable () -> Timestamp

  /// - Throws: `CommandFailure` about a key or a command that is missing.
  init(_ file: ProvidersFile, now: @escaping @Sendable () -> Timestamp) throws {
    self.now = now
    // Of all webhooks.
    var shared: HTTPClient?
    do {
      for channel in file.channels {
        let timeout = channel.settings.timeout
        let provider: any DeliveryProvider
        switch channel.provider {
        case .webhook(let url, let secret):
          let signature = try secret.map { WebhookSignature(secret: try $0.signatureKey()) }
          let client =
            shared
            ?? added(
              WebhookProvider.makeClient(
                exchanges: file.channels.map(\.settings.concurrency).reduce(0, +)))
          shared = client
          provider = WebhookProvider(
            client: client, url: url, signature: signature, timeout: timeout, now: now)
        case .command(let words): provider = try Self.command(words, of: channel)
        case .mail(let server):
          let password = try server.password?.password()
          provider = MailProvider(server: server, password: password, timeout: timeout)
        case .push(let apns, let fcm):
          provider = PushProvider(
            apns: try apns.map { try service($0) }, fcm: try fcm.map { try service($0) },
            timeout: timeout, now: now)
        }
        channels.append((channel.settings, provider))
      }
    } catch {
      // A client that was made has to be closed.
      for client in clients { client.shutdown { _ in } }
      throw error
    }
  }

  func close() async throws {
    for client in clients { try await client.shutdown() }
  }

  private mutating func added(_ client: HTTPClient) -> HTTPClient {
    clients.append(client)
    return client
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
    return CommandProvider(
      path: path, arguments: Array(words.dropFirst()), timeout: channel.settings.timeout)
  }

  private mutating func service(_ settings: APNsSettings) throws -> APNsService {
    let key = try settings.key.password()
    let client = try added(Self.client(trusting: settings.certificatesFile))
    return try settings.key.checked {
      try APNsService(client: client, settings: settings, key: key)
    }
  }

  private mutating func service(_ settings: FCMSettings) throws -> FCMService {
    let account = Data(try settings.serviceAccount.password().utf8)
    let client = try added(Self.client(trusting: settings.certificatesFile))
    return try settings.serviceAccount.checked {
      try FCMService(client: client, settings: settings, account: account)
    }
  }

  private static func client(trusting certificates: String?) throws -> HTTPClient {
    if let certificates, !FileManager.default.isReadableFile(atPath: certificates) {
      throw CommandFailure(
        .badData, "the certificates in \(certificates) cannot be read; check name and permissions")
    }
    return PushProvider.makeClient(trusting: certificates)
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
    guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20 else {
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
