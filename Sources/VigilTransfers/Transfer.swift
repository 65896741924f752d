public import Foundation

/// One exchange with a server: a request over HTTP, or a message by SMTP.
///
/// ```swift
/// let transfer = Transfer(
///   url: "https://alerts.example.org/vigil", body: Data("{}".utf8),
///   kind: .http(headers: [("Content-Type", "application/json")]), timeout: .seconds(20))
/// ```
public struct Transfer: Sendable {
  /// `http` or `https` for a request, `smtp` or `smtps` for a message.
  public var url: String
  /// The body of a request, or the whole message.
  public var body: Data
  public var kind: Kind
  /// For the whole exchange.
  public var timeout: Duration
  /// The file of certificates to trust in place of those of the system; nil for those.
  public var certificatesFile: String?

  public init(
    url: String, body: Data, kind: Kind, timeout: Duration, certificatesFile: String? = nil
  ) {
    self.url = url
    self.body = body
    self.kind = kind
    self.timeout = timeout
    self.certificatesFile = certificatesFile
  }

  public enum Kind: Sendable {
    /// A request, by HTTP/2 where a server with TLS speaks it.
    ///
    /// - headers: Names and values. One with a control character fails the transfer before anything is sent.
    /// - sharesConnections: Whether it waits for a connection in the making, to be a stream of it. That is for servers
    ///   that are known to speak HTTP/2.
    case http(
      Method = .post, headers: [(name: String, value: String)], sharesConnections: Bool = false)
    case mail(Envelope)
  }

  public enum Method: String, Sendable {
    /// Without a body.
    case get = "GET"
    case post = "POST"
    case put = "PUT"
  }

  /// The addresses of a message, and how the server is spoken to.
  public struct Envelope: Sendable {
    public var sender: String
    public var recipient: String
    /// Whether nothing is sent without TLS; else a connection that begins without it stays so.
    public var requiresEncryption: Bool
    /// User and password; nil where the server wants no login.
    public var login: (user: String, password: String)?

    public init(
      sender: String, recipient: String, requiresEncryption: Bool,
      login: (user: String, password: String)? = nil
    ) {
      self.sender = sender
      self.recipient = recipient
      self.requiresEncryption = requiresEncryption
      self.login = login
    }
  }
}
