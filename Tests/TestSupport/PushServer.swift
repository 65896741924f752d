import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

/// A service of push messages: an HTTP/2 server with TLS in this process, which answers as a closure says.
///
/// It takes HTTP/2 alone. Its certificate, for `localhost`, and keys for signatures are of its own folder.
public final class PushServer: Sendable {
  public let port: Int
  private let directory: TemporaryDirectory
  private let channel: any Channel
  private let log: Log

  /// A request that the server has got.
  public struct Request: Sendable {
    public var path: String
    public var headers: [String: String]
    public var body: String
  }

  public struct Response: Sendable {
    public var status: Int
    public var headers: [(String, String)]
    public var body: String

    public init(_ status: Int, headers: [(String, String)] = [], body: String = "{}") {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  private struct NotStarted: Error {}

  /// - Parameter respond: Gets each request, in any order and on any thread; nil never answers.
  public static func start(
    _ respond: @escaping @Sendable (Request) -> Response?
  ) async throws -> PushServer {
    let directory = try TemporaryDirectory()
    try run(
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
      "-addext", "subjectAltName=DNS:localhost", "-keyout", directory.url("key.pem").path, "-out",
      directory.url("cert.pem").path)
    return try await PushServer(in: directory, respond)
  }

  private init(
    in directory: TemporaryDirectory, _ respond: @escaping @Sendable (Request) -> Response?
  ) async throws {
    var tls = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(directory.url("cert.pem").path)
        .map { .certificate($0) },
      privateKey: .privateKey(
        try NIOSSLPrivateKey(file: directory.url("key.pem").path, format: .pem)))
    tls.applicationProtocols = ["h2"]
    let context = try NIOSSLContext(configuration: tls)
    let requests = Log()
    let answer: @Sendable (Request) -> Response? = { request in
      requests.add(request)
      return respond(request)
    }
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        }.flatMap {
          channel.configureHTTP2SecureUpgrade(
            h2ChannelConfigurator: { channel in
              channel.configureHTTP2Pipeline(
                mode: .server,
                inboundStreamInitializer: { stream in
                  stream.eventLoop.makeCompletedFuture {
                    try stream.pipeline.syncOperations.addHandlers(
                      HTTP2FramePayloadToHTTP1ServerCodec(), PushHandler(answer))
                  }
                }
              ).map { _ in }
            },
            http1ChannelConfigurator: { $0.close() })
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    guard let port = channel.localAddress?.port else { throw NotStarted() }
    self.port = port
    self.directory = directory
    log = requests
  }

  deinit {
    channel.close(promise: nil)
    directory.remove()
  }

  public var url: String { "https://localhost:\(port)" }

  /// The file of the certificate.
  public var certificates: String { directory.url("cert.pem").path }

  /// The requests so far, in the order in which they came.
  public var requests: [Request] { log.all }

  /// Makes a private key as PEM: of the curve P-256, or RSA.
  public func makeKey(isRSA: Bool) throws -> String {
    let file = directory.url("signing-\(isRSA).pem")
    if isRSA {
      try Self.run(
        "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", file.path)
    } else {
      try Self.run(
        "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file.path)
    }
    return try String(contentsOf: file, encoding: .utf8)
  }

  private static func run(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try Process.startingAlone { try process.run() }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw NotStarted() }
  }
}

/// The requests of a server.
private final class Log: Sendable {
  private let requests = Mutex<[PushServer.Request]>([])

  var all: [PushServer.Request] { requests.withLock { $0 } }

  func add(_ request: PushServer.Request) { requests.withLock { $0.append(request) } }
}

/// One stream: a request and its answer.
private final class PushHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let respond: @Sendable (PushServer.Request) -> PushServer.Response?
  private var request = PushServer.Request(path: "", headers: [:], body: "")

  init(_ respond: @escaping @Sendable (PushServer.Request) -> PushServer.Response?) {
    self.respond = respond
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      request.path = head.uri
      request.headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
    case .body(let buffer): request.body += String(buffer: buffer)
    case .end: answer(context)
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    guard let response = respond(request) else { return }
    let head = HTTPResponseHead(
      version: .http2, status: .init(statusCode: response.status),
      headers: HTTPHeaders(response.headers))
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(
      wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: response.body)))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }
}
