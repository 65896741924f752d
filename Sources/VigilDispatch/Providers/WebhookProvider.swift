public import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
public import VigilModel
import VigilStorage

/// Delivers by a signed POST to a URL.
///
/// The header `Idempotency-Key` is the row's dedupe key: a receiver that sees one again has had the
/// notification before, from an attempt whose answer was lost. `Vigil-Attempt` is the row's fencing token, which
/// grows with each attempt.
public struct WebhookProvider: DeliveryProvider {
  private let client: HTTPClient
  private let url: String
  private let signature: WebhookSignature?
  private let timeout: Duration
  private let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - client: Shared by all webhooks.
  ///   - url: Where to; http or https.
  ///   - signature: Nil for none.
  ///   - timeout: For the whole exchange.
  ///   - now: The clock.
  public init(
    client: HTTPClient, url: String, signature: WebhookSignature?, timeout: Duration,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.client = client
    self.url = url
    self.signature = signature
    self.timeout = timeout
    self.now = now
  }

  /// A client for `exchanges` at once, which follows no redirection.
  ///
  /// No exchange waits for a connection. A waiting one would begin at the very end of another's answer: a server that
  /// answers twice would answer it before it was asked.
  public static func makeClient(exchanges: Int) -> HTTPClient {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 2 * exchanges + 8
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.timeout.connect = .seconds(10)
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  public func deliver(_ delivery: Delivery) async -> DeliveryAnswer {
    let body = DeliveryBody(delivery).data
    let seconds = now().wholeSeconds
    var request = HTTPClientRequest(url: url)
    request.method = .POST
    request.headers.add(name: "Content-Type", value: "application/json")
    request.headers.add(name: "User-Agent", value: "vigil")
    request.headers.add(name: "Idempotency-Key", value: delivery.row.dedupeKey)
    request.headers.add(name: "Vigil-Attempt", value: "\(delivery.row.fencingToken)")
    request.headers.add(name: "Vigil-Timestamp", value: "\(seconds)")
    if let signature {
      request.headers.add(
        name: "Vigil-Signature", value: signature.header(of: body, seconds: seconds))
    }
    request.body = .bytes(ByteBuffer(bytes: body))
    let deadline = ContinuousClock.now + timeout
    do {
      let limit = TimeAmount.nanoseconds(Int64(timeout / .nanoseconds(1)))
      let response = try await client.execute(request, timeout: limit)
      let answer = Self.answer(
        Int(response.status.code), retryAfter: response.headers.first(name: "Retry-After"),
        at: now())
      await Self.readRest(of: response, until: deadline)
      return answer
    } catch {
      return Self.answer(to: error)
    }
  }

  /// Reads the rest of an answer, which says nothing more, so that the connection is left to the next request.
  ///
  /// The client's own limit ends with the head: a server may never end a body.
  private static func readRest(
    of response: HTTPClientResponse, until deadline: ContinuousClock.Instant
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { _ = try? await response.body.collect(upTo: 1 << 16) }
      group.addTask {
        try? await Task.sleep(until: min(deadline, .now + .seconds(1)), clock: .continuous)
      }
      await group.next()
      group.cancelAll()
    }
  }

  /// The answer that a status stands for.
  static func answer(_ status: Int, retryAfter: String?, at now: Timestamp) -> DeliveryAnswer {
    let code = DeliveryErrorCode("http_\(status)")
    switch status {
    case 200..<300: return DeliveryAnswer(.delivered)
    case 408, 425, 429, 500...:
      return DeliveryAnswer(.failed(code, after: RetryAfter.seconds(retryAfter, at: now)))
    default: return DeliveryAnswer(.refused(code))
    }
  }

  /// Whether the connection was never made.
  private static func isRefusal(_ error: IOError) -> Bool {
    [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode)
  }

  /// The answer that stands for none.
  static func answer(to error: any Error) -> DeliveryAnswer {
    if error is NIOConnectionError || (error as? IOError).map(isRefusal) == true {
      return DeliveryAnswer(.failed(DeliveryErrorCode("connection_failed"), after: nil))
    }
    guard let error = error as? HTTPClientError else {
      // Of the socket or of TLS: the words of such an error may name a host, never the code.
      return DeliveryAnswer(
        .failed(DeliveryErrorCode("connection_error"), after: nil), isUncertain: true)
    }
    switch error {
    case .connectTimeout, .tlsHandshakeTimeout:
      return DeliveryAnswer(.failed(DeliveryErrorCode("connect_timeout"), after: nil))
    case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
      return DeliveryAnswer(.failed(DeliveryErrorCode("timeout"), after: nil), isUncertain: true)
    case .remoteConnectionClosed:
      return DeliveryAnswer(
        .failed(DeliveryErrorCode("connection_closed"), after: nil), isUncertain: true)
    default:
      return DeliveryAnswer(
        .failed(DeliveryErrorCode("http_error"), after: nil), isUncertain: true)
    }
  }
}
