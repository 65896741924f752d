import Foundation

/// A mail server: an exim of its own process, configuration, port and folder, which takes mail and keeps it.
///
/// It has TLS with a certificate of its own for `localhost`, by STARTTLS and, on a second port, from the first byte.
/// Recipients `later@...` get 451 and `unknown@...` 550;
/// the user `vigil` with the password `open sesame` may log in. It ends with this object.
public final class MailServerProcess: Sendable {
  public let port: Int
  /// With TLS from the first byte.
  public let securePort: Int
  private let process: Process
  private let directory: TemporaryDirectory

  /// Whether this machine has exim; without it tests of mail are skipped, but not where `CI` is set.
  public static var isInstalled: Bool {
    FileManager.default.isExecutableFile(atPath: path)
      || ProcessInfo.processInfo.environment["CI"] != nil
  }

  private static let path = "/usr/sbin/exim4"

  struct NotStarted: Error {
    var log: String
  }

  /// Starts one, on a thread of its own: it takes a moment.
  public static func start() async throws -> MailServerProcess {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try MailServerProcess() }) }
    }
  }

  private init() throws {
    directory = try TemporaryDirectory()
    try Self.run(
      "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
      "-nodes", "-days", "2", "-subj",
      "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout",
      directory.path("key.pem"), "-out", directory.path("cert.pem"))
    // Exim makes it when the first message comes.
    try FileManager.default.createDirectory(
      at: directory.url("spool/input"), withIntermediateDirectories: true)
    // Another process may take a port that was free.
    for _ in 1...5 {
      let ports = try Self.freePorts()
      if let process = try Self.start(in: directory, ports: ports) {
        self.process = process
        (port, securePort) = ports
        return
      }
    }
    throw NotStarted(log: Self.log(in: directory))
  }

  /// Returns the server when it listens; nil where it ended before that.
  private static func start(
    in directory: TemporaryDirectory, ports: (plain: Int, secure: Int)
  ) throws -> Process? {
    try? FileManager.default.removeItem(at: directory.url("log-main"))
    try Data(configuration(in: directory.path, ports: ports).utf8)
      .write(to: directory.url("exim.conf"))
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = ["-C", directory.path("exim.conf"), "-bdf"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try Process.startingAlone { try process.run() }
    for _ in 1...1000 where process.isRunning {
      if log(in: directory).contains("listening for SMTP") { return process }
      Thread.sleep(forTimeInterval: 0.02)
    }
    process.terminate()
    return nil
  }

  deinit {
    // Exim goes on after SIGTERM where its folder is gone. Not waited for: a child of the server that still
    // talks would keep Foundation waiting.
    kill(process.processIdentifier, SIGKILL)
    directory.remove()
  }

  public var url: String { "smtp://localhost:\(port)" }

  public var secureURL: String { "smtps://localhost:\(securePort)" }

  /// The file of the certificate.
  public var certificates: String { directory.url("cert.pem").path }

  /// The lines that the server has logged.
  public var log: String { Self.log(in: directory) }

  private static func log(in directory: TemporaryDirectory) -> String {
    (try? String(contentsOf: directory.url("log-main"), encoding: .utf8)) ?? ""
  }

  /// A message that the server has taken.
  public struct Mail: Sendable {
    /// With the headers that the server has added.
    public var text: String

    /// The lines of its head, as they came.
    public var head: [String] {
      text.components(separatedBy: "\n\n")[0].components(separatedBy: "\n")
    }

    /// The value of a header, its lines joined.
    public func header(_ name: String) -> String? {
      let head = text.components(separatedBy: "\n\n")[0].replacing("\n ", with: " ")
      return head.split(separator: "\n").first { $0.hasPrefix(name + ": ") }
        .map { String($0.dropFirst(name.count + 2)) }
    }

    /// The words, from their base64 where they are in it.
    public var body: String? {
      guard let start = text.range(of: "\n\n") else { return nil }
      let body = String(text[start.upperBound...])
      if header("Content-Transfer-Encoding") != "base64" { return body }
      return Data(base64Encoded: body, options: .ignoreUnknownCharacters)
        .map { String(decoding: $0, as: UTF8.self).replacing("\r\n", with: "\n") }
    }
  }

  /// The messages, in the order in which they came.
  public func mails() throws -> [Mail] {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: directory.url("spool/input").path)
    return try names.filter { $0.hasSuffix("-H") }.sorted().map {
      Mail(
        text: try Self.run(
          Self.path, "-C", directory.url("exim.conf").path, "-Mvc", String($0.dropLast(2))))
    }
  }

  @discardableResult
  private static func run(_ command: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardError = FileHandle.nullDevice
    let output = try Process.startingAlone {
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      return output
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw NotStarted(log: command.joined(separator: " "))
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// Two ports that are free now.
  private static func freePorts() throws -> (Int, Int) {
    let text = try run(
      "/usr/bin/env", "python3", "-c",
      """
      import socket
      sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
      print(*[each.getsockname()[1] for each in sockets])
      """)
    let ports = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard ports.count == 2 else { throw NotStarted(log: text) }
    return (ports[0], ports[1])
  }

  private static func configuration(
    in folder: String, ports: (plain: Int, secure: Int)
  ) -> String {
    """
    exim_user = \(geteuid())
    exim_group = \(getegid())
    never_users =
    spool_directory = \(folder)/spool
    log_file_path = \(folder)/log-%s
    pid_file_path = \(folder)/pid
    primary_hostname = mail.test
    local_interfaces = 127.0.0.1
    daemon_smtp_ports = \(ports.plain) : \(ports.secure)
    tls_on_connect_ports = \(ports.secure)
    daemon_startup_retries = 0
    host_lookup =
    rfc1413_hosts =
    keep_environment =
    queue_only = true
    tls_advertise_hosts = *
    tls_certificate = \(folder)/cert.pem
    tls_privatekey = \(folder)/key.pem
    acl_smtp_rcpt = check_recipient
    acl_smtp_data = accept
    begin acl
    check_recipient:
      defer local_parts = later
      deny local_parts = unknown
      deny local_parts = members
           !authenticated = *
      accept
    begin routers
    all:
      driver = accept
      transport = file
    begin transports
    file:
      driver = appendfile
      file = \(folder)/mail
    begin authenticators
    plain:
      driver = plaintext
      public_name = PLAIN
      server_prompts = :
      server_condition = ${if and{{eq{$auth2}{vigil}}{eq{$auth3}{open sesame}}}}
      server_set_id = $auth2
    """
  }
}
