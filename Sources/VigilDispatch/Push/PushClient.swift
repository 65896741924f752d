public import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import VigilStorage

/// An HTTP client for services of push messages, which speak HTTP/2.
struct PushClient: Sendable {
  let client: HTTPClient
  /// The time for the body of an answer.
  var bodyTime = Duration.seconds(2)

  /// The outcome of an exchange.
  enum Exchange: Sendable {
    case response(Response)
    /// There was no answer.
    case none(DeliveryAnswer)
  }

  struct Response: Sendable {
    var status: Int
    var retryAfter: String?
    /// Up to 64 KiB; empty where the rest did not come in time.
    var body: Data
  }

  /// Sends a request, and reads the answer to its end.
  ///
  /// - Parameter deadline: Of the whole exchange.
  func post(
    _ url: String, headers: [(String, String)], body: Data,
    until deadline: ContinuousClock.Instant
  ) async -> Exchange {
    var request = HTTPClientRequest(url: url)
    request.method = .POST
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    request.body = .bytes(ByteBuffer(bytes: body))
    let left = deadline - .now
    guard left > .zero else {
      return .none(DeliveryAnswer(.failed(DeliveryErrorCode("timeout"), after: nil)))
    }
    do {
      let response = try await client.execute(
        request, timeout: .nanoseconds(Int64(left / .nanoseconds(1))))
      return .response(
        Response(
          status: Int(response.status.code),
          retryAfter: response.headers.first(name: "Retry-After"),
          body: await Self.body(of: response, until: min(deadline, .now + bodyTime))))
    } catch {
      return .none(WebhookProvider.answer(to: error))
    }
  }

  /// The client's own limit ends with the head: a server may never end a body.
  private static func body(
    of response: HTTPClientResponse, until deadline: ContinuousClock.Instant
  ) async -> Data {
    await withTaskGroup(of: Data.self) { group in
      group.addTask {
        guard let buffer = try? await response.body.collect(upTo: 1 << 16) else { return Data() }
        return Data(buffer.readableBytesView)
      }
      group.addTask {
        try? await Task.sleep(until: deadline, clock: .continuous)
        return Data()
      }
      let data = await group.next() ?? Data()
      group.cancelAll()
      return data
    }
  }
}

extension PushProvider {
  /// A client for a service of push messages.
  ///
  /// - Parameters:
  ///   - certificates: A file of certificates to trust in place of those of the system; nil for these.
  ///   - connectSeconds: The time for a connection.
  public static func makeClient(
    trusting certificates: String?, connectSeconds: Int64 = 10
  ) -> HTTPClient {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.timeout.connect = .seconds(connectSeconds)
    if let certificates {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.trustRoots = .file(certificates)
      configuration.tlsConfiguration = tls
    }
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }
}
