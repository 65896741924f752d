import Foundation
import Synchronization

/// A service of push messages: an HTTP/2 server with TLS of its own process, which answers as a closure says.
///
/// It takes HTTP/2 alone, and verifies the signature of each token by a program of its own (`push.py`). Its
/// certificate, for `localhost`, and keys for signatures are of its own folder. It ends with this object.
public final class PushServer: Sendable {
  public let port: Int
  private let directory: TemporaryDirectory
  private let process: Process
  private let input: Pipe
  private let log: Log

  /// A request that the server has got.
  public struct Request: Decodable, Sendable {
    fileprivate var id: Int
    /// The number of the connection that it came by, from 1.
    public var connection: Int
    public var path: String
    public var headers: [String: String]
    public var body: String
    /// Whether its token has the signature of the service's key; nil where there is no token.
    public var isSigned: Bool?

    private enum CodingKeys: String, CodingKey {
      case id, connection, path, headers, body
      case isSigned = "is_signed"
    }
  }

  public struct Response: Sendable {
    public var status: Int
    public var headers: [(String, String)]
    public var body: String
    fileprivate var action: String?

    public init(_ status: Int, headers: [(String, String)] = [], body: String = "{}") {
      self.status = status
      self.headers = headers
      self.body = body
    }

    /// Ends the connection without an answer.
    public static let close = action("close")
    /// Ends the stream as one that was not processed.
    public static let refuse = action("refuse")
    fileprivate static let hang = action("hang")

    private static func action(_ name: String) -> Response {
      var response = Response(0)
      response.action = name
      return response
    }
  }

  private struct NotStarted: Error, CustomStringConvertible {
    var description: String {
      "the server of push messages did not start; scripts/setup --tests installs its packages"
    }
  }

  /// - Parameter respond: Gets each request, one after the other; nil never answers.
  public init(_ respond: @escaping @Sendable (Request) -> Response?) throws {
    directory = try TemporaryDirectory()
    try Self.openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
      "2", "-subj", "/CN=localhost",
      "-addext", "subjectAltName=DNS:localhost", "-keyout", directory.path("key.pem"), "-out",
      directory.path("cert.pem"))
    let process = Process()
    self.process = process
    process.executableURL = SharedFolder.repository.appending(
      path: ".build/test-packages/bin/python")
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "push.py")
    process.arguments = [script.path, directory.path("")]
    let output: Pipe
    (input, output) = try Process.startingAlone {
      let (input, output) = (Pipe(), Pipe())
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      return (input, output)
    }
    var lines = Lines(of: output.fileHandleForReading)
    guard let port = lines.next().flatMap({ Int($0) }) else { throw NotStarted() }
    self.port = port
    log = Log()
    Thread.detachNewThread { [log, input, lines] in
      var lines = lines
      while let line = lines.next() {
        guard let request = try? JSONDecoder().decode(Request.self, from: Data(line.utf8)) else {
          continue
        }
        log.add(request)
        let answer = Self.line(of: respond(request) ?? .hang, to: request)
        try? input.fileHandleForWriting.write(contentsOf: answer)
      }
    }
  }

  private static func line(of response: Response, to request: Request) -> Data {
    struct Answer: Encodable {
      var id: Int
      var action: String?
      var status: Int
      var headers: [[String]]
      var body: String
    }
    let answer = Answer(
      id: request.id, action: response.action, status: response.status,
      headers: response.headers.map { [$0.0, $0.1] }, body: response.body)
    return ((try? JSONEncoder().encode(answer)) ?? Data()) + Data("\n".utf8)
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.terminate()
    directory.remove()
  }

  public var url: String { "https://localhost:\(port)" }

  /// The file of the certificate.
  public var certificates: String { directory.path("cert.pem") }

  /// The requests so far, in the order in which they came.
  public var requests: [Request] { log.all }

  /// Makes the private key as PEM by which a token is to be signed: of the curve P-256, or RSA.
  public func makeKey(isRSA: Bool) throws -> String {
    let file = directory.path(isRSA ? "rsa.pem" : "ec.pem")
    if isRSA {
      try Self.openssl(
        "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", file)
      try Self.openssl("pkey", "-in", file, "-pubout", "-out", directory.path("rsa.pub.pem"))
    } else {
      try Self.openssl(
        "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file)
    }
    return try String(contentsOfFile: file, encoding: .utf8)
  }

  /// Runs `openssl arguments`.
  public static func openssl(_ arguments: String...) throws {
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

/// The lines of a pipe, each as soon as it is whole.
private struct Lines: Sendable {
  private let source: FileHandle
  private var rest = Data()

  init(of source: FileHandle) { self.source = source }

  mutating func next() -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest = Data(rest[(end + 1)...]) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let more = source.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }
}
