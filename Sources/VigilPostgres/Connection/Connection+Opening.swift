import CLibPQ
import Foundation
import VigilSQL

extension Connection {
  /// Connects, and sets up the session.
  ///
  /// - Parameters:
  ///   - statements: For a schema, which need not exist.
  ///   - purpose: Shown as `application_name` in `pg_stat_activity`.
  /// - Throws: `PostgresError`; with an SQLSTATE where the server refused.
  static func open(
    _ target: ConnectionTarget, statements: StatementLibrary, purpose: String
  ) throws -> Connection {
    let connection = Connection(
      taking: try connect(target, purpose: purpose), statements: statements)
    try connection.run(script: statements.statement(ConnectionStatement.setUpSession).sql)
    return connection
  }

  /// The schemas of names without one, as `SetUpSession` sets them.
  ///
  /// Functions and operators are never taken from `pg_temp`, which is named because it would come first
  /// otherwise.
  static let searchPath = "pg_catalog, pg_temp"

  /// Connects without blocking, because only so the SQLSTATE of a refusal can be had: libpq writes
  /// it into its message when asked before the server answers.
  private static func connect(
    _ target: ConnectionTarget, purpose: String
  ) throws -> OpaquePointer {
    var settings = [
      ("dbname", target.url), ("application_name", purpose), ("client_encoding", "UTF8"),
    ]
    // A session whose other end has gone shall not sit there for hours.
    let defaults = [
      ("keepalives_idle", "60"), ("keepalives_interval", "10"), ("keepalives_count", "6"),
    ]
    settings += defaults.filter { target[$0.0] == nil }
    guard let handle = start(settings) else {
      throw PostgresError(message: "out of memory", isConnectionLost: true)
    }
    PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    // Notices would go to standard error.
    PQsetNoticeReceiver(handle, { _, _ in }, nil)
    do {
      try waitUntilConnected(handle, seconds: timeout(of: target))
    } catch {
      PQfinish(handle)
      throw error
    }
    PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
    return handle
  }

  private static func start(_ settings: [(String, String)]) -> OpaquePointer? {
    let keywords = settings.map { strdup($0.0) }
    let values = settings.map { strdup($0.1) }
    defer { (keywords + values).forEach { free($0) } }
    return (keywords.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { keywords in
      (values.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { values in
        PQconnectStartParams(keywords.baseAddress, values.baseAddress, 1)
      }
    }
  }

  private static let longestTimeout = 24 * 3600

  /// Seconds; libpq enforces `connect_timeout` only where it waits itself.
  private static func timeout(of target: ConnectionTarget) -> Int {
    let given =
      target["connect_timeout"] ?? ProcessInfo.processInfo.environment["PGCONNECT_TIMEOUT"]
    return given.flatMap(Int.init).flatMap { $0 > 0 ? min($0, longestTimeout) : nil } ?? 15
  }

  private static func waitUntilConnected(_ handle: OpaquePointer, seconds: Int) throws {
    // A failure before there is a socket, such as a path without a server, never gets one.
    guard PQstatus(handle) != CONNECTION_BAD else { throw refusal(of: handle) }
    let deadline = ContinuousClock.now + .seconds(seconds)
    // What a fresh attempt waits for, before it is polled for the first time.
    var status = PGRES_POLLING_WRITING
    while true {
      switch status {
      case PGRES_POLLING_OK: return
      case PGRES_POLLING_READING, PGRES_POLLING_WRITING:
        let left = ContinuousClock.now.duration(to: deadline)
        let milliseconds = left.components.seconds * 1000 + 1
        var descriptor = pollfd(
          fd: PQsocket(handle), events: Int16(status == PGRES_POLLING_READING ? POLLIN : POLLOUT),
          revents: 0)
        guard left > .zero, poll(&descriptor, 1, Int32(clamping: milliseconds)) != 0 else {
          throw PostgresError(
            message: "the server did not answer within \(seconds) s", isConnectionLost: true,
            isServerAway: true)
        }
        status = PQconnectPoll(handle)
      default:
        throw refusal(of: handle)
      }
    }
  }

  /// Takes the SQLSTATE out of a message in verbose form, `...FATAL:  28P01: text: LOCATION: ...`.
  private static func refusal(of handle: OpaquePointer) -> PostgresError {
    let message = oneLine(String(cString: PQerrorMessage(handle)))
    guard let match = message.firstMatch(of: /([A-Z]+): +([0-9A-Z]{5}): (.*)/) else {
      return PostgresError(
        message: message, isConnectionLost: true, isServerAway: isOfAServerThatIsAway(message))
    }
    let text = match.output.3.split(separator: ": LOCATION:", maxSplits: 1)
    let state = String(match.output.2)
    return PostgresError(
      sqlState: state, message: text.first.map(String.init) ?? message,
      isConnectionLost: true, isServerAway: state == cannotConnectNow)
  }

  /// The server is starting, stopping or recovering.
  private static let cannotConnectNow = "57P03"

  /// Whether the attempt ended in one of the ways in which it ends while a server or its machine is
  /// restarted; libpq says so in words only, which are those of the system.
  private static func isOfAServerThatIsAway(_ message: String) -> Bool {
    var codes = [
      ECONNREFUSED, ECONNRESET, ECONNABORTED, EPIPE, ETIMEDOUT, EHOSTUNREACH, EHOSTDOWN,
      ENETUNREACH, ENETDOWN,
    ]
    // A server takes its Unix socket with it; a certificate that is not there is missing for good.
    if message.contains("socket") { codes.append(ENOENT) }
    return message.contains("server closed the connection unexpectedly")
      || codes.contains { message.contains(String(cString: strerror($0))) }
  }
}
