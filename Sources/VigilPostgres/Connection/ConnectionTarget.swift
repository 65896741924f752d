import CLibPQ
import VigilStorage

/// The server to connect to: a connection URL, completed by libpq's own sources (`PGHOST`,
/// `PGPASSFILE`, `PGSERVICE`, `sslmode`, ...).
struct ConnectionTarget: Sendable {
  let url: String
  /// The parameters of the URL itself, by libpq's names; without those of the environment.
  private let parameters: [String: String]

  /// - Throws: `StorageError` with `.unreachable` for a URL that libpq does not understand; the
  ///   message holds nothing of the URL, which may have a password in it.
  init(url: String) throws {
    guard !url.utf8.contains(0), Self.isUnambiguous(url) else { throw Self.malformed }
    self.url = url
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(url, &message) else {
      // libpq's message quotes the URL.
      PQfreemem(message)
      throw Self.malformed
    }
    defer { PQconninfoFree(options) }
    var parameters: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        parameters[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    // A user without a host: libpq takes the password for the port, and names it.
    guard parameters["port"]?.utf8.allSatisfy(Self.isOfPorts) ?? true else { throw Self.malformed }
    self.parameters = parameters
  }

  /// Whether a password that is not escaped cannot be taken for a host or for the name of a database, which
  /// messages name.
  private static func isUnambiguous(_ url: String) -> Bool {
    guard let scheme = url.firstRange(of: "://") else { return true }
    let parts = url[scheme.upperBound...].prefix { $0 != "?" }
      .split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.dropFirst().allSatisfy { !$0.contains("@") }
      && (parts.first?.count { $0 == "@" } ?? 0) <= 1
  }

  /// Digits, and commas where there are several hosts.
  private static func isOfPorts(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ",")
  }

  private static let malformed = StorageError(
    .unreachable, "the database URL is not one that libpq understands",
    remedy: .advice(
      "write postgres://USER@HOST:PORT/NAME?sslmode=verify-full; percent-encode special "
        + "characters and keep the password in a passfile (PGPASSFILE)"))

  subscript(parameter: String) -> String? { parameters[parameter] }

  /// Whether the host is this machine, according to its name.
  var isLocal: Bool {
    guard let host = parameters["host"] ?? parameters["hostaddr"] else { return true }
    return host.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains(host)
  }

  /// The URL as messages name it: without password, user and options.
  var displayName: String {
    if let service = parameters["service"], parameters["dbname"] == nil {
      return "postgres service \(service)"
    }
    let host = parameters["host"] ?? parameters["hostaddr"]
    let name = parameters["dbname"]
    switch (host, name) {
    case (nil, nil): return "postgres database of the environment"
    case (let host?, nil): return "postgres://\(host)"
    case (nil, let name?): return "postgres:///\(name)"
    case (let host?, let name?) where host.hasPrefix("/"): return "postgres:///\(name)?host=\(host)"
    case (let host?, let name?):
      let port = parameters["port"].map { ":\($0)" } ?? ""
      return "postgres://\(host)\(port)/\(name)"
    }
  }
}
