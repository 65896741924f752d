import AsyncHTTPClient
import Foundation
import VigilDispatch
import VigilModel

/// The providers of a file, with the HTTP client that they share.
struct ProviderSet {
  let channels: [(settings: ChannelSettings, provider: any DeliveryProvider)]
  private let client: HTTPClient?

  /// - Throws: `CommandFailure` about a key or a command that is missing.
  init(_ file: ProvidersFile, now: @escaping @Sendable () -> Timestamp) throws {
    let exchanges = file.channels.map(\.settings.concurrency).reduce(0, +)
    let isHTTP = file.channels.contains { channel in
      if case .webhook = channel.provider { return true }
      return false
    }
    // Keys are read first: a client that was made has to be closed.
    let makers = try file.channels.map { channel in
      (channel.settings, try Self.maker(of: channel, now: now))
    }
    let client = isHTTP ? WebhookProvider.makeClient(exchanges: exchanges) : nil
    self.client = client
    channels = makers.map { ($0, $1(client)) }
  }

  func close() async throws {
    try await client?.shutdown()
  }

  private typealias Maker = (HTTPClient?) -> any DeliveryProvider

  private static func maker(
    of channel: ProvidersFile.Channel, now: @escaping @Sendable () -> Timestamp
  ) throws -> Maker {
    let timeout = channel.settings.timeout
    switch channel.provider {
    case .webhook(let url, let secret):
      let signature = try secret.map { WebhookSignature(secret: try $0.signatureKey()) }
      return { client in
        guard let client else { preconditionFailure("webhooks have a client") }
        return WebhookProvider(
          client: client, url: url, signature: signature, timeout: timeout, now: now)
      }
    case .command(let words):
      let path = words[0]
      guard FileManager.default.isExecutableFile(atPath: path) else {
        throw CommandFailure(
          .badData,
          "providers file: channels.\(channel.settings.channel.rawValue).command: \(path) is no file"
            + " that this user may execute; correct the path or its permissions")
      }
      return { _ in
        CommandProvider(path: path, arguments: Array(words.dropFirst()), timeout: timeout)
      }
    case .mail(let server):
      let password = try server.password?.password()
      return { _ in MailProvider(server: server, password: password, timeout: timeout) }
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
